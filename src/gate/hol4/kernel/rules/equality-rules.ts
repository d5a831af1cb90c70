/** Rules of equality: conversions, what follows from equations, and equations between larger terms. */
import { NO_HYPOTHESES } from '../hypotheses.ts';
import type { Premises } from '../premises.ts';
import { insist } from '../refusal.ts';
import type { TermId } from '../term.ts';
import { both, UNTAINTED, type KernelView, type TheoremId } from '../theorems.ts';
import type { Derivation } from './derivation.ts';

export class EqualityRules {
  readonly #kernel: KernelView;
  readonly #premises: Premises;
  readonly #derivation: Derivation;

  constructor(kernel: KernelView, premises: Premises, derivation: Derivation) {
    this.#kernel = kernel;
    this.#premises = premises;
    this.#derivation = derivation;
  }

  reflexivity(term: TermId): TheoremId {
    return this.#derivation.add(this.#kernel.logic.makeEquality(term, term), NO_HYPOTHESES, UNTAINTED);
  }

  alpha(one: TermId, other: TermId): TheoremId {
    insist(one === other, 'the terms are not alpha-equivalent');
    return this.reflexivity(one);
  }

  betaConversion(redex: TermId): TheoremId {
    const equation = this.#kernel.logic.makeEquality(redex, this.#premises.contract(redex));
    return this.#derivation.add(equation, NO_HYPOTHESES, UNTAINTED);
  }

