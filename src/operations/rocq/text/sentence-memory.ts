/**
 * What running a sentence gave, by the state that it leads to. The oldest is forgotten when there is too much of
 * it.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { orZero } from '../../../core/entry.ts';
import type { ProofState } from '../../../core/proof-state.ts';
import type { ReasonCode } from '../../../core/reason.ts';

export interface SentenceRun {
  readonly elapsedMs: number;
  readonly messages: readonly Diagnostic[];
  /** Undefined: it was accepted. */
  readonly error: Diagnostic | undefined;
  /** Why it was neither accepted nor refused. */
  readonly reason: ReasonCode | undefined;
  /** The proof behind it, null when none is open; undefined when it was not looked at or is too large to be kept. */
  readonly proof: ProofState | null | undefined;
}

/** Characters of the goals of one state, above which they are asked for anew when somebody wants them. */
const LARGEST_KEPT = 200_000;

export class SentenceMemory {
  readonly #runs = new Map<string, { readonly run: SentenceRun; readonly size: number }>();
  readonly #limit: number;
  #size = 0;

  /** @param limit Characters of everything that is kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): SentenceRun | undefined {
    return this.#runs.get(key)?.run;
  }

  keep(key: string, run: SentenceRun): void {
    const size = sizeOf(run);
    const kept = size > LARGEST_KEPT ? { ...run, proof: undefined } : run;
    const entry = { run: kept, size: Math.min(size, LARGEST_KEPT) + 100 };
    this.forget(key);
    this.#runs.set(key, entry);
    this.#size += entry.size;
    for (const oldest of this.#runs.keys()) {
      if (this.#size <= this.#limit || oldest === key) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#size -= orZero(this.#runs.get(key)?.size);
    this.#runs.delete(key);
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
