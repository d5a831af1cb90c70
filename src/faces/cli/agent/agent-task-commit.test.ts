/** What a task commits: the last commit with proofs of its runs, and never what somebody else has in the files. */
import { appendFileSync, chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test as anyTest } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { inRepository } from '../../../agent/task/testing/in-repository.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const LONG = 600_000;
const HOLES = ['a', 'b'].map((name) => `Lemma ${name} : 1 = 1.\nProof.\nAdmitted.\n`).join('');
const PROVED = HOLES.replaceAll('Proof.\nAdmitted.', 'Proof.\n  reflexivity.\nQed.');

let server: ScriptedModelServer;
let options: readonly string[];

const { folder, git, gitIn, makeRepository, path } = inRepository('quod-task-commit-', {
  ...{ 'A.v': HOLES, 'A.md': '## Targets\n- A.v\n' },
  ...{ 'B.v': HOLES, 'B.md': '## Targets\n- B.v\n' },
});
beforeEach(async () => {
  server = await startModelServer(() => ({
    calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "reflexivity."}' }],
  }));
  const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
  options = ['--model', 'scripted/rocq', '--set', 'search-first=false', '--set', `providers=${providers}`];
});
afterEach(async () => {
  await server.close();
});

const work = (...more: string[]) => runQuod(['agent', '--task', ...more, ...options], folder());

test(
  'what the user writes between two parts of a run is not committed, and told',
  async () => {
    const first = await work('A.md', '--max-tool-calls', '1');
    expect(first, first.stderr).toMatchObject({ exitCode: 1 });
    appendFileSync(path('A.v'), 'Definition mine := 42. (* draft *)\n');
    const second = await work('A.md', '--max-tool-calls', '9');
    expect(second, second.stderr).toMatchObject({ exitCode: 0 });
    expect(second.stderr).toMatch(
      /^Not committed, for you to commit: A\.v has changes of yours beside what the run put there\.$/mu,
    );
    expect(git('log', '--format=%s')).toBe('Prove a\nfirst\n');
    expect(readFileSync(path('A.v'), 'utf8')).toBe(`${PROVED}Definition mine := 42. (* draft *)\n`);
    // Once it is the user's own commit, the rest is nobody's but the run's.
    writeFileSync(path('A.v'), `${HOLES}Definition mine := 42. (* draft *)\n`);
    git('commit', '--quiet', '-am', 'mine');
    writeFileSync(path('A.v'), `${PROVED}Definition mine := 42. (* draft *)\n`);
    const third = await runQuod(['resume', 'last', ...options], folder());
    expect(third, third.stderr).toMatchObject({ exitCode: 0 });
    expect(third.stderr).not.toContain('Not committed');
    expect(git('log', '--format=%s')).toBe('Prove a, b\nmine\nProve a\nfirst\n');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);

test(
  'what could not be committed is committed when the run is resumed',
  async () => {
    writeFileSync(path('.git/index.lock'), '');
    const run = await work('A.md');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(/^Not committed \(A\.v\): \S+index\.lock is there, .*remove that file$/mu);
    expect(run.stderr).toMatch(/^To have it committed once nothing is in its way: quod resume \S+$/mu);
    rmSync(path('.git/index.lock'));
    const resumed = await runQuod(['resume', 'last', ...options], folder());
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(resumed.stderr).not.toContain('Not committed');
    expect(git('show', 'HEAD:A.v')).toBe(PROVED);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);

test(
  'a proof that could not be written at the end of a run is written and committed when it is resumed',
  async () => {
    await server.close();
    let asked = 0;
    server = await startModelServer(() => {
      asked += 1;
      if (asked === 2) chmodSync(path('A.v'), 0o444);
      return { calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "reflexivity."}' }] };
    });
    const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
    options = ['--model', 'scripted/rocq', '--set', 'search-first=false', '--set', providers];
    const run = await work('A.md');
    expect(run, run.stderr).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain('1 of them not written');
    // What was written is committed all the same.
    expect(git('log', '--format=%s')).toBe('Prove a\nfirst\n');
    chmodSync(path('A.v'), 0o644);
    const resumed = await runQuod(['resume', 'last', '--set', providers], folder());
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path('A.v'), 'utf8')).toBe(PROVED);
    expect(git('show', 'HEAD:A.v')).toBe(PROVED);
    expect(asked).toBe(2);
  },
  LONG,
);

