/** Bound variables of kernel terms, which are numbers (de Bruijn's): replacing them, and reducing what is applied. */
import { field, misfit } from '../compiled/kernel-shape.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM, type TermLayout } from '../compiled/term-layout.ts';

/** In the place of a variable that has no binder any more. It equals nothing that a compiled file contains. */
const NOWHERE = new Block(TERM.rel, [0]);

/** The term under a product or a `let`, its variable replaced by something equal to nothing; undefined for others. */
export function withoutOuterBinder(layout: TermLayout, term: OcamlValue): OcamlValue | undefined {
  if (!(term instanceof Block)) return undefined;
  if (term.tag === TERM.prod) return substituted(layout, field(term, 2), () => NOWHERE);
  return term.tag === TERM.letIn ? substituted(layout, field(term, 3), () => NOWHERE) : undefined;
}

/**
 * A term without the `let`s among its outer binders that nothing uses. The variables of a section that a proof uses are
 * abstracted so: which local definitions are among them, Rocq settles otherwise for a proof that says it (`Proof using`).
 */
export function withoutUnusedLets(layout: TermLayout, term: OcamlValue): OcamlValue {
  if (!(term instanceof Block) || (term.tag !== TERM.lambda && term.tag !== TERM.letIn)) return term;
  const body = field(term, term.fields.length - 1);
  const inner = withoutUnusedLets(layout, body);
  if (term.tag === TERM.letIn) {
    const uses: number[] = [];
    const lowered = substituted(layout, inner, (depth) => {
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

/** What an applied function is after its arguments are put in, as long as it is one (beta). */
export function applied(layout: TermLayout, term: Block): OcamlValue {
  let head: OcamlValue = field(term, 0);
  const given = field(term, 1);
  if (!(given instanceof Block)) throw misfit('arguments');
  const pending = [...given.fields];
  for (;;) {
    if (!(head instanceof Block)) throw misfit('a term');
    const argument = head.tag === TERM.lambda ? pending.shift() : undefined;
    if (argument !== undefined) {
      head = substituted(layout, field(head, 2), (depth) => lifted(layout, argument, depth - 1));
    } else if (pending.length > 0 && head.tag === TERM.application) {
      const inner = field(head, 1);
      if (!(inner instanceof Block)) throw misfit('arguments');
      pending.unshift(...inner.fields);
      head = field(head, 0);
    } else return pending.length === 0 ? head : new Block(TERM.application, [head, new Block(0, pending)]);
  }
}

/** @param replacement what stands for the outermost variable under so many binders, itself among them. */
function substituted(
  layout: TermLayout,
  body: OcamlValue,
  replacement: (depth: number) => OcamlValue,
): OcamlValue {
  const change = (index: number, depth: number): OcamlValue | undefined => {
    if (index === depth) return replacement(depth);
    return index > depth ? new Block(TERM.rel, [index - 1]) : undefined;
  };
  return new VariableChange(layout, change).term(body, 1);
}

function lifted(layout: TermLayout, term: OcamlValue, by: number): OcamlValue {
  if (by === 0) return term;
  const change = (index: number, depth: number): OcamlValue | undefined =>
    index > depth ? new Block(TERM.rel, [index + by]) : undefined;
  return new VariableChange(layout, change).term(term, 0);
}

class VariableChange {
  readonly #layout: TermLayout;
  /** Undefined where the variable stays as it is. */
  readonly #change: (index: number, depth: number) => OcamlValue | undefined;
  readonly #done = new Map<Block, Map<number, OcamlValue>>();

  constructor(layout: TermLayout, change: (index: number, depth: number) => OcamlValue | undefined) {
    this.#layout = layout;
    this.#change = change;
  }

  term(value: OcamlValue, depth: number): OcamlValue {
    if (!(value instanceof Block)) throw misfit('a term');
    let byDepth = this.#done.get(value);
    const known = byDepth?.get(depth);
    if (known !== undefined) return known;
    const result = this.#changed(value, depth);
    if (byDepth === undefined) this.#done.set(value, (byDepth = new Map<number, OcamlValue>()));
    byDepth.set(depth, result);
    return result;
  }

  #changed(value: Block, depth: number): OcamlValue {
    const leaf = (index: number) => field(value, index);
    const part = (index: number, bound = 0) => this.term(field(value, index), depth + bound);
    const parts = (index: number) => this.#terms(field(value, index), depth);
    switch (value.tag) {
      case TERM.rel: {
        const index = leaf(0);
        if (typeof index !== 'number') throw misfit('an index');
        return this.#change(index, depth) ?? value;
      }
      case TERM.cast:
        return new Block(value.tag, [part(0), leaf(1), part(2)]);
      case TERM.prod:
      case TERM.lambda:
        return new Block(value.tag, [leaf(0), part(1), part(2, 1)]);
      case TERM.letIn:
        return new Block(value.tag, [leaf(0), part(1), part(2), part(3, 1)]);
      case TERM.application:
        return new Block(value.tag, [part(0), parts(1)]);
      case TERM.case: {
        const branches = leaf(6);
        const inversion = leaf(4);
        return new Block(value.tag, [
          leaf(0),
          leaf(1),
          parts(2),
          this.#layout.markedReturns
            ? new Block(0, [this.#branch(field(leaf(3), 0), depth), field(leaf(3), 1)])
            : this.#branch(leaf(3), depth),
          inversion instanceof Block ? new Block(0, [this.#terms(field(inversion, 0), depth)]) : inversion,
          part(5),
          branches instanceof Block
            ? new Block(
                0,
                branches.fields.map((branch) => this.#branch(branch, depth)),
              )
            : branches,
        ]);
      }
      case TERM.fix:
      case TERM.cofix: {
        const body = leaf(0);
        const definitions = field(body, 1);
        const names = field(definitions, 0);
        const bound = names instanceof Block ? names.fields.length : 0;
        const changed = new Block(0, [
          names,
          this.#terms(field(definitions, 1), depth),
          this.#terms(field(definitions, 2), depth + bound),
        ]);
        return new Block(value.tag, [new Block(0, [field(body, 0), changed])]);
      }
      case TERM.projection:
        // The term is the last field; what is before it depends on the release.
        return new Block(value.tag, [...value.fields.slice(0, -1), part(value.fields.length - 1)]);
      case this.#layout.arrayTag:
        return new Block(value.tag, [leaf(0), parts(1), part(2), part(3)]);
      default:
        return value;
    }
  }

  #terms(values: OcamlValue, depth: number): OcamlValue {
    if (!(values instanceof Block)) return values;
    return new Block(
      0,
      values.fields.map((value) => this.term(value, depth)),
    );
  }

  #branch(branch: OcamlValue, depth: number): OcamlValue {
    const names = field(branch, 0);
    const bound = names instanceof Block ? names.fields.length : 0;
    return new Block(0, [names, this.term(field(branch, 1), depth + bound)]);
  }
}
