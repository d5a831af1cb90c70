/**
 * The theorems of one kernel by number, each with its taint: what of it rests on statements that this kernel did not prove.
 * A kernel keeps its store to itself, so that only its rules add to it.
 */
import type { Hypotheses, HypothesesId } from './hypotheses.ts';
import type { Logic } from './logic.ts';
import type { Signature } from './signature.ts';
import { noSuch } from './tables.ts';
import type { TermId, Terms } from './terms.ts';
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
  /** The axiom, theorem or statement concerned. */
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

export const UNTAINTED = 0 as Taint;

/** One bit each; all postulates after these share the last bit, so that a taint names too many rather than too few. */
const BITS = 32;

export class Theorems {
  #conclusions = new Int32Array(4096);
  #hypotheses = new Int32Array(4096);
  #taints = new Int32Array(4096);
  #count = 0;
  readonly #postulates: Postulate[] = [];
  readonly #bits = new Map<string, number>();

  get count(): number {
    return this.#count;
  }

  /** The theorem of that number, for callers that keep numbers; undefined when there is none yet. */
  at(number: number): TheoremId | undefined {
    return number >= 0 && number < this.#count && Number.isInteger(number)
      ? (number as TheoremId)
      : undefined;
  }

  conclusion(theorem: TheoremId): TermId {
    return this.#column(this.#conclusions, theorem) as TermId;
  }

  hypotheses(theorem: TheoremId): HypothesesId {
    return this.#column(this.#hypotheses, theorem) as HypothesesId;
  }

  taint(theorem: TheoremId): Taint {
    return this.#column(this.#taints, theorem) as Taint;
  }

  add(conclusion: TermId, hypotheses: HypothesesId, taint: Taint): TheoremId {
    if (this.#count === this.#conclusions.length) this.#grow();
    const theorem = this.#count as TheoremId;
    this.#conclusions[theorem] = conclusion;
    this.#hypotheses[theorem] = hypotheses;
    this.#taints[theorem] = taint;
    this.#count += 1;
    return theorem;
  }

  taintBy(postulate: Postulate): Taint {
    const key = `${postulate.kind} ${postulate.subject}`;
    let bit = this.#bits.get(key);
    if (bit === undefined) {
      bit = Math.min(this.#postulates.length, BITS - 1);
      this.#bits.set(key, bit);
      this.#postulates.push(postulate);
    }
    return (1 << bit) as Taint;
  }

  postulatesOf(taint: Taint): readonly Postulate[] {
    return this.#postulates.filter((_, at) => (taint & (1 << Math.min(at, BITS - 1))) !== 0);
  }

  #column(column: Int32Array, theorem: TheoremId): number {
    const value = column[theorem];
    if (value === undefined || theorem >= this.#count) throw noSuch('theorem', theorem);
    return value;
  }

  #grow(): void {
    this.#conclusions = grown(this.#conclusions);
    this.#hypotheses = grown(this.#hypotheses);
    this.#taints = grown(this.#taints);
  }
}

export function both(one: Taint, other: Taint): Taint {
  return (one | other) as Taint;
}

function grown(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2);
  larger.set(old);
  return larger;
}
