/** What is told of a text that ends in the middle of something, in every prover's language. */
import { LineIndex } from './position.ts';

/** @param inside What was open at the end of the text. @param where In words. @param consequence What comes of it, behind a comma. */
export function noEndText(inside: string, where: string, consequence: string): string {
  const advice = inside === 'sentence' ? ': is the dot at its end missing?' : '.';
  return `The ${inside} that starts ${where} has no end${consequence}${advice}`;
}

/** The same, told to whoever reads the text: nothing behind that is seen. @param start Offset of what was open. */
export function unreadText(text: string, { inside, start }: { inside: string; start: number }): string {
  const { line, column } = new LineIndex(text).printedAt(start);
  return noEndText(inside, `at ${line}:${column}`, ', so that nothing behind it is read');
}
