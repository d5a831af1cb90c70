/** Rules of the connectives: implication, negation, falsity, conjunction and disjunction. */
import type { Premises } from '../premises.ts';
import { insist } from '../refusal.ts';
import type { TermId } from '../term.ts';
import { both, UNTAINTED, type KernelView, type TheoremId } from '../theorems.ts';
import type { Derivation } from './derivation.ts';

export class PropositionalRules {
  readonly #kernel: KernelView;
  readonly #premises: Premises;
  readonly #derivation: Derivation;

  constructor(kernel: KernelView, premises: Premises, derivation: Derivation) {
    this.#kernel = kernel;
    this.#premises = premises;
    this.#derivation = derivation;
  }

  assume(term: TermId): TheoremId {
    this.#premises.insistOnProposition(term);
    return this.#derivation.add(term, this.#kernel.hypotheses.single(term), UNTAINTED);
  }

  discharge(term: TermId, theorem: TheoremId): TheoremId {
    const implication = this.#kernel.logic.makeImplication(term, this.#kernel.conclusion(theorem));
    const hypotheses = this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(theorem), term);
    return this.#derivation.add(implication, hypotheses, this.#derivation.taint(theorem));
  }

  modusPonens(implication: TheoremId, premise: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#premises.implication(implication);
    insist(
      antecedent === this.#kernel.conclusion(premise),
      'the antecedent is not the conclusion of the premise',
    );
    return this.#derivation.followsFrom(consequent, implication, premise);
  }

  negationIntroduction(theorem: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#premises.implication(theorem);
    insist(consequent === this.#kernel.logic.falsity, 'the conclusion does not imply falsity');
    return this.#derivation.follows(this.#kernel.logic.makeNegation(antecedent), theorem);
  }

  negationElimination(theorem: TheoremId): TheoremId {
    const conclusion = this.#kernel.conclusion(theorem);
    insist(
      this.#kernel.logic.isUnary(conclusion, this.#kernel.logic.negation),
      'the conclusion is no negation',
    );
    const negated = this.#kernel.terms.argumentOf(conclusion);
    return this.#derivation.follows(
      this.#kernel.logic.makeImplication(negated, this.#kernel.logic.falsity),
      theorem,
    );
  }

  contradiction(term: TermId, theorem: TheoremId): TheoremId {
    insist(this.#kernel.conclusion(theorem) === this.#kernel.logic.falsity, 'the conclusion is not falsity');
    const negation = this.#kernel.logic.makeNegation(term);
    const hypotheses = this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(theorem), negation);
    return this.#derivation.add(term, hypotheses, this.#derivation.taint(theorem));
  }

  conjunction(one: TheoremId, other: TheoremId): TheoremId {
    const term = this.#kernel.logic.makeConjunction(
      this.#kernel.conclusion(one),
      this.#kernel.conclusion(other),
    );
    return this.#derivation.followsFrom(term, one, other);
  }

  conjunct(theorem: TheoremId, side: 'left' | 'right'): TheoremId {
    const conclusion = this.#kernel.conclusion(theorem);
    insist(
      this.#kernel.logic.isBinary(conclusion, this.#kernel.logic.conjunction),
      'the conclusion is no conjunction',
    );
    const part =
      side === 'left' ? this.#kernel.logic.leftSide(conclusion) : this.#kernel.logic.rightSide(conclusion);
    return this.#derivation.follows(part, theorem);
  }

  disjunction(theorem: TheoremId, other: TermId, proved: 'left' | 'right'): TheoremId {
    const conclusion = this.#kernel.conclusion(theorem);
    const term =
      proved === 'left'
        ? this.#kernel.logic.makeDisjunction(conclusion, other)
        : this.#kernel.logic.makeDisjunction(other, conclusion);
    return this.#derivation.follows(term, theorem);
  }

  disjunctionCases(disjunction: TheoremId, left: TheoremId, right: TheoremId): TheoremId {
    const term = this.#kernel.conclusion(disjunction);
    insist(
      this.#kernel.logic.isBinary(term, this.#kernel.logic.disjunction),
      'the first premise is no disjunction',
    );
    insist(
      this.#kernel.conclusion(left) === this.#kernel.conclusion(right),
      'the two cases conclude different things',
    );
    const cases = this.#kernel.hypotheses.union(
      this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(left), this.#kernel.logic.leftSide(term)),
      this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(right), this.#kernel.logic.rightSide(term)),
    );
    return this.#derivation.add(
      this.#kernel.conclusion(left),
      this.#kernel.hypotheses.union(this.#kernel.hypothesesOf(disjunction), cases),
      both(this.#derivation.taint(disjunction), this.#derivation.taintOfBoth(left, right)),
    );
  }
}
