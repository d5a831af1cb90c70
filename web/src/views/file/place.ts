/**
 * A place of a text. What was found out there holds as long as the text before it is the same, one is still there, and what
 * the text requires is as it was.
 */
import type { Text } from '@codemirror/state';
import type { ReadonlySignal } from '@preact/signals';
import { orZero } from '../../../../src/core/entry.ts';
import { splitSentences } from '../../../../src/provers/rocq/syntax/sentences.ts';
import { whyOld, type RestsOn } from '../../parts/rests-on.ts';

export interface Place {
  readonly text: Text;
  /** Where the last sentence ends that leads there. */
  readonly to: number;
  /** What it was run with. */
  readonly restsOn: RestsOn | undefined;
}

type Where = Pick<Place, 'text' | 'to'>;

interface Known extends Pick<Place, 'text' | 'restsOn'> {
  readonly sentences: readonly { readonly to: number }[];
}

/** How many sentences end at an offset or before it. */
export function countBefore(sentences: Known['sentences'], offset: number): number {
  let low = 0;
  let high = sentences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const to = sentences[middle]?.to;
    if (to !== undefined && to <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Behind the first `count` sentences of what is known of a text. */
export function placeBehind({ text, restsOn, sentences }: Known, count: number): Place {
  return { text, restsOn, to: orZero(sentences[count - 1]?.to) };
}

/** Whether a cursor is at a place: the text leads there as it did, and no further sentence ends before the cursor. */
export function isAt(place: Where, text: Text, cursor: number): boolean {
  const { to } = place;
  if (cursor < to || !leadsTo(place, text)) return false;
  // What comes next tells whether a dot ends a sentence or stands in a name.
  const rest = text.sliceString(to, Math.min(text.length, cursor + 2));
  return !splitSentences(rest).sentences.some(({ span }) => to + span.end <= cursor);
}

/** A text that is open: where one is in it, and what it was checked with last. */
interface Looked {
  readonly text: ReadonlySignal<Text>;
  readonly cursor: ReadonlySignal<number>;
  readonly checking: ReadonlySignal<Pick<Place, 'restsOn'>>;
}

function leadsTo({ text: before, to }: Where, text: Text): boolean {
  return text.slice(0, to).eq(before.slice(0, to));
}

/** Why what was found out at a place need not be what would come of it now. @param again What to do, such as `try again`. */
export function whyOldAt(place: Place, open: Looked, again: string): string | undefined {
  const text = open.text.value;
  if (!leadsTo(place, text)) return `The text above has changed since: ${again}.`;
  if (!isAt(place, text, open.cursor.value)) return `It is of another place: ${again}.`;
  return whyOld(place.restsOn, open.checking.value.restsOn, again);
}

/** Where a sentence can be put for a cursor that is at a place: not into the sentence that the cursor is in. */
export function behind({ to }: Where, text: Text, cursor: number): number {
  const isBetween = splitSentences(`${text.sliceString(to, cursor)}\n`).unterminated === undefined;
  return isBetween ? cursor : to;
}
