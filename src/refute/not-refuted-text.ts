/** What is said of a statement that was not refuted: one story, whether or not computation suspects that it fails. */
import { counted } from '../core/counted.ts';

const MOST_SUSPECTS = 5;

/** Each once, as many as are told. */
export function toldSuspects(suspects: readonly string[]): readonly string[] {
  return [...new Set(suspects)].slice(0, MOST_SUSPECTS);
}

/** @param suspects Values for which it seems to fail. */
export function doubtText(suspects: readonly string[]): string {
  return `It seems to fail for ${suspects.join('; or ')}, but proving that it fails there did not succeed.`;
}

export function stoppedText(suspects: readonly string[]): string {
  return `The search was stopped.${suspects.length === 0 ? '' : ` ${doubtText(suspects)}`}`;
}

/** @param isExhausted Whether all passes came to their ends. */
export function nothingFoundText(tried: number, isExhausted: boolean): string {
  const combinations = `${counted(tried, 'combination')} of small values`;
  return isExhausted
    ? `No counterexample among ${combinations}. That says nothing about larger ones.`
    : `No counterexample among ${combinations} in the time given. That says nothing about others.`;
}

/**
 * Of a statement without variables, which no value that is given to anything can refute.
 * @param isDoubted Whether a proof of its negation was tried: not where computation says that the statement holds.
 */
export function closedText(isDoubted: boolean): string {
  const without = 'It has no variables to give values to';
  return isDoubted
    ? `It was tried and not settled. ${without}: automation tried to prove its negation as it stands, and did not succeed. A statement that something exists is refuted only where automation proves that nothing fits. This does not say that the statement holds. If you believe that it is false, state its negation as a theorem and prove that.`
    : `${without}, and computing it gives no sign that it is false. That does not prove it.`;
}