test(
  'each file is committed in its repository, by the theorems that are in it; what is not is told',
  async () => {
    for (const name of ['inner', 'other'])
      makeRepository(name, { [`${name}.v`]: HOLES.replaceAll(/Lemma /gu, `Lemma ${name}_`) });
    writeFileSync(path('other/.git/MERGE_HEAD'), git('rev-parse', 'HEAD'));
    writeFileSync(path('B.v'), HOLES.replaceAll(/Lemma /gu, 'Lemma mine_'));
    writeFileSync(
      path('T.md'),
      '## Targets\n- A.v\n- B.v: mine_a\n- inner/inner.v\n- other/other.v: other_a\n',
    );
    const run = await work('T.md');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(git('log', '--format=%s')).toBe('Prove a, b\nfirst\n');
    expect(gitIn('inner', 'log', '--format=%s')).toBe('Prove inner_a, inner_b\nfirst\n');
    expect(run.stderr).toMatch(
      /^Not committed \(other\.v\): a merge is under way in \S+other \(MERGE_HEAD\)/mu,
    );
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: B\.v had changes of yours when the run began\.$/mu,
    );
    rmSync(path('other/.git/MERGE_HEAD'));
    const resumed = await runQuod(['resume', 'last', ...options], folder());
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(gitIn('other', 'log', '--format=%s')).toBe('Prove other_a\nfirst\n');
  },
  LONG,
);

test('what cannot be written is told before anything is paid', async () => {
  chmodSync(path('A.v'), 0o444);
  const task = await work('A.md');
  expect(task).toMatchObject({ exitCode: 2, stdout: '' });
  expect(task.stderr).toMatch(/^quod: .*A\.v: .*lets nobody write it.*chmod u\+w/mu);
  const write = await runQuod(['agent', 'A.v', '--write', ...options], folder());
  expect(write.stderr).toContain('chmod u+w');
  chmodSync(path('B.md'), 0o444);
  expect((await work('B.md')).stderr).toMatch(/^quod: .*B\.md: .*chmod u\+w/mu);
  expect(server.requests).toHaveLength(0);
  expect(readFileSync(path('A.v'), 'utf8')).toBe(HOLES);
});

test(
  'a proof that rests on what the same run proved in another file is settled as the last lines say',
  async () => {
    await server.close();
    server = await startModelServer(({ messages }) => {
      const said = JSON.stringify(messages);
      const [theorem] = [...said.matchAll(/inside the proof of (\w+)/gu)].at(-1)?.slice(1) ?? [];
      const proof = theorem === 'b' ? 'exact a.' : 'reflexivity.';
      return { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }] };
    });
    const providers = JSON.stringify({ scripted: { url: server.url, free: true } });
    const model = ['--model', 'scripted/rocq', '--set', 'search-first=false', `providers=${providers}`];
    writeFileSync(path('_CoqProject'), '-Q . Lib\nA.v\nB.v\n');
    writeFileSync(path('A.v'), 'Lemma a : 1 = 1.\nProof.\nAdmitted.\n');
    writeFileSync(path('B.v'), 'From Lib Require Import A.\nLemma b : 1 = 1.\nProof.\nAdmitted.\n');
    writeFileSync(path('T.md'), '## Targets\n- A.v\n- B.v\n');
    await runQuod(['build', 'A.v'], folder());
    const run = await runQuod(['agent', '--task', 'T.md', ...model], folder());
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toMatch(
      /^b: rests on A\.a as it was compiled; .*: quod build \S*A\.v, then quod resume/mu,
    );
    await runQuod(['build', 'A.v'], folder());
    const resumed = await runQuod(['resume', 'last', '--set', `providers=${providers}`], folder());
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(resumed.stderr).toContain('2 of 2 theorems proved');
  },
  LONG,
);
