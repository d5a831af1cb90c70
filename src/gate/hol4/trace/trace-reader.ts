/**
 * Reads the lines of a text trace: fields separated by blanks. Numbers are read from the bytes without making strings,
 * because a trace has tens of millions of them.
 */

/** The file is not a trace, or a damaged one: nothing can be said about the proof. */
export class MalformedTrace extends Error {
  override readonly name = 'MalformedTrace';
}

const WORD_SLOTS = 1 << 14;
const NEWLINE = 10;
const BLANK = 32;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;

/**
 * What is no UTF-8 becomes this character, whatever it was: two names would be one.
 *
 * @throws MalformedTrace
 */
export function readableText(decoded: string): string {
  if (decoded.includes('\uFFFD')) throw new MalformedTrace('A name is not UTF-8.');
  return decoded;
}

export class TraceReader {
  readonly #bytes: Buffer;
  readonly #words: (
    { readonly start: number; readonly length: number; readonly text: string } | undefined
  )[] = new Array<undefined>(WORD_SLOTS).fill(undefined);
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.#at;
  }

  get size(): number {
    return this.#bytes.length;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** From 1; counted only when asked for, which is when something went wrong. */
  get lineNumber(): number {
    let line = 1;
    for (
      let at = this.#bytes.indexOf(NEWLINE);
      at >= 0 && at < this.#at;
      at = this.#bytes.indexOf(NEWLINE, at + 1)
    ) {
      line += 1;
    }
    return line;
  }

  /** The first byte of the next field, without reading it; -1 at the end of the line. */
  peek(): number {
    this.#skipBlanks();
    const byte = this.#bytes[this.#at];
    return byte === undefined || byte === NEWLINE ? -1 : byte;
  }

  /** Whether the line has a further field. */
  hasField(): boolean {
    return this.peek() >= 0;
  }

  natural(): number {
    let byte = this.peek();
    if (byte < ZERO || byte > NINE) throw new MalformedTrace('A number is missing.');
    let value = 0;
    let at = this.#at;
    while (byte >= ZERO && byte <= NINE) {
      value = value * 10 + byte - ZERO;
      at += 1;
      byte = this.#bytes[at] ?? NEWLINE;
    }
    const hasZeros = at > this.#at + 1 && this.#bytes[this.#at] === ZERO;
    if ((byte !== BLANK && byte !== NEWLINE) || value > 0x7fffffff || hasZeros) {
      throw new MalformedTrace('A number is damaged.');
    }
    this.#at = at;
    return value;
  }

  /** A number, or undefined where the trace has -1. */
  optionalNatural(): number | undefined {
    if (this.peek() !== MINUS) return this.natural();
    if (this.word() !== '-1') throw new MalformedTrace('A number is damaged.');
    return undefined;
  }

  word(): string {
    if (this.peek() < 0) throw new MalformedTrace('A field is missing.');
    const start = this.#at;
    let hash = 0;
    while (!this.#isEndOfField()) {
      hash = Math.imul(hash ^ (this.#bytes[this.#at] ?? 0), 0x01000193) ^ (hash >>> 13);
      this.#at += 1;
    }
    // Few different words make up a trace; making the string again costs more than finding it.
    const slot = hash & (WORD_SLOTS - 1);
    const seen = this.#words[slot];
    if (seen !== undefined && this.#isSame(seen, start)) return seen.text;
    const text = readableText(this.#bytes.toString('utf8', start, this.#at));
    this.#words[slot] = { start, length: this.#at - start, text };
    return text;
  }

  /** A field of one letter. */
  letter(): string {
    const byte = this.peek();
    this.#at += 1;
    if (byte < 0 || !this.#isEndOfField()) throw new MalformedTrace('A field of one letter is missing.');
    return String.fromCharCode(byte);
  }

  /** The rest of the line up to its end, without blanks around it; may be empty. */
  rest(): string {
    this.#skipBlanks();
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    const start = this.#at;
    this.#at = end < 0 ? this.#bytes.length : end;
    return readableText(this.#bytes.toString('utf8', start, this.#at)).trim();
  }

  endLine(): void {
    if (this.peek() >= 0) throw new MalformedTrace('A line has more fields than it should.');
    if (this.atEnd) throw new MalformedTrace('The last line is cut off.');
    this.#at += 1;
  }

  #skipBlanks(): void {
    while (this.#bytes[this.#at] === BLANK) this.#at += 1;
  }

  /** Whether the field that begins at `start` and was just read is that word. */
  #isSame(word: { readonly start: number; readonly length: number }, start: number): boolean {
    if (this.#at - start !== word.length) return false;
    for (let at = 0; at < word.length; at += 1) {
      if (this.#bytes[word.start + at] !== this.#bytes[start + at]) return false;
    }
    return true;
  }

  #isEndOfField(): boolean {
    const byte = this.#bytes[this.#at];
    return byte === BLANK || byte === NEWLINE || byte === undefined;
  }
}
