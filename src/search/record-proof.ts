/** Turns the run of a proof into steps: each tactic with the goal it was made on and how far it was from the end. */
import type { Goal, ProofState } from '../core/proof-state.ts';
import { splitTopLevel } from './minimise.ts';
import type { RecordedStep } from './step-memory.ts';

export interface TracedSentence {
  /** The proof state before the sentence. */
  readonly before: ProofState;
  /** The sentence without its final dot. */
  readonly tactic: string;
  readonly after: ProofState | null;
}

const SELECTOR = /^(?:\d+|all|!|par)\s*:\s*/u;
const LONGEST_GOAL = 4000;

export function stepsOf(trace: readonly TracedSentence[], origin: string, theorem: string): RecordedStep[] {
  const steps: RecordedStep[] = [];
  trace.forEach(({ before, tactic }, index) => {
    const goal = before.goals[0];
    if (goal === undefined || goalLength(goal) > LONGEST_GOAL) return;
    const text = tactic.replace(SELECTOR, '').trim();
    if (text === '' || text === 'idtac') return;
    steps.push({ goal, tactic: text, remaining: remainingSteps(trace, index), origin, theorem });
    for (const piece of firstPieces(text))
      steps.push({ goal, tactic: piece, remaining: remainingSteps(trace, index) + 1, origin, theorem });
  });
  return steps;
}

/** What a compound step begins with: `a` of `a; b`, `t` of `by t` and `now t`, the first lemma of a rewrite list. */
export function firstPieces(tactic: string): string[] {
  const pieces: string[] = [];
  const chain = splitTopLevel(tactic, ';');
  const first = chain[0];
  if (chain.length > 1 && first !== undefined && first !== '') pieces.push(first);
  const closed = /^(?:by|now)\s+(?<inner>.+)$/su.exec(tactic)?.groups?.['inner'];
  if (closed !== undefined && !closed.startsWith('[')) {
    pieces.push(closed);
    const inner = splitTopLevel(closed, ';')[0];
    if (inner !== undefined && inner !== closed) pieces.push(inner);
  }
  const rewrite = /^(?:by |now )?rewrite\s+(?<list>[^;]+)$/su.exec(tactic)?.groups?.['list'];
  if (rewrite !== undefined) {
    const target = /\s+in\s+[^,]+$/u.exec(rewrite)?.[0] ?? '';
    const lemmas = splitList(rewrite.slice(0, rewrite.length - target.length));
    if (lemmas.length > 1 && lemmas[0] !== undefined) pieces.push(`rewrite ${lemmas[0]}${target}`);
  }
  return pieces;
}

/** `a, b` and SSReflect's `a b`: lemmas with their arguments in brackets. */
function splitList(list: string): string[] {
  if (list.includes(',')) return list.split(',').map((part) => part.trim());
  return list.match(/(?:[^\s()]+|\([^()]*(?:\([^()]*\)[^()]*)*\))+/gu) ?? [];
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
