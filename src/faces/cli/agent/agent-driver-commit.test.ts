/** What is committed of the work of another program: proofs that the gate accepted, and no other. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test as anyTest } from 'vitest';
import { writeStandIn } from '../../../agent/testing/stand-in-driver.ts';
import type { StandInStep } from '../../../agent/testing/stand-in-driver.ts';
import { findExecutable } from '../../../process/executable.ts';
import { runQuod } from '../testing/run-quod.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const LONG = 600_000;
const lemma = (name: string, proof = 'Admitted.'): string => `Lemma ${name} : 1 = 1.\nProof.\n${proof}\n\n`;
const PROVED = 'reflexivity. Qed.';
const HOLES = `${lemma('one')}${lemma('two')}`;

let folder: string;
const path = (name: string): string => join(folder, name);
const git = (...commandLine: string[]): string =>
  execFileSync('git', ['-C', folder, ...commandLine], { encoding: 'utf8' });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-driver-commit-'));
  writeFileSync(path('A.v'), HOLES);
  writeFileSync(path('TASK.md'), 'Prove A.v.\n');
  git('init', '--quiet');
  git('config', 'user.name', 'somebody');
  git('config', 'user.email', 'somebody@example.org');
  git('add', '.');
  git('commit', '--quiet', '-m', 'holes');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Each turn of the program leaves this text. */
const work = (texts: readonly string[], command: readonly string[] = ['agent', '--task', 'TASK.md']) => {
  const turns: StandInStep[][] = texts.map((text) => [{ overwrite: path('A.v'), text }, { say: 'Done.' }]);
  writeFileSync(path('script.json'), JSON.stringify(turns));
  writeFileSync(path('calls.jsonl'), '');
  process.env['STAND_IN_SCRIPT'] = path('script.json');
  process.env['STAND_IN_LOG'] = path('calls.jsonl');
  const program = `driver-command=${writeStandIn(folder, 'claude')}`;
  return runQuod(
    [...command, '--driver', 'claude-code', '--set', program, `contexts=${texts.length}`],
    folder,
  );
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
    expect(git('log', '--format=%s')).toBe('holes\n');
    expect(readFileSync(path('A.v'), 'utf8')).toBe(text);
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
    expect(git('log', '--format=%s')).toBe(`${message}\nholes\n`);
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
    expect((await runQuod(['run', 'export', 'last'], folder)).stdout).toContain('now reflexivity. Qed.');
    expect(git('log', '--format=%s')).toBe('holes\n');
  },
  LONG,
);
