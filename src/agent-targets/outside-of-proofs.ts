/**
 * Whether two texts are the same outside of their proofs, to the byte: line ends, too, whose change is one of the whole file.
 * What may differ is marked in both: blanks that touch a mark are those of whoever wrote there.
 */
import { orNothing } from '../core/entry.ts';

/** A comment that stands in none of these texts: to a prover it is a blank. */
export function markNotIn(texts: readonly string[]): string {
  let name = 'proof';
  while (texts.some((text) => text.includes(`(*${name}*)`))) name += "'";
  return `(*${name}*)`;
}

export function isSameOutside(now: string, before: string, mark: string): boolean {
  const blank = new RegExp(`(?:\\s|${mark.replace(/[()*]/gu, String.raw`\$&`)})+`, 'gu');
  const piecesOf = (text: string) => {
    // What stands around all of it is nobody's word either.
    const marked = `${mark}${text}${mark}`;
    return { words: marked.split(blank), blanks: marked.match(blank) ?? [] };
  };
  const one = piecesOf(now);
  const other = piecesOf(before);
  return (
    one.words.length === other.words.length &&
    one.words.every((word, at) => word === other.words[at]) &&
    one.blanks.every((space, at) => isSameBlank(space, orNothing(other.blanks[at]), mark))
  );
}

/** Where a mark is, lines may be added and joined; but they do not all end otherwise than before. */
function isSameBlank(now: string, before: string, mark: string): boolean {
  if (!now.includes(mark) && !before.includes(mark)) return now === before;
  const [one, other] = [lineEndsOf(now), lineEndsOf(before)];
  return one.length === 0 || other.length === 0 || one.some((end) => other.includes(end));
}

function lineEndsOf(blank: string): readonly string[] {
  return blank.match(/\r\n|\r|\n/gu) ?? [];
}
