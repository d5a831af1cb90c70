/**
 * Casts that a machine checked, each as a term that is closed: a function of the variables around it that it needs. Two that are the same
 * claim the same of their machine, wherever they stand. An eliminator of a type has those of the type itself.
 */
import { field, hasTag } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM } from '../compiled/term-layout.ts';
import { type Bound, freeVariables, type Terms, withOtherVariables, withParts } from './substitution.ts';

export interface ClosedCasts {
  readonly closed: readonly OcamlValue[];
  /** All casts that were met, those with them that cannot be closed. */
  readonly met: ReadonlySet<Block>;
  /** Whether each could be closed wherever it stands. */
  readonly areAll: boolean;
}

/** @param isMeant Whether a cast of this kind is looked for. @throws MalformedValue, TooLarge */
export function closedCasts(
  terms: Terms,
  roots: readonly OcamlValue[],
  isMeant: (cast: Block) => boolean,
): ClosedCasts {
  const looking = new Looking(terms, isMeant);
  for (const root of roots) looking.at(root, []);
  return looking;
}

/** A function or a product, or a `let`; undefined where the type of a variable is not written at its binder. */
type Binder = { readonly binding: Block } | undefined;

class Looking implements ClosedCasts {
  readonly closed: OcamlValue[] = [];
  readonly met = new Set<Block>();
  areAll = true;
  readonly #terms: Terms;
  readonly #isMeant: (cast: Block) => boolean;

  constructor(terms: Terms, isMeant: (cast: Block) => boolean) {
    this.#terms = terms;
    this.#isMeant = isMeant;
  }

  /** @param around outermost first. */
  at(value: OcamlValue, around: readonly Binder[]): void {
    if (!(value instanceof Block)) return;
    this.#terms.work.spend(1 + value.fields.length);
    if (hasTag(value, TERM.cast) && this.#isMeant(value)) {
      this.met.add(value);
      const closed = this.#closed(value, around);
      if (closed === undefined) this.areAll = false;
      else this.closed.push(closed);
    }
    withParts(this.#terms.layout, value, (part, bound) => {
      this.at(part, bound.count === 0 ? around : [...around, ...this.#bound(value, bound)]);
      return part;
    });
  }

  /**
   * The types of a branch's variables are written nowhere: which they are says the constructor, with the parameters and the variables
   * before each, which stands in the place of the type.
   */
  #bound(term: Block, { count, by: place }: Bound): readonly Binder[] {
    if (place === 'itself') return [{ binding: term }];
    const untyped = Array.from({ length: count }, () => undefined);
    if (place === undefined) return untyped;
    return this.#boundInBranch(term, place) ?? untyped;
  }

  #boundInBranch(match: Block, place: number): readonly Binder[] | undefined {
    const names = field(field(field(match, 6), place), 0);
    const parameters = field(match, 2);
    if (!(names instanceof Block) || !(parameters instanceof Block)) return undefined;
    const called = new Block(0, [field(field(match, 0), 0), place + 1]);
    const constructor = new Block(TERM.constructor, [new Block(0, [called, field(match, 1)])]);
    return names.fields.map((name, before) => {
      const given = parameters.fields.map((parameter) =>
        withOtherVariables(this.#terms, parameter, (variable) => variable + before),
      );
      const earlier = Array.from({ length: before }, (_, index) => new Block(TERM.rel, [before - index]));
      const type = new Block(TERM.application, [constructor, new Block(0, [...given, ...earlier])]);
      return { binding: new Block(TERM.lambda, [name, type, constructor]) };
    });
  }

  #closed(cast: Block, around: readonly Binder[]): OcamlValue | undefined {
    const needed = new Set<number>();
    const pending = [{ term: cast as OcamlValue, depth: around.length }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      for (const variable of freeVariables(this.#terms, next.term)) {
        const place = next.depth - variable;
        const binding = around[place]?.binding;
        if (binding === undefined) return undefined;
        if (needed.has(place)) continue;
        needed.add(place);
        for (const term of saidAt(binding)) pending.push({ term, depth: place });
      }
    const places = [...needed].sort((one, other) => one - other);
    const under = (term: OcamlValue, depth: number, binders: number): OcamlValue =>
      withOtherVariables(this.#terms, term, (variable) => binders - places.indexOf(depth - variable));
    let result = under(cast, around.length, places.length);
    for (const [count, place] of [...places.entries()].reverse()) {
      const binding = around[place]?.binding;
      if (binding === undefined) return undefined;
      const said = saidAt(binding).map((term) => under(term, place, count));
      const tag = binding.tag === TERM.letIn ? TERM.letIn : TERM.lambda;
      result = new Block(tag, [field(binding, 0), ...said, result]);
    }
    return result;
  }
}

/** The type of the variable, behind its value where it has one. */
function saidAt(binding: Block): readonly OcamlValue[] {
  return hasTag(binding, TERM.letIn) ? [field(binding, 1), field(binding, 2)] : [field(binding, 1)];
}
