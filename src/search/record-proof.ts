/** Turns the run of a proof into steps: each tactic with the goal it was made on and how far it was from the end. */
import type { Goal, ProofState } from '../core/proof-state.ts';
import type { ProverSession, StateId } from '../core/prover.ts';
import { written } from '../provers/rocq/syntax/sentences.ts';
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
const GIVES_UP = /\b(?:admit|give_up)\b/u;

export function stepsOf(trace: readonly TracedSentence[], origin: string, theorem: string): RecordedStep[] {
  const steps: RecordedStep[] = [];
  let previous: RecordedStep[] = [];
  trace.forEach(({ before, tactic, inner }, index) => {
    const [goal] = before.goals;
    const remaining = remainingSteps(trace, index);
    const text = tactic.replace(SELECTOR, '').trim();
    if (goal === undefined || text === '' || text === 'idtac' || GIVES_UP.test(text)) return;
    const make = (at: Goal, step: string, more: number): RecordedStep => {
      return { goal: at, tactic: step, remaining: remaining + more, origin, theorem, next: undefined };
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
    steps.push(whole, ...beginnings, ...parts);
  });
  return steps.filter((step) => goalLength(step.goal) <= LONGEST_GOAL);
}

const FOCUS = /^(?:\{|\}|[-+*]+)$/u;

/** Runs a proof from the state where it begins, and watches what each sentence does. */
export async function traceOf(
  session: ProverSession,
  start: StateId,
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<TracedSentence[]> {
  const trace: TracedSentence[] = [];
  let state = start;
  let before = await session.goals(start);
  for (const sentence of sentences) {
    const result = await session.run(state, written(sentence), { signal, withGoals: true });
    if (result.status !== 'done' || before === null) break;
    const after = result.proof ?? null;
    if (!FOCUS.test(sentence)) trace.push({ before, tactic: sentence.replace(/\.$/u, ''), after, inner: [] });
    state = result.state;
    before = after;
  }
  return trace;
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
