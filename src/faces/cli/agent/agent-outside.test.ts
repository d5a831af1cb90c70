/** Which files of the user's a project's settings, logs and links can have sent to a model: none that it does not hold. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listRuns, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { Reply, ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const SECRET = 'what only the user may read';
const FILE = 'Lemma second : forall n m, n + S m = S (n + m).\nProof.\nAdmitted.\n';
const proved = (name: string): string =>
  `Lemma ${name} : forall n m, n + S m = S (n + m).\nProof. intros. symmetry. apply plus_n_Sm. Qed.\n`;

let base: string;
let folder: string;
let server: ScriptedModelServer;
let execute: (seen: number) => Reply;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'quod-outside-'));
  folder = join(base, 'project');
  for (const name of ['.quod', 'pp']) mkdirSync(join(folder, name), { recursive: true });
  mkdirSync(join(base, 'outside'));
  for (const name of ['id', 'rocq-tool-use.md']) writeFileSync(join(base, 'outside', name), SECRET);
  writeFileSync(join(folder, 'a.v'), FILE);
  execute = () => ({ text: 'I think.' });
  server = await startModelServer(({ tools, messages }) =>
    tools === undefined ? { text: '{"score": 5, "plan": "induction on n"}' } : execute(messages.length),
  );
});
afterEach(async () => {
  await server.close();
  rmSync(base, { recursive: true });
});

const ask = (...options: string[]) => {
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  const settings = [`providers=${providers}`, 'plans=1', 'plansExecuted=1', 'toolCallsPerPlan=2'];
  const own = ['--model', 'scripted/rocq', '--no-search-first', ...options, '--set', ...settings];
  return runQuod(['agent', 'a.v', ...own], folder);
};
const ofFolder = (prompts: string): void =>
  writeFileSync(join(folder, '.quod', 'agent.json'), JSON.stringify({ prompts }));
const sent = (): string => JSON.stringify(server.requests.map(({ body }) => body));

test.each(['nothing-called.md', 'rocq-tool-use.md'])(
  'a link %s among the prompts of a project is not followed out of it, nor to what Quod keeps',
  async (name) => {
    ofFolder('pp');
    mkdirSync(join(folder, '.quod', 'verdicts'));
    writeFileSync(join(folder, '.quod', 'verdicts', 'key.pem'), SECRET);
    for (const target of ['../../outside/id', '../.quod/verdicts/key.pem']) {
      symlinkSync(target, join(folder, 'pp', name));
      const run = await ask();
      expect(run, run.stderr).toMatchObject({ exitCode: 2 });
      expect(run.stderr).toMatch(/--set prompts=FOLDER.*outside-workspace/u);
      rmSync(join(folder, 'pp', name));
    }
    expect(server.requests).toEqual([]);
  },
);

test('a project names no folder of prompts elsewhere; one inside it, and a link that stays inside, are taken', async () => {
  symlinkSync('../outside', join(folder, 'link'));
  for (const elsewhere of ['../outside', join(base, 'outside'), 'link', 'link/']) {
    ofFolder(elsewhere);
    expect(await ask()).toMatchObject({ exitCode: 2 });
  }
  expect(server.requests).toEqual([]);
  ofFolder('pp');
  writeFileSync(join(folder, 'tool-use'), 'By the book of the project.');
  symlinkSync('../tool-use', join(folder, 'pp', 'rocq-tool-use.md'));
  await ask();
  expect(sent()).toContain('By the book of the project.');
});

test('prompts that the user names may lie anywhere; a log names them again only with --outside', async () => {
  const elsewhere = join(base, 'outside');
  await ask('--set', `prompts=${elsewhere}`);
  expect(sent()).toContain(SECRET);
  const runs = runsFolder(folder, {});
  const log = join(runs, listRuns(runs).at(-1) ?? '', 'events.jsonl');
  const begun = readFileSync(log, 'utf8').split('\n')[0] ?? '';
  expect(begun).toContain(elsewhere);
  const again = async (...options: string[]) => {
    writeFileSync(log, `${begun}\n`);
    const before = server.requests.length;
    const { exitCode } = await runQuod(['resume', 'last', ...options], folder);
    return { exitCode, requests: server.requests.length - before };
  };
  expect(await again()).toEqual({ exitCode: 2, requests: 0 });
  for (const meant of [['--outside'], ['--set', `prompts=${elsewhere}`]])
    expect((await again(...meant)).requests).toBeGreaterThan(0);
});

test('similar proofs of the project are not those of files that its links lead to outside', async () => {
  writeFileSync(join(base, 'outside', 's.v'), proved('of_somebody_else'));
  symlinkSync('../outside/s.v', join(folder, 'link.v'));
  symlinkSync('../outside', join(folder, 'linked'));
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'sub', 'b.v'), proved('of_the_project'));
  symlinkSync('sub/b.v', join(folder, 'inside.v'));
  execute = () => ({ calls: [{ name: 'rocq_similar_proofs', arguments: '{"scope": "project"}' }] });
  await ask('--set', 'similarProofs=0');
  expect(sent()).toMatch(/inside\.v:1[\s\S]*of_the_project/u);
  expect(sent()).not.toContain('of_somebody_else');
  const listed = await runQuod(['rocq', 'files'], folder);
  expect(listed.stdout.trim().split('\n')).toEqual(['a.v', 'inside.v', 'sub/b.v', expect.any(String)]);
});

test('folders outside of the project that it takes in are named before a model is told of them', async () => {
  writeFileSync(join(base, 'outside', 's.v'), proved('of_another_folder'));
  writeFileSync(join(folder, '_CoqProject'), '-Q . Here\n-Q pp Inside\n-Q ../gone Gone\n');
  expect((await ask()).stderr).not.toContain('outside of it');
  writeFileSync(join(folder, '_CoqProject'), '-Q . Here\n-Q ../outside There\n');
  const { stderr } = await ask();
  expect(stderr).toMatch(
    /^The project has sources outside of it, in .*\/outside: models are told of them, too\.$/mu,
  );
  const alone = await runQuod(['agent', 'a.v', '--set', 'searchSeconds=1'], folder);
  expect(alone.stderr).not.toContain('outside of it');
});
