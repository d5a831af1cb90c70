/**
 * Hypotheses that stand for what is being proved: a `Fixpoint`'s or `CoFixpoint`'s own name, those of statements proved
 * together, and what `cofix` brings. Any tactic may close a goal with one at once, and only Rocq's guard condition
 * tells whether the proof would go round in a circle.
 */
import type { ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';

/** The name that the search gives to what `cofix` brings. */
export const COINDUCTION_HYPOTHESIS = 'CIH';

const GUARD_TIMEOUT_MS = 2000;

/** Names of hypotheses that are the theorem itself, or one that is proved with it. */
export function recursiveNames(theorem: TheoremItem, proof: ProofState): ReadonlySet<string> {
  const own = new Set([theorem.name, ...theorem.otherNames]);
  const hypotheses = proof.goals.flatMap((goal) => goal.hypotheses.map(({ name }) => name));
  return new Set(hypotheses.filter((name) => own.has(name)));
}

/**
 * Whether a step of another proof brings such a hypothesis under a name that does not tell: whatever used it here would
 * count as proved until the whole is asked about its guard condition.
 */
export function recursUnseen(step: string): boolean {
  return RECURSION.test(step);
}

const RECURSION = new RegExp(String.raw`\b(?:fix|cofix(?!\s+${COINDUCTION_HYPOTHESIS}\b))(?![\w'])`, 'u');

/** Whether a step on the goal could use such a hypothesis. */
function mayRecur(view: GoalView, recursive: ReadonlySet<string>): boolean {
  return view.goal.hypotheses.some(({ name }) => recursive.has(name) || name === COINDUCTION_HYPOTHESIS);
}

/** Whether every recursive call of the proof so far is one that Rocq takes. */
export async function isGuarded(
  session: ProverSession,
  state: StateId,
  signal: AbortSignal,
): Promise<boolean> {
  const result = await session.run(state, asSentence('Guarded.'), { timeoutMs: GUARD_TIMEOUT_MS, signal });
  // Some versions refuse the command, others say in a message that the condition is violated.
  return result.status === 'done' && !result.messages.some(({ message }) => /violated/iu.test(message));
}

/** The same, of a step that was run on a goal: what cannot use such a hypothesis is not asked about. */
export async function isGuardedStep(
  session: ProverSession,
  view: GoalView,
  state: StateId,
  { recursive, signal }: { readonly recursive: ReadonlySet<string>; readonly signal: AbortSignal },
): Promise<boolean> {
  return !mayRecur(view, recursive) || (await isGuarded(session, state, signal));
}
