/** How it is written for people what a proof rests on: the same at every face and on the page. */
import { onOneLine } from './sentence.ts';

/** `rests on no axiom`, `rests on classic, choice`. */
export function restsOnAxiomsText(axioms: readonly string[], separator = ', '): string {
  return `rests on ${axioms.length === 0 ? 'no axiom' : axioms.join(separator)}`;
}

/** @param stale Files that are not what was compiled of them, at least one. */
export function olderFilesText(stale: readonly string[]): string {
  return `This tells of older files: since it was compiled, ${onOneLine(stale.join(', '))} has changed, so what the proof rests on may be open by now.`;
}

/** A verdict in a word, or in more where proofs rest on statements that are open. @param open Each of them once. */
export function acceptedBut(verdict: string, open: readonly string[]): string {
  return open.length === 0 ? verdict : `${verdict}, but for what is open: ${open.join(', ')}`;
}

/** @param open Their names, at least one. */
export function restsOnOpenText(open: readonly string[]): string {
  return `rests on statements that are open: ${open.join(', ')}`;
}

/** @param falseOnes Their names, at least one. */
export function restsOnFalseText(falseOnes: readonly string[]): string {
  const what = falseOnes.length === 1 ? 'a statement that is' : 'statements that are';
  return `rests on ${what} false: ${falseOnes.join(', ')}`;
}
