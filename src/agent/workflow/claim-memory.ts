/**
 * What a run knows of claims: which are proved, which were tried in vain and with how much, which are false. A claim
 * is told by what the prover prints of it, so that it does not matter for which theorem, in which attempt, under
 * which name it was stated. The log is the memory.
 */
import { sha256 } from '../../core/sha256.ts';
import type { EventLog } from '../runs/event-log.ts';
import type { EventOf } from '../runs/events.ts';
import type { Claim } from '../target.ts';

type Ended = EventOf<'lemma-ended'>;

/** What is spent on a lemma, and what it may be proved from. */
export interface Effort {
  readonly searchSeconds: number;
  readonly calls: number;
  /** Claims of the lemmas that stand before it. */
  readonly behind: readonly string[];
}

/** Undefined where nobody did. */
export interface SpentOnClaim {
  readonly search: Ended | undefined;
  readonly model: Ended | undefined;
}

/** The same for the same claim, and short. @param file Where it stands. */
export function claimKey({ text, isOfFile }: Claim, file: string): string {
  return sha256(isOfFile ? `${file}\n${text}` : text).slice(0, 32);
}

export class ClaimMemory {
  readonly #eventLog: EventLog;

  constructor(eventLog: EventLog) {
    this.#eventLog = eventLog;
  }

  get #ended(): readonly Ended[] {
    return this.#eventLog.recordedUnder('lemma-ended', '');
  }

  /** Its proof, the first one, which later ones are taken from. */
  solved(claim: string): (Ended & { readonly proof: string }) | undefined {
    return this.#ended.flatMap((ended) =>
      ended.claim === claim && ended.proof !== null ? [{ ...ended, proof: ended.proof }] : [],
    )[0];
  }

  /** What is proved in a file for other theorems, each claim once. */
  solvedElsewhere(file: string, theorem: string): readonly Ended[] {
    const claims = new Map<string, Ended>();
    for (const ended of this.#ended)
      if (ended.claim !== null && ended.proof !== null && ended.file === file && ended.theorem !== theorem)
        if (!claims.has(ended.claim)) claims.set(ended.claim, ended);
    return [...claims.values()];
  }

  /** Whether a lemma of the run that says something else has the name. Both would be written into one file. */
  isTaken(name: string, file: string, claim: string | null): boolean {
    return this.#ended.some(
      (ended) =>
        ended.proof !== null &&
        ended.name === name &&
        ended.file === file &&
        (claim === null || ended.claim !== claim),
    );
  }

  failures(claim: string): readonly Ended[] {
    return this.#ended.filter((ended) => ended.claim === claim && ended.proof === null);
  }

  /** The counterexample, where one was found and the gate accepted the negation; undefined where none was looked for. */
  refutation(claim: string): EventOf<'refuted'> | undefined {
    return this.#ended
      .filter((ended) => ended.claim === claim)
      .flatMap(({ key }) => this.#eventLog.recorded('refuted', key) ?? [])
      .toSorted((one, other) => Number(other.refuted) - Number(one.refuted))[0];
  }

  /**
   * Who first spent as much as an effort on the claim, in vain, with everything to prove it from that there is now. The
   * first one's reason is its own: it had nobody to refer to.
   */
  spent(claim: string, effort: Effort): SpentOnClaim {
    const comparable = this.failures(claim).filter(({ behind }) =>
      effort.behind.every((one) => behind.includes(one)),
    );
    return {
      search: comparable.find(({ searchSeconds }) => searchSeconds >= effort.searchSeconds),
      model: comparable.find(({ calls }) => calls >= effort.calls),
    };
  }
}
