/** The kernel's terms as compiled files have them, without universes, names of variables and what only printing needs. */
import { entryAt, lastOf, orZero } from '../../../core/entry.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field, misfit } from '../compiled/kernel-shape.ts';
import { namedBy, PARAMETER } from '../compiled/module-paths.ts';
import { Block, type OcamlValue } from '../compiled/ocaml-values.ts';
import { TERM } from '../compiled/term-layout.ts';
import { parameterName } from './functor-parameters.ts';

export interface TypeName {
  /** `Coq.Init.Datatypes#nat`: of the first type of its block. */
  readonly block: string;
  readonly place: number;
}

/** A term under as many variables more as it binds. */
export interface Scope {
  readonly bound: number;
  readonly body: Term;
}

export interface Match {
  readonly kind: 'match';
  /** Of what is matched. */
  readonly type: TypeName;
  /** Parameters of the type, and what is known of its indices. */
  readonly parts: readonly Term[];
  readonly returns: Scope;
  readonly scrutinee: Term;
  readonly parameters: number;
  /** `isPlain`: no variable of it is a `let`. */
  readonly branches: readonly (Scope & { readonly isPlain: boolean })[];
}

export interface Recursion {
  readonly kind: 'fix' | 'cofix';
  /** Of each function, which of its arguments gets smaller, from 0; none for `cofix`. */
  readonly places: readonly number[];
  readonly which: number;
  readonly types: readonly Term[];
  /** Each under as many variables as there are functions. */
  readonly bodies: readonly Term[];
}

/** What a term is made of. */
export type TermContent =
  /** Counted from 1, the innermost. */
  | { readonly kind: 'variable'; readonly number: number }
  | { readonly kind: 'constant'; readonly name: string }
  | { readonly kind: 'type'; readonly type: TypeName }
  /** Counted from 0. */
  | { readonly kind: 'constructor'; readonly type: TypeName; readonly place: number }
  /** A sort, a literal. */
  | { readonly kind: 'other' }
  | { readonly kind: 'product' | 'function'; readonly domain: Term; readonly body: Term }
  | { readonly kind: 'let'; readonly value: Term; readonly type: Term; readonly body: Term }
  | { readonly kind: 'application'; readonly head: Term; readonly arguments: readonly Term[] }
  /** A primitive projection: which argument of the constructor it is, from 0, behind so many parameters. */
  | {
      readonly kind: 'projection';
      readonly value: Term;
      readonly parameters: number;
      readonly place: number;
    }
  /** An array, a cast with its type last. */
  | { readonly kind: 'cast' | 'parts'; readonly parts: readonly Term[] }
  | Match
  | Recursion;

export type Term = TermContent & {
  /** The largest number of a variable that is not bound in it; 0 where there is none. */
  readonly opening: number;
};

/** The term that has this content. */
export function made(content: TermContent): Term {
  let opening = content.kind === 'variable' ? content.number : 0;
  for (const [part, bound] of partsOf(content)) opening = Math.max(opening, part.opening - bound);
  return { ...content, opening };
}

/** In the place of a value of which nothing may be concluded. */
export const UNKNOWN = made({ kind: 'other' });

/** Reads the terms of one file. A subterm that the file shares is read once. */
export class TermReader {
  readonly #layout: KernelLayout;
  readonly #added: ReadonlyMap<string, number>;
  readonly #read = new Map<Block, Term>();

  /** @param added how many arguments are not written with a constant or a type, in a section. */
  constructor(layout: KernelLayout, added: ReadonlyMap<string, number> = new Map()) {
    this.#layout = layout;
    this.#added = added;
  }

