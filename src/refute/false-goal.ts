/** Whether a goal of a search looks false: small values refute it as a statement of its own. Nobody judges that. */
import type { Goal } from '../core/proof-state.ts';
import { goalStatement } from '../provers/rocq/syntax/goal-statement.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { ANY_GOAL } from '../provers/rocq/syntax/theorem-text.ts';
import { claimOfStatement } from './claim.ts';
import { searchCounterexample, type RefuteOptions } from './refute.ts';
import type { PlaceOfTheorem } from './refute-theorem.ts';

/** Passes over small values and derivations. */
const PASSES = 4;

interface GoalOfTheorem extends Omit<PlaceOfTheorem, 'theorem'> {
  /** At which the theorem stands whose proof is open. */
  readonly theorem: { readonly sentence: number };
  readonly goal: Goal;
}

export async function isFalseGoal(
  { outline, theorem, session, opened, goal }: GoalOfTheorem,
  { allowed, signal }: Pick<RefuteOptions, 'allowed' | 'signal'>,
): Promise<boolean> {
  const { sentence } = theorem;
  const before = await session.run(opened, asSentence('Abort.'), { signal });
  if (before.status !== 'done') return false;
  const context = await session.run(before.state, asSentence(ANY_GOAL), { signal });
  if (context.status !== 'done') return false;
  const ofSections = (await session.goals(context.state))?.goals[0]?.hypotheses ?? [];
  const statement = goalStatement(goal, new Set(ofSections.map(({ name }) => name)));
  if (statement === undefined) return false;
  const claim = claimOfStatement(outline, sentence, statement);
  const found = await searchCounterexample(session, before.state, claim, {
    ...{ allowed, signal },
    passes: PASSES,
  });
  return found.kind === 'disproved';
}
