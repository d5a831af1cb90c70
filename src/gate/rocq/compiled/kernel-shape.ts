/**
 * How a value in a compiled file is built, for those who compare or follow it. Which shapes the kernel's values have
 * stands in `term-layout.ts`, `declaration-layout.ts` and `kernel-layout.ts`.
 */
import { Block, MalformedValue, type OcamlValue } from './ocaml-values.ts';

export type Shape =
  | { readonly kind: 'anything' | 'ignored' | 'integer' | 'string' }
  | { readonly kind: 'tuple'; readonly fields: readonly Shape[] }
  | { readonly kind: 'sum'; readonly constants: number; readonly variants: readonly (readonly Shape[])[] }
  | { readonly kind: 'list' | 'array' | 'option'; readonly of: Shape }
  /** A universe of a polymorphic declaration, by its number there. */
  | { readonly kind: 'variable' }
  /** A name, or a pair of one and what it stands for: equal when they stand for the same. */
  | { readonly kind: 'alias'; readonly of: Shape }
  /** A name made up by the prover with a counter: equal up to a one-to-one renaming. */
  | { readonly kind: 'generated'; readonly of: Shape }
  | { readonly kind: 'again'; readonly shape: () => Shape };

export const anything: Shape = { kind: 'anything' };
export const ignored: Shape = { kind: 'ignored' };
export const integer: Shape = { kind: 'integer' };
export const string: Shape = { kind: 'string' };
export const variable: Shape = { kind: 'variable' };
export const tuple = (...fields: Shape[]): Shape => ({ kind: 'tuple', fields });
export const sum = (constants: number, ...variants: Shape[][]): Shape => ({
  kind: 'sum',
  constants,
  variants,
});
export const enumeration = (constants: number): Shape => sum(constants);
export const list = (of: Shape): Shape => ({ kind: 'list', of });
export const array = (of: Shape): Shape => ({ kind: 'array', of });
export const option = (of: Shape): Shape => ({ kind: 'option', of });
export const alias = (of: Shape): Shape => ({ kind: 'alias', of });
export const generated = (of: Shape): Shape => ({ kind: 'generated', of });
export const again = (shape: () => Shape): Shape => ({ kind: 'again', shape });
export const boolean = enumeration(2);

export const map = (key: Shape, value: Shape): Shape => {
  const tree: Shape = sum(1, [again(() => tree), key, value, again(() => tree), integer]);
  return tree;
};
export const set = (element: Shape): Shape => {
  const tree: Shape = sum(1, [again(() => tree), element, again(() => tree), integer]);
  return tree;
};

/** A tuple whose fields have names, so that a reader need not know at which place a version has them. */
export class Fields<Name extends string> {
  readonly entries: readonly (readonly [name: Name, shape: Shape])[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(entries: readonly (readonly [Name, Shape])[]) {
    this.entries = entries;
    this.#places = new Map(entries.map(([name], place) => [name, place]));
  }

  get shape(): Shape {
    return tuple(...this.entries.map(([, shape]) => shape));
  }

  /** @throws MalformedValue when `value` is not such a tuple. */
  of(value: OcamlValue, name: Name): OcamlValue {
    const place = this.#places.get(name);
    if (!(value instanceof Block) || value.fields.length !== this.entries.length || place === undefined)
      throw misfit('a tuple');
    return field(value, place);
  }
}

export function field(value: OcamlValue, index: number): OcamlValue {
  const found = value instanceof Block ? value.fields[index] : undefined;
  if (found === undefined) throw misfit('a field');
  return found;
}

/** The elements of an OCaml list. */
export function* listElements(list: OcamlValue): Generator<OcamlValue> {
  for (let rest = list; rest instanceof Block; rest = field(rest, 1)) yield field(rest, 0);
}

export function hasTag(value: OcamlValue, tag: number): value is Block {
  return value instanceof Block && value.tag === tag;
}

/** A string of the file as it is: each of its bytes is a character. What is no name, such as a digest, stays so. */
export function rawText(value: OcamlValue): string {
  if (typeof value !== 'string') throw misfit('a string');
  return value;
}

/** A string of the file that is a name, or a part of one. */
export function nameText(value: OcamlValue): string {
  const raw = rawText(value);
  if (!/[\x80-\xff]/u.test(raw)) return raw;
  const name = Buffer.from(raw, 'latin1').toString('utf8');
  if (Buffer.from(name, 'utf8').toString('latin1') !== raw) throw misfit('a name in UTF-8');
  return name;
}

export function misfit(expected: string): MalformedValue {
  return new MalformedValue(`the compiled file does not have the known layout: ${expected} expected`);
}