  symmetry(theorem: TheoremId): TheoremId {
    const equation = this.#premises.equation(theorem);
    const swapped = this.#kernel.logic.makeEquality(
      this.#kernel.logic.rightSide(equation),
      this.#kernel.logic.leftSide(equation),
    );
    return this.#derivation.follows(swapped, theorem);
  }

  transitivity(one: TheoremId, other: TheoremId): TheoremId {
    const [first, second] = [this.#premises.equation(one), this.#premises.equation(other)];
    insist(
      this.#kernel.logic.rightSide(first) === this.#kernel.logic.leftSide(second),
      'the middle terms differ',
    );
    const equation = this.#kernel.logic.makeEquality(
      this.#kernel.logic.leftSide(first),
      this.#kernel.logic.rightSide(second),
    );
    return this.#derivation.followsFrom(equation, one, other);
  }

  equalityModusPonens(equality: TheoremId, premise: TheoremId): TheoremId {
    const equation = this.#premises.equation(equality);
    insist(
      this.#kernel.logic.leftSide(equation) === this.#kernel.conclusion(premise),
      'the left side is not the conclusion of the premise',
    );
    return this.#derivation.followsFrom(this.#kernel.logic.rightSide(equation), equality, premise);
  }

  equalityToImplication(theorem: TheoremId, direction: 'forward' | 'backward'): TheoremId {
    const equation = this.#premises.equation(theorem);
    const sides = [this.#kernel.logic.leftSide(equation), this.#kernel.logic.rightSide(equation)] as const;
    const [from, to] = direction === 'forward' ? sides : ([sides[1], sides[0]] as const);
    return this.#derivation.follows(this.#kernel.logic.makeImplication(from, to), theorem);
  }

  /** `A ⊢ p`, `B ⊢ q` to `(A - q) ∪ (B - p) ⊢ p = q`. */
  deductAntisymmetric(one: TheoremId, other: TheoremId): TheoremId {
    const [p, q] = [this.#kernel.conclusion(one), this.#kernel.conclusion(other)];
    const hypotheses = this.#kernel.hypotheses.union(
      this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(one), q),
      this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(other), p),
    );
    return this.#derivation.add(
      this.#kernel.logic.makeEquality(p, q),
      hypotheses,
      this.#derivation.taintOfBoth(one, other),
    );
  }

  applyTerm(fun: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#premises.equation(theorem);
    const left = this.#kernel.terms.apply(fun, this.#kernel.logic.leftSide(equation));
    const right = this.#kernel.terms.apply(fun, this.#kernel.logic.rightSide(equation));
    return this.#derivation.follows(this.#kernel.logic.makeEquality(left, right), theorem);
  }

  applyTheorem(theorem: TheoremId, argument: TermId): TheoremId {
    const equation = this.#premises.equation(theorem);
    const left = this.#kernel.terms.apply(this.#kernel.logic.leftSide(equation), argument);
    const right = this.#kernel.terms.apply(this.#kernel.logic.rightSide(equation), argument);
    return this.#derivation.follows(this.#kernel.logic.makeEquality(left, right), theorem);
  }

  combine(functions: TheoremId, args: TheoremId): TheoremId {
    const [f, x] = [this.#premises.equation(functions), this.#premises.equation(args)];
    const left = this.#kernel.terms.apply(this.#kernel.logic.leftSide(f), this.#kernel.logic.leftSide(x));
    const right = this.#kernel.terms.apply(this.#kernel.logic.rightSide(f), this.#kernel.logic.rightSide(x));
    return this.#derivation.followsFrom(this.#kernel.logic.makeEquality(left, right), functions, args);
  }

  abstraction(variable: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#premises.equation(theorem);
    this.#premises.insistNotInHypotheses(variable, theorem);
    const left = this.#kernel.terms.abstract(variable, this.#kernel.logic.leftSide(equation));
    const right = this.#kernel.terms.abstract(variable, this.#kernel.logic.rightSide(equation));
    return this.#derivation.follows(this.#kernel.logic.makeEquality(left, right), theorem);
  }

  /** `A ⊢ t1 = t2` under binders: `c (λx. …)` for each variable, or a bare `λx. …` when there is no binder. */
  abstractionUnderBinder(
    theorem: TheoremId,
    binder: TermId | undefined,
    variables: readonly TermId[],
  ): TheoremId {
    const equation = this.#premises.equation(theorem);
    let left = this.#kernel.logic.leftSide(equation);
    let right = this.#kernel.logic.rightSide(equation);
    for (const variable of [...variables].reverse()) {
      this.#premises.insistNotInHypotheses(variable, theorem);
      left = this.#premises.bind(binder, variable, left);
      right = this.#premises.bind(binder, variable, right);
    }
    return this.#derivation.follows(this.#kernel.logic.makeEquality(left, right), theorem);
  }

  /** `A ⊢ t = (λx. b) u` to `A ⊢ t = b[u/x]`. */
  betaRight(theorem: TheoremId): TheoremId {
    const equation = this.#premises.equation(theorem);
    const reduct = this.#premises.contract(this.#kernel.logic.rightSide(equation));
    return this.#derivation.follows(
      this.#kernel.logic.makeEquality(this.#kernel.logic.leftSide(equation), reduct),
      theorem,
    );
  }

  /** `A ⊢ t = f x`, `B ⊢ f = g`, `C ⊢ x = y` to `A ∪ B ∪ C ⊢ t = g y`. */
  combineRight(whole: TheoremId, fun: TheoremId, argument: TheoremId): TheoremId {
    const [equation, f, x] = [
      this.#premises.equation(whole),
      this.#premises.equation(fun),
      this.#premises.equation(argument),
    ];
    const application = this.#kernel.terms.apply(
      this.#kernel.logic.leftSide(f),
      this.#kernel.logic.leftSide(x),
    );
    insist(
      application === this.#kernel.logic.rightSide(equation),
      'the parts are not those of the right side',
    );
    const result = this.#kernel.terms.apply(this.#kernel.logic.rightSide(f), this.#kernel.logic.rightSide(x));
    return this.#derivation.add(
      this.#kernel.logic.makeEquality(this.#kernel.logic.leftSide(equation), result),
      this.#kernel.hypotheses.union(
        this.#kernel.hypothesesOf(whole),
        this.#derivation.hypothesesOfBoth(fun, argument),
      ),
      both(this.#derivation.taint(whole), this.#derivation.taintOfBoth(fun, argument)),
    );
  }

  /** `A ⊢ t = λv. b`, `B ⊢ b = c` to `A ∪ B ⊢ t = λv. c`, v not free in B. */
  abstractRight(whole: TheoremId, variable: TermId, body: TheoremId): TheoremId {
    const [equation, inner] = [this.#premises.equation(whole), this.#premises.equation(body)];
    this.#premises.insistNotInHypotheses(variable, body);
    insist(
      this.#kernel.terms.abstract(variable, this.#kernel.logic.leftSide(inner)) ===
        this.#kernel.logic.rightSide(equation),
      'the body is not that of the right side',
    );
    const result = this.#kernel.terms.abstract(variable, this.#kernel.logic.rightSide(inner));
    return this.#derivation.followsFrom(
      this.#kernel.logic.makeEquality(this.#kernel.logic.leftSide(equation), result),
      whole,
      body,
    );
  }
}
