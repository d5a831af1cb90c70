/** How it is written for people what a proof rests on: the same at every face and on the page. */

/** `rests on no axiom`, `rests on classic, choice`. */
export function restsOnAxiomsText(axioms: readonly string[], separator = ', '): string {
  return `rests on ${axioms.length === 0 ? 'no axiom' : axioms.join(separator)}`;
}

/** A verdict in a word, or in more where proofs rest on statements that are open. @param open Each of them once. */
export function acceptedBut(verdict: string, open: readonly string[]): string {
  return open.length === 0 ? verdict : `${verdict}, but for what is open: ${open.join(', ')}`;
}

/** @param open Their names, at least one. */
export function restsOnOpenText(open: readonly string[]): string {
  return `rests on statements that are open: ${open.join(', ')}`;
}
