/**
 * Where a value of a type may be passed through a `match` whose result has another type in each branch, and still be known
 * as a part of what a function recurs on.
 *
 * A function that calls itself on parts of its argument alone is one by the eliminator of the type: beside each part it has
 * what it comes to there. For a value of type `I i` that is a property of the values of `I k` for all `k`, and so it can
 * be taken along an equation `i = j` with the value. Nothing of the kind can be said of the values of a type `X` that is an
 * inductive type in one case and a type of functions in another: propositional extensionality makes `True -> T` and `T`
 * equal. So the head of the type has to be the same inductive type whatever is matched; for a type that others are nested in (a
 * list of trees), of what is nested, too.
 */
import type { Computation } from './computation.ts';
import { mentions, type Scope, spineOf, type Term } from './kernel-terms.ts';

export class UnchangingTypes {
  readonly #computation: Computation;
  /** The block of all types that the functions recur on; undefined where there are several. */
  readonly #recursed: string | undefined;

  constructor(computation: Computation, recursed: string | undefined) {
    this.#computation = computation;
    this.#recursed = recursed;
  }

  /** What is still known of arguments behind a `match`: not where it could pass them off as values of another type. */
  passedThrough<Given>({ bound, body }: Scope, given: readonly Given[]): readonly (Given | undefined)[] {
    let type: Term | undefined = body;
    return given.map((one, place) => {
      const taken = type && this.#product(type);
      type = taken?.body;
      return taken !== undefined && this.#isUnchanging(taken.domain, place + 1, bound) ? one : undefined;
    });
  }

  /** Whether a `match` has results of one type, whatever is matched, when it is applied to so many arguments. */
  hasOneType({ bound, body }: Scope, given: number): boolean {
    let type: Term | undefined = body;
    for (let taken = 0; taken < given; taken += 1) type = type && this.#product(type)?.body;
    return type !== undefined && this.#isUnchanging(type, given + 1, bound);
  }

  #product(type: Term): { readonly domain: Term; readonly body: Term } | undefined {
    const { head, arguments: given } = spineOf(type);
    if (head.kind === 'product') return given.length === 0 ? head : undefined;
    const next = this.#computation.typeReduced(head, given);
    return next && this.#product(next);
  }

  /** Whether the variables from `first` on change no more of a type than what holds no part. */
  #isUnchanging(type: Term, first: number, count: number): boolean {
    if (!mentions(type, first, count)) return true;
    const { head, arguments: given } = spineOf(type);
    // Of a function its results are parts, whatever it takes.
    if (head.kind === 'product') return given.length === 0 && this.#isUnchanging(head.body, first + 1, count);
    if (head.kind === 'function' && given.length === 0)
      return this.#isUnchanging(head.body, first + 1, count);
    if (head.kind === 'type') {
      // Of the type itself every instance has its own eliminator; nothing of it is nested in a parameter.
      if (head.type.block === this.#recursed) return true;
      const parameters = this.#computation.known.parameters(head.type)?.uniform;
      if (parameters === undefined) return false;
      return given.slice(0, parameters).every((one) => this.#isUnchanging(one, first, count));
    }
    const next = this.#computation.typeReduced(head, given);
    return next !== undefined && this.#isUnchanging(next, first, count);
  }
}
