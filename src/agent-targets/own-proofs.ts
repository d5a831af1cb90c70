/**
 * Whose a proof is that stands in the file of a run. It may be replaced where it is what the run began with or what the run
 * found itself, and where it is a hole in which nobody did anything since, however that is written. Anything else is
 * somebody's work, finished or not: it is left alone, and told.
 */
import { spoken } from '../agent/spoken-proof.ts';
import type { FoundProof } from '../agent/target.ts';
import { QuodError } from '../core/errors.ts';

export interface StandingProof {
  /** What stands between the statement and its end; empty where nothing does. */
  readonly text: string;
  /** Of that the tactics that do something: not what says that there is a hole. */
  readonly work: string;
  readonly isOpen: boolean;
}

/** How a prover's files are read and written. */
export interface ProofPlaces {
  /** What stands behind those of these statements that the text has. */
  readonly proofsIn: (text: string, theorems: readonly string[]) => ReadonlyMap<string, StandingProof>;
  /** A text with a proof in its place. @throws QuodError where there is no such place. */
  readonly withProof: (text: string, theorem: string, found: FoundProof) => string;
}

export interface ProofOfRun {
  readonly theorem: string;
  readonly proof: string;
}

export class OwnProofs {
  readonly #begun: string;
  readonly #places: ProofPlaces;
  readonly #found: ProofOfRun[];

  /** @param begun the text that the run began with; @param found what it may have written, as its log says. */
  constructor(begun: string, places: ProofPlaces, found: readonly ProofOfRun[] = []) {
    this.#begun = begun;
    this.#places = places;
    this.#found = [...found];
  }

  /** The run found it, and may write it. */
  add(found: ProofOfRun): void {
    this.#found.push(found);
  }

  /** Those of the theorems that have somebody else's proof in a text. */
  notOwn(text: string, theorems: readonly string[]): readonly string[] {
    const now = this.#places.proofsIn(text, theorems);
    const begun = this.#places.proofsIn(this.#begun, theorems);
    return theorems.filter(
      (theorem) =>
        !isAsBegun(now.get(theorem), begun.get(theorem)) &&
        !this.#found.some((found) => found.theorem === theorem && this.#stands(text, found)),
    );
  }

  #stands(text: string, { theorem, proof }: ProofOfRun): boolean {
    const filled = (so: string): string | undefined =>
      orNone(() => this.#places.withProof(so, theorem, { proof }));
    if (spoken(filled(text)) === spoken(text)) return true;
    // Comments of the hole were kept with the proof.
    const asWritten = filled(this.#begun);
    if (asWritten === undefined) return false;
    const proofIn = (so: string): string | undefined =>
      spoken(this.#places.proofsIn(so, [theorem]).get(theorem)?.text);
    const written = proofIn(asWritten);
    return written !== undefined && written === proofIn(text);
  }
}

/** Undefined where there is no place for a proof. */
export function orNone(fill: () => string): string | undefined {
  try {
    return fill();
  } catch (error) {
    if (error instanceof QuodError) return undefined;
    throw error;
  }
}

/** Whether nothing would be lost but what the run began with. */
function isAsBegun(now: StandingProof | undefined, begun: StandingProof | undefined): boolean {
  const work = withoutBlanks(now?.work);
  if (now?.isOpen === true && (work === '' || work === withoutBlanks(begun?.work))) return true;
  return withoutBlanks(now?.text) === withoutBlanks(begun?.text);
}

function withoutBlanks(text: string | undefined): string | undefined {
  return text?.replace(/\s+/gu, '');
}
