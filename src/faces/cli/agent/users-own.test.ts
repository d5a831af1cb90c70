/** What the user proves in the files of a run is left alone by the run, however it goes on. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  startModelServer,
  type Reply,
  type ScriptedModelServer,
} from '../../../agent/testing/scripted-model-server.ts';
import { runQuod, startQuod } from '../testing/run-quod.ts';

const statement = (name: string) => `Lemma ${name} : forall n : nat, n = n.\n`;
const HOLES = ['one', 'two'].map((name) => `${statement(name)}Proof.\nAdmitted.\n`).join('');
const FINISHED = '  (* an hour of work *)\n  induction n; reflexivity.\nQed.\n';
const HALF_DONE = '  (* an hour of work *)\n  induction n.\nAdmitted.\n';

let folder: string;
let server: ScriptedModelServer | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-users-own-'));
  writeFileSync(join(folder, 'a.v'), HOLES);
});
afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

const text = () => readFileSync(join(folder, 'a.v'), 'utf8');
const check: Reply = {
  calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "intros. reflexivity."}' }],
};

/** Stopped by a signal as soon as a model is asked about `two`; `one` is written by then. Later the model answers. */
async function stoppedRun(args: readonly string[], signal: NodeJS.Signals): Promise<void> {
  let ask: (() => void) | undefined;
  let isStopped = false;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  server = await startModelServer(({ tools }) => {
    if (tools === undefined) return { text: '{"score": 5, "plan": "reflexivity"}' };
    if (isStopped || text() === HOLES) return check;
    ask?.();
    return { silent: true };
  });
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  const model = ['--model', 'scripted/rocq', '--no-search-first', '--set', `providers=${providers}`];
  const started = startQuod(['agent', ...args, ...model, 'plans=1', 'refute-seconds=0'], folder);
  await asked;
  started.child.kill(signal);
  await started.finished;
  isStopped = true;
}

const prove = (rest: string) =>
  writeFileSync(join(folder, 'a.v'), text().replace(/(Lemma two.*\nProof\.\n)Admitted\.\n/u, `$1${rest}`));

test.each([
  ['finished, and the run was stopped', FINISHED, 'SIGINT', 0],
  ['finished, and the run was killed', FINISHED, 'SIGKILL', 0],
  ['half done', HALF_DONE, 'SIGINT', 1],
] as const)('a proof of the user’s own, %s, is left as it is by `resume`', async (_, rest, signal, code) => {
  await stoppedRun(['a.v', '--write'], signal);
  prove(rest);
  const mine = text();
  expect(mine).toContain('an hour of work');
  const before = server?.requests.length;
  const run = await runQuod(['resume', 'last', '--write'], folder);
  expect(text()).toBe(mine);
  expect(run, run.stderr).toMatchObject({ exitCode: code });
  expect(server?.requests.length).toBe(before);
  expect(run.stderr).toMatch(/a\.v: two: its proof is yours by now; left as it is/u);
  expect(run.stderr).toContain(`${code === 0 ? 2 : 1} of 2 theorems proved`);
  expect((await runQuod(['show', 'last'], folder)).stdout).toContain('yours by now (two)');
});

test('so is one in a file of a task that is called again', async () => {
  writeFileSync(join(folder, 'TASK.md'), '# T\n\n## Targets\n- a.v: one, two\n');
  await stoppedRun(['--task', 'TASK.md'], 'SIGKILL');
  prove(FINISHED);
  const mine = text();
  const before = server?.requests.length;
  const run = await runQuod(['agent', '--task', 'TASK.md'], folder);
  expect(text()).toBe(mine);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(server?.requests.length).toBe(before);
  expect(run.stderr).toMatch(/a\.v: two: its proof is yours by now; left as it is/u);
});

test('a hole that the user wrote as another one is no proof of the user’s: `resume` goes on with it', async () => {
  await stoppedRun(['a.v', '--write'], 'SIGINT');
  prove('  (* not yet *)\n  admit.\nAdmitted.\n');
  const run = await runQuod(['resume', 'last', '--write'], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 0 });
  expect(run.stderr).not.toContain('yours by now');
  expect(run.stderr).toContain('2 of 2 theorems proved');
  expect(text()).toMatch(/Lemma two[^L]*\(\* not yet \*\)\s+intros\. reflexivity\.\s+Qed\./u);
  expect(text()).not.toContain('admit');
});

test('what another run proves meanwhile is kept by a run that has written nothing yet, and a changed statement is not', async () => {
  const other = HOLES.replace('Proof.\nAdmitted.', 'Proof.\ninduction n; reflexivity.\nQed.');
  server = await startModelServer(({ tools }) => {
    if (tools === undefined) return { text: '{"score": 5, "plan": "reflexivity"}' };
    writeFileSync(join(folder, 'a.v'), other);
    return check;
  });
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  const model = ['--model', 'scripted/rocq', '--no-search-first', '--set', `providers=${providers}`];
  const args = ['a.v', '--theorem', 'two', '--write', ...model, 'plans=1', 'refute-seconds=0'];
  const run = await runQuod(['agent', ...args], folder);
  expect(text()).toBe(other);
  expect(run, run.stderr).toMatchObject({ exitCode: 2 });
  expect(run.stderr).toContain('The file changed while the agent worked on it. Go on with `quod resume`');
  writeFileSync(
    join(folder, 'a.v'),
    other.replace('two : forall n : nat, n = n', 'two : forall n : nat, 0 = 0'),
  );
  expect((await runQuod(['resume', 'last', '--write'], folder)).stderr).toContain('file-changed');
  writeFileSync(join(folder, 'a.v'), other);
  const resumed = await runQuod(['resume', 'last', '--write'], folder);
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
  expect(text()).toBe(other.replace('Proof.\nAdmitted.', 'Proof.\n  intros. reflexivity.\nQed.'));
});
