import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { accessTo, runQuod, startQuod } from '../testing/run-quod.ts';
import type { StartedQuod } from '../testing/run-quod.ts';

let folder = '';
let server: StartedQuod | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-commands-'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(
    join(folder, 'sub', 'a.v'),
    'Lemma one : True.\nProof. exact I. Qed.\nLemma two : 1 = 1.\nAdmitted.\n',
  );
});

afterEach(async () => {
  server?.child.kill('SIGTERM');
  await server?.finished;
  server = undefined;
  rmSync(folder, { recursive: true });
});

/** Starts a server of the folder and answers its address and token when it listens. */
async function serve(): Promise<{ started: StartedQuod; url: string; token: string }> {
  const started = startQuod(['serve', '--port', '0'], folder);
  server = started;
  return { started, ...(await accessTo(started)) };
}

describe('an operation as a command', () => {
  test('a file in the place of a session is told where it belongs', async () => {
    const refused = await runQuod(['rocq', 'premises', 'sub/a.v'], folder);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('sub/a.v is a file');
    expect(refused.stderr).toContain('--file sub/a.v');
    expect((await runQuod(['rocq', 'premises', 'sub/absent.v'], folder)).stderr).toContain(
      'There is no session',
    );
  });

  test('a question without a place is answered with an example of one', async () => {
    const refused = await runQuod(['rocq', 'locate', 'rev'], folder);
    expect(refused.stderr).toContain('`--file` lists.v');
  });

  test('takes words, options and JSON, and prints text or JSON', async () => {
    const text = await runQuod(['rocq', 'outline', 'a.v'], join(folder, 'sub'));
    expect(text).toMatchObject({ exitCode: 0 });
    expect(text.stdout).toContain('two');
    const json = await runQuod(['rocq', 'outline', 'a.v', '--limit', '1', '--json'], join(folder, 'sub'));
    expect(JSON.parse(json.stdout)).toMatchObject({
      file: 'a.v',
      theorems: [{ name: 'one', proved: true }],
      total: 2,
    });
    const call = ['call', 'rocq_outline', '--input', '{"file":"a.v","limit":1}', '--json'];
    expect(await runQuod(call, join(folder, 'sub'))).toMatchObject({ exitCode: 0, stdout: json.stdout });
  });

  test('a theorem is named by one option as by the other', async () => {
    const said = (option: string) =>
      runQuod(['rocq', 'premises', '--file', 'a.v', option, 'absent', '--local'], join(folder, 'sub'));
    const one = await said('--theorem');
    expect(one.stderr).toContain('The file states no absent');
    expect(await said('--theorems')).toEqual(one);
  });

  test.each([
    ['- reflexivity.', '--json'],
    ['--json', '-- auto.\n- split.'],
  ])('a script that begins with a bullet is no option: %j', async (...words) => {
    const step = await runQuod(['rocq', 'step', 's', ...words, '--local'], join(folder, 'sub'));
    expect(step.stderr).toMatch(/There is no (?:Rocq )?session s\b/u);
    expect((await runQuod(['rocq', 'step', 's', '-rf'], folder)).stderr).toContain('unknown option');
  });

  test.each([
    [['rocq', 'outline', 'absent.v', '--json'], 'not-found'],
    [['call', 'rocq_outlin'], 'not-found'],
    [['call', 'rocq_outline', '--input', '{'], 'invalid-input'],
    [['call', 'rocq_outline', '--input', '{"path":"a.v"}'], 'invalid-input'],
    [['rocq', 'outline', 'a.v', '--server', 'http://127.0.0.1:1'], 'not-found'],
  ])('%j fails with %s', async (commandLine, reason) => {
    const { exitCode, stderr } = await runQuod(commandLine, join(folder, 'sub'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`[${reason}]`);
  });
});

test('with a server of the workspace, a command gives the same answer, and errors stay the same', async () => {
  const sub = join(folder, 'sub');
  const outline = ['rocq', 'outline', 'a.v', '--json'];
  const alone = await runQuod([...outline, '--local'], sub);
  const { started } = await serve();
  expect(await runQuod(outline, sub)).toEqual(alone);
  const refused = await runQuod(['rocq', 'outline', '../../x.v'], sub);
  expect(refused.stderr).toContain('[outside-workspace]');
  expect(refused.stderr).toMatch(/The server of this folder \(http:\S+\), .*--local/u);
  // A session is known to the next command only because the server keeps it.
  const sessions = await runQuod(['rocq', 'sessions', '--json'], sub);
  expect(JSON.parse(sessions.stdout)).toMatchObject({ sessions: [] });

  const files = join(tmpdir(), 'quod-test-cache', 'servers');
  const own =
    readdirSync(files).find((name) => readFileSync(join(files, name), 'utf8').includes(folder)) ?? '';
  expect(statSync(join(files, own)).mode & 0o777).toBe(0o600);
  started.child.kill('SIGKILL');
  await started.finished;
  expect(await runQuod(outline, sub)).toEqual(alone);
  expect(started.survivors()).toEqual([]);
});

test.skipIf(findExecutable(['coqidetop.opt', 'coqidetop']) === undefined)(
  'steps of a session: its name stands first or as an option, the state is told, and the code says what holds',
  async () => {
    const sub = join(folder, 'sub');
    const quod = (...words: string[]) => runQuod(['rocq', ...words], sub);
    const alone = await quod('open', 'a.v', 'two');
    expect(alone).toMatchObject({ exitCode: 0 });
    expect(alone.stderr).toMatch(/ends with this command.*`quod serve`/u);
    const [, lost = ''] = /^Session (\S+),/u.exec(alone.stdout) ?? [];
    const gone = await quod('step', lost, 'idtac.');
    expect(gone).toMatchObject({ exitCode: 2, stdout: '' });
    expect(gone.stderr).toMatch(/ends with the command.*`quod serve`.*\[not-found\]/u);

    await serve();
    const opened = await quod('open', 'a.v', 'two');
    expect(opened).toMatchObject({ exitCode: 0, stderr: '' });
    const [, id = ''] = /^Session (\S+),/u.exec(opened.stdout) ?? [];
    const step = await quod('step', id, 'idtac.');
    expect(step).toMatchObject({ exitCode: 0 });
    const [, state = ''] = /^State (\S+) .*`quod rocq step` with `--from`/u.exec(step.stdout) ?? [];
    expect(await quod('step', id, 'reflexivity.', '--from', state)).toMatchObject({ exitCode: 0 });
    expect(await quod('step', id, 'foo.')).toMatchObject({ exitCode: 1 });
    expect(await quod('check-proof', id, 'idtac.')).toMatchObject({ exitCode: 1 });
    expect(await quod('check-proof', id, 'reflexivity.')).toMatchObject({ exitCode: 0 });
    for (const session of [[id], ['--session-id', id]]) {
      expect((await quod('goals', ...session)).stdout).toContain('1 = 1');
      expect((await quod('step', ...session, 'reflexivity.')).stdout).toContain('1 accepted');
      expect(await quod('premises', ...session)).toMatchObject({ exitCode: 0 });
      const tried = await quod('try', ...session, 'foo.', 'reflexivity.');
      expect(tried.stdout).toMatch(/^1 of 2 accepted, 1 close/u);
      const words = ['rocq', 'check-proof', ...session, '-'];
      expect(await runQuod(words, sub, {}, 'reflexivity.\n')).toMatchObject({ exitCode: 0 });
    }
    expect(await quod('try', id, 'foo.')).toMatchObject({ exitCode: 1 });
    expect(await quod('step', '--session-id', id)).toMatchObject({ exitCode: 2 });
  },
);

test('a server that is asked to end takes its file with it and leaves no process', async () => {
  const { started, url, token } = await serve();
  const headers = { authorization: `Bearer ${token}` };
  expect(await (await fetch(`${url}/api/server`, { headers })).json()).toMatchObject({ workspace: folder });
  started.child.kill('SIGTERM');
  expect(await started.finished).toMatchObject({ exitCode: 0, stdout: '' });
  expect(started.survivors()).toEqual([]);
  const files = join(tmpdir(), 'quod-test-cache', 'servers');
  expect(readdirSync(files).some((name) => readFileSync(join(files, name), 'utf8').includes(folder))).toBe(
    false,
  );
});

test('`quod mcp` ends when its input does, with nothing but the protocol on standard output', async () => {
  const run = await runQuod(['mcp', '--workspace', folder]);
  expect(run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect((await runQuod(['mcp', '--tools', 'coq'])).stderr).toContain('[invalid-input]');
  expect((await runQuod(['mcp', '--compat', 'coq'])).stderr).toContain('choices are rocqstar, fstar-mcp');
});
