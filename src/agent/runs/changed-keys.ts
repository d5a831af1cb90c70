/**
 * Keys in another form than they are sent in: a part of one, one in the other case, backwards, in base64, percent-encoded, with
 * white space inside. A text is read once as a row of plain characters, whatever they are written as, and looked through for
 * stretches of a dozen characters that a key has. A stretch of words is none: it may stand anywhere.
 */

/** Characters of a stretch. What is shorter stands in other texts by chance. */
const STRETCH = 12;
/** Fewer different ones are a line or a number of zeros. */
const FEWEST_DIFFERENT = 5;
/** Letters as words have them, with anything but digits between. */
const WORDS = /^(?:[^A-Za-z\d]|(?<![A-Za-z])(?:[A-Z]?[a-z]+|[A-Z]+)(?![A-Za-z]))*$/u;

const INSTEAD = '[key]';

export class ChangedKeys {
  readonly #stretches = new Set<string>();
  /** Of each of them the first two characters, which tell most places apart. */
  readonly #beginnings = new Set<number>();

  add(key: string): void {
    const { plain } = readPlainly(key);
    if (plain.length < STRETCH) return;
    this.#addStretches(plain, isKeyLike);
    this.#addStretches(Array.from(plain).reverse().join(''), isKeyLike);
    for (const coded of base64Of(Buffer.from(key, 'utf8'))) this.#addStretches(coded, isVaried);
  }

  #addStretches(text: string, isTaken: (stretch: string) => boolean): void {
    const small = inSmallLetters(text);
    for (let at = 0; at + STRETCH <= text.length; at++) {
      if (!isTaken(text.slice(at, at + STRETCH))) continue;
      this.#stretches.add(small.slice(at, at + STRETCH));
      this.#beginnings.add(beginningAt(small, at));
    }
  }

  leftOut(text: string): string {
    if (this.#stretches.size === 0 || text.length < STRETCH) return text;
    const { plain: said, starts, ends } = readPlainly(text);
    const plain = inSmallLetters(said);
    const parts: string[] = [];
    let behind = 0;
    for (let at = 0; at + STRETCH <= plain.length; at++) {
      if (!this.#isAt(plain, at)) continue;
      let last = at;
      for (let next = at + 1; next <= last + STRETCH && next + STRETCH <= plain.length; next++)
        if (this.#isAt(plain, next)) last = next;
      parts.push(text.slice(behind, starts[at]), INSTEAD);
      behind = ends[last + STRETCH - 1] ?? text.length;
      at = last + STRETCH - 1;
    }
    return parts.length === 0 ? text : [...parts, text.slice(behind)].join('');
  }

  #isAt(plain: string, at: number): boolean {
    return this.#beginnings.has(beginningAt(plain, at)) && this.#stretches.has(plain.slice(at, at + STRETCH));
  }
}

/** Of no other letters, of which some become longer. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase());
}

function beginningAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_00_00 + text.charCodeAt(at + 1);
}

function isVaried(stretch: string): boolean {
  return new Set(stretch.toLowerCase()).size >= FEWEST_DIFFERENT;
}

function isKeyLike(stretch: string): boolean {
  return isVaried(stretch) && !WORDS.test(stretch);
}

/**
 * What of base64 depends on the key alone, for each place in a group of three bytes at which it may begin, in both alphabets.
 */
function base64Of(key: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), key]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3));
    const first = before === 0 ? 0 : before + 1;
    return (['base64', 'base64url'] as const).map((alphabet) => whole.toString(alphabet).slice(first));
  });
}

interface PlainReading {
  /** The characters that are meant, without white space and backslashes. */
  readonly plain: string;
  /** Where in the text each of them begins and ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * Each character as it may be written: as `\u0041` and `\"` of JSON in JSON, as `%41`, as itself. By hand, since logs have
 * millions of them.
 */
function readPlainly(text: string): PlainReading {
  const { length } = text;
  const codes = new Uint16Array(length);
  const starts = new Int32Array(length);
  const ends = new Int32Array(length);
  let count = 0;
  for (let at = 0; at < length;) {
    const start = at;
    let code = text.charCodeAt(at++);
    if (code === BACKSLASH) {
      while (text.charCodeAt(at) === BACKSLASH) at++;
      const escaped = text.charAt(at);
      code = escaped === 'u' ? hexAt(text, at + 1, 4) : NONE;
      if (code !== NONE) at += 5;
      else if ('nrtbf'.includes(escaped)) at++;
    } else if (code === PERCENT) {
      const byte = hexAt(text, at, 2);
      if (byte !== NONE) [code, at] = [byte, at + 2];
    }
    if (code === NONE || isGap(code)) continue;
    codes[count] = code;
    starts[count] = start;
    ends[count] = at;
    count++;
  }
  return { plain: Buffer.from(codes.buffer, 0, count * 2).toString('utf16le'), starts, ends };
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const NONE = -1;

/** So many digits as a number; `NONE` where they are not all there. */
function hexAt(text: string, at: number, digits: number): number {
  const written = text.slice(at, at + digits);
  return written.length === digits && /^[\da-f]+$/iu.test(written) ? Number.parseInt(written, 16) : NONE;
}

/** White space, and what is not seen at all. */
function isGap(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return /^[\s\u00ad\u200b-\u200d\ufeff]$/u.test(String.fromCharCode(code));
}
