/** An open-addressing hash set of terms, found by their parts. */
import type { Expression, ExpressionKind } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { Datum, StoredTerm } from './stored-term.ts';

/** A power of 2. */
const SMALLEST_TABLE = 256;

export class TermTable {
  /** Another table whose terms are taken over instead of being made again. */
  fallback: TermTable | undefined;
  readonly #forGood: boolean;
  #terms = new Array<StoredTerm | undefined>(SMALLEST_TABLE);
  #hashes = new Int32Array(SMALLEST_TABLE);
  size = 0;

  constructor(forGood: boolean) {
    this.#forGood = forGood;
  }

  find(
    hash: number,
    kind: ExpressionKind,
    name: Name,
    first: Expression | undefined,
    second: Expression | undefined,
    third: Expression | undefined,
    datum: Datum,
  ): StoredTerm | undefined {
    const mask = this.#hashes.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = this.#terms[slot];
      if (term === undefined) break;
      if (
        this.#hashes[slot] === hash &&
        term.first === first &&
        term.second === second &&
        term.third === third &&
        term.name === name &&
        term.kind === kind &&
        (term.datum === datum || (kind === 'constant' && sameLevels(term.datum as Levels, datum as Levels)))
      ) {
        return term;
      }
    }
    const other = this.fallback?.find(hash, kind, name, first, second, third, datum);
    if (other === undefined) return undefined;
    this.insert(hash, other);
    // Its plain form has kept parts as well.
    const plain = other.plain as unknown as StoredTerm;
    if (!plain.isKept) this.insert(plain.hash, plain);
    return other;
  }

  /** Adds a term that `find` does not find. */
  insert(hash: number, term: StoredTerm): void {
    if (this.#forGood) term.isKept = true;
    this.size++;
    if (this.size * 2 > this.#hashes.length) this.#grow();
    this.#place(hash, term);
  }

  #place(hash: number, term: StoredTerm): void {
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#terms[slot] !== undefined) slot = (slot + 1) & mask;
    this.#terms[slot] = term;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const terms = this.#terms;
    const hashes = this.#hashes;
    this.#terms = new Array<StoredTerm | undefined>(hashes.length * 2);
    this.#hashes = new Int32Array(hashes.length * 2);
    for (const [slot, hash] of hashes.entries()) {
      const term = terms[slot];
      if (term !== undefined) this.#place(hash, term);
    }
  }
}

type Levels = readonly Level[];

function sameLevels(left: Levels, right: Levels): boolean {
  return left.length === right.length && left.every((level, position) => level === right[position]);
}
