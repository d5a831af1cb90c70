/** Turns the run of a proof into steps: each tactic with the goal it was made on and how far it was from the end. */
import type { Goal, ProofState } from '../core/proof-state.ts';
import { atomise } from './atomise.ts';
import type { RecordedStep } from './step-memory.ts';

export interface TracedSentence {
  /** The proof state before the sentence. */
  readonly before: ProofState;
  /** The sentence without its final dot. */
  readonly tactic: string;
  readonly after: ProofState | null;
  /** Steps inside a compound tactic, on the goals that they met. */
  readonly inner: readonly { readonly goal: Goal; readonly tactic: string }[];
}

const SELECTOR = /^(?:\d+|all|!|par)\s*:\s*/u;
const LONGEST_GOAL = 4000;

export function stepsOf(trace: readonly TracedSentence[], origin: string, theorem: string): RecordedStep[] {
  return trace.flatMap(({ before, tactic, inner }, index) => {
    const [goal] = before.goals;
    const remaining = remainingSteps(trace, index);
    const steps = inner.map((step) => ({ ...step, remaining: remaining + 1, origin, theorem }));
    const text = tactic.replace(SELECTOR, '').trim();
    if (goal === undefined || text === '' || text === 'idtac') return steps;
    return [
      { goal, tactic: text, remaining, origin, theorem },
      ...atomise(text).first.map((piece) => ({
        goal,
        tactic: piece,
        remaining: remaining + 1,
        origin,
        theorem,
      })),
      ...steps,
    ].filter((step) => goalLength(step.goal) <= LONGEST_GOAL);
  });
}

function remainingSteps(trace: readonly TracedSentence[], index: number): number {
  const before = openGoals(trace[index]?.before ?? null);
  for (let at = index; at < trace.length; at += 1)
    if (openGoals(trace[at]?.after ?? null) < before) return at - index + 1;
  return trace.length - index;
}

function openGoals(state: ProofState | null): number {
  return state === null ? 0 : state.goals.length + state.unfocused.reduce((sum, count) => sum + count, 0);
}

function goalLength(goal: Goal): number {
  return goal.hypotheses.reduce((length, { type }) => length + type.length, goal.conclusion.length);
}
