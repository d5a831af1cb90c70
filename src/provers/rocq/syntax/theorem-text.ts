/** Where a theorem stands in the file of its outline, and how its proof ends. */
import { QuodError } from '../../../core/errors.ts';
import type { FileOutline, TheoremItem } from './outline.ts';
import type { Sentence } from './sentences.ts';

/** A sentence that an item of the outline names. @throws QuodError `internal` for an item of another outline. */
export function sentenceOf({ sentences }: FileOutline, index: number): Sentence {
  const sentence = sentences[index];
  if (sentence === undefined)
    throw new QuodError(
      'internal',
      `The outline has ${sentences.length} sentences and was asked for number ${index}.`,
    );
  return sentence;
}

/** The sentence that states the theorem. */
export function statementOf(outline: FileOutline, theorem: TheoremItem): Sentence {
  return sentenceOf(outline, theorem.sentence);
}

/** One past the last sentence that belongs to the theorem. */
export function endOfProof(theorem: TheoremItem): number {
  return theorem.closing === undefined
    ? Math.max(theorem.body.end, (theorem.proofSentence ?? theorem.sentence) + 1)
    : theorem.closing + 1;
}

const TRANSPARENT = new Set([
  'Definition',
  'Instance',
  'Fixpoint',
  'CoFixpoint',
  'Let',
  'Example',
  'SubClass',
]);

/** `Qed` or `Defined`: the file's own word, or what is usual for the keyword. */
export function closingWord(theorem: TheoremItem): string {
  if (theorem.closingWord === 'Qed' || theorem.closingWord === 'Defined') return theorem.closingWord;
  return TRANSPARENT.has(theorem.keyword) && theorem.keyword !== 'Example' ? 'Defined' : 'Qed';
}
