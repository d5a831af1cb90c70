/** Texts that stand in the place of parts of a file. */
import type { Span } from './position.ts';

export interface Replacement {
  readonly span: Span;
  readonly text: string;
}

/** The text with every replacement made; no two may overlap. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  const fromTheEnd = [...replacements].sort((left, right) => right.span.start - left.span.start);
  for (const { span, text: instead } of fromTheEnd)
    result = result.slice(0, span.start) + instead + result.slice(span.end);
  return result;
}

/** Where an offset that no replacement covers is in the replaced text. */
export function offsetAfter(offset: number, replacements: readonly Replacement[]): number {
  return replacements
    .filter(({ span }) => span.end <= offset)
    .reduce((moved, { span, text }) => moved + text.length - (span.end - span.start), offset);
}
