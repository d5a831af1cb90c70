/** Text for people that is put together from parts, so that it reads as if it had been written in one go. */
import { LineIndex } from './position.ts';

/** The first letter large, as a sentence begins. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What somebody said, without the dot that would end the sentence around it. */
export function clause(said: string): string {
  return said.trimEnd().replace(/(?<!\.\.)\.$/u, '');
}

/** White space folded, line ends too, and none around it. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * What is told of a text that ends in the middle of something.
 * @param inside What was open at its end. @param where In words. @param consequence What comes of it, behind a comma.
 */
export function noEndText(inside: string, where: string, consequence: string): string {
  const advice = inside === 'sentence' ? ': is the dot at its end missing?' : '.';
  return `The ${inside} that starts ${where} has no end${consequence}${advice}`;
}

/** The same, told to whoever reads the text: nothing behind that is seen. @param open `start` is its offset. */
export function nothingBehindText(
  text: string,
  open: { readonly inside: string; readonly start: number },
): string {
  const { line, column } = new LineIndex(text).printedAt(open.start);
  return noEndText(open.inside, `at ${line}:${column}`, ', so that nothing behind it is read');
}
