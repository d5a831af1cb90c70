/**
 * What the bytes of a compiled library (`.vo`) speak of, without reading what they mean: OCaml writes every name and every notation
 * as a string with its length before it. A library that declares a name mentions it, and so does one that only uses it: an
 * answer is a guess, which whoever asked tries out.
 */

/** The longest string with a length of one byte (`CODE_STRING8`); shorter than 32 it is in the code itself. */
const LONGEST = 255;
const SHORT = 0x20;
const CODE_STRING8 = 0x09;

export function hasNameWritten(bytes: Buffer, name: string): boolean {
  const written = Buffer.from(name, 'utf8');
  if (written.length === 0 || written.length > LONGEST) return false;
  const head = written.length < SHORT ? [SHORT + written.length] : [CODE_STRING8, written.length];
  return bytes.includes(Buffer.concat([Buffer.from(head), written]));
}

/** Whether it has a notation with this symbol: `[` of `[ _ ; _ ; .. ; _ ]`, `++` of `_ ++ _`. */
export function hasNotationWritten(bytes: Buffer, symbol: string): boolean {
  if (bytes.includes(`_ ${symbol} _`) || bytes.includes(` ${symbol} _`)) return true;
  const begun = `${symbol} `;
  for (let at = bytes.indexOf(begun); at > 0; at = bytes.indexOf(begun, at + 1)) {
    const length = lengthBefore(bytes, at);
    if (length !== undefined && NOTATION.test(bytes.toString('latin1', at, at + length))) return true;
  }
  return false;
}

/** Symbols and `_` with blanks between them. */
const NOTATION = /^[^\s\p{L}\p{N}]+(?: [^\s]+)+$/u;

/** The length of the string that begins at a place, which stands before it; undefined where none begins there. */
function lengthBefore(bytes: Buffer, at: number): number | undefined {
  const head = bytes[at - 1];
  if (head === undefined) return undefined;
  if (bytes[at - 2] === CODE_STRING8) return head;
  return head > SHORT && head < 2 * SHORT ? head - SHORT : undefined;
}
