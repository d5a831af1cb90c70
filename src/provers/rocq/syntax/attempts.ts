/**
 * Attempts at a proof: statements that are given up (`Abort`) and stated again later, in the same words and the same place.
 * They declare nothing, and only the last says whether the statement is proved.
 */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { assumptionHead } from './assumption-head.ts';
import { definedIn } from './defined-names.ts';
import { scopesAround, type FileOutline, type TheoremItem } from './outline.ts';
import { significantTokens } from './lexer.ts';
import { statedAgain } from './named-statements.ts';

export function attemptsIn(outline: FileOutline): ReadonlySet<TheoremItem> {
  const attempts = new Set<TheoremItem>();
  if (!outline.statements.some(({ hole }) => hole === 'aborted')) return attempts;
  const later = new Set<string>();
  for (const item of outline.statements.toReversed()) {
    const said = placeAndWords(outline, item);
    if (item.hole === 'aborted' && later.has(said)) attempts.add(item);
    later.add(said);
  }
  return attempts;
}

/**
 * Statements that are given up where something else has their name later in the same sections and modules, as the sentence
 * that declares that. A proof would take the name from it: what is superseded is no hole.
 */
export function supersededIn(outline: FileOutline): ReadonlyMap<TheoremItem, number> {
  const superseded = new Map<TheoremItem, number>();
  const attempts = attemptsIn(outline);
  for (const item of outline.statements) {
    if (item.hole !== 'aborted' || attempts.has(item)) continue;
    const by = statedAgain(outline, item)?.sentence ?? declaredAgain(outline, item);
    if (by !== undefined) superseded.set(item, by);
  }
  return superseded;
}

/** The sentence that defines or assumes something else under its name, and states no theorem. */
function declaredAgain(outline: FileOutline, { sentence, name }: TheoremItem): number | undefined {
  if (name === undefined) return undefined;
  const placeOf = (at: number): string =>
    scopesAround(outline, at)
      .map(({ opened }) => opened)
      .join(' ');
  const place = placeOf(sentence);
  const at = outline.sentences.findIndex(
    ({ text }, index) =>
      index > sentence &&
      outline.heads[index]?.kind === 'other' &&
      (definedIn(text)?.names.includes(name) === true ||
        assumptionHead(text)?.names.includes(name) === true) &&
      placeOf(index) === place,
  );
  return at === -1 ? undefined : at;
}

/** The sections and modules around a statement, and what it says: from its name on, or all where its keyword tells which it is. */
function placeAndWords(outline: FileOutline, { sentence, name, keyword }: TheoremItem): string {
  const around = scopesAround(outline, sentence).map(({ opened }) => opened);
  const tokens = significantTokens(entryAt(outline.sentences, sentence, 'sentence').text).map(
    ({ text }) => text,
  );
  const isNamed = name !== undefined && !keyword.includes('Obligation');
  const words = isNamed ? tokens.slice(tokens.indexOf(name)) : tokens;
  return JSON.stringify([around, orNothing(name), words]);
}
