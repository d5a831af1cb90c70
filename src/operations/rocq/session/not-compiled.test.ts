/** A library of the project that is not compiled is told in the same words whatever is asked. */
import { expect, onTestFinished, test } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { openCaller } from '../../testing/caller.ts';

const hasNativeRocq = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

test.skipIf(!hasNativeRocq)('by a check, a search, a question at a place and a session', async () => {
  const caller = await openCaller({
    _CoqProject: '-Q . P\n',
    'A.v': 'Definition one := 1.\n',
    'B.v': 'From P Require Import A.\nLemma l : one = 1.\nProof.\nAdmitted.\n',
  });
  onTestFinished(() => caller.close());
  const cause =
    /One file of the project that it requires is not compiled, or not from the source as it is now: \S*A\.v \(P\.A\)\./u;
  const remedy = 'Build the project first: `proof_build`.';
  const { errors } = await caller.call('proof_check', { file: 'B.v' });
  expect(errors).toMatchObject([{ message: expect.stringMatching(cause) as string, remedy }, {}]);
  const refusals = [
    await caller.failure('proof_search', { file: 'B.v' }),
    await caller.failure('rocq_goals', { file: 'B.v', theorem: 'l' }),
    await caller.failure('rocq_open', { file: 'B.v', theorem: 'l' }),
  ];
  for (const { reason, text } of refusals) {
    expect(reason).toBe('library-missing');
    expect(text).toMatch(cause);
    expect(text).toContain(remedy);
  }
});
