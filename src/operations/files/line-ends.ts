/**
 * The line ends of a text that an editor had with `\n` alone: lines that were not edited get back the end that they
 * had, whatever it was; an edited line keeps the end of the one in whose place it stands.
 */
import type { LineEnd } from '../../core/position.ts';

interface Lines {
  readonly texts: readonly string[];
  /** One less than there are lines: the last has none. */
  readonly ends: readonly string[];
}

/** The text as editors have it. */
export function withNewlines(text: string): string {
  return text.replace(/\r\n?/gu, '\n');
}

/**
 * @param before The text with its own line ends.
 * @param edited The text that takes its place, in which lines end with `\n`.
 * @param usual The end of lines that are new.
 */
export function withLineEndsOf(before: string, edited: string, usual: LineEnd): string {
  const old = linesOf(before);
  const texts = edited.split('\n');
  const places = placesIn(old.texts, texts);
  const last = texts.length - 1;
  return texts.map((text, at) => text + (at === last ? '' : endAt(old, places[at], usual))).join('');
}

function endAt({ ends }: Lines, place: number | undefined, usual: string): string {
  return (place === undefined ? undefined : ends[place]) ?? usual;
}

function linesOf(text: string): Lines {
  const parts = text.split(/(\r\n?|\n)/u);
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    ends: parts.filter((_, at) => at % 2 === 1),
  };
}

/** For each new line the old one that it is, or in whose place it stands; undefined: it is added. */
function placesIn(old: readonly string[], texts: readonly string[]): readonly (number | undefined)[] {
  const places: (number | undefined)[] = Array.from({ length: texts.length });
  let [from, oldEnd, newEnd] = [0, old.length, texts.length];
  while (from < oldEnd && from < newEnd && old[from] === texts[from]) places[from] = from++;
  while (oldEnd > from && newEnd > from && old[oldEnd - 1] === texts[newEnd - 1]) places[--newEnd] = --oldEnd;
  let [oldFrom, newFrom] = [from, from];
  for (const [oldAt, newAt] of [
    ...sameLines(old, texts, { from, oldEnd, newEnd }),
    [oldEnd, newEnd] as const,
  ]) {
    // Between two lines that stayed, edited ones stand in the order of those that they replace.
    for (; oldFrom < oldAt && newFrom < newAt; oldFrom++, newFrom++) places[newFrom] = oldFrom;
    if (newAt < newEnd) places[newAt] = oldAt;
    [oldFrom, newFrom] = [oldAt + 1, newAt + 1];
  }
  return places;
}

interface Middle {
  readonly from: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Steps of the table below: far more than the lines of what is edited between two saves need. */
const MOST_STEPS = 4_000_000;

/** A longest common subsequence of the lines between what both begin and end with. */
function sameLines(
  old: readonly string[],
  texts: readonly string[],
  { from, oldEnd, newEnd }: Middle,
): readonly (readonly [number, number])[] {
  const [height, width] = [oldEnd - from, newEnd - from];
  if (height * width > MOST_STEPS) return [];
  const row = width + 1;
  const length = new Uint32Array((height + 1) * row);
  const at = (one: number, other: number): number => length[one * row + other] ?? 0;
  for (let one = height - 1; one >= 0; one--)
    for (let other = width - 1; other >= 0; other--)
      length[one * row + other] =
        old[from + one] === texts[from + other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; one < height && other < width;) {
    if (old[from + one] === texts[from + other]) pairs.push([from + one++, from + other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one++;
    else other++;
  }
  return pairs;
}
