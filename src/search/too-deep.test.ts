/** A goal at which the search itself fails is told, and the holes behind it are proved. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Prover, ProverSession } from '../core/prover.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { sessionOver } from '../sessions/session-over.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const DEEP = '1 = 2';

/** Whose stack is used up by one goal. */
function shallow(session: ProverSession): ProverSession {
  return {
    ...sessionOver(session, {}),
    goals: async (at) => {
      const state = await session.goals(at);
      if (state?.goals.some(({ conclusion }) => conclusion === DEEP) === true)
        throw new RangeError('Maximum call stack size exceeded');
      return state;
    },
  };
}

test('what is nested too deep is not searched, and what stands behind it is', async () => {
  const found = await findRocq('auto');
  const prover: Prover = {
    ...found,
    openSession: async (options) => shallow(await found.openSession(options)),
  };
  const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-deep-'));
  onTestFinished(() => rmSync(cacheDirectory, { recursive: true }));
  const results = await proveFile(
    {
      file: join(tmpdir(), 'quod_deep_test.v'),
      text: `Lemma deep : ${DEEP}.\nAdmitted.\n\nLemma easy : forall n : nat, n = n.\nAdmitted.\n`,
      ...{ theorems: 'all-holes', nodes: 100, jobs: 1, seed: 1, prover, cacheDirectory },
      ...{ judge: credulous, signal: new AbortController().signal },
    },
    () => undefined,
  );
  const outcomes = new Map(results.map(({ theorem, outcome }) => [theorem, outcome]));
  expect(outcomes.get('deep')).toMatchObject({ kind: 'not-proved', reason: 'too-large' });
  expect(outcomes.get('easy')).toMatchObject({ kind: 'proved' });
});
