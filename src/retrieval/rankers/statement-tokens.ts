/**
 * The words of a goal for the rankers that compare words: names, numbers and operators, without brackets and
 * separators.
 */
import type { Goal } from '../../core/proof-state.ts';
import { significantTokens } from '../../provers/rocq/syntax/lexer.ts';

const SEPARATORS = new Set(['(', ')', '[', ']', '{', '}', '{|', '|}', ',', ';', ':', '.', '...', '|']);

export function goalTokens({ hypotheses, conclusion }: Goal): string[] {
  return [...hypotheses.flatMap(({ name, type }) => [name, ...words(type)]), ...words(conclusion)];
}

export function tacticTokens(tactics: readonly string[]): string[] {
  return tactics.flatMap(words);
}

function words(text: string): string[] {
  return significantTokens(text).flatMap((token) => (SEPARATORS.has(token.text) ? [] : [token.text]));
}
