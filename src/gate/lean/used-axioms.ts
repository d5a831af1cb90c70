/**
 * The axioms that each constant rests on, found while declarations are accepted one after the other: through types,
 * values, constructors and rules, and through what literals stand for. A declaration can only mention what was
 * accepted before it, so its axioms are known when it is.
 */
import { type Declaration, constantsOf, termsOf } from './declaration.ts';
import { directSubterms } from './expression.ts';
import type { Expression } from './expression.ts';
import type { Name } from './name.ts';
import { namesBehindStrings } from './behind-strings.ts';
import type { TermStore } from './term-store.ts';

const NONE: ReadonlySet<Name> = new Set();

export class UsedAxioms {
  /** Only constants that rest on some. */
  readonly #axioms = new Map<Name, ReadonlySet<Name>>();
  /** Terms that were seen, and in which no constant rests on an axiom: declarations share most of their terms. */
  readonly #clean = new TermMarks();
  readonly #behindStrings: ReadonlySet<Name>;

  constructor(store: TermStore) {
    this.#behindStrings = new Set(namesBehindStrings(store));
  }

  /** An axiom rests on itself. */
  of(name: Name): readonly Name[] {
    return [...(this.#axioms.get(name) ?? NONE)];
  }

  /** To be called with each declaration that the kernel has accepted, in order. */
  add(declaration: Declaration): void {
    const constants = constantsOf(declaration);
    const used = this.#usedBy(constants.flatMap(termsOf));
    if (declaration.kind === 'axiom') used.add(declaration.name);
    for (const { name } of constants) {
      if (used.size > 0) this.#axioms.set(name, used);
      // From now on, literals may stand for something else.
      if (this.#behindStrings.has(name)) this.#clean.clear();
    }
  }

  #usedBy(terms: readonly Expression[]): Set<Name> {
    const used = new Set<Name>();
    // Without axioms there is nothing to be found.
    if (this.#axioms.size === 0) return used;
    const addAll = (name: Name): void => {
      for (const axiom of this.#axioms.get(name) ?? NONE) used.add(axiom);
    };
    const clean = this.#clean;
    const visited: Expression[] = [];
    const pending = [...terms];
    for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
      if (clean.has(term)) continue;
      clean.add(term);
      visited.push(term);
      if (term.kind === 'constant' || term.kind === 'projection') addAll(term.name);
      else if (term.kind === 'string') for (const name of this.#behindStrings) addAll(name);
      for (const part of directSubterms(term)) pending.push(part);
    }
    // Where one is found, nobody knows which of the terms has it.
    if (used.size > 0) for (const term of visited) clean.delete(term);
    return used;
  }
}

const CHUNK_BITS = 12;
const CHUNK_MASK = (1 << CHUNK_BITS) - 1;

/**
 * A set of terms of one store, as marks under their numbers, because every term of a file is put in once. The
 * numbers of terms that only the kernel makes lie in chunks for which there is no room made.
 */
class TermMarks {
  #chunks: (Uint8Array | undefined)[] = [];

  has({ id }: Expression): boolean {
    return this.#chunks[id >>> CHUNK_BITS]?.[id & CHUNK_MASK] === 1;
  }

  add({ id }: Expression): void {
    const chunk = (this.#chunks[id >>> CHUNK_BITS] ??= new Uint8Array(1 << CHUNK_BITS));
    chunk[id & CHUNK_MASK] = 1;
  }

  delete({ id }: Expression): void {
    const chunk = this.#chunks[id >>> CHUNK_BITS];
    if (chunk !== undefined) chunk[id & CHUNK_MASK] = 0;
  }

  clear(): void {
    this.#chunks = [];
  }
}
