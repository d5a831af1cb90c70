/**
 * HOL4's kernel: the inference rules (`rules/`), the principles of definition, computation, and what is believed. The
 * rules are written from their statements in HOL4's documentation: each method checks the side conditions of its rule
 * and adds the theorem that follows, or throws a `Refusal`. Theorems are numbers; only a kernel and its rules make
 * them, and nobody outside can. What is believed without a proof (`postulate`) taints whatever follows from it. Terms
 * given to a rule are closed and well typed already.
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
import { Derivation } from './rules/derivation.ts';
import { EqualityRules } from './rules/equality-rules.ts';
import { PropositionalRules } from './rules/propositional-rules.ts';
import { QuantifierRules } from './rules/quantifier-rules.ts';
import { SubstitutionRules } from './rules/substitution-rules.ts';
import { Signature, type ForeignNames } from './signature.ts';
import type { TermId } from './term.ts';
import { Terms } from './terms.ts';
import { both, type KernelView, type Postulate, type TheoremId, Theorems, UNTAINTED } from './theorems.ts';
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
  readonly equality: EqualityRules;
  readonly propositional: PropositionalRules;
  readonly quantifiers: QuantifierRules;
  readonly substitution: SubstitutionRules;
  readonly #theorems = new Theorems();
  readonly #derivation: Derivation;
  readonly #axioms: string[] = [];

  constructor({ ownTheory, foreign, termLimit, expectedTerms = 1024 }: KernelSettings) {
    this.terms = new Terms(this.types, termLimit, expectedTerms);
    this.hypotheses = new Hypotheses(this.terms);
    this.signature = new Signature(this.types, ownTheory, foreign);
    this.logic = new Logic(this.terms, this.signature);
    const derivation = new Derivation(this, this.#theorems);
    const premises = new Premises(this);
    this.#derivation = derivation;
    this.equality = new EqualityRules(this, premises, derivation);
    this.propositional = new PropositionalRules(this, premises, derivation);
    this.quantifiers = new QuantifierRules(this, premises, derivation);
    this.substitution = new SubstitutionRules(this, premises, derivation);
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

  defineConstant(name: string, term: TermId): TheoremId {
    return this.#derivation.add(constantDefinition(this, name, term), NO_HYPOTHESES, UNTAINTED);
  }

  /** `⊢ ∃x1 … xn. p` to `⊢ p[c1/x1, …]`. */
  specifyConstants(names: readonly string[], theorem: TheoremId): TheoremId {
    return this.#derivation.add(
      constantSpecification(this, names, theorem),
      NO_HYPOTHESES,
      this.#derivation.taint(theorem),
    );
  }

  /** `{x1 = t1, …} ⊢ p` to `⊢ p[c1/x1, …]`, where each ti is closed and ci is named after xi. */
  specifyByEquations(names: readonly string[], theorem: TheoremId): TheoremId {
    return this.#derivation.add(
      equationalSpecification(this, names, theorem),
      NO_HYPOTHESES,
      this.#derivation.taint(theorem),
    );
  }

  /** `⊢ ∃x. P x` to `⊢ ∃rep. TYPE_DEFINITION P rep`; without `parameters` they stand in the order of their names. */
  defineType(name: string, parameters: readonly TypeId[] | undefined, theorem: TheoremId): TheoremId {
    return this.#derivation.add(
      typeDefinition(this, name, parameters, theorem),
      NO_HYPOTHESES,
      this.#derivation.taint(theorem),
    );
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
      this.#derivation.add(
        computer.equation(term, codeEquations),
        NO_HYPOTHESES,
        [...theorems, ...codeEquations].reduce(
          (sum, one) => both(sum, this.#derivation.taint(one)),
          UNTAINTED,
        ),
      );
  }
}
