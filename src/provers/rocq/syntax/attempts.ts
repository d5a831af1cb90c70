/**
 * Attempts at a proof: statements that are given up (`Abort`) and stated again later, in the same words and the same place.
 * They declare nothing, and only the last says whether the statement is proved.
 */
import { entryAt, orNothing } from '../../../core/entry.ts';
import { scopesAround, type FileOutline, type TheoremItem } from './outline.ts';
import { significantTokens } from './lexer.ts';

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
