/** Rules of the quantifiers. */
import type { Premises } from '../premises.ts';
import { insist } from '../refusal.ts';
import type { TermId } from '../term.ts';
import type { KernelView, TheoremId } from '../theorems.ts';
import type { Derivation } from './derivation.ts';

export class QuantifierRules {
  readonly #kernel: KernelView;
  readonly #premises: Premises;
  readonly #derivation: Derivation;

  constructor(kernel: KernelView, premises: Premises, derivation: Derivation) {
    this.#kernel = kernel;
    this.#premises = premises;
    this.#derivation = derivation;
  }

  generalize(variables: readonly TermId[], theorem: TheoremId): TheoremId {
    let conclusion = this.#kernel.conclusion(theorem);
    for (const variable of [...variables].reverse()) {
      this.#premises.insistNotInHypotheses(variable, theorem);
      conclusion = this.#kernel.logic.makeForall(variable, conclusion);
    }
    return this.#derivation.follows(conclusion, theorem);
  }

  specialize(term: TermId, theorem: TheoremId): TheoremId {
    const body = this.#premises.quantified(
      this.#kernel.conclusion(theorem),
      this.#kernel.logic.forall,
      'universal',
    );
    return this.#derivation.follows(this.#kernel.terms.reduce(body, term), theorem);
  }

  /** `A ⊢ p[t/x]` to `A ⊢ ∃x. p`. */
  exists(statement: TermId, witness: TermId, theorem: TheoremId): TheoremId {
    const body = this.#premises.quantified(statement, this.#kernel.logic.exists, 'existential');
    insist(
      this.#kernel.terms.reduce(body, witness) === this.#kernel.conclusion(theorem),
      'the theorem is not the statement for that witness',
    );
    return this.#derivation.follows(statement, theorem);
  }

  /** `A ⊢ ∃x. p`, `B ⊢ q` to `A ∪ (B - p[v/x]) ⊢ q`; v free in none of `∃x. p`, q and what is left of B. */
  choose(variable: TermId, existence: TheoremId, theorem: TheoremId): TheoremId {
    this.#premises.insistOnVariable(variable);
    const statement = this.#kernel.conclusion(existence);
    const body = this.#premises.quantified(statement, this.#kernel.logic.exists, 'existential');
    const conclusion = this.#kernel.conclusion(theorem);
    const chosen = this.#kernel.terms.reduce(body, variable);
    const rest = this.#kernel.hypotheses.without(this.#kernel.hypothesesOf(theorem), chosen);
    insist(
      !this.#kernel.terms.occursFree(variable, statement) &&
        !this.#kernel.terms.occursFree(variable, conclusion) &&
        !this.#kernel.hypotheses.occursFree(variable, rest),
      'the chosen variable is free in the result',
    );
    const hypotheses = this.#kernel.hypotheses.union(this.#kernel.hypothesesOf(existence), rest);
    return this.#derivation.add(conclusion, hypotheses, this.#derivation.taintOfBoth(existence, theorem));
  }
}
