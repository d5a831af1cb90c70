/**
 * Dots that were forgotten: the last one of a script is added, and of one in the middle a refusal says where it may be
 * missing. The second is only a hint, by which nothing is decided: words of commands are names for some, too.
 */
import { LineIndex, type Span } from '../../../core/position.ts';
import { significantTokens } from './lexer.ts';
import { SENTENCE_WORDS } from './sentence-head.ts';
import { splitSentences } from './sentences.ts';

export interface DottedScript {
  readonly script: string;
  readonly notes: readonly string[];
}

/** The script with the dot that its last sentence lacks. Places in it are places in what was sent. */
export function withLastDot(script: string): DottedScript {
  const { unterminated } = splitSentences(script);
  if (unterminated?.inside !== 'sentence') return { script, notes: [] };
  return {
    script: `${script.trimEnd()}.`,
    notes: ['A dot was added at the end of the last sentence.'],
  };
}

/** What the prover says of a sentence that it refuses, and where a dot may be missing in it. */
export function withDotHint(message: string, text: string, refused: Span): string {
  const hint = missingDotHint(text, refused);
  return hint === undefined ? message : `${message}\n${hint}`;
}

/**
 * ``Is a dot missing before `Qed`, at 2:0?``, where a later line of a sentence begins like a sentence.
 * @param refused where the sentence that was refused stands in the text
 */
export function missingDotHint(text: string, refused: Span): string | undefined {
  const sentence = text.slice(refused.start, refused.end);
  const begins = significantTokens(sentence).find(
    ({ text: word, start }) => SENTENCE_WORDS.has(word) && /\n[ \t\r]*$/u.test(sentence.slice(0, start)),
  );
  if (begins === undefined) return undefined;
  const { line, column } = new LineIndex(text).printedAt(refused.start + begins.start);
  return `Is a dot missing before \`${begins.text}\`, at ${line}:${column}?`;
}
