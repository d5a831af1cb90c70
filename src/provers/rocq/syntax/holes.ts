/** How a hole of a Rocq file is recognised: by the word that ends the proof, or by a tactic in it that gives up. */
import type { Span } from '../../../core/position.ts';
import { tokenEnd, significantTokens } from './lexer.ts';

export type ClosingWord = 'Qed' | 'Defined' | 'Admitted' | 'Abort' | 'Save' | 'Proof term';

export type Hole =
  | 'admitted'
  | 'admit'
  | 'give_up'
  | 'aborted'
  /** The proof has no sentences. */
  | 'empty'
  /** The proof has sentences, but the file ends, or the next statement begins, before it is closed. */
  | 'unfinished';

/** A place in a proof where the author gave up; the span counts from the start of the sentence. */
export interface ProofHole {
  readonly tactic: 'admit' | 'give_up';
  readonly span: Span;
}

const GIVING_UP = /\b(?:admit|give_up)\b/;

/** The tactics of a sentence that give up. */
export function holesIn(text: string): readonly ProofHole[] {
  if (!GIVING_UP.test(text)) return [];
  const holes: ProofHole[] = [];
  for (const token of significantTokens(text))
    if (token.kind === 'identifier' && (token.text === 'admit' || token.text === 'give_up'))
      holes.push({ tactic: token.text, span: { start: token.start, end: tokenEnd(token) } });
  return holes;
}

const GIVES_UP_ONLY = new Set(['admit', 'give_up', 'all']);

/** Whether a sentence that gives up has no other tactic in it: `admit.`, `all: admit.`, `admit; admit.` */
export function onlyGivesUp(text: string): boolean {
  return (
    holesIn(text).length > 0 &&
    significantTokens(text).every(
      (token) =>
        token.kind === 'symbol' ||
        token.kind === 'number' ||
        (token.kind === 'identifier' && GIVES_UP_ONLY.has(token.text)),
    )
  );
}

/**
 * What a proof leaves open; undefined for a whole one.
 * @param tactic the first in it that gives up
 */
export function holeOf(
  closingWord: ClosingWord | 'none',
  tactic: 'admit' | 'give_up' | undefined,
  bodyIsEmpty: boolean,
): Hole | undefined {
  if (closingWord === 'Admitted') return 'admitted';
  if (closingWord === 'Abort') return 'aborted';
  if (closingWord === 'Proof term') return undefined;
  if (tactic !== undefined) return tactic;
  if (bodyIsEmpty) return 'empty';
  return closingWord === 'none' ? 'unfinished' : undefined;
}

/**
 * Whether a proof that shows as a hole ends as a finished one does: `admit` can be a name or an alternative that is not taken,
 * and an instance may leave nothing to prove. It is a hole where Rocq refuses the closing sentence, and nowhere else.
 */
export function mayBeFinished({
  hole,
  closingWord,
}: {
  readonly hole?: Hole;
  readonly closingWord: ClosingWord | 'none';
}): boolean {
  const isUncertain = hole === 'admit' || hole === 'give_up' || hole === 'empty';
  return isUncertain && (closingWord === 'Qed' || closingWord === 'Defined' || closingWord === 'Save');
}
