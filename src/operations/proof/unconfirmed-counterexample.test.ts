/** Behind an error of the file the gate can confirm nothing; what was found is told all the same, as what it is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

const FALSE = 'Lemma wrong (n : nat) : n < n + n.\nProof.\nAdmitted.\n';
const FILES = {
  'refused.v': `Lemma bad (n : nat) : n + 0 = n.\nProof.\n  induction n.\nQed.\n${FALSE}`,
  'unknown.v': `Definition a := foo.\n${FALSE}`,
};

describe.skipIf(findExecutable(['coqc']) === undefined)('a false statement behind an error', () => {
  let caller: Caller;
  beforeAll(async () => {
    caller = await openCaller(FILES);
  });
  afterAll(() => caller.close());

  const said = expect.stringMatching(
    /^It fails for n = 0; that is not confirmed, because the file has an error before it\. /u,
  ) as unknown;

  it.each(Object.keys(FILES))(
    'has its counterexample told, with no word of the gate: %s',
    async (file) => {
      const told = { reason: 'does-not-compile', message: said, negation: null };
      const refuted = await caller.call('proof_refute', { file });
      expect(refuted).toMatchObject({
        refuted: 0,
        results: [{ ...told, outcome: 'not-refuted', suspects: ['n = 0'] }],
      });
      // The search does not go on with what fails.
      const searched = await caller.call('proof_search', { file, theorems: ['wrong'], budget: 60 });
      expect(searched).toMatchObject({
        results: [{ ...told, outcome: 'not-proved', counterexample: 'n = 0', proof: null, goals_left: null }],
      });
    },
    300_000,
  );
});
