/** The search at states of a session: inside of bullets, at the end of a proof, and where nothing is to be found. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { openCaller, type Caller } from '../testing/caller.ts';
import { proofSearch } from './proof-search-operation.ts';

const FILE = `Lemma own : forall n, n + 0 = n.
Proof. induction n; simpl; congruence. Qed.

Lemma target : forall n m, (n + 0) + S m = S (n + m) /\\ n = n.
Proof.
Admitted.
`;

interface Searched {
  readonly results: readonly { readonly outcome: string; readonly proof: string | null }[];
  readonly closed: { readonly script: string; readonly state: string; readonly goals_left: number } | null;
}

describe.skipIf(findExecutable(['coqc']) === undefined)('proof_search at a state of a session', () => {
  let caller: Caller;
  let session_id: unknown;
  beforeAll(async () => {
    caller = await openCaller({ 'a.v': FILE });
    ({ session_id } = await caller.call('rocq_open', { file: 'a.v', theorem: 'target' }));
  });
  afterAll(() => caller.close());

  const step = async (script: string, from?: string): Promise<string> => {
    const { state } = await caller.call('rocq_step', {
      session_id,
      script,
      ...(from !== undefined && { from }),
    });
    return String(state);
  };
  const search = async (from: string): Promise<Searched> =>
    (await caller.call('proof_search', { session_id, from, budget: 20 })) as unknown as Searched;

  it('closes the goal in focus and says what is left elsewhere', async () => {
    const from = await step('intros n m. split. -');
    const { closed, results } = await search(from);
    expect(closed).toMatchObject({ goals_left: 1 });
    expect(results).toMatchObject([{ outcome: 'not-proved', proof: null }]);
    const after = await step('- reflexivity.', closed?.state);
    expect(after).toMatch(/^s\d+$/u);
  });

  it('has the gate judge the whole proof when nothing is left', async () => {
    const { closed, results } = await search(await step('intros n m. split; [| reflexivity].'));
    expect(closed).toMatchObject({ goals_left: 0 });
    expect(results).toMatchObject([{ outcome: 'proved' }]);
    expect(results[0]?.proof).toMatch(/^intros n m\.[^]*Qed\.$/u);
  });

  it('ends as soon as the budget of a search that works is used up, however large it was', async () => {
    const from = await step('intros n m. assert (forall f : nat -> nat, f n = f m).');
    let changes = 0;
    const { value } = await proofSearch.answer(
      { session_id, from, budget: 3600 },
      {
        ...caller.context(),
        inputNow: () => ({ budget: (changes += 1) > 5 ? 0.001 : 3600 }),
      },
    );
    expect(value.results.map(({ outcome, message }) => `${outcome}: ${message}`)).toEqual([
      expect.stringMatching(/^not-proved: .*in the time given/u),
    ]);
  });

  it('refuses a state without a goal, and a call that names both a file and a session', async () => {
    await expect(caller.call('proof_search', { session_id, file: 'a.v' })).rejects.toThrow(/either/u);
    await expect(caller.call('proof_search', {})).rejects.toThrow(/either/u);
  });
});
