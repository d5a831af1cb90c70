/** Keeps a search from using section variables that the proof's `Proof using` does not allow. */
import type { ProverSession, StateId } from '../core/prover.ts';
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import { wordsOf } from './adapt.ts';

/**
 * The state with the variables cleared that the clause leaves out, as far as nothing in the goal depends on them. The
 * proof text does not get the clearing: a proof that does not need them passes without.
 */
export async function hideUnused(
  session: ProverSession,
  root: StateId,
  theorem: TheoremItem,
): Promise<StateId> {
  const { using, binders } = theorem;
  if (using === undefined || /\b(?:All|Collection)\b|[*~-]/u.test(using)) return root;
  const allowed = new Set(wordsOf(`${using} ${binders}`).map(({ text }) => text));
  const [goal] = (await session.goals(root))?.goals ?? [];
  let state = root;
  for (const { name } of goal?.hypotheses.toReversed() ?? []) {
    if (allowed.has(name)) continue;
    const cleared = await session.run(state, `clear ${name}.`);
    if (cleared.status === 'done') state = cleared.state;
  }
  return state;
}
