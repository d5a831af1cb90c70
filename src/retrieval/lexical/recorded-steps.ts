/** Turns the run of a proof into steps: each tactic with the goal it was made on and how far it was from the end. */
import type { Goal, ProofState } from '../../core/proof-state.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { TracedSentence } from '../../sessions/rocq/traced-proof.ts';
import { atomise } from '../../provers/rocq/syntax/atomise.ts';
import type { RecordedStep } from './step-memory.ts';

const SELECTOR = /^(?:\d+|all|!|par)\s*:\s*/u;
const LONGEST_GOAL = 4000;
const GIVES_UP = /\b(?:admit|give_up)\b/u;

/** @param origin A file path or a library's logical name. */
export function stepsOf(trace: readonly TracedSentence[], origin: string): RecordedStep[] {
  const steps: RecordedStep[] = [];
  let previous: RecordedStep[] = [];
  trace.forEach(({ before, tactic, inner }, index) => {
    const [goal] = before.goals;
    const remaining = remainingSteps(trace, index);
    const text = tactic.replace(SELECTOR, '').trim();
    if (goal === undefined || text === '' || text === 'idtac' || GIVES_UP.test(text)) return;
    const make = (at: Goal, step: string, more: number): RecordedStep => {
      return { goal: at, tactic: step, remaining: remaining + more, origin, next: undefined };
    };
    const whole = make(goal, text, 0);
    const beginnings = atomise(text).first.map((piece) => make(goal, piece, 1));
    const parts = inner.map((step) => make(step.goal, step.tactic, 1));
    // What a step leads to is worth trying behind it: the next part of its sentence, then the next sentence.
    for (const step of previous) step.next = whole;
    for (const step of beginnings) step.next = parts[0];
    parts.forEach((part, at) => (part.next = parts[at + 1]));
    const last = parts.at(-1);
    previous = last === undefined ? [whole] : [whole, last];
    appendAll(steps, [whole, ...beginnings, ...parts]);
  });
  return steps.filter((step) => goalLength(step.goal) <= LONGEST_GOAL);
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
