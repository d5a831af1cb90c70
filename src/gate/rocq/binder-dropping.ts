/**
 * A term without its outermost binder. So a statement that was generalised over all variables
 * of its section compares with the same statement generalised over those that its proof needed: the second is the first
 * without unused premises, hence at least as strong.
 */
import { field, misfit } from './kernel-shape.ts';
import { Block, type OcamlValue } from './ocaml-values.ts';
import { TERM, type TermLayout } from './term-layout.ts';

/** In the place of a variable that has no binder any more. It equals nothing that a compiled file contains. */
const NOWHERE = new Block(TERM.rel, [0]);

/** The term under a product or a `let`, its variable replaced by something equal to nothing; undefined for others. */
export function withoutOuterBinder(layout: TermLayout, term: OcamlValue): OcamlValue | undefined {
  if (!(term instanceof Block)) return undefined;
  if (term.tag === TERM.prod) return new Lowering(layout).term(field(term, 2), 1);
  return term.tag === TERM.letIn ? new Lowering(layout).term(field(term, 3), 1) : undefined;
}

/** Decrements the de Bruijn indices beyond `depth` and replaces `depth` itself. */
class Lowering {
  readonly #layout: TermLayout;
  readonly #done = new Map<Block, Map<number, OcamlValue>>();

  constructor(layout: TermLayout) {
    this.#layout = layout;
  }

  term(value: OcamlValue, depth: number): OcamlValue {
    if (!(value instanceof Block)) throw misfit('a term');
    let byDepth = this.#done.get(value);
    const known = byDepth?.get(depth);
    if (known !== undefined) return known;
    const result = this.#lower(value, depth);
    if (byDepth === undefined) this.#done.set(value, (byDepth = new Map<number, OcamlValue>()));
    byDepth.set(depth, result);
    return result;
  }

  #lower(value: Block, depth: number): OcamlValue {
    const leaf = (index: number) => field(value, index);
    const part = (index: number, bound = 0) => this.term(field(value, index), depth + bound);
    const parts = (index: number) => this.#terms(field(value, index), depth);
    switch (value.tag) {
      case TERM.rel: {
        const index = leaf(0);
        if (typeof index !== 'number') throw misfit('an index');
        if (index === depth) return NOWHERE;
        return index > depth ? new Block(value.tag, [index - 1]) : value;
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
        const lowered = new Block(0, [
          names,
          this.#terms(field(definitions, 1), depth),
          this.#terms(field(definitions, 2), depth + bound),
        ]);
        return new Block(value.tag, [new Block(0, [field(body, 0), lowered])]);
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
