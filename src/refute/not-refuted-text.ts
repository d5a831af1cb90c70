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
