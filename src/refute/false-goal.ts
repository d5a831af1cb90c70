/**
 * Whether a goal of a search looks false: small values refute it as a statement of its own. Nobody judges that. Where
 * small values cannot be gone through, or some seem to refute it without a proof, it says so.
 */
import type { Goal } from '../core/proof-state.ts';
import { goalStatement } from '../provers/rocq/syntax/goal-statement.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { ANY_GOAL } from '../provers/rocq/syntax/theorem-text.ts';
import { claimOfStatement } from './claim.ts';
import { searchCounterexample, type RefuteOptions } from './refute.ts';
import type { PlaceOfTheorem } from './refute-theorem.ts';

/** Passes over values and derivations: the first are strict, and a hypothesis such as an induction's is seldom computed. */
const PASSES = 6;

interface GoalOfTheorem extends Omit<PlaceOfTheorem, 'theorem'> {
  /** At which the theorem stands whose proof is open. */
  readonly theorem: { readonly sentence: number };
  readonly goal: Goal;
}

export async function lookAtGoal(
  { outline, theorem, session, opened, goal }: GoalOfTheorem,
  { allowed, signal }: Pick<RefuteOptions, 'allowed' | 'signal'>,
): Promise<'false' | 'stands' | 'unknown'> {
  const { sentence } = theorem;
  const before = await session.run(opened, asSentence('Abort.'), { signal });
  if (before.status !== 'done') return 'unknown';
  const context = await session.run(before.state, asSentence(ANY_GOAL), { signal });
  if (context.status !== 'done') return 'unknown';
  const ofSections = (await session.goals(context.state))?.goals[0]?.hypotheses ?? [];
  const statement = goalStatement(goal, new Set(ofSections.map(({ name }) => name)));
  if (statement === undefined) return 'unknown';
  const claim = claimOfStatement(outline, sentence, statement);
  const found = await searchCounterexample(session, before.state, claim, {
    ...{ allowed, signal },
    passes: PASSES,
  });
  switch (found.kind) {
    case 'disproved':
      return 'false';
    case 'not-refuted':
      return found.tried > 0 && found.suspects.length === 0 ? 'stands' : 'unknown';
    case 'not-tried':
      return 'unknown';
  }
}
