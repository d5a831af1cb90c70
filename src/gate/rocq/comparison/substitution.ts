/** Bound variables of kernel terms, which are numbers (de Bruijn's): replacing them, and reducing what is applied. */
import { field, hasTag, misfit } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM, type TermLayout } from '../compiled/term-layout.ts';
import type { ComparisonWork } from './comparison-work.ts';

/** How terms are built, and what may be done with them. */
export interface Terms {
  readonly layout: TermLayout;
  readonly work: ComparisonWork;
}

/** In the place of a variable that has no binder any more. It equals nothing that a compiled file contains. */
const NOWHERE = new Block(TERM.rel, [0]);

/** The term under a product or a `let`, its variable replaced by something equal to nothing. */
export function withoutOuterBinder(terms: Terms, binding: Block): OcamlValue {
  return substituted(terms, field(binding, binding.fields.length - 1), () => NOWHERE);
}

/**
 * A term without the `let`s among its outer binders that nothing uses, and with no function applied around a binder. The variables of a section that a proof uses are
 * abstracted so: which local definitions are among them, Rocq settles otherwise for a proof that says it (`Proof using`).
 */
export function withoutUnusedLets(terms: Terms, term: OcamlValue): OcamlValue {
  if (isApplied(term)) return withoutUnusedLets(terms, applied(terms, term));
  const isBinding = [TERM.lambda, TERM.prod, TERM.letIn].some((tag) => hasTag(term, tag));
  if (!(term instanceof Block) || !isBinding) return term;
  const body = field(term, term.fields.length - 1);
  const inner = withoutUnusedLets(terms, body);
  if (term.tag === TERM.letIn) {
    const uses: number[] = [];
    const lowered = substituted(terms, inner, (depth) => {
      uses.push(depth);
      return NOWHERE;
    });
    if (uses.length === 0) return lowered;
  }
  return inner === body ? term : new Block(term.tag, [...term.fields.slice(0, -1), inner]);
}

/** Whether a term is a function of the language applied to something. */
export function isApplied(term: OcamlValue): term is Block {
  if (!(term instanceof Block) || term.tag !== TERM.application) return false;
  const head = field(term, 0);
  return head instanceof Block && head.tag === TERM.lambda;
}

/** Of a term that is no application, the term itself and none. */
export function headAndArguments(term: OcamlValue): {
  readonly head: OcamlValue;
  readonly given: readonly OcamlValue[];
} {
  if (!hasTag(term, TERM.application)) return { head: term, given: [] };
  return { head: field(term, 0), given: argumentsOf(field(term, 1)) };
}

function argumentsOf(array: OcamlValue): readonly OcamlValue[] {
  if (!(array instanceof Block)) throw misfit('arguments');
  return array.fields;
}

/** What an applied function is after its arguments are put in, as long as it is one (beta). */
export function applied(terms: Terms, term: Block): OcamlValue {
  let head: OcamlValue = field(term, 0);
  let pending = [...argumentsOf(field(term, 1))];
  for (;;) {
    terms.work.spend(pending.length);
    if (!(head instanceof Block)) throw misfit('a term');
    const argument = head.tag === TERM.lambda ? pending.shift() : undefined;
    if (argument !== undefined) {
      const byDepth = new Map<number, OcamlValue>();
      head = substituted(terms, field(head, 2), (depth) => {
        const known = byDepth.get(depth) ?? lifted(terms, argument, depth - 1);
        byDepth.set(depth, known);
        return known;
      });
    } else if (pending.length > 0 && head.tag === TERM.application) {
      pending = [...argumentsOf(field(head, 1)), ...pending];
      head = field(head, 0);
    } else return pending.length === 0 ? head : new Block(TERM.application, [head, new Block(0, pending)]);
  }
}

/** @param replacement what stands for the outermost variable under so many binders, itself among them. */
function substituted(terms: Terms, body: OcamlValue, replacement: (depth: number) => OcamlValue): OcamlValue {
  const change = (index: number, depth: number): OcamlValue | undefined => {
    if (index === depth) return replacement(depth);
    return index > depth ? new Block(TERM.rel, [index - 1]) : undefined;
  };
  return new VariableChange(terms, change).term(body, 1);
}

function lifted(terms: Terms, term: OcamlValue, by: number): OcamlValue {
  return by === 0 ? term : withOtherVariables(terms, term, (variable) => variable + by);
}

/** The variables of a term that it does not bind, counted from the innermost binder around it, from 1. */
export function freeVariables(terms: Terms, term: OcamlValue): ReadonlySet<number> {
  const found = new Set<number>();
  new VariableChange(terms, (index, depth) => {
    if (index > depth) found.add(index - depth);
    return undefined;
  }).term(term, 0);
  return found;
}

