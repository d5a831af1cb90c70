/** Numbers as people write them, on the command line, in settings, in the address of a request: decimal, and nothing else. */

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** Undefined for what is no decimal number: `0x10` is a text, and nobody means 16 by it. */
export function decimalNumber(text: string): number | undefined {
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
