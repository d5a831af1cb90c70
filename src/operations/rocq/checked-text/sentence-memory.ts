/**
 * What running a sentence gave, by the state that it leads to. What was not used for longest is
 * forgotten when there is too much of it.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { orZero } from '../../../core/entry.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import { RecentlyUsed } from '../../../core/recently-used.ts';

export interface SentenceRun {
  readonly elapsedMs: number;
  readonly messages: readonly Diagnostic[];
  /** Undefined: it was accepted. */
  readonly error: Diagnostic | undefined;
  /** What an import would do about that. */
  readonly hint?: string;
  /** Why it was neither accepted nor refused. */
  readonly reason: ReasonCode | undefined;
  /** The proof behind it, null when none is open; undefined when it was not looked at or is too large to be kept. */
  readonly proof: ProofState | null | undefined;
}

/** Characters of the goals of one state, above which they are asked for anew when somebody wants them. */
const LARGEST_KEPT = 200_000;

export class SentenceMemory {
  readonly #runs: RecentlyUsed<SentenceRun>;

  /** @param limit Characters of everything that is kept. */
  constructor(limit: number) {
    this.#runs = new RecentlyUsed(limit);
  }

  get(key: string): SentenceRun | undefined {
    return this.#runs.get(key);
  }

  keep(key: string, run: SentenceRun): void {
    const size = sizeOf(run);
    const kept = size > LARGEST_KEPT ? { ...run, proof: undefined } : run;
    this.#runs.keep(key, kept, Math.min(size, LARGEST_KEPT) + 100);
  }

  forget(key: string): void {
    this.#runs.drop(key);
  }
}

function sizeOf({ proof, messages }: SentenceRun): number {
  const goals = (proof?.goals ?? []).reduce(
    (sum, { hypotheses, conclusion }) =>
      sum +
      conclusion.length +
      hypotheses.reduce(
        (own, { name, type, body }) => own + name.length + type.length + orZero(body?.length),
        0,
      ),
    0,
  );
  return goals + messages.reduce((sum, { message }) => sum + message.length, 0);
}
