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

test.skipIf(!hasNativeRocq)(
  'where one file below does not compile, it is the cause, with its place',
  async () => {
    const caller = await openCaller({
      _CoqProject: '-Q . P\n',
      'A.v': 'Definition one := 1.\nDefinition two : nat := true.\n',
      'M.v': 'From P Require Import A.\n',
      'B.v': 'From P Require Import M.\nLemma l : 1 = 1.\nProof.\nAdmitted.\n',
    });
    onTestFinished(() => caller.close());
    const cause =
      /A\.v, which it requires, itself or through others, does not compile: \S*A\.v:2:24: The term "true" has type/u;
    const remedy = /^Mend \S*A\.v first; `proof_check` lists all its errors\.$/u;
    const explained = {
      message: expect.stringMatching(cause) as string,
      remedy: expect.stringMatching(remedy) as string,
    };
    for (const operation of ['proof_check', 'rocq_compile']) {
      const { errors } = await caller.call(operation, { file: 'B.v' });
      expect(errors, operation).toMatchObject([explained]);
    }
    for (const [operation, input] of [
      ['proof_search', {}],
      ['proof_refute', {}],
      ['rocq_goals', { theorem: 'l' }],
      ['rocq_open', { theorem: 'l' }],
    ] as const) {
      const { reason, text } = await caller.failure(operation, { file: 'B.v', ...input });
      expect(reason, operation).toBe('does-not-compile');
      expect(text, operation).toMatch(cause);
      expect(text, operation).not.toMatch(/proof_build|not compiled/u);
    }
  },
);
