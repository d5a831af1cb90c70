/** What is committed of the work of another program: proofs that the gate accepted, and no other. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test as anyTest } from 'vitest';
import { writeStandIn } from '../../../agent/testing/stand-in-driver.ts';
import type { StandInStep } from '../../../agent/testing/stand-in-driver.ts';
import { handoffText, withHandoff } from '../../../agent/task/task-file.ts';
import { inRepository } from '../../../agent/task/testing/in-repository.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const LONG = 600_000;
const lemma = (name: string, proof = 'Admitted.'): string => `Lemma ${name} : 1 = 1.\nProof.\n${proof}\n\n`;
const PROVED = 'reflexivity. Qed.';
const HOLES = `${lemma('one')}${lemma('two')}`;

const { folder, git, path } = inRepository('quod-driver-commit-', {
  'A.v': HOLES,
  'TASK.md': 'Prove A.v.\n',
});

const BEGIN = ['agent', '--task', 'TASK.md', '--driver', 'claude-code'];

/** Each turn of the program leaves this text. @param before How many turns an earlier part of the run had. */
const work = (texts: readonly string[], command: readonly string[] = BEGIN, before = 0) => {
  const turns: StandInStep[][] = texts.map((text) => [{ overwrite: path('A.v'), text }, { say: 'Done.' }]);
  writeFileSync(path('script.json'), JSON.stringify(turns));
  writeFileSync(path('calls.jsonl'), '');
  process.env['STAND_IN_SCRIPT'] = path('script.json');
  process.env['STAND_IN_LOG'] = path('calls.jsonl');
  const program = `driver-command=${writeStandIn(folder(), 'claude')}`;
  return runQuod([...command, '--set', program, `contexts=${texts.length + before}`], folder());
};

test.each([
  ['does not compile', 'apply nonsense. Qed.'],
  ['does not prove it', 'idtac. Qed.'],
  ['is not finished', 'idtac. Admitted.'],
])(
  'a file with a proof that %s is not committed, and the theorem is told',
  async (_, wrong) => {
    const text = `${lemma('one', PROVED)}${lemma('two', wrong)}`;
    const run = await work([text]);
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: A\.v has a proof that the gate did not accept \(two\)\.$/mu,
    );
    expect(run.stderr).toMatch(/^1 of 2 theorems proved/mu);
    expect(git('log', '--format=%s')).toBe('first\n');
    expect(readFileSync(path('A.v'), 'utf8')).toBe(text);
  },
  LONG,
);

test.each([
  ['a comment', `${lemma('one', PROVED)}${lemma('two', PROVED)}(* of another program *)\n`],
  ['the line ends', `${lemma('one', PROVED)}${lemma('two', PROVED)}`.replaceAll('\n', '\r\n')],
])(
  'a file in which %s changed beside the proofs is not committed, and that is the reason',
  async (_, text) => {
    const run = await work([text]);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: A\.v is changed elsewhere than in its proofs, by the other agent or by you\.$/mu,
    );
    expect(git('log', '--format=%s')).toBe('first\n');
  },
  LONG,
);

const HELPER = 'Lemma helper : 1 = 1.\nProof. reflexivity. Qed.\n\n';

test.each([
  ['all of them', `${lemma('one', PROVED)}${lemma('two', PROVED)}`, 'Prove one, two'],
  ['one, the other left open', `${lemma('one', PROVED)}${lemma('two')}`, 'Prove one'],
  [
    'one with a lemma, the other left open',
    `${HELPER}${lemma('one', 'exact helper. Qed.')}${lemma('two')}`,
    'Prove one',
  ],
])(
  'proofs that the gate accepted are committed: %s',
  async (_, text, message) => {
    const run = await work([text]);
    expect(run.stderr).not.toContain('Not committed');
    expect(git('log', '--format=%s')).toBe(`${message}\nfirst\n`);
    expect(git('show', 'HEAD:A.v')).toBe(text);
  },
  LONG,
);

test(
  'what was accepted after one turn and broken in the next is told, and shown with its proof',
  async () => {
    const proved = `${lemma('one', 'now reflexivity. Qed.')}${lemma('two')}`;
    const run = await work([proved, `${proved}Lemma oops : False.\nProof. exact I. Qed.\n`]);
    expect(run, run.stderr).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toMatch(
      /A\.v: one: the gate accepted a proof of it \(turn-1\) that does not count in the file as it was left: quod run export \S+ prints it$/mu,
    );
    expect(run.stderr).not.toMatch(/two: the gate accepted/u);
    expect((await runQuod(['run', 'export', 'last'], folder())).stdout).toContain('now reflexivity. Qed.');
    expect(git('log', '--format=%s')).toBe('first\n');
  },
  LONG,
);

test(
  'proofs that the gate accepts one by one, and not together, are not committed, and the program is told',
  async () => {
    const LEVELS = 'Definition T1 := Type.\nDefinition T2 := Type.\n\n';
    const one = lemma('one', 'exact (let x : T2 := T1 in eq_refl). Qed.');
    const two = lemma('two', 'exact (let x : T1 := T2 in eq_refl). Qed.');
    writeFileSync(path('A.v'), `${LEVELS}${HOLES}`);
    git('commit', '--quiet', '-am', 'levels');
    const apart = `${LEVELS}${one}${two}`;
    const run = await work([apart, apart]);
    expect(run, run.stderr).toMatchObject({ exitCode: 2 });
    expect(run.stderr).toContain('The gate accepts each of these proofs, but not all of them in one file');
    expect(run.stderr).toMatch(
      /^Not committed, for you to commit: A\.v has proofs that the gate accepts one by one, and not together \(one, two\)\.$/mu,
    );
    expect(git('log', '--format=%s')).toBe('levels\nfirst\n');
    // The program goes on, and is told.
    const calls = readFileSync(path('calls.jsonl'), 'utf8').trim().split('\n');
    expect(calls).toHaveLength(2);
    expect(calls[1]).toContain('not all of them in one file');
    const mended = `${LEVELS}${one}${lemma('two', PROVED)}`;
    const resumed = await work([mended], ['resume', 'last'], 2);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(git('log', '--format=%s')).toBe('Prove one, two\nlevels\nfirst\n');
    expect(git('show', 'HEAD:A.v')).toBe(mended);
  },
  LONG,
);

test.each([
  ['all', lemma('two', PROVED)],
  ['a part', lemma('two')],
])(
  'what an earlier run handed off is taken out of the task file when the other agent has proved %s of it',
  async (_, two) => {
    const task = readFileSync(path('TASK.md'), 'utf8');
    const list = '- [ ] one (A.v)\n- [ ] two (A.v)';
    writeFileSync(path('TASK.md'), withHandoff(task, handoffText({ list, note: 'Go on.', state: '' })));
    git('commit', '--quiet', '-am', 'handed off');
    const text = `${lemma('one', PROVED)}${two}`;
    const run = await work([text]);
    expect(run.stderr).not.toContain('Not committed');
    expect(git('show', 'HEAD:TASK.md')).toBe(task);
    expect(git('show', 'HEAD:A.v')).toBe(text);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  },
  LONG,
);
