/**
 * Steps of computation at the head of a term, as the guard checker takes them: constants that can be looked into, functions
 * that are applied, `let`, a `match` on a constructor, a projection out of one. None changes what a term is equal to.
 */
import { application, made, type Match, reduced, spineOf, substituted, type Term } from './kernel-terms.ts';
import type { Declarations } from './recursive-types.ts';

/** What the checker does not know to be right. */
export class NotConfirmed extends Error {}

/** What takes more steps is not confirmed. */
const MOST_STEPS = 200_000;

export class Computation {
  readonly known: Declarations;
  #steps = 0;

  constructor(known: Declarations) {
    this.known = known;
  }

  /** @throws NotConfirmed when there have been too many. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new NotConfirmed();
  }

  /** One step at the head that needs no look at arguments; undefined where there is none. */
  headReduced(head: Term, given: readonly Term[]): Term | undefined {
    if (head.kind === 'let') return application(substituted(head.body, [head.value]), given);
    if (head.kind === 'function' && given.length > 0) return reduced(head, given);
    if (head.kind === 'constant') return this.opened(head.name, given);
    if (head.kind === 'projection') {
      const { head: inner, arguments: all } = spineOf(head.value);
      const part = inner.kind === 'constructor' ? all[head.parameters + head.place] : undefined;
      return part && application(part, given);
    }
    return head.kind === 'match' ? this.#chosenBranch(head, given) : undefined;
  }

  opened(constant: string, given: readonly Term[]): Term | undefined {
    const value = this.known.value(constant);
    return value && reduced(value, given);
  }

  /** One step at the head of a type: there what a `match` looks at is computed, too, as a part of a structure that constants stand for. */
  typeReduced(head: Term, given: readonly Term[]): Term | undefined {
    this.step();
    const next = this.headReduced(head, given);
    if (next !== undefined) return next;
    if (head.kind !== 'match' && head.kind !== 'projection') return undefined;
    const { head: inner, arguments: own } = spineOf(head.kind === 'match' ? head.scrutinee : head.value);
    const looked = this.typeReduced(inner, own);
    if (looked === undefined) return undefined;
    const changed = head.kind === 'match' ? { ...head, scrutinee: looked } : { ...head, value: looked };
    return application(made(changed), given);
  }

  /** Whether a term is a `match` on a value of a type that has none, or comes to it. */
  isFromNothing(term: Term): boolean {
    this.step();
    const { head, arguments: given } = spineOf(term);
    if (head.kind === 'match' && head.branches.length === 0) return true;
    const next = this.headReduced(head, given);
    return next !== undefined && this.isFromNothing(next);
  }

  /** The branch of a `match` on a constructor. */
  #chosenBranch({ scrutinee, parameters, branches }: Match, given: readonly Term[]): Term | undefined {
    const { head, arguments: all } = spineOf(scrutinee);
    if (head.kind !== 'constructor') return undefined;
    const branch = branches[head.place];
    const values = all.slice(parameters);
    if (branch?.isPlain !== true || values.length !== branch.bound) return undefined;
    return application(substituted(branch.body, values), given);
  }
}
