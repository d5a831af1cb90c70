/**
 * Adds the theorem that a rule concludes. A kernel and its rules keep theirs to themselves, so that nobody else can make
 * a theorem.
 */
import type { HypothesesId } from '../hypotheses.ts';
import type { TermId } from '../term.ts';
import { both, type KernelView, type Taint, type TheoremId, type Theorems } from '../theorems.ts';

export class Derivation {
  readonly #kernel: KernelView;
  readonly #theorems: Theorems;

  constructor(kernel: KernelView, theorems: Theorems) {
    this.#kernel = kernel;
    this.#theorems = theorems;
  }

  add(conclusion: TermId, hypotheses: HypothesesId, taint: Taint): TheoremId {
    return this.#theorems.add(conclusion, hypotheses, taint);
  }

  /** Under the hypotheses of one premise. */
  follows(conclusion: TermId, premise: TheoremId): TheoremId {
    return this.#theorems.add(conclusion, this.#kernel.hypothesesOf(premise), this.taint(premise));
  }

  /** Under the hypotheses of two premises. */
  followsFrom(conclusion: TermId, one: TheoremId, other: TheoremId): TheoremId {
    return this.#theorems.add(conclusion, this.hypothesesOfBoth(one, other), this.taintOfBoth(one, other));
  }

  hypothesesOfBoth(one: TheoremId, other: TheoremId): HypothesesId {
    return this.#kernel.hypotheses.union(this.#kernel.hypothesesOf(one), this.#kernel.hypothesesOf(other));
  }

  taint(theorem: TheoremId): Taint {
    return this.#theorems.taint(theorem);
  }

  taintOfBoth(one: TheoremId, other: TheoremId): Taint {
    return both(this.#theorems.taint(one), this.#theorems.taint(other));
  }
}
