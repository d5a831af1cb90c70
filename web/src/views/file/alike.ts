/** Why a finished proof is shown for a goal, in plain words: what its statement has in common with it. */
import { someOf } from '../../../../src/core/counted.ts';
import { RANKER_NAMES, type RankerName } from '../../../../src/retrieval/rankers/ranker.ts';

/** A name, or a symbol such as `++` or `<=`. */
const WORD = /[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)*|[+\-*/\\<>=~&|^@%∧∨¬∈∉⊆∪∩×∘≤≥≠↔→∀∃λ:]+/gu;

/** What nearly every statement has: that two share it says nothing. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  ...['forall', 'exists', 'fun', 'let', 'in', 'if', 'then', 'else', 'match', 'with', 'end', 'as', 'return'],
  ...['Type', 'Prop', 'Set', ':', '->', '→', '∀', '=>', '|', '\\', '='],
  ...['Lemma', 'Theorem', 'Corollary', 'Fact', 'Remark', 'Proposition', 'Property', 'Example', 'Definition'],
  ...['Fixpoint', 'Instance', 'Local', 'Global', 'Program'],
]);

/** The names and symbols of a goal that mean something elsewhere, in their order: not its own variables. */
export function symbolsOf(goal: string, own: ReadonlySet<string>): readonly string[] {
  const bound = new Set(own);
  for (const [, names = ''] of goal.matchAll(/\b(?:forall|exists|fun)\s+([^,=]+)/gu))
    for (const [name] of names.replace(/:[^)]*/gu, '').matchAll(/[\p{L}_][\p{L}\p{N}_']*/gu)) bound.add(name);
  const words = (goal.match(WORD) ?? []).filter((word) => !bound.has(word) && !EVERYWHERE.has(word));
  return [...new Set(words)];
}

export interface Piece {
  readonly text: string;
  readonly isShared: boolean;
}

/** A text with what it shares marked. */
export function piecesOf(text: string, symbols: ReadonlySet<string>): readonly Piece[] {
  const pieces: Piece[] = [];
  let behind = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!symbols.has(word)) continue;
    if (index > behind) pieces.push({ text: text.slice(behind, index), isShared: false });
    pieces.push({ text: word, isShared: true });
    behind = index + word.length;
  }
  if (behind < text.length) pieces.push({ text: text.slice(behind), isShared: false });
  return pieces;
}

/** Whether a statement or its proof has any of them. */
export function sharesAny(
  { statement, proof }: { readonly statement: string; readonly proof: string },
  symbols: readonly string[],
): boolean {
  const there = new Set(`${statement}\n${proof}`.match(WORD));
  return symbols.some((symbol) => there.has(symbol));
}

/** In a sentence: which symbols of the goal it has, and how many there are. */
export function whyAlike(
  { statement, proof }: { readonly statement: string; readonly proof: string },
  symbols: readonly string[],
): string {
  if (symbols.length === 0) return 'The goal has no symbol of its own to compare.';
  const inText = (text: string) => new Set(text.match(WORD));
  const [stated, used] = [inText(statement), inText(proof)];
  const shared = symbols.filter((symbol) => stated.has(symbol));
  const inProof = symbols.filter((symbol) => !stated.has(symbol) && used.has(symbol));
  const proofToo = inProof.length === 0 ? '' : `; its proof uses ${someOf(inProof, 8)}`;
  if (shared.length === 0) return `Its statement shares no symbol with the goal${proofToo}.`;
  if (shared.length === symbols.length && symbols.length > 1)
    return `Its statement has every symbol of the goal: ${someOf(shared, 8)}.`;
  return `Its statement shares ${someOf(shared, 8)} with the goal (${shared.length} of ${symbols.length} symbols)${proofToo}.`;
}

/** How each ranker orders them. */
const ORDERS: Readonly<Record<RankerName, string>> = {
  jaccard: 'the larger share of words its statement has in common with the goal',
  bm25: 'the more words its statement shares with the goal, rare words counting more',
  'tf-idf': 'the more symbols its statement shares with the goal, rare symbols counting more',
  'proof-bm25': 'the more its proof shares with the proof that has begun, rare words counting more',
  learned:
    'the likelier a trained model finds it that the two proofs are alike, which shared symbols need not show',
  blend: 'the nearer it is by shared symbols and by a trained model together',
  feedback: 'the nearer it is to the proofs of the statements that are most like the goal',
  'jaccard-feedback': 'the nearer it is to the proofs of the statements that are most like the goal',
};

/** @param ranker As an answer names it: `tf-idf: what it is made of; bounds`. */
export function orderText(ranker: string): string {
  const name = RANKER_NAMES.find((known) => ranker.startsWith(`${known}:`));
  return name === undefined ? `Ordered by ${ranker}.` : `A proof stands higher ${ORDERS[name]}.`;
}
