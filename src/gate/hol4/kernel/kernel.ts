/**
 * The inference rules of HOL4's kernel, written from their statements in its documentation: each method checks the side
 * conditions of its rule and adds the theorem that follows, or throws a `Refusal`. Theorems are numbers; only this
 * class makes them, and nobody outside it can. What is believed without a proof (`postulate`) taints whatever
 * follows from it. Terms given to a rule are closed and well typed already.
 */
import { Computer, type ComputeOperators } from './compute.ts';
import {
  axiomNamed,
  constantDefinition,
  constantSpecification,
  equationalSpecification,
  typeDefinition,
} from './definitions.ts';
import { Hypotheses, NO_HYPOTHESES, type HypothesesId } from './hypotheses.ts';
import { Logic } from './logic.ts';
import { Premises } from './premises.ts';
import { insist, Refusal } from './refusal.ts';
import { Signature, type ForeignNames } from './signature.ts';
import type { TermId } from './term.ts';
import { Terms } from './terms.ts';
import {
  both,
  type KernelView,
  type Postulate,
  type Taint,
  type TheoremId,
  Theorems,
  UNTAINTED,
} from './theorems.ts';
import { type TypeId, Types } from './types.ts';

export interface KernelSettings {
  readonly ownTheory: string | undefined;
  readonly foreign: ForeignNames;
  readonly termLimit: number;
  /** How many terms to make room for at once. */
  readonly expectedTerms?: number;
}

/** `⊢ term = value`, by the code equations given. */
export type Compute = (term: TermId, codeEquations: readonly TheoremId[]) => TheoremId;

export class Kernel implements KernelView {
  readonly types = new Types();
  readonly terms: Terms;
  readonly hypotheses: Hypotheses;
  readonly signature: Signature;
  readonly logic: Logic;
  readonly #theorems = new Theorems();
  readonly #premises: Premises;
  readonly #axioms: string[] = [];

  constructor({ ownTheory, foreign, termLimit, expectedTerms = 1024 }: KernelSettings) {
    this.terms = new Terms(this.types, termLimit, expectedTerms);
    this.hypotheses = new Hypotheses(this.terms);
    this.signature = new Signature(this.types, ownTheory, foreign);
    this.logic = new Logic(this.terms, this.signature);
    this.#premises = new Premises(this);
  }

  get theoremCount(): number {
    return this.#theorems.count;
  }

  /** The theorem of that number, for callers that keep numbers; undefined when there is none yet. */
  theoremAt(number: number): TheoremId | undefined {
    return this.#theorems.at(number);
  }

  conclusion(theorem: TheoremId): TermId {
    return this.#theorems.conclusion(theorem);
  }

  hypothesesOf(theorem: TheoremId): HypothesesId {
    return this.#theorems.hypotheses(theorem);
  }

  /** Everything without a proof of this kernel's that a theorem rests on. */
  taintOf(theorem: TheoremId): readonly Postulate[] {
    return this.#theorems.postulatesOf(this.#theorems.taint(theorem));
  }

  /** Whether `taintOf` names nothing too many; it does where very much is believed. */
  get areTaintsExact(): boolean {
    return this.#theorems.areTaintsExact;
  }

