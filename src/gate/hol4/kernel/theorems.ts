/**
 * The theorems of one kernel by number, each with its taint: what of it rests on statements that this kernel did
 * not prove. A kernel keeps its store to itself, so that only its rules add to it.
 */
import type { Hypotheses, HypothesesId } from './hypotheses.ts';
import type { Logic } from './logic.ts';
import type { Signature } from './signature.ts';
import { noSuch } from './tables.ts';
import type { TermId } from './term.ts';
import type { Terms } from './terms.ts';
import type { Types } from './types.ts';

declare const theoremBrand: unique symbol;
declare const taintBrand: unique symbol;

export type TheoremId = number & { readonly [theoremBrand]: true };
/** A set of postulates. */
export type Taint = number & { readonly [taintBrand]: true };

/** Why a statement stands although this kernel has no proof of it. */
export type PostulateKind =
  /** It is one of the four axioms of `bool`, or one that the caller allows. */
  | 'axiom'
  /** It was proved in a theory that was replayed before. */
  | 'ancestor'
  | 'unproved'
  | 'import-unknown'
  | 'import-changed'
  | 'proof-missing';

export interface Postulate {
  readonly kind: PostulateKind;
  /** The axiom or theorem concerned; of one without proof, the statement as text. */
  readonly subject: string;
}

/** What the principles of definition and COMPUTE see of a kernel: they look, and add nothing. */
export interface KernelView {
  readonly types: Types;
  readonly terms: Terms;
  readonly hypotheses: Hypotheses;
  readonly signature: Signature;
  readonly logic: Logic;
  conclusion(theorem: TheoremId): TermId;
  hypothesesOf(theorem: TheoremId): HypothesesId;
}

/** The first bit stands in every taint, so that the zeros of a row that no theorem has are none. */
export const UNTAINTED = 1 as Taint;

/**
 * One bit for each postulate; those for which none is left share the last, so that a taint names too many, never
 * too few.
 */
const FIRST_BIT = 1;
const LAST_BIT = 31;

/** The columns of a row. The first two hold one more than the number. */
const CONCLUSION = 0;
const HYPOTHESES = 1;
const TAINT = 2;
const ROW = 4;

export class Theorems {
  #rows = new Int32Array(4096 * ROW);
  #count = 0;
  readonly #postulates: Postulate[] = [];
  readonly #bits = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  /** The theorem of that number, for callers that keep numbers; undefined when there is none yet. */
  at(number: number): TheoremId | undefined {
    return this.#rows[number * ROW + TAINT] ? (number as TheoremId) : undefined;
  }

  conclusion(theorem: TheoremId): TermId {
    const successor = this.#rows[theorem * ROW + CONCLUSION];
    if (!successor) throw noSuch('theorem', theorem);
    return (successor - 1) as TermId;
  }

  hypotheses(theorem: TheoremId): HypothesesId {
    const successor = this.#rows[theorem * ROW + HYPOTHESES];
    if (!successor) throw noSuch('theorem', theorem);
    return (successor - 1) as HypothesesId;
  }

  taint(theorem: TheoremId): Taint {
    const taint = this.#rows[theorem * ROW + TAINT];
    if (!taint) throw noSuch('theorem', theorem);
    return taint as Taint;
  }

  add(conclusion: TermId, hypotheses: HypothesesId, taint: Taint): TheoremId {
    const row = this.#count * ROW;
    if (row === this.#rows.length) this.#grow();
    this.#rows[row + CONCLUSION] = conclusion + 1;
    this.#rows[row + HYPOTHESES] = hypotheses + 1;
    this.#rows[row + TAINT] = taint;
    this.#count += 1;
    return (this.#count - 1) as TheoremId;
  }

  taintBy(postulate: Postulate): Taint {
    const key = `${postulate.kind} ${postulate.subject}`;
    let bit = this.#bits.get(key);
    if (bit === undefined) {
      bit = bitOf(this.#postulates.length);
      this.#bits.set(key, bit);
      this.#postulates.push(postulate);
    }
    return both(UNTAINTED, (1 << bit) as Taint);
  }

  /** Whether taints name no postulate too many. */
  get areTaintsExact(): boolean {
    return this.#postulates.length <= LAST_BIT - FIRST_BIT + 1;
  }

  postulatesOf(taint: Taint): readonly Postulate[] {
    return this.#postulates.filter((_, at) => (taint & (1 << bitOf(at))) !== 0);
  }

  #grow(): void {
    const larger = new Int32Array(this.#rows.length * 2);
    larger.set(this.#rows);
    this.#rows = larger;
  }
}

export function both(one: Taint, other: Taint): Taint {
  return (one | other) as Taint;
}

function bitOf(postulate: number): number {
  return Math.min(FIRST_BIT + postulate, LAST_BIT);
}
