/** What a check says of what it did not look at, or looked at in older files: neither that it holds nor that it fails. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operationNamed } from '../catalogue.ts';
import { holdsOf } from '../files/check-report.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

/** The first proof takes minutes: a call of seconds always ends in it. */
const SLOW = `Lemma slow : True.
Proof. do 2000000000 idtac. exact I. Qed.
Lemma bad : 1 = 2.
Proof. reflexivity. Qed.
`;
const GOOD = 'Lemma good : True.\nProof. exact I. Qed.\n';

let caller: Caller;

beforeAll(async () => {
  caller = await openCaller({ 'Bad.v': SLOW, 'Good.v': GOOD, 'Foo.fst': 'module Foo\n' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await caller.close();
});

function holds(name: string, value: unknown): boolean | undefined {
  return operationNamed(name)?.readAnswer(value).holds();
}

test.for(['proof_check', 'rocq_compile'])('%s that was cut off says nothing of the file', async (name) => {
  const answer = await caller.call(name, { file: 'Bad.v', timeout: 5 });
  expect(answer).toMatchObject({ errors: [], partial: true });
  expect(holds(name, answer)).toBeUndefined();
  if (name === 'proof_check') expect(answer).toMatchObject({ holds: null, stopped: 'timeout' });
});

test('a part that ran out of time has neither failed nor passed', () => {
  const unknown = { errors: [{ reason: 'timeout' }], holes: [], partial: false };
  expect(holdsOf(unknown, [])).toBeNull();
  expect(holdsOf({ ...unknown, errors: [{ reason: 'timeout' }, { reason: null }] }, [])).toBe(false);
  // What follows from something that ran out of time.
  expect(holdsOf({ ...unknown, errors: [{ reason: 'timeout' }, { follows: 'slow' }] }, [])).toBeNull();
});

test('status says of each file why it was not run to its end, and tells of the others', async () => {
  vi.stubEnv('QUOD_FSTAR', '/no/fstar.exe');
  const paths = ['Good.v', 'Foo.fst', 'Bad.v'];
  const answer = await caller.call('proof_status', { paths, check: true, timeout: 8 });
  expect(answer).toMatchObject({ errors: 0, stopped: 'timeout' });
  expect(answer['files']).toMatchObject([
    { file: 'Good.v', errors: 0, unchecked: null },
    { file: 'Foo.fst', errors: null, unchecked: { reason: 'prover-missing' } },
    { file: 'Bad.v', errors: null, unchecked: { reason: 'timeout' } },
  ]);
  expect(holds('proof_status', answer)).toBeUndefined();
  const told = operationNamed('proof_status')?.readAnswer(answer).conclusion();
  expect(told).toContain('Bad.v. The time was over. [timeout]');
});

test('a file that was checked against older files is not said to hold', async () => {
  const project = await openCaller({
    _CoqProject: '-Q . P\n',
    'A.v': 'Definition one := 1.\n',
    'B.v': 'From P Require Import A.\nLemma l : one = 1.\nProof. reflexivity. Qed.\n',
  });
  await project.call('proof_build');
  expect(await project.call('proof_check', { file: 'B.v' })).toMatchObject({
    holds: true,
    rests_on: { stale: [] },
  });
  expect(await project.call('rocq_compile', { file: 'B.v' })).toMatchObject({ ok: true });
  await writeFile(join(project.folder, 'A.v'), 'Definition one := 2.\n');
  const stale = await project.call('proof_check', { file: 'B.v' });
  expect(stale).toMatchObject({ holds: null, errors: [], rests_on: { stale: ['A.v'] } });
  expect(operationNamed('proof_check')?.readAnswer(stale).conclusion()).toContain('A.v changed');
  const status = await project.call('proof_status', { check: true });
  expect(status['files']).toMatchObject([
    { file: 'A.v', errors: 0, stale: [] },
    { file: 'B.v', errors: 0, stale: ['A.v'] },
  ]);
  expect(holds('proof_status', status)).toBeUndefined();
  const told = operationNamed('proof_status')?.readAnswer(status);
  expect(told?.body()).toMatch(/^B\.v +no +A\.v$/mu);
  expect(told?.conclusion()).toContain('1 file checked against older files');
  const compiled = await project.call('rocq_compile', { file: 'B.v' });
  expect(compiled).toMatchObject({ ok: false, errors: [], rests_on: { stale: ['A.v'] } });
  expect(holds('rocq_compile', compiled)).toBeUndefined();
  await project.close();
});

test('a file that is seen to be broken is the one cause of all that require it, and no build is advised for them', async () => {
  const project = await openCaller({
    _CoqProject: '-Q . P\n',
    'A.v': 'Definition one := 1.\n',
    'B.v': 'From P Require Import A.\nLemma l : one = 1.\nProof. reflexivity. Qed.\n',
    'C.v': 'From P Require Import B.\n',
  });
  const told = async (): Promise<string | undefined> => {
    const status = await project.call('proof_status', { check: true });
    return operationNamed('proof_status')?.readAnswer(status).conclusion();
  };
  const cause =
    /^A\.v:2:24: The term "true" has type[^]*\n {2}It is the cause that B\.v, C\.v cannot be compiled: mend it first\.$/mu;
  await writeFile(join(project.folder, 'A.v'), 'Definition one := 1.\nDefinition two : nat := true.\n');
  expect(await told(), 'never compiled').toMatch(cause);
  await writeFile(join(project.folder, 'A.v'), 'Definition one := 1.\n');
  await project.call('proof_build');
  await writeFile(join(project.folder, 'A.v'), 'Definition one := 1.\nDefinition two : nat := true.\n');
  const older = await told();
  expect(older, 'compiled of an older text').toMatch(cause);
  expect(older).not.toContain('compile the project');
  await project.close();
});

test('what fails for want of a library that is not built follows from it, and nothing else does', async () => {
  const project = await openCaller({
    _CoqProject: '-Q . P\n',
    'A.v': 'Inductive tree := leaf.\nDefinition one := 1.\n',
    'B.v': `From P Require Import A.
Definition two := one.
Lemma uses : two = two.
Proof. reflexivity. Qed.
Lemma by_cases (t : tree) : True.
Proof. exact I. Qed.
Lemma by_tree : True.
Proof. pose proof tree_ind. exact I. Qed.
Lemma misspelt : True.
Proof. reflexivty. Qed.
Definition wrong : nat := true.
Definition rests := wrong.
Fixpoint f (n : nat) : nat := match n with 0 => 0 | S m => f m end
Lemma g : f 0 = 0.
Proof. reflexivity. Qed.
Lemma syntax : True.
Proof. exact (I. Qed.
Lemma nothing : True. Proof. Qed.
`,
  });
  const checked = await project.call('proof_check', { file: 'B.v' });
  const errors = checked['errors'] as { line: number; follows: string | null; message: string }[];
  expect(errors.map(({ line, follows }) => [line, follows])).toEqual([
    [1, null],
    [2, 'P.A'],
    [3, 'P.A'],
    [5, 'P.A'],
    [8, 'P.A'],
    [10, null],
    [11, null],
    [12, 'wrong'],
    [14, null],
    [17, null],
    [18, null],
  ]);
  expect(errors.find(({ line }) => line === 14)?.message).toContain('Is a dot missing before `Lemma`');
  const told = operationNamed('proof_check')?.readAnswer(checked);
  expect(told?.conclusion()).toMatch(
    /^What stands behind 1:0 was run without .*\n6 errors and 5 that follow, 1 hole \(1 told as an error\)/mu,
  );
  expect(told?.body()).toMatch(/^B\.v:18:\d+: error: .*\(a hole: empty\)$/mu);
  expect(told?.body()).not.toContain('hole: nothing');
  const status = await project.call('proof_status', { check: true });
  expect(status).toMatchObject({ errors: 6, following: 5 });
  const shown = operationNamed('proof_status')?.readAnswer(status);
  expect(shown?.body()).toMatch(/^B\.v .*6 and 5 that follow/mu);
  expect(shown?.conclusion()).toContain('6 errors and 5 that follow');
  expect(shown?.conclusion()).toMatch(
    /^1 file with errors requires what is not compiled .*then check again$/mu,
  );
  await project.close();
});

test('what a library hands on from elsewhere may be missing for it, and of many errors behind it a few are told', async () => {
  const broken = Array.from({ length: 9 }, (_, at) => `Definition d${at} : nat := true.`);
  const project = await openCaller({
    _CoqProject: '-Q . P\n',
    'A.v': 'Require Export Arith.\n',
    'B.v': `From P Require Import A.\nDefinition e := elsewhere.\n${broken.join('\n')}\n`,
  });
  const checked = await project.call('proof_check', { file: 'B.v' });
  expect(checked['errors']).toMatchObject([
    { follows: null },
    { follows: 'P.A' },
    ...broken.map(() => ({ follows: null })),
  ]);
  const body = operationNamed('proof_check')?.readAnswer(checked).body() ?? '';
  expect(body.match(/has type/gu)).toHaveLength(5);
  expect(body).toMatch(/^B\.v:8:\d+: error: 4 more errors here and up to 11:\d+ \(--json lists them\)$/mu);
  await project.close();
});