  /** Believes a statement, and remembers of all that follows from it why. */
  postulate(conclusion: TermId, hypotheses: HypothesesId, because: readonly Postulate[]): TheoremId {
    insist(because.length > 0, 'a postulate has no reason');
    for (const term of [conclusion, ...this.hypotheses.members(hypotheses)]) {
      if (this.terms.typeOf(term) !== this.types.bool)
        throw new Refusal('ill-typed', 'A statement is no proposition.');
    }
    const taint = because.reduce((sum, one) => both(sum, this.#theorems.taintBy(one)), UNTAINTED);
    return this.#theorems.add(conclusion, hypotheses, taint);
  }

  // Equality

  reflexivity(term: TermId): TheoremId {
    return this.#add(this.logic.makeEquality(term, term), NO_HYPOTHESES, UNTAINTED);
  }

  alpha(one: TermId, other: TermId): TheoremId {
    insist(one === other, 'the terms are not alpha-equivalent');
    return this.reflexivity(one);
  }

  betaConversion(redex: TermId): TheoremId {
    const equation = this.logic.makeEquality(redex, this.#premises.contract(redex));
    return this.#add(equation, NO_HYPOTHESES, UNTAINTED);
  }

  symmetry(theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const swapped = this.logic.makeEquality(this.logic.rightSide(equation), this.logic.leftSide(equation));
    return this.#follows(swapped, theorem);
  }

  transitivity(one: TheoremId, other: TheoremId): TheoremId {
    const [first, second] = [this.#equation(one), this.#equation(other)];
    insist(this.logic.rightSide(first) === this.logic.leftSide(second), 'the middle terms differ');
    const equation = this.logic.makeEquality(this.logic.leftSide(first), this.logic.rightSide(second));
    return this.#followsFrom(equation, one, other);
  }

  equalityModusPonens(equality: TheoremId, premise: TheoremId): TheoremId {
    const equation = this.#equation(equality);
    insist(
      this.logic.leftSide(equation) === this.conclusion(premise),
      'the left side is not the conclusion of the premise',
    );
    return this.#followsFrom(this.logic.rightSide(equation), equality, premise);
  }

  equalityToImplication(theorem: TheoremId, direction: 'forward' | 'backward'): TheoremId {
    const equation = this.#equation(theorem);
    const sides = [this.logic.leftSide(equation), this.logic.rightSide(equation)] as const;
    const [from, to] = direction === 'forward' ? sides : ([sides[1], sides[0]] as const);
    return this.#follows(this.logic.makeImplication(from, to), theorem);
  }

  /** `A ⊢ p`, `B ⊢ q` to `(A - q) ∪ (B - p) ⊢ p = q`. */
  deductAntisymmetric(one: TheoremId, other: TheoremId): TheoremId {
    const [p, q] = [this.conclusion(one), this.conclusion(other)];
    const hypotheses = this.hypotheses.union(
      this.hypotheses.without(this.hypothesesOf(one), q),
      this.hypotheses.without(this.hypothesesOf(other), p),
    );
    return this.#add(this.logic.makeEquality(p, q), hypotheses, this.#taintOfBoth(one, other));
  }

  // Congruence

  applyTerm(fun: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const left = this.terms.apply(fun, this.logic.leftSide(equation));
    const right = this.terms.apply(fun, this.logic.rightSide(equation));
    return this.#follows(this.logic.makeEquality(left, right), theorem);
  }

  applyTheorem(theorem: TheoremId, argument: TermId): TheoremId {
    const equation = this.#equation(theorem);
    const left = this.terms.apply(this.logic.leftSide(equation), argument);
    const right = this.terms.apply(this.logic.rightSide(equation), argument);
    return this.#follows(this.logic.makeEquality(left, right), theorem);
  }

  combine(functions: TheoremId, args: TheoremId): TheoremId {
    const [f, x] = [this.#equation(functions), this.#equation(args)];
    const left = this.terms.apply(this.logic.leftSide(f), this.logic.leftSide(x));
    const right = this.terms.apply(this.logic.rightSide(f), this.logic.rightSide(x));
    return this.#followsFrom(this.logic.makeEquality(left, right), functions, args);
  }

  abstraction(variable: TermId, theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    this.#premises.insistNotInHypotheses(variable, theorem);
    const left = this.terms.abstract(variable, this.logic.leftSide(equation));
    const right = this.terms.abstract(variable, this.logic.rightSide(equation));
    return this.#follows(this.logic.makeEquality(left, right), theorem);
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
      this.#premises.insistNotInHypotheses(variable, theorem);
      left = this.#premises.bind(binder, variable, left);
      right = this.#premises.bind(binder, variable, right);
    }
    return this.#follows(this.logic.makeEquality(left, right), theorem);
  }

  /** `A ⊢ t = (λx. b) u` to `A ⊢ t = b[u/x]`. */
  betaRight(theorem: TheoremId): TheoremId {
    const equation = this.#equation(theorem);
    const reduct = this.#premises.contract(this.logic.rightSide(equation));
    return this.#follows(this.logic.makeEquality(this.logic.leftSide(equation), reduct), theorem);
  }

  /** `A ⊢ t = f x`, `B ⊢ f = g`, `C ⊢ x = y` to `A ∪ B ∪ C ⊢ t = g y`. */
  combineRight(whole: TheoremId, fun: TheoremId, argument: TheoremId): TheoremId {
    const [equation, f, x] = [this.#equation(whole), this.#equation(fun), this.#equation(argument)];
    const application = this.terms.apply(this.logic.leftSide(f), this.logic.leftSide(x));
    insist(application === this.logic.rightSide(equation), 'the parts are not those of the right side');
    const result = this.terms.apply(this.logic.rightSide(f), this.logic.rightSide(x));
    return this.#add(
      this.logic.makeEquality(this.logic.leftSide(equation), result),
      this.hypotheses.union(this.hypothesesOf(whole), this.#hypothesesOfBoth(fun, argument)),
      both(this.#taint(whole), this.#taintOfBoth(fun, argument)),
    );
  }

  /** `A ⊢ t = λv. b`, `B ⊢ b = c` to `A ∪ B ⊢ t = λv. c`, v not free in B. */
  abstractRight(whole: TheoremId, variable: TermId, body: TheoremId): TheoremId {
    const [equation, inner] = [this.#equation(whole), this.#equation(body)];
    this.#premises.insistNotInHypotheses(variable, body);
    insist(
      this.terms.abstract(variable, this.logic.leftSide(inner)) === this.logic.rightSide(equation),
      'the body is not that of the right side',
    );
    const result = this.terms.abstract(variable, this.logic.rightSide(inner));
    return this.#followsFrom(this.logic.makeEquality(this.logic.leftSide(equation), result), whole, body);
  }

  // Implication, negation, falsity

  assume(term: TermId): TheoremId {
    this.#premises.insistOnProposition(term);
    return this.#add(term, this.hypotheses.single(term), UNTAINTED);
  }

  discharge(term: TermId, theorem: TheoremId): TheoremId {
    const implication = this.logic.makeImplication(term, this.conclusion(theorem));
    const hypotheses = this.hypotheses.without(this.hypothesesOf(theorem), term);
    return this.#add(implication, hypotheses, this.#taint(theorem));
  }

  modusPonens(implication: TheoremId, premise: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#premises.implication(implication);
    insist(antecedent === this.conclusion(premise), 'the antecedent is not the conclusion of the premise');
    return this.#followsFrom(consequent, implication, premise);
  }

  negationIntroduction(theorem: TheoremId): TheoremId {
    const [antecedent, consequent] = this.#premises.implication(theorem);
    insist(consequent === this.logic.falsity, 'the conclusion does not imply falsity');
    return this.#follows(this.logic.makeNegation(antecedent), theorem);
  }

  negationElimination(theorem: TheoremId): TheoremId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isUnary(conclusion, this.logic.negation), 'the conclusion is no negation');
    const negated = this.terms.argumentOf(conclusion);
    return this.#follows(this.logic.makeImplication(negated, this.logic.falsity), theorem);
  }

  contradiction(term: TermId, theorem: TheoremId): TheoremId {
    insist(this.conclusion(theorem) === this.logic.falsity, 'the conclusion is not falsity');
    const negation = this.logic.makeNegation(term);
    const hypotheses = this.hypotheses.without(this.hypothesesOf(theorem), negation);
    return this.#add(term, hypotheses, this.#taint(theorem));
  }

  // Conjunction and disjunction

  conjunction(one: TheoremId, other: TheoremId): TheoremId {
    const term = this.logic.makeConjunction(this.conclusion(one), this.conclusion(other));
    return this.#followsFrom(term, one, other);
  }

  conjunct(theorem: TheoremId, side: 'left' | 'right'): TheoremId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isBinary(conclusion, this.logic.conjunction), 'the conclusion is no conjunction');
    const part = side === 'left' ? this.logic.leftSide(conclusion) : this.logic.rightSide(conclusion);
    return this.#follows(part, theorem);
  }

  disjunction(theorem: TheoremId, other: TermId, proved: 'left' | 'right'): TheoremId {
    const conclusion = this.conclusion(theorem);
    const term =
      proved === 'left'
        ? this.logic.makeDisjunction(conclusion, other)
        : this.logic.makeDisjunction(other, conclusion);
    return this.#follows(term, theorem);
  }

  disjunctionCases(disjunction: TheoremId, left: TheoremId, right: TheoremId): TheoremId {
    const term = this.conclusion(disjunction);
    insist(this.logic.isBinary(term, this.logic.disjunction), 'the first premise is no disjunction');
    insist(this.conclusion(left) === this.conclusion(right), 'the two cases conclude different things');
    const cases = this.hypotheses.union(
      this.hypotheses.without(this.hypothesesOf(left), this.logic.leftSide(term)),
      this.hypotheses.without(this.hypothesesOf(right), this.logic.rightSide(term)),
    );
    return this.#add(
      this.conclusion(left),
      this.hypotheses.union(this.hypothesesOf(disjunction), cases),
      both(this.#taint(disjunction), this.#taintOfBoth(left, right)),
    );
  }

  // Quantifiers

  generalize(variables: readonly TermId[], theorem: TheoremId): TheoremId {
    let conclusion = this.conclusion(theorem);
    for (const variable of [...variables].reverse()) {
      this.#premises.insistNotInHypotheses(variable, theorem);
      conclusion = this.logic.makeForall(variable, conclusion);
    }
    return this.#follows(conclusion, theorem);
  }

  specialize(term: TermId, theorem: TheoremId): TheoremId {
    const body = this.#premises.quantified(this.conclusion(theorem), this.logic.forall, 'universal');
    return this.#follows(this.terms.reduce(body, term), theorem);
  }

  /** `A ⊢ p[t/x]` to `A ⊢ ∃x. p`. */
  exists(statement: TermId, witness: TermId, theorem: TheoremId): TheoremId {
    const body = this.#premises.quantified(statement, this.logic.exists, 'existential');
    insist(
      this.terms.reduce(body, witness) === this.conclusion(theorem),
      'the theorem is not the statement for that witness',
    );
    return this.#follows(statement, theorem);
  }

  /** `A ⊢ ∃x. p`, `B ⊢ q` to `A ∪ (B - p[v/x]) ⊢ q`; v free in none of `∃x. p`, q and what is left of B. */
  choose(variable: TermId, existence: TheoremId, theorem: TheoremId): TheoremId {
    this.#premises.insistOnVariable(variable);
    const statement = this.conclusion(existence);
    const body = this.#premises.quantified(statement, this.logic.exists, 'existential');
    const conclusion = this.conclusion(theorem);
    const chosen = this.terms.reduce(body, variable);
    const rest = this.hypotheses.without(this.hypothesesOf(theorem), chosen);
    insist(
      !this.terms.occursFree(variable, statement) &&
        !this.terms.occursFree(variable, conclusion) &&
        !this.hypotheses.occursFree(variable, rest),
      'the chosen variable is free in the result',
    );
    const hypotheses = this.hypotheses.union(this.hypothesesOf(existence), rest);
    return this.#add(conclusion, hypotheses, this.#taintOfBoth(existence, theorem));
  }

  // Instantiation and substitution

  instantiate(theorem: TheoremId, pairs: readonly (readonly [TermId, TermId])[]): TheoremId {
    const substitution = new Map<TermId, TermId>();
    for (const [variable, term] of pairs) {
      this.#premises.insistOnVariable(variable);
      this.#premises.insistOnSameType(variable, term);
      substitution.set(variable, term);
    }
    const change = (term: TermId): TermId => this.terms.substitute(term, substitution);
    return this.#add(
      change(this.conclusion(theorem)),
      this.hypotheses.map(this.hypothesesOf(theorem), change),
      this.#taint(theorem),
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
    return this.#add(
      change(this.conclusion(theorem)),
      this.hypotheses.map(this.hypothesesOf(theorem), change),
      this.#taint(theorem),
    );
  }

  /** The template with the left sides is the theorem's conclusion; the result has the right sides there. */
  replace(template: TermId, theorem: TheoremId, pairs: readonly (readonly [TermId, TheoremId])[]): TheoremId {
    const left = new Map<TermId, TermId>();
    const right = new Map<TermId, TermId>();
    let hypotheses = this.hypothesesOf(theorem);
    let taint = this.#taint(theorem);
    for (const [variable, equality] of pairs) {
      this.#premises.insistOnVariable(variable);
      if (!this.terms.occursFree(variable, template)) continue;
      const equation = this.#equation(equality);
      this.#premises.insistOnSameType(variable, this.logic.leftSide(equation));
      left.set(variable, this.logic.leftSide(equation));
      right.set(variable, this.logic.rightSide(equation));
      hypotheses = this.hypotheses.union(hypotheses, this.hypothesesOf(equality));
      taint = both(taint, this.#taint(equality));
    }
    insist(
      this.terms.substitute(template, left) === this.conclusion(theorem),
      'the template with the left sides is not the theorem',
    );
    return this.#add(this.terms.substitute(template, right), hypotheses, taint);
  }

  // Definitions and computation

  defineConstant(name: string, term: TermId): TheoremId {
    return this.#add(constantDefinition(this, name, term), NO_HYPOTHESES, UNTAINTED);
  }

  /** `⊢ ∃x1 … xn. p` to `⊢ p[c1/x1, …]`. */
  specifyConstants(names: readonly string[], theorem: TheoremId): TheoremId {
    return this.#add(constantSpecification(this, names, theorem), NO_HYPOTHESES, this.#taint(theorem));
  }

  /** `{x1 = t1, …} ⊢ p` to `⊢ p[c1/x1, …]`, where each ti is closed and ci is named after xi. */
  specifyByEquations(names: readonly string[], theorem: TheoremId): TheoremId {
    return this.#add(equationalSpecification(this, names, theorem), NO_HYPOTHESES, this.#taint(theorem));
  }

  /** `⊢ ∃x. P x` to `⊢ ∃rep. TYPE_DEFINITION P rep`; without `parameters` they stand in the order of their names. */
  defineType(name: string, parameters: readonly TypeId[] | undefined, theorem: TheoremId): TheoremId {
    return this.#add(typeDefinition(this, name, parameters, theorem), NO_HYPOTHESES, this.#taint(theorem));
  }

  /** Whether a statement is one of the four axioms, and stands where they may be asserted. */
  isAssertable(statement: TermId): boolean {
    return axiomNamed(this, statement) !== undefined;
  }

  assertAxiom(statement: TermId): TheoremId {
    const name = axiomNamed(this, statement);
    if (name === undefined) throw new Refusal('unproved-statement', 'A statement is asserted without proof.');
    this.#axioms.push(name);
    return this.postulate(statement, NO_HYPOTHESES, [{ kind: 'axiom', subject: `bool$${name}` }]);
  }

  /** Those of the four that were asserted, once for each time. */
  get assertedAxioms(): readonly string[] {
    return this.#axioms;
  }

  /** @param equations The characteristic equations, by name. @param checkTime Called now and then; may throw. */
  computer(
    operators: ComputeOperators,
    equations: readonly (readonly [string, TheoremId])[],
    checkTime: () => void,
  ): Compute {
    const computer = new Computer(this, operators, equations, checkTime);
    const theorems = equations.map(([, theorem]) => theorem);
    return (term, codeEquations) =>
      this.#add(
        computer.equation(term, codeEquations),
        NO_HYPOTHESES,
        [...theorems, ...codeEquations].reduce((sum, one) => both(sum, this.#taint(one)), UNTAINTED),
      );
  }

  #equation(theorem: TheoremId): TermId {
    const conclusion = this.conclusion(theorem);
    insist(this.logic.isEquality(conclusion), 'the conclusion is no equation');
    return conclusion;
  }

  #add(conclusion: TermId, hypotheses: HypothesesId, taint: Taint): TheoremId {
    return this.#theorems.add(conclusion, hypotheses, taint);
  }

  /** Under the hypotheses of one premise. */
  #follows(conclusion: TermId, premise: TheoremId): TheoremId {
    return this.#theorems.add(conclusion, this.hypothesesOf(premise), this.#taint(premise));
  }

  /** Under the hypotheses of two premises. */
  #followsFrom(conclusion: TermId, one: TheoremId, other: TheoremId): TheoremId {
    return this.#theorems.add(conclusion, this.#hypothesesOfBoth(one, other), this.#taintOfBoth(one, other));
  }

  #hypothesesOfBoth(one: TheoremId, other: TheoremId): HypothesesId {
    return this.hypotheses.union(this.hypothesesOf(one), this.hypothesesOf(other));
  }

  #taint(theorem: TheoremId): Taint {
    return this.#theorems.taint(theorem);
  }

  #taintOfBoth(one: TheoremId, other: TheoremId): Taint {
    return both(this.#theorems.taint(one), this.#theorems.taint(other));
  }
}
