/**
 * In which order the libraries are tried out that mention a name: first the one that is called like it (`Lia` of `lia`), or begins or ends so
 * (`PeanoNat` of `Nat.add_comm`); then those that speak of the fewest others of them, since what uses a name speaks of the library that declares it.
 * A library that is called like its folder and like the name (`ZArith.ZArith` of `Z`) is there to be required in place of those in that folder.
 */
import { entryAt, present } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { hasNameWritten, hasNotationWritten } from '../../../provers/rocq/compiled-mentions.ts';
import type { LibraryBytes } from './installed-libraries.ts';

/** What is missing in a text. */
export type Missing =
  | { readonly kind: 'name'; readonly name: string }
  /** By one of these symbols; where a library has the first, the others are not looked for. */
  | { readonly kind: 'notation'; readonly symbols: readonly string[] };

interface Mentioning {
  readonly logical: string;
  readonly bytes: Buffer;
}

/** With more than that nothing is told apart by what they speak of. */
const MOST_COMPARED = 150;
const READ_AT_ONCE = 16;

/** Their logical names, the likeliest first. */
export async function likelyLibraries(
  installed: readonly LibraryBytes[],
  missing: Missing,
): Promise<readonly string[]> {
  if (missing.kind === 'name') {
    const parts = missing.name.split('.');
    const isMentioned = (bytes: Buffer): boolean => parts.every((part) => hasNameWritten(bytes, part));
    return inOrderOfLikeness(await thoseThat(installed, isMentioned), installed, missing.name);
  }
  for (const symbol of missing.symbols) {
    const mentioning = await thoseThat(installed, (bytes) => hasNotationWritten(bytes, symbol));
    if (mentioning.length > 0) return inOrderOfLikeness(mentioning, [], undefined);
  }
  return [];
}

async function thoseThat(
  installed: readonly LibraryBytes[],
  isMentioned: (bytes: Buffer) => boolean,
): Promise<Mentioning[]> {
  const mentioning: Mentioning[] = [];
  for (let at = 0; at < installed.length; at += READ_AT_ONCE) {
    const read = installed.slice(at, at + READ_AT_ONCE).map(async ({ logical, bytes }) => {
      const content = await bytes().catch(() => undefined);
      return content !== undefined && isMentioned(content) ? [{ logical, bytes: content }] : [];
    });
    for (const found of await Promise.all(read)) appendAll(mentioning, found);
  }
  return mentioning;
}

/** @param installed Among them may be some that are called like the name and only hand on what has it. */
function inOrderOfLikeness(
  mentioning: readonly Mentioning[],
  installed: readonly LibraryBytes[],
  name: string | undefined,
): readonly string[] {
  const isCompared = mentioning.length <= MOST_COMPARED;
  const spokenOf = ({ logical, bytes }: Mentioning): number =>
    mentioning.filter((other) => other.logical !== logical && hasNameWritten(bytes, lastPart(other.logical)))
      .length;
  const order = new Map<string, readonly number[]>();
  for (const library of mentioning) {
    const { logical } = library;
    order.set(logical, [likeness(logical, name), isCompared ? spokenOf(library) : 0]);
  }
  for (const { logical } of installed) {
    const like = likeness(logical, name);
    if (like === UNLIKE) continue;
    const folder = logical.slice(0, logical.lastIndexOf('.'));
    const isWhole = lastPart(folder) === lastPart(logical);
    if (isWhole || !order.has(logical)) order.set(logical, [like, isWhole ? -1 : Infinity]);
  }
  const rankOf = (logical: string): readonly number[] => present(order.get(logical), 'rank');
  return [...order.keys()].sort(
    (one, other) => compare(rankOf(one), rankOf(other)) || (one < other ? -1 : 1),
  );
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [at, rank] of one.entries()) {
    const against = entryAt(other, at, 'rank');
    if (rank !== against) return rank < against ? -1 : 1;
  }
  return 0;
}

/** Whether a library is called like what a name begins with. */
export function isCalledLike(logical: string, name: string): boolean {
  return likeness(logical, name) !== UNLIKE;
}

const UNLIKE = 2;

/** By whole words: `ArithRing` is like `ring`, `Init` is not like `In`. */
function likeness(logical: string, name: string | undefined): number {
  if (name === undefined) return UNLIKE;
  const [first = ''] = name.split('.');
  if (first === '') return UNLIKE;
  const own = lastPart(logical);
  const word = first.charAt(0).toUpperCase() + first.slice(1);
  if (own === word || own === first) return 0;
  const isBegun = own.startsWith(word) && /^[\p{Lu}\p{N}_]/u.test(own.slice(word.length));
  return isBegun || (word.length > 1 && own.endsWith(word)) ? 1 : UNLIKE;
}
