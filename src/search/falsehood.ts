/** Asks whether a statement is false: briefly when it is not proved at once, longer when nothing was found. */
import type { ProverSession, StateId } from '../core/prover.ts';
import type { FileOutline, TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Phases } from './phases.ts';
import type { FalseStatement, ProveRequest } from './prove-request.ts';

const DEFAULT_BUDGET_MS = 60_000;

/** The most that it may take, and the part of the budget of the search. */
const LOOKS = {
  // A pass over few values is a matter of milliseconds: this is only for a machine that is busy.
  brief: { mostMs: 3000, share: 0.2 },
  thorough: { mostMs: 5000, share: 0.25 },
} as const;

export interface OpenedTheorem {
  readonly outline: FileOutline;
  readonly theorem: TheoremItem;
  readonly session: ProverSession;
  readonly opened: StateId;
  readonly phases: Phases;
}

/** A run that can be repeated does not look: how far it would come depends on the clock. */
export async function falsehoodOf(
  { refuter, nodes, signal, budgetMs = () => DEFAULT_BUDGET_MS }: ProveRequest,
  { outline, theorem, session, opened, phases }: OpenedTheorem,
  how: keyof typeof LOOKS,
): Promise<FalseStatement | undefined> {
  if (refuter === undefined || nodes !== undefined || signal.aborted) return undefined;
  phases.begin('refute');
  const { mostMs, share } = LOOKS[how];
  return refuter({
    ...{ outline, theorem, session, opened, signal },
    budgetMs: Math.min(mostMs, budgetMs() * share),
    brief: how === 'brief',
  });
}
