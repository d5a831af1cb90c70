/**
 * Levenshtein distance of strings over code points, bit-parallel: a column of the table is a row of bits, 32 at a time
 * (G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", J. ACM 46,
 * 1999; blocks and carries as in H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit
 * distances", 2003). The column behind each character of the text is kept, so that the next text goes on where the
 * two begin to differ.
 */
import { codePointAt } from '../../core/code-points.ts';
import { orZero } from '../../core/entry.ts';

const WORD = 32;

/**
 * A string whose characters were replaced by small numbers; means something to the {@link StringDistance} that made
 * it.
 */
export type EncodedString = Uint32Array;

/** Not to be shared by concurrent callers. */
export class StringDistance {
  readonly #numbers = new Map<number, number>();
  /** For each character and block of the pattern: at which of the block's places the character stands. */
  #places = new Int32Array(0);
  /** Blocks that `#places` has room for. */
  #stride = 0;
  /** For each depth of the text: positive bits, negative bits (a word for each block), the distance so far. */
  #columns = new Int32Array(0);

  encode(text: string): EncodedString {
    const encoded = new Uint32Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; length += 1) {
      const point = codePointAt(text, at);
      at += point > 0xffff ? 2 : 1;
      let number = this.#numbers.get(point);
      if (number === undefined) this.#numbers.set(point, (number = this.#numbers.size));
      encoded[length] = number;
    }
    return encoded.slice(0, length);
  }

  /** Insertions, deletions and replacements that turn one into the other. */
  between(one: EncodedString, other: EncodedString): number {
    // What the two begin and end with costs nothing.
    let start = 0;
    let oneEnd = one.length;
    let otherEnd = other.length;
    while (start < oneEnd && start < otherEnd && one[start] === other[start]) start += 1;
    while (oneEnd > start && otherEnd > start && one[oneEnd - 1] === other[otherEnd - 1]) {
      oneEnd -= 1;
      otherEnd -= 1;
    }
    if (oneEnd === start || otherEnd === start) return Math.max(oneEnd, otherEnd) - start;
    const [left, right] = [one.subarray(start, oneEnd), other.subarray(start, otherEnd)];
    const [pattern, text] = left.length <= right.length ? [left, right] : [right, left];
    this.#begin(pattern, text.length);
    const distance = this.#descend(pattern.length, text, 0);
    this.#end(pattern);
    return distance;
  }

  /** Writes the distances of one string to those of `many` that are `wanted` into `distances`, at their numbers. */
  toMany(
    pattern: EncodedString,
    many: SortedStrings,
    wanted: (number: number) => boolean,
    distances: Uint32Array,
  ): void {
    this.#begin(pattern, many.longest);
    let known = 0;
    for (let at = 0; at < many.order.length; at += 1) {
      const number = many.order[at] ?? 0;
      known = Math.min(known, many.shared[at] ?? 0);
      if (!wanted(number)) continue;
      const text = many.texts[number] ?? NOTHING;
      distances[number] = pattern.length === 0 ? text.length : this.#descend(pattern.length, text, known);
      known = text.length;
    }
    this.#end(pattern);
  }

  #begin(pattern: EncodedString, longestText: number): void {
    const blocks = Math.max(1, Math.ceil(pattern.length / WORD));
    if (blocks > this.#stride || this.#places.length < this.#numbers.size * this.#stride) {
      this.#stride = Math.max(blocks, this.#stride, 4);
      this.#places = new Int32Array(Math.max(256, this.#numbers.size * 2) * this.#stride);
    }
    for (let at = 0; at < pattern.length; at += 1) {
      const slot = orZero(pattern[at]) * this.#stride + (at >>> 5);
      this.#places[slot] = (this.#places[slot] ?? 0) | (1 << (at & 31));
    }
    const cells = (longestText + 1) * (2 * blocks + 1);
    if (this.#columns.length < cells) this.#columns = new Int32Array(2 * cells);
    this.#columns.fill(-1, 0, blocks);
    this.#columns.fill(0, blocks, 2 * blocks);
    this.#columns[2 * blocks] = pattern.length;
  }

  #end(pattern: EncodedString): void {
    for (let at = 0; at < pattern.length; at += 1)
      this.#places[orZero(pattern[at]) * this.#stride + (at >>> 5)] = 0;
  }

  /** The distance to `text`, whose first `from` characters are those of the text before. */
  #descend(length: number, text: EncodedString, from: number): number {
    return length <= WORD ? this.#descendWord(length, text, from) : this.#descendBlocks(length, text, from);
  }

  /** {@link #descendBlocks} for patterns of one block, which most are. */
  #descendWord(length: number, text: EncodedString, from: number): number {
    const [places, stride, columns] = [this.#places, this.#stride, this.#columns];
    const last = 1 << (length - 1);
    let slot = 3 * from;
    let positive = columns[slot] ?? 0;
    let negative = columns[slot + 1] ?? 0;
    let distance = columns[slot + 2] ?? 0;
    for (let at = from; at < text.length; at += 1) {
      const equal = places[orZero(text[at]) * stride] ?? 0;
      const vertical = equal | negative;
      const horizontal = (((equal & positive) + positive) ^ positive) | equal;
      let up = negative | ~(horizontal | positive);
      let down = positive & horizontal;
      if ((up & last) !== 0) distance += 1;
      else if ((down & last) !== 0) distance -= 1;
      // The first row of the table grows by one in each column.
      up = (up << 1) | 1;
      down <<= 1;
      positive = down | ~(vertical | up);
      negative = up & vertical;
      slot += 3;
      columns[slot] = positive;
      columns[slot + 1] = negative;
      columns[slot + 2] = distance;
    }
    return distance;
  }

  #descendBlocks(length: number, text: EncodedString, from: number): number {
    const [places, stride, columns] = [this.#places, this.#stride, this.#columns];
    const blocks = Math.ceil(length / WORD);
    const size = 2 * blocks + 1;
    const last = 1 << ((length - 1) & 31);
    let slot = size * from;
    let distance = columns[slot + 2 * blocks] ?? 0;
    for (let at = from; at < text.length; at += 1) {
      const row = orZero(text[at]) * stride;
      // What the block above hands down: how its last row differs from the column before.
      let carriedUp = 1;
      let carriedDown = 0;
      for (let block = 0; block < blocks; block += 1) {
        const positive = columns[slot + block] ?? 0;
        const negative = columns[slot + blocks + block] ?? 0;
        const here = places[row + block] ?? 0;
        const vertical = here | negative;
        const equal = here | carriedDown;
        const horizontal = (((equal & positive) + positive) ^ positive) | equal;
        let up = negative | ~(horizontal | positive);
        let down = positive & horizontal;
        if (block === blocks - 1) {
          if ((up & last) !== 0) distance += 1;
          else if ((down & last) !== 0) distance -= 1;
        }
        const nextUp = up >>> 31;
        const nextDown = down >>> 31;
        up = (up << 1) | carriedUp;
        down = (down << 1) | carriedDown;
        carriedUp = nextUp;
        carriedDown = nextDown;
        columns[slot + size + block] = down | ~(vertical | up);
        columns[slot + size + blocks + block] = up & vertical;
      }
      slot += size;
      columns[slot + 2 * blocks] = distance;
    }
    return distance;
  }
}

const NOTHING: EncodedString = new Uint32Array(0);

/** Strings in an order in which those that begin alike stand together. */
export class SortedStrings {
  readonly texts: readonly EncodedString[];
  /** Numbers of the texts. */
  readonly order: Uint32Array;
  /** How many characters the text at each place of the order begins with like the one before it. */
  readonly shared: Uint32Array;
  readonly longest: number;

  constructor(texts: readonly EncodedString[]) {
    this.texts = texts;
    const at = (number: number): EncodedString => texts[number] ?? NOTHING;
    this.order = Uint32Array.from(texts, (_, number) => number).sort((left, right) => {
      const [one, other] = [at(left), at(right)];
      const same = commonStart(one, other);
      // Behind the end stands a character less than all.
      return (one[same] ?? -1) - (other[same] ?? -1);
    });
    this.shared = this.order.map((number, place) =>
      place === 0 ? 0 : commonStart(at(this.order[place - 1] ?? 0), at(number)),
    );
    this.longest = texts.reduce((longest, { length }) => Math.max(longest, length), 0);
  }
}

function commonStart(one: EncodedString, other: EncodedString): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at += 1;
  return at;
}
