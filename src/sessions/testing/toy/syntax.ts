/** The syntax of the toy prover: a sentence ends at a semicolon. */
import type { Sentence } from '../../../core/prover.ts';

export function splitToy(text: string): readonly Sentence[] {
  return (text.match(/[^;]*;/g) ?? []).map((sentence) => ({ text: sentence.trimStart() }));
}
