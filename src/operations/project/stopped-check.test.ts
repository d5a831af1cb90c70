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
