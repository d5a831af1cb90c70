/**
 * The inference rules of HOL4's kernel, written from their statements in its documentation: each method checks the side
 * conditions of its rule and adds the theorem that follows, or throws a `Refusal`. Theorems are numbers; only this class
 * (and definitions.ts, compute.ts through `add`) makes them. Terms given to a rule are closed and well typed already.
 */
import { Hypotheses, NO_HYPOTHESES, type HypothesesId } from './hypotheses.ts';
import { Logic } from './logic.ts';
import { Refusal } from './refusal.ts';
import { Signature, type ForeignNames } from './signature.ts';
import { ABSTRACTION, APPLICATION, FREE, type TermId, Terms } from './terms.ts';
import { type TypeId, Types } from './types.ts';

export type TheoremId = number;

export interface KernelSettings {
  readonly ownTheory: string | undefined;
  readonly foreign: ForeignNames;
  readonly termLimit: number;
  /** How many terms to make room for at once. */
  readonly expectedTerms?: number;
}

export class Kernel {
  readonly types = new Types();
  readonly terms: Terms;
  readonly hypotheses: Hypotheses;
  readonly signature: Signature;
  readonly logic: Logic;
  #conclusions = new Int32Array(4096);
  #hypotheses = new Int32Array(4096);
  #count = 0;

  constructor({ ownTheory, foreign, termLimit, expectedTerms = 1024 }: KernelSettings) {
    this.terms = new Terms(this.types, termLimit, expectedTerms);
    this.hypotheses = new Hypotheses(this.terms);
    this.signature = new Signature(this.types, ownTheory, foreign);
    this.logic = new Logic(this.terms, this.signature);
  }

  get theoremCount(): number {
    return this.#count;
  }

  conclusion(theorem: TheoremId): TermId {
    return this.#conclusions[theorem] ?? -1;
  }

  hypothesesOf(theorem: TheoremId): HypothesesId {
    return this.#hypotheses[theorem] ?? NO_HYPOTHESES;
  }