/** @param other Of a variable that the term does not bind, which it is afterwards; both are counted as `freeVariables` does. */
export function withOtherVariables(
  terms: Terms,
  term: OcamlValue,
  other: (variable: number) => number,
): OcamlValue {
  const change = (index: number, depth: number): OcamlValue | undefined =>
    index > depth ? new Block(TERM.rel, [other(index - depth) + depth]) : undefined;
  return new VariableChange(terms, change).term(term, 0);
}

/** A term that is made takes memory as well as time. */
const STEPS_OF_CHANGE = 40;

class VariableChange {
  readonly #layout: TermLayout;
  readonly #work: ComparisonWork;
  /** Undefined where the variable stays as it is. */
  readonly #change: (index: number, depth: number) => OcamlValue | undefined;
  readonly #done = new Map<Block, Map<number, OcamlValue>>();

  constructor({ layout, work }: Terms, change: (index: number, depth: number) => OcamlValue | undefined) {
    this.#layout = layout;
    this.#work = work;
    this.#change = change;
  }

  term(value: OcamlValue, depth: number): OcamlValue {
    if (!(value instanceof Block)) throw misfit('a term');
    let byDepth = this.#done.get(value);
    const known = byDepth?.get(depth);
    if (known !== undefined) return known;
    this.#work.spend(STEPS_OF_CHANGE + value.fields.length);
    const result = this.#changed(value, depth);
    if (byDepth === undefined) this.#done.set(value, (byDepth = new Map<number, OcamlValue>()));
    byDepth.set(depth, result);
    return result;
  }

  #changed(value: Block, depth: number): OcamlValue {
    if (value.tag === TERM.rel) {
      const index = field(value, 0);
      if (typeof index !== 'number') throw misfit('an index');
      return this.#change(index, depth) ?? value;
    }
    const changed = withParts(this.#layout, value, (part, { count }) => this.term(part, depth + count));
    const { head, given } = headAndArguments(changed);
    if (!hasTag(head, TERM.application)) return changed;
    // What stands for a variable can be applied itself.
    return new Block(TERM.application, [
      field(head, 0),
      new Block(0, [...argumentsOf(field(head, 1)), ...given]),
    ]);
  }
}

/** The variables that a term binds around a part of it. */
export interface Bound {
  readonly count: number;
  /** The term itself says what the one is; a branch of a `match`, by its place, whose they are; others are not told. */
  readonly by?: 'itself' | number;
}

const NOTHING: Bound = { count: 0 };

/** A term with other terms in the places of those in it. One in which there are none is returned as it is. */
export function withParts(
  layout: TermLayout,
  value: Block,
  change: (part: OcamlValue, bound: Bound) => OcamlValue,
): Block {
  const leaf = (index: number) => field(value, index);
  const part = (index: number, bound = NOTHING) => change(leaf(index), bound);
  const all = (values: OcamlValue, bound = NOTHING) =>
    values instanceof Block ? arrayOf(values.fields.map((one) => change(one, bound))) : values;
  const behind = (names: OcamlValue): Bound => ({ count: names instanceof Block ? names.fields.length : 0 });
  const branch = (one: OcamlValue, by?: number): OcamlValue => {
    const names = field(one, 0);
    return arrayOf([names, change(field(one, 1), { ...behind(names), ...(by !== undefined && { by }) })]);
  };
  const itself: Bound = { count: 1, by: 'itself' };
  const parts = (): readonly OcamlValue[] | undefined => {
    switch (value.tag) {
      case TERM.cast:
        return [part(0), leaf(1), part(2)];
      case TERM.prod:
      case TERM.lambda:
        return [leaf(0), part(1), part(2, itself)];
      case TERM.letIn:
        return [leaf(0), part(1), part(2), part(3, itself)];
      case TERM.application:
        return [part(0), all(leaf(1))];
      case TERM.case: {
        const [returns, inversion, branches] = [leaf(3), leaf(4), leaf(6)];
        return [
          ...[leaf(0), leaf(1), all(leaf(2))],
          layout.markedReturns ? arrayOf([branch(field(returns, 0)), field(returns, 1)]) : branch(returns),
          inversion instanceof Block ? arrayOf([all(field(inversion, 0))]) : inversion,
          part(5),
          branches instanceof Block ? arrayOf(branches.fields.map(branch)) : branches,
        ];
      }
      case TERM.fix:
      case TERM.cofix: {
        const [order, definitions] = [field(leaf(0), 0), field(leaf(0), 1)];
        const names = field(definitions, 0);
        const [types, bodies] = [all(field(definitions, 1)), all(field(definitions, 2), behind(names))];
        return [arrayOf([order, arrayOf([names, types, bodies])])];
      }
      case TERM.projection:
        // The term is the last field; what is before it depends on the release.
        return [...value.fields.slice(0, -1), part(value.fields.length - 1)];
      case layout.arrayTag:
        return [leaf(0), all(leaf(1)), part(2), part(3)];
      default:
        return undefined;
    }
  };
  const changed = parts();
  return changed === undefined ? value : new Block(value.tag, [...changed]);
}

function arrayOf(fields: OcamlValue[]): Block {
  return new Block(0, fields);
}