  /** @throws MalformedValue */
  term(value: OcamlValue): Term {
    if (!(value instanceof Block)) throw misfit('a term');
    const known = this.#read.get(value);
    if (known !== undefined) return known;
    const term = made(this.#content(value));
    this.#read.set(value, term);
    return term;
  }

  #content(value: Block): TermContent {
    const at = (index: number): Term => this.term(field(value, index));
    switch (value.tag) {
      case TERM.rel:
        return { kind: 'variable', number: wholeNumber(field(value, 0)) };
      case TERM.cast:
        return { kind: 'cast', parts: [at(0), at(2)] };
      case TERM.prod:
        return { kind: 'product', domain: at(1), body: at(2) };
      case TERM.lambda:
        return { kind: 'function', domain: at(1), body: at(2) };
      case TERM.letIn:
        return { kind: 'let', value: at(1), type: at(2), body: at(3) };
      case TERM.application:
        return { kind: 'application', head: at(0), arguments: this.#terms(field(value, 1)) };
      case TERM.constant: {
        const name = nameOf(field(field(value, 0), 0));
        return this.#inSection({ kind: 'constant', name }, name);
      }
      case TERM.inductive: {
        const type = typeNameOf(field(field(value, 0), 0));
        return this.#inSection({ kind: 'type', type }, type.block);
      }
      case TERM.constructor: {
        const name = field(field(value, 0), 0);
        const type = typeNameOf(field(name, 0));
        const place = wholeNumber(field(name, 1)) - 1;
        return this.#inSection({ kind: 'constructor', type, place }, type.block);
      }
      case TERM.case:
        return this.#match(value);
      case TERM.fix: {
        const which = field(field(value, 0), 0);
        const places = elementsOf(field(which, 0)).map(wholeNumber);
        return this.#recursion('fix', {
          places,
          which: field(which, 1),
          definitions: field(field(value, 0), 1),
        });
      }
      case TERM.cofix: {
        const [which, definitions] = [field(field(value, 0), 0), field(field(value, 0), 1)];
        return this.#recursion('cofix', { places: [], which, definitions });
      }
      case TERM.projection:
        return this.#projection(value);
      case this.#layout.arrayTag:
        return { kind: 'parts', parts: [...this.#terms(field(value, 1)), at(2), at(3)] };
      default:
        return UNKNOWN;
    }
  }

  #inSection(content: TermContent, name: string): TermContent {
    const added = orZero(this.#added.get(name));
    if (added === 0) return content;
    return {
      kind: 'application',
      head: made(content),
      arguments: Array.from({ length: added }, () => UNKNOWN),
    };
  }

  /** Of a type, as they are counted behind its sections. */
  #parameters(type: OcamlValue, written: OcamlValue): number {
    return wholeNumber(written) + orZero(this.#added.get(typeNameOf(type).block));
  }

  #terms(array: OcamlValue): readonly Term[] {
    return elementsOf(array).map((part) => this.term(part));
  }

  #projection(value: Block): TermContent {
    const name = field(field(value, 0), 0);
    // Until 8.18 its relevance stands in between.
    const first = this.#layout.release >= 819 ? 1 : 2;
    return {
      kind: 'projection',
      value: this.term(lastOf(value.fields, 'a projection')),
      parameters: this.#parameters(field(name, 0), field(name, first)),
      place: wholeNumber(field(name, first + 1)),
    };
  }

  #match(value: Block): Match {
    const information = field(value, 0);
    const declared = elementsOf(field(information, 2)).map(wholeNumber);
    const taken = elementsOf(field(information, 3)).map(wholeNumber);
    const scope = (branch: OcamlValue): Scope => ({
      bound: elementsOf(field(branch, 0)).length,
      body: this.term(field(branch, 1)),
    });
    const returns = field(value, 3);
    const indices = field(value, 4);
    return {
      kind: 'match',
      type: typeNameOf(field(information, 0)),
      parts: [
        ...this.#terms(field(value, 2)),
        ...(indices instanceof Block ? this.#terms(field(indices, 0)) : []),
      ],
      returns: scope(this.#layout.markedReturns ? field(returns, 0) : returns),
      scrutinee: this.term(field(value, 5)),
      parameters: this.#parameters(field(information, 0), field(information, 1)),
      branches: elementsOf(field(value, 6)).map((branch, place) => ({
        ...scope(branch),
        isPlain: declared[place] === taken[place],
      })),
    };
  }

  #recursion(
    kind: Recursion['kind'],
    { places, which, definitions }: { places: readonly number[]; which: OcamlValue; definitions: OcamlValue },
  ): Recursion {
    const types = this.#terms(field(definitions, 1));
    const bodies = this.#terms(field(definitions, 2));
    const fits = kind === 'cofix' || places.length === bodies.length;
    if (!fits || types.length !== bodies.length) throw misfit('recursive functions');
    return { kind, places, which: wholeNumber(which), types, bodies };
  }
}

/** Whether a block is a recursive function, or has its shape. */
export function isRecursion({ tag, fields }: Block): boolean {
  const [content] = fields;
  if ((tag !== TERM.fix && tag !== TERM.cofix) || fields.length !== 1) return false;
  if (!(content instanceof Block) || content.fields.length !== 2) return false;
  const [which, definitions] = content.fields;
  if (!(definitions instanceof Block) || definitions.fields.length !== 3) return false;
  return tag === TERM.cofix ? typeof which === 'number' : which instanceof Block && which.fields.length === 2;
}

/** Each part with the number of variables that are bound around it. */
export function* partsOf(term: TermContent): Generator<readonly [part: Term, bound: number]> {
  switch (term.kind) {
    case 'product':
    case 'function':
      yield [term.domain, 0];
      yield [term.body, 1];
      break;
    case 'let':
      yield [term.value, 0];
      yield [term.type, 0];
      yield [term.body, 1];
      break;
    case 'application':
      yield [term.head, 0];
      for (const part of term.arguments) yield [part, 0];
      break;
    case 'cast':
    case 'parts':
      for (const part of term.parts) yield [part, 0];
      break;
    case 'projection':
      yield [term.value, 0];
      break;
    case 'match':
      for (const part of term.parts) yield [part, 0];
      yield [term.returns.body, term.returns.bound];
      yield [term.scrutinee, 0];
      for (const { body, bound } of term.branches) yield [body, bound];
      break;
    case 'fix':
    case 'cofix':
      for (const type of term.types) yield [type, 0];
      for (const body of term.bodies) yield [body, term.bodies.length];
      break;
    default:
  }
}

