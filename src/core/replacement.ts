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

/**
 * Where an offset of the replaced text is in the text itself: what is inside a replacement is at the start of its
 * span.
 */
export function offsetBefore(offset: number, replacements: readonly Replacement[]): number {
  let moved = 0;
  for (const { span, text } of [...replacements].sort((left, right) => left.span.start - right.span.start)) {
    const start = span.start + moved;
    if (offset < start) break;
    if (offset < start + text.length) return span.start;
    moved += text.length - (span.end - span.start);
  }
  return offset - moved;
}
