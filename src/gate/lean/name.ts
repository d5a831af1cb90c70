/**
 * Lean's hierarchical names, interned: within one table, equal names are the same object, so names are compared with
 * `===` and serve as keys of maps. A numeric component is a bigint, because files may hold numbers beyond 2^53.
 */
import { foreignName } from '../../core/foreign-text.ts';
import { codePointOf } from './at.ts';

export class Name {
  readonly prefix: Name | undefined;
  /** The last component; undefined for the anonymous name only. */
  readonly component: string | bigint | undefined;
  /** Unique in the table, in order of creation: what hashes and orders are made of. */
  readonly id: number;
  #children: Map<string | bigint, Name> | undefined;
  readonly #table: { count: number };

  constructor(table: { count: number }, prefix: Name | undefined, component: string | bigint | undefined) {
    this.#table = table;
    this.id = table.count++;
    this.prefix = prefix;
    this.component = component;
  }

  /** This name with one more component. */
  child(component: string | bigint): Name {
    this.#children ??= new Map();
    let child = this.#children.get(component);
    if (child === undefined) {
      child = new Name(this.#table, this, component);
      this.#children.set(component, child);
    }
    return child;
  }

  get isAnonymous(): boolean {
    return this.prefix === undefined;
  }

  /** The components from the root. */
  get components(): readonly (string | bigint)[] {
    // No recursion: a file may bring a name of a million components.
    const components: (string | bigint)[] = [];
    let { prefix, component }: { prefix: Name | undefined; component: string | bigint | undefined } = this;
    while (prefix !== undefined && component !== undefined) {
      components.push(component);
      ({ prefix, component } = prefix);
    }
    return components.reverse();
  }

  /**
   * As Lean prints it: components that are no identifiers in «», the anonymous name as `[anonymous]`. Characters
   * that could make two names, or two lines of output, look like others are written as `\\u{…}`: different names
   * print differently.
   */
  toString(): string {
    if (this.isAnonymous) return '[anonymous]';
    return this.components
      .map((part) => (typeof part === 'bigint' || isIdentifier(part) ? String(part) : `«${escaped(part)}»`))
      .join('.');
  }
}

export class NameTable {
  readonly #table = { count: 0 };
  readonly anonymous = new Name(this.#table, undefined, undefined);

  /** A name of string components: `of('Nat', 'add')` is `Nat.add`. Nothing is split at dots. */
  of(...components: readonly (string | bigint)[]): Name {
    return components.reduce<Name>((name, component) => name.child(component), this.anonymous);
  }

  /**
   * A name as people write it: split at dots outside «», digits alone are a numeric component.
   * `parse(name.toString())` is the name again.
   */
  parse(text: string): Name {
    if (text === '' || text === '[anonymous]') return this.anonymous;
    const components = text.match(/«[^»]*»|[^.«»]+/g) ?? [];
    return this.of(
      ...components.map((part) => {
        if (part.startsWith('«')) return unescaped(part.slice(1, -1));
        return /^\d+$/.test(part) ? BigInt(part) : part;
      }),
    );
  }

  get size(): number {
    return this.#table.count;
  }
}

/**
 * Whether Lean writes the component without «»: letters that are seen, digits, `_`, `'`, `!`, `?` and subscripts, not
 * beginning with a digit.
 */
function isIdentifier(part: string): boolean {
  return /^[\p{L}_](?:[\p{L}\p{N}_'!?])*$/u.test(part) && foreignName(part) === part;
}

/** Brackets and the sign of an escape itself, and what is not seen. */
function escaped(part: string): string {
  return foreignName(part.replace(/[«»\\]/gu, (character) => `\\u{${codePointOf(character).toString(16)}}`));
}

function unescaped(part: string): string {
  return part.replace(/\\u\{([0-9a-f]{1,6})\}/g, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** Whether two lists have the same names in the same order. */
export function sameNames(left: readonly Name[], right: readonly Name[]): boolean {
  return left.length === right.length && left.every((name, position) => name === right[position]);
}
