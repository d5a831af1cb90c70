/** Rules that put terms and types for variables, and equals for equals. */
import type { Premises } from '../premises.ts';
import { insist } from '../refusal.ts';
import type { TermId } from '../term.ts';
import { both, type KernelView, type TheoremId } from '../theorems.ts';
import type { TypeId } from '../types.ts';
import type { Derivation } from './derivation.ts';

export class SubstitutionRules {
  readonly #kernel: KernelView;
  readonly #premises: Premises;
  readonly #derivation: Derivation;

  constructor(kernel: KernelView, premises: Premises, derivation: Derivation) {
    this.#kernel = kernel;
    this.#premises = premises;
    this.#derivation = derivation;
  }

  instantiate(theorem: TheoremId, pairs: readonly (readonly [TermId, TermId])[]): TheoremId {
    const substitution = new Map<TermId, TermId>();
    for (const [variable, term] of pairs) {
      this.#premises.insistOnVariable(variable);
      this.#premises.insistOnSameType(variable, term);
      substitution.set(variable, term);
    }
    const change = (term: TermId): TermId => this.#kernel.terms.substitute(term, substitution);
    return this.#derivation.add(
      change(this.#kernel.conclusion(theorem)),
      this.#kernel.hypotheses.map(this.#kernel.hypothesesOf(theorem), change),
      this.#derivation.taint(theorem),
    );
  }

  instantiateTypes(theorem: TheoremId, pairs: readonly (readonly [TypeId, TypeId])[]): TheoremId {
    const substitution = new Map<TypeId, TypeId>();
    let mask = 0;
    for (const [variable, type] of pairs) {
      insist(this.#kernel.types.isVariable(variable), 'only type variables can be instantiated');
      if (!substitution.has(variable)) substitution.set(variable, type);
      mask |= this.#kernel.types.mask(variable);
    }
    const memo = new Map<TypeId, TypeId>();
    const change = (term: TermId): TermId => this.#kernel.terms.instantiate(term, substitution, mask, memo);
    return this.#derivation.add(
      change(this.#kernel.conclusion(theorem)),
      this.#kernel.hypotheses.map(this.#kernel.hypothesesOf(theorem), change),
      this.#derivation.taint(theorem),
    );
  }

  /** The template with the left sides is the theorem's conclusion; the result has the right sides there. */
  replace(template: TermId, theorem: TheoremId, pairs: readonly (readonly [TermId, TheoremId])[]): TheoremId {
    const left = new Map<TermId, TermId>();
    const right = new Map<TermId, TermId>();
    let hypotheses = this.#kernel.hypothesesOf(theorem);
    let taint = this.#derivation.taint(theorem);
    for (const [variable, equality] of pairs) {
      this.#premises.insistOnVariable(variable);
      if (!this.#kernel.terms.occursFree(variable, template)) continue;
      const equation = this.#premises.equation(equality);
      this.#premises.insistOnSameType(variable, this.#kernel.logic.leftSide(equation));
      left.set(variable, this.#kernel.logic.leftSide(equation));
      right.set(variable, this.#kernel.logic.rightSide(equation));
      hypotheses = this.#kernel.hypotheses.union(hypotheses, this.#kernel.hypothesesOf(equality));
      taint = both(taint, this.#derivation.taint(equality));
    }
    insist(
      this.#kernel.terms.substitute(template, left) === this.#kernel.conclusion(theorem),
      'the template with the left sides is not the theorem',
    );
    return this.#derivation.add(this.#kernel.terms.substitute(template, right), hypotheses, taint);
  }
}
