/** The side conditions of the rules: the forms that premises must have, and what may not occur in them. */
import { insist } from './refusal.ts';
import type { ConstantId } from './signature.ts';
import { ABSTRACTION, APPLICATION, FREE, type TermId } from './term.ts';
import type { KernelView, TheoremId } from './theorems.ts';
import type { TypeId } from './types.ts';

export class Premises {
  readonly #kernel: KernelView;

  constructor(kernel: KernelView) {
    this.#kernel = kernel;
  }

  equation(theorem: TheoremId): TermId {
    const conclusion = this.#kernel.conclusion(theorem);
    insist(this.#kernel.logic.isEquality(conclusion), 'the conclusion is no equation');
    return conclusion;
  }

  /** Both sides of an implication. A negation counts as an implication of falsity. */
  implication(theorem: TheoremId): readonly [TermId, TermId] {
    const { logic, terms } = this.#kernel;
    const conclusion = this.#kernel.conclusion(theorem);
    if (logic.isImplication(conclusion)) return [logic.leftSide(conclusion), logic.rightSide(conclusion)];
    insist(logic.isUnary(conclusion, logic.negation), 'the conclusion is no implication');
    return [terms.argumentOf(conclusion), logic.falsity];
  }

  /** The abstraction under a quantifier. */
  quantified(term: TermId, quantifier: ConstantId, kind: string): TermId {
    const { logic, terms } = this.#kernel;
    insist(logic.isUnary(term, quantifier), `there is no ${kind} statement`);
    const body = terms.argumentOf(term);
    insist(terms.kind(body) === ABSTRACTION, `there is no ${kind} statement`);
    return body;
  }

  /** The beta-reduct. */
  contract(redex: TermId): TermId {
    const { terms } = this.#kernel;
    const isRedex = terms.kind(redex) === APPLICATION && terms.kind(terms.functionOf(redex)) === ABSTRACTION;
    insist(isRedex, 'the term is no beta-redex');
    return terms.reduce(terms.functionOf(redex), terms.argumentOf(redex));
  }

  /** `binder (λvariable. body)`, or the bare abstraction when there is no binder. */
  bind(binder: TermId | undefined, variable: TermId, body: TermId): TermId {
    const { terms, types } = this.#kernel;
    const predicate = terms.abstract(variable, body);
    if (binder === undefined) return predicate;
    const found = new Map<TypeId, TypeId>();
    insist(
      types.match(types.domain(terms.typeOf(binder)), terms.typeOf(predicate), found),
      'the binder does not take functions of this type',
    );
    return terms.apply(terms.instantiate(binder, found, ALL_VARIABLES, new Map()), predicate);
  }

  insistOnVariable(term: TermId): void {
    insist(this.#kernel.terms.kind(term) === FREE, 'a variable is needed');
  }

  insistOnProposition(term: TermId): void {
    const { terms, types } = this.#kernel;
    insist(terms.typeOf(term) === types.bool, 'the term is no proposition');
  }

  insistOnSameType(one: TermId, other: TermId): void {
    const { terms } = this.#kernel;
    insist(terms.typeOf(one) === terms.typeOf(other), 'the types differ');
  }

  insistNotInHypotheses(variable: TermId, theorem: TheoremId): void {
    this.insistOnVariable(variable);
    const { hypotheses } = this.#kernel;
    insist(
      !hypotheses.occursFree(variable, this.#kernel.hypothesesOf(theorem)),
      'the variable is free in a hypothesis',
    );
  }
}

/** A mask that no type variable is outside of. */
const ALL_VARIABLES = -1;
