/**
 * What the kernel answers for one declaration. Inside the kernel the answers other than `accepted` travel as exceptions, so that
 * no step can go on after a failure by mistake.
 */
import type { Expression } from '../expression.ts';
import type { Name } from '../name.ts';

export type KernelAnswer =
  | { readonly kind: 'accepted' }
  /** The declaration is wrong. `terms` are the two that should be equal and are not, when that is the reason. */
  | {
      readonly kind: 'rejected';
      readonly declaration: Name | undefined;
      readonly problem: string;
      readonly terms: readonly [Expression, Expression] | undefined;
    }
  /** The kernel could not tell: too much work, too deep, or a feature that it does not know. */
  | { readonly kind: 'declined'; readonly declaration: Name | undefined; readonly problem: string };

/** Thrown where a declaration is found to be wrong. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly terms: readonly [Expression, Expression] | undefined;

  constructor(problem: string, terms?: readonly [Expression, Expression]) {
    super(problem);
    this.terms = terms;
  }
}

/** Thrown where the kernel gives up. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** A bound on the work for one declaration: steps of computation, comparison and inference. */
export class Fuel {
  readonly #limit: number;
  #left: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.#left = limit;
  }

  refill(): void {
    this.#left = this.#limit;
  }

  spend(steps = 1): void {
    if ((this.#left -= steps) < 0) throw new Declined(`more than ${this.#limit} steps would be needed`);
  }
}
