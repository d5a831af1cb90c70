/**
 * A sentence as it is given to a session, so that Rocq ends it where Quod does. A notation can make `+(` one token, and
 * then what Quod takes for a comment is code: Rocq ends the sentence at the first dot in it, and what follows is left
 * out, or run as a sentence of its own, while the sentence is reported as run.
 */
import { commentEnd, stringEnd } from './sentences.ts';

/** A dot that ends a sentence where it is no part of a comment; more characters than Rocq takes for blanks. */
const ENDS_A_SENTENCE = /\.(?=[\s\p{C}\p{Z}]|$)/u;
const COMMENT_OR_STRING = /\(\*|"/gu;
const BUT_ENDS_OF_LINES = /[^\n]/gu;

/**
 * The text with blanks in the place of the comments in which a sentence could end, which mean the same; each has as
 * many bytes as what it stands for, so that places stay. Behind a dot the parenthesis is kept: `.(` is a token in every
 * Rocq, and without it the dot would end the sentence.
 */
export function withBlankedComments(text: string): string {
  let read = '';
  let kept = 0;
  for (let place = 0; (place = next(text, place)) >= 0;) {
    const isComment = text[place] === '(';
    const end = isComment ? commentEnd(text, place) : stringEnd(text, place);
    if (end < 0) break;
    const comment = text.slice(place, end);
    if (isComment && ENDS_A_SENTENCE.test(comment)) {
      const isBehindDot = text[place - 1] === '.';
      read +=
        text.slice(kept, place) + (isBehindDot ? `(${blanksFor(comment.slice(1))}` : blanksFor(comment));
      kept = end;
    }
    place = end;
  }
  return read + text.slice(kept);
}

/** Where the next comment or string begins; -1 where none does. */
function next(text: string, from: number): number {
  COMMENT_OR_STRING.lastIndex = from;
  return COMMENT_OR_STRING.exec(text)?.index ?? -1;
}

function blanksFor(comment: string): string {
  return comment.replace(BUT_ENDS_OF_LINES, (character) => ' '.repeat(Buffer.byteLength(character)));
}
