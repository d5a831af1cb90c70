/**
 * The holes of a Lean text: `sorry` and what stands for it, where they are code and not in comments or strings,
 * with the declaration in which each stands. It reads words, not what they mean: a hole that a macro of the file
 * makes is not seen.
 */
import type { Span } from '../../../core/position.ts';
import { leanDeclarations } from './declarations.ts';
import { leanWords } from './words.ts';

export interface LeanHole {
  readonly word: string;
  /** UTF-16 offsets into the text. */
  readonly span: Span;
  /** Name of the declaration, or its keyword where it has none. */
  readonly declaration: string;
}

const HOLES: ReadonlySet<string> = new Set(['sorry', 'admit', 'sorryAx']);

export function leanHoles(text: string): readonly LeanHole[] {
  const declarations = leanDeclarations(text);
  return leanWords(text)
    .filter(({ word }) => HOLES.has(word))
    .map(({ word, span }) => {
      const around = declarations.findLast(({ start }) => start < span.start);
      return { word, span, declaration: around === undefined ? 'file' : (around.name ?? around.keyword) };
    });
}
