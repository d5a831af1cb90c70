/** What a Lean text declares, read by its words: what a macro declares is not seen. */
import { leanWords } from './words.ts';

export interface LeanDeclaration {
  readonly keyword: string;
  /** Undefined for an `example`, and for an instance without a name. */
  readonly name: string | undefined;
  /** Where the keyword stands, in UTF-16. */
  readonly start: number;
  /** Where the next one begins, or the text ends. */
  readonly end: number;
}

/** Words that begin a declaration; what follows is its name, when it has one. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'theorem',
  'lemma',
  'def',
  'abbrev',
  'example',
  'instance',
  'opaque',
  'structure',
  'class',
  'inductive',
]);

export function leanDeclarations(text: string): readonly LeanDeclaration[] {
  const words = leanWords(text);
  const starts = words.flatMap(({ word, span }, index) =>
    KEYWORDS.has(word) ? [{ word, span, index }] : [],
  );
  return starts.map(({ word, span, index }, number) => {
    const next = words[index + 1];
    // `example : …` and `instance : …` have no name: there a sign follows.
    const isNamed =
      next !== undefined &&
      text.slice(0, next.span.start).trimEnd().endsWith(word) &&
      !KEYWORDS.has(next.word);
    return {
      keyword: word,
      name: isNamed ? next.word : undefined,
      start: span.start,
      end: starts[number + 1]?.span.start ?? text.length,
    };
  });
}