function withParts(term: Term, change: (part: Term, bound: number) => Term): TermContent {
  const here = (part: Term): Term => change(part, 0);
  const inScope = <One extends Scope>(scope: One): One => ({
    ...scope,
    body: change(scope.body, scope.bound),
  });
  switch (term.kind) {
    case 'product':
    case 'function':
      return { kind: term.kind, domain: here(term.domain), body: change(term.body, 1) };
    case 'let':
      return { kind: 'let', value: here(term.value), type: here(term.type), body: change(term.body, 1) };
    case 'application':
      return { kind: 'application', head: here(term.head), arguments: term.arguments.map(here) };
    case 'cast':
    case 'parts':
      return { kind: term.kind, parts: term.parts.map(here) };
    case 'projection':
      return { ...term, value: here(term.value) };
    case 'match':
      return {
        ...term,
        parts: term.parts.map(here),
        returns: inScope(term.returns),
        scrutinee: here(term.scrutinee),
        branches: term.branches.map(inScope),
      };
    case 'fix':
    case 'cofix':
      return {
        ...term,
        types: term.types.map(here),
        bodies: term.bodies.map((body) => change(body, term.bodies.length)),
      };
    default:
      return term;
  }
}

/** Whether one of the variables from `first` on is in a term, as many as there are. */
export function mentions(term: Term, first: number, count: number): boolean {
  if (term.opening < first) return false;
  if (term.kind === 'variable') return term.number < first + count;
  for (const [part, bound] of partsOf(term)) if (mentions(part, first + bound, count)) return true;
  return false;
}

/** With `by` variables more around it. */
export function lifted(term: Term, by: number, under = 0): Term {
  if (by === 0 || term.opening <= under) return term;
  if (term.kind === 'variable') return made({ kind: 'variable', number: term.number + by });
  return made(withParts(term, (part, bound) => lifted(part, by, under + bound)));
}

/** With values for its innermost variables, the last for the innermost. */
export function substituted(term: Term, values: readonly Term[], under = 0): Term {
  if (values.length === 0 || term.opening <= under) return term;
  if (term.kind !== 'variable')
    return made(withParts(term, (part, bound) => substituted(part, values, under + bound)));
  const number = term.number - under;
  return number <= values.length
    ? lifted(entryAt(values, values.length - number, 'value'), under)
    : made({ kind: 'variable', number: term.number - values.length });
}

/** What stands at the head, without casts, and all that it is applied to. */
export function spineOf(term: Term): { readonly head: Term; readonly arguments: readonly Term[] } {
  if (term.kind === 'cast') return spineOf(entryAt(term.parts, 0, 'part'));
  if (term.kind !== 'application') return { head: term, arguments: [] };
  const inner = spineOf(term.head);
  return { head: inner.head, arguments: [...inner.arguments, ...term.arguments] };
}

export function application(head: Term, given: readonly Term[]): Term {
  return given.length === 0 ? head : made({ kind: 'application', head, arguments: given });
}

/** A function with values for its first arguments, as far as it takes them by itself. */
export function reduced(head: Term, given: readonly Term[]): Term {
  let body = head;
  let taken = 0;
  while (body.kind === 'function' && taken < given.length) {
    body = body.body;
    taken += 1;
  }
  return application(substituted(body, given.slice(0, taken)), given.slice(taken));
}

export function wholeNumber(value: OcamlValue): number {
  if (typeof value !== 'number') throw misfit('a number');
  return value;
}

export function elementsOf(array: OcamlValue): readonly OcamlValue[] {
  if (!(array instanceof Block)) throw misfit('an array');
  return array.fields;
}

function typeNameOf(value: OcamlValue): TypeName {
  return { block: nameOf(field(value, 0)), place: wholeNumber(field(value, 1)) };
}

/** Of two names of one thing, the one that it was declared by: the last. */
export function nameOf(value: OcamlValue): string {
  const name = value instanceof Block ? value.fields.at(-1) : undefined;
  const text = name instanceof Block ? namedBy(name) : undefined;
  if (name === undefined || text === undefined) throw misfit('a name');
  if (!text.startsWith(PARAMETER)) return text;
  let path = field(name, 0);
  while (path instanceof Block && path.fields.length > 1) path = field(path, 0);
  return parameterName(field(path, 0)) + text.slice(PARAMETER.length);
}
