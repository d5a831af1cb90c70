/** A place of a text. What was found out there holds as long as the text before it is the same and one is still there. */
import type { Text } from '@codemirror/state';
import { orZero } from '../../../../src/core/entry.ts';
import { splitSentences } from '../../../../src/provers/rocq/syntax/sentences.ts';

export interface Place {
  readonly text: Text;
  /** Where the last sentence ends that leads there. */
  readonly to: number;
}

interface Known {
  readonly text: Text;
  readonly sentences: readonly { readonly to: number }[];
}

/** Behind the first `count` sentences of what is known of a text. */
export function placeBehind({ text, sentences }: Known, count: number): Place {
  return { text, to: orZero(sentences[count - 1]?.to) };
}

/** Whether a cursor is at a place: the text leads there as it did, and no further sentence ends before the cursor. */
export function isAt({ text: before, to }: Place, text: Text, cursor: number): boolean {
  if (cursor < to || !text.slice(0, to).eq(before.slice(0, to))) return false;
  // What comes next tells whether a dot ends a sentence or stands in a name.
  const rest = text.sliceString(to, Math.min(text.length, cursor + 2));
  return !splitSentences(rest).sentences.some(({ span }) => to + span.end <= cursor);
}

/** Where a sentence can be put for a cursor that is at a place: not into the sentence that the cursor is in. */
export function behind({ to }: Place, text: Text, cursor: number): number {
  const isBetween = splitSentences(`${text.sliceString(to, cursor)}\n`).unterminated === undefined;
  return isBetween ? cursor : to;
}