  /** Believes: whoever calls this has checked a rule, or reports what was not proved. */
  add(conclusion: TermId, hypotheses: HypothesesId = NO_HYPOTHESES): TheoremId {
    if (this.#count === this.#conclusions.length) {
      const conclusions = new Int32Array(this.#count * 2);
      conclusions.set(this.#conclusions);
      this.#conclusions = conclusions;
      const sets = new Int32Array(this.#count * 2);
      sets.set(this.#hypotheses);
      this.#hypotheses = sets;
    }
    this.#conclusions[this.#count] = conclusion;
    this.#hypotheses[this.#count] = hypotheses;
    this.#count += 1;
    return this.#count - 1;
  }

  // Equality

  reflexivity(term: TermId): TheoremId {
    return this.add(this.logic.makeEquality(term, term));
  }

  alpha(one: TermId, other: TermId): TheoremId {
    insist(one === other, 'the terms are not alpha-equivalent');
    return this.reflexivity(one);
  }

  betaConversion(redex: TermId): TheoremId {
    return this.add(this.logic.makeEquality(redex, this.#contract(redex)));
  }

  symmetry(theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const swapped = this.logic.makeEquality(this.logic.rightSide(equation), this.logic.leftSide(equation));
    return this.add(swapped, this.hypothesesOf(theorem));
  }

  transitivity(one: TheoremId, other: TheoremId): TheoremId {
    const [first, second] = [this.#equation(one), this.#equation(other)];
    insist(this.logic.rightSide(first) === this.logic.leftSide(second), 'the middle terms differ');
    const equation = this.logic.makeEquality(this.logic.leftSide(first), this.logic.rightSide(second));
    return this.add(equation, this.#union(one, other));
  }

  equalityModusPonens(equality: TheoremId, premise: TheoremId): TheoremId {
    const equation = this.#equation(equality);
    insist(
      this.logic.leftSide(equation) === this.conclusion(premise),
      'the left side is not the conclusion of the premise',
    );
    return this.add(this.logic.rightSide(equation), this.#union(equality, premise));
  }

  equalityToImplication(theorem: TheoremId, direction: 'forward' | 'backward'): TheoremId {
    const equation = this.#equation(theorem);
    const sides = [this.logic.leftSide(equation), this.logic.rightSide(equation)] as const;
    const [from, to] = direction === 'forward' ? sides : ([sides[1], sides[0]] as const);
    return this.add(this.logic.makeImplication(from, to), this.hypothesesOf(theorem));
  }

  /** `A ⊢ p`, `B ⊢ q` to `(A - q) ∪ (B - p) ⊢ p = q`. */
  deductAntisymmetric(one: TheoremId, other: TheoremId): TheoremId {
    const [p, q] = [this.conclusion(one), this.conclusion(other)];
    return this.add(
      this.logic.makeEquality(p, q),
      this.hypotheses.union(
        this.hypotheses.without(this.hypothesesOf(one), q),
        this.hypotheses.without(this.hypothesesOf(other), p),
      ),
    );
  }

  // Congruence

  applyTerm(fun: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const left = this.terms.apply(fun, this.logic.leftSide(equation));
    const right = this.terms.apply(fun, this.logic.rightSide(equation));
    return this.add(this.logic.makeEquality(left, right), this.hypothesesOf(theorem));
  }

  applyTheorem(theorem: TheoremId, argument: TermId): TheoremId {
    const equation = this.#equation(theorem);
    const left = this.terms.apply(this.logic.leftSide(equation), argument);
    const right = this.terms.apply(this.logic.rightSide(equation), argument);
    return this.add(this.logic.makeEquality(left, right), this.hypothesesOf(theorem));
  }

  combine(functions: TheoremId, args: TheoremId): TheoremId {
    const [f, x] = [this.#equation(functions), this.#equation(args)];
    const left = this.terms.apply(this.logic.leftSide(f), this.logic.leftSide(x));
    const right = this.terms.apply(this.logic.rightSide(f), this.logic.rightSide(x));
    return this.add(this.logic.makeEquality(left, right), this.#union(functions, args));
  }

  abstraction(variable: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    this.#requireNotInHypotheses(variable, theorem);
    const left = this.terms.abstract(variable, this.logic.leftSide(equation));
    const right = this.terms.abstract(variable, this.logic.rightSide(equation));
    return this.add(this.logic.makeEquality(left, right), this.hypothesesOf(theorem));
  }

  /** `A ⊢ t1 = t2` under binders: `c (λx. …)` for each variable, or a bare `λx. …` when there is no binder. */
  abstractionUnderBinder(
    theorem: TheoremId,
    binder: TermId | undefined,
    variables: readonly TermId[],
  ): TheoremId {
    const equation = this.#equation(theorem);
    let left = this.logic.leftSide(equation);
    let right = this.logic.rightSide(equation);
    for (const variable of [...variables].reverse()) {
      this.#requireNotInHypotheses(variable, theorem);
      left = this.#bind(binder, variable, left);
      right = this.#bind(binder, variable, right);
    }
    return this.add(this.logic.makeEquality(left, right), this.hypothesesOf(theorem));
  }

  /** `A ⊢ t = (λx. b) u` to `A ⊢ t = b[u/x]`. */
  betaRight(theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const reduct = this.#contract(this.logic.rightSide(equation));
    return this.add(
      this.logic.makeEquality(this.logic.leftSide(equation), reduct),
      this.hypothesesOf(theorem),
    );
  }

  /** `A ⊢ t = f x`, `B ⊢ f = g`, `C ⊢ x = y` to `A ∪ B ∪ C ⊢ t = g y`. */
  combineRight(whole: TheoremId, fun: TheoremId, argument: TheoremId): TheoremId {
    const [equation, f, x] = [this.#equation(whole), this.#equation(fun), this.#equation(argument)];
    const application = this.terms.apply(this.logic.leftSide(f), this.logic.leftSide(x));
    insist(application === this.logic.rightSide(equation), 'the parts are not those of the right side');
    const result = this.terms.apply(this.logic.rightSide(f), this.logic.rightSide(x));
    return this.add(
      this.logic.makeEquality(this.logic.leftSide(equation), result),
      this.hypotheses.union(this.hypothesesOf(whole), this.#union(fun, argument)),
    );
  }

  /** `A ⊢ t = λv. b`, `B ⊢ b = c` to `A ∪ B ⊢ t = λv. c`, v not free in B. */
  abstractRight(whole: TheoremId, variable: TermId, body: TheoremId): TheoremId {
    const [equation, inner] = [this.#equation(whole), this.#equation(body)];
    this.#requireNotInHypotheses(variable, body);
    insist(
      this.terms.abstract(variable, this.logic.leftSide(inner)) === this.logic.rightSide(equation),
      'the body is not that of the right side',
    );
    const result = this.terms.abstract(variable, this.logic.rightSide(inner));
    return this.add(this.logic.makeEquality(this.logic.leftSide(equation), result), this.#union(whole, body));
  }

  // Implication, negation, falsity

  assume(term: TermId): TheoremId {
    this.#requireProposition(term);
    return this.add(term, this.hypotheses.single(term));
  }

  discharge(term: TermId, theorem: TheoremId): TheoremId {
    return this.add(
      this.logic.makeImplication(term, this.conclusion(theorem)),
      this.hypotheses.without(this.hypothesesOf(theorem), term),
    );
  }

  modusPonens(implication: TheoremId, premise: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#implication(implication);
    insist(antecedent === this.conclusion(premise), 'the antecedent is not the conclusion of the premise');
    return this.add(consequent, this.#union(implication, premise));
  }

  negationIntroduction(theorem: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#implication(theorem);
    insist(consequent === this.logic.falsity, 'the conclusion does not imply falsity');
    return this.add(this.logic.makeNegation(antecedent), this.hypothesesOf(theorem));
  }

  negationElimination(theorem: TheoremId): TheoremId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isUnary(conclusion, this.logic.negation), 'the conclusion is no negation');
    return this.add(
      this.logic.makeImplication(this.terms.right(conclusion), this.logic.falsity),
      this.hypothesesOf(theorem),
    );
  }

  contradiction(term: TermId, theorem: TheoremId): TheoremId {
    insist(this.conclusion(theorem) === this.logic.falsity, 'the conclusion is not falsity');
    const negation = this.logic.makeNegation(term);
    return this.add(term, this.hypotheses.without(this.hypothesesOf(theorem), negation));
  }

  // Conjunction and disjunction

  conjunction(one: TheoremId, other: TheoremId): TheoremId {
    const term = this.logic.makeConjunction(this.conclusion(one), this.conclusion(other));
    return this.add(term, this.#union(one, other));
  }

  conjunct(theorem: TheoremId, side: 'left' | 'right'): TheoremId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isBinary(conclusion, this.logic.conjunction), 'the conclusion is no conjunction');
    const part = side === 'left' ? this.logic.leftSide(conclusion) : this.logic.rightSide(conclusion);
    return this.add(part, this.hypothesesOf(theorem));
  }

  disjunction(theorem: TheoremId, other: TermId, proved: 'left' | 'right'): TheoremId {
    const conclusion = this.conclusion(theorem);
    const term =
      proved === 'left'
        ? this.logic.makeDisjunction(conclusion, other)
        : this.logic.makeDisjunction(other, conclusion);
    return this.add(term, this.hypothesesOf(theorem));
  }

  disjunctionCases(disjunction: TheoremId, left: TheoremId, right: TheoremId): TheoremId {
    const term = this.conclusion(disjunction);
    insist(this.logic.isBinary(term, this.logic.disjunction), 'the first premise is no disjunction');
    insist(this.conclusion(left) === this.conclusion(right), 'the two cases conclude different things');
    const cases = this.hypotheses.union(
      this.hypotheses.without(this.hypothesesOf(left), this.logic.leftSide(term)),
      this.hypotheses.without(this.hypothesesOf(right), this.logic.rightSide(term)),
    );
    return this.add(this.conclusion(left), this.hypotheses.union(this.hypothesesOf(disjunction), cases));
  }

  // Quantifiers

  generalize(variables: readonly TermId[], theorem: TheoremId): TheoremId {
    let conclusion = this.conclusion(theorem);
    for (const variable of [...variables].reverse()) {
      this.#requireNotInHypotheses(variable, theorem);
      conclusion = this.logic.makeForall(variable, conclusion);
    }
    return this.add(conclusion, this.hypothesesOf(theorem));
  }

  specialize(term: TermId, theorem: TheoremId): TheoremId {
    const body = this.#quantified(this.conclusion(theorem), this.logic.forall, 'universal');
    return this.add(this.terms.reduce(body, term), this.hypothesesOf(theorem));
  }

  /** `A ⊢ p[t/x]` to `A ⊢ ∃x. p`. */
  exists(statement: TermId, witness: TermId, theorem: TheoremId): TheoremId {
    const body = this.#quantified(statement, this.logic.exists, 'existential');
    insist(
      this.terms.reduce(body, witness) === this.conclusion(theorem),
      'the theorem is not the statement for that witness',
    );
    return this.add(statement, this.hypothesesOf(theorem));
  }

  /** `A ⊢ ∃x. p`, `B ⊢ q` to `A ∪ (B - p[v/x]) ⊢ q`; v free in none of `∃x. p`, q and what is left of B. */
  choose(variable: TermId, existence: TheoremId, theorem: TheoremId): TheoremId {
    this.#requireVariable(variable);
    const statement = this.conclusion(existence);
    const body = this.#quantified(statement, this.logic.exists, 'existential');
    const conclusion = this.conclusion(theorem);
    const chosen = this.terms.reduce(body, variable);
    const rest = this.hypotheses.without(this.hypothesesOf(theorem), chosen);
    insist(
      !this.terms.occursFree(variable, statement) &&
        !this.terms.occursFree(variable, conclusion) &&
        !this.hypotheses.occursFree(variable, rest),
      'the chosen variable is free in the result',
    );
    return this.add(conclusion, this.hypotheses.union(this.hypothesesOf(existence), rest));
  }

  // Instantiation and substitution

  instantiate(theorem: TheoremId, pairs: readonly (readonly [TermId, TermId])[]): TheoremId {
    const substitution = new Map<TermId, TermId>();
    for (const [variable, term] of pairs) {
      this.#requireVariable(variable);
      this.#requireSameType(variable, term);
      substitution.set(variable, term);
    }
    return this.add(
      this.terms.substitute(this.conclusion(theorem), substitution),
      this.hypotheses.map(this.hypothesesOf(theorem), (term) => this.terms.substitute(term, substitution)),
    );
  }

  instantiateTypes(theorem: TheoremId, pairs: readonly (readonly [TypeId, TypeId])[]): TheoremId {
    const substitution = new Map<TypeId, TypeId>();
    let mask = 0;
    for (const [variable, type] of pairs) {
      insist(this.types.isVariable(variable), 'only type variables can be instantiated');
      if (!substitution.has(variable)) substitution.set(variable, type);
      mask |= this.types.mask(variable);
    }
    const memo = new Map<TypeId, TypeId>();
    const change = (term: TermId): TermId => this.terms.instantiate(term, substitution, mask, memo);
    return this.add(
      change(this.conclusion(theorem)),
      this.hypotheses.map(this.hypothesesOf(theorem), change),
    );
  }

  /** The template with the left sides is the theorem's conclusion; the result has the right sides there. */
  replace(template: TermId, theorem: TheoremId, pairs: readonly (readonly [TermId, TheoremId])[]): TheoremId {
    const left = new Map<TermId, TermId>();
    const right = new Map<TermId, TermId>();
    let hypotheses = this.hypothesesOf(theorem);
    for (const [variable, equality] of pairs) {
      this.#requireVariable(variable);
      if (!this.terms.occursFree(variable, template)) continue;
      const equation = this.#equation(equality);
      this.#requireSameType(variable, this.logic.leftSide(equation));
      left.set(variable, this.logic.leftSide(equation));
      right.set(variable, this.logic.rightSide(equation));
      hypotheses = this.hypotheses.union(hypotheses, this.hypothesesOf(equality));
    }
    insist(
      this.terms.substitute(template, left) === this.conclusion(theorem),
      'the template with the left sides is not the theorem',
    );
    return this.add(this.terms.substitute(template, right), hypotheses);
  }

  // What the rules check

  #equation(theorem: TheoremId): TermId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isEquality(conclusion), 'the conclusion is no equation');
    return conclusion;
  }

  /** A negation counts as an implication of falsity. */
  #implication(theorem: TheoremId): readonly [TermId, TermId] {
    const conclusion = this.conclusion(theorem);
    if (this.logic.isImplication(conclusion)) {
      return [this.logic.leftSide(conclusion), this.logic.rightSide(conclusion)];
    }
    insist(this.logic.isUnary(conclusion, this.logic.negation), 'the conclusion is no implication');
    return [this.terms.right(conclusion), this.logic.falsity];
  }

  #quantified(term: TermId, quantifier: number, kind: string): TermId {
    const body = this.logic.isUnary(term, quantifier) ? this.terms.right(term) : -1;
    insist(this.terms.kind(body) === ABSTRACTION, `there is no ${kind} statement`);
    return body;
  }

  #contract(redex: TermId): TermId {
    const isRedex =
      this.terms.kind(redex) === APPLICATION && this.terms.kind(this.terms.left(redex)) === ABSTRACTION;
    insist(isRedex, 'the term is no beta-redex');
    return this.terms.reduce(this.terms.left(redex), this.terms.right(redex));
  }

  #bind(binder: TermId | undefined, variable: TermId, body: TermId): TermId {
    const predicate = this.terms.abstract(variable, body);
    if (binder === undefined) return predicate;
    const found = new Map<TypeId, TypeId>();
    const pattern = this.types.domain(this.terms.typeOf(binder));
    insist(
      this.types.match(pattern, this.terms.typeOf(predicate), found),
      'the binder does not take functions of this type',
    );
    return this.terms.apply(this.terms.instantiate(binder, found, -1, new Map()), predicate);
  }

  #union(one: TheoremId, other: TheoremId): HypothesesId {
    return this.hypotheses.union(this.hypothesesOf(one), this.hypothesesOf(other));
  }

  #requireVariable(term: TermId): void {
    insist(this.terms.kind(term) === FREE, 'a variable is needed');
  }

  #requireProposition(term: TermId): void {
    insist(this.terms.typeOf(term) === this.types.bool, 'the term is no proposition');
  }

  #requireSameType(one: TermId, other: TermId): void {
    insist(this.terms.typeOf(one) === this.terms.typeOf(other), 'the types differ');
  }

  #requireNotInHypotheses(variable: TermId, theorem: TheoremId): void {
    this.#requireVariable(variable);
    insist(
      !this.hypotheses.occursFree(variable, this.hypothesesOf(theorem)),
      'the variable is free in a hypothesis',
    );
  }
}

function insist(condition: boolean, complaint: string): void {
  if (!condition) throw new Refusal('wrong-inference', `The rule does not apply: ${complaint}.`);
}
