/**
 * The sentences at the top of a file that only load and set: what many files and every run on one file share, and so
 * worth keeping in an image. A wrong answer costs time, never correctness.
 */
const LOADS_OR_SETS =
  /^(?:#\[[^\]]*\]\s*)?(?:(?:Local|Global|Export)\s+)?(?:From|Require|Import|Export|Set|Unset|Open\s+Scope|Close\s+Scope|Generalizable|Add\s+(?:Rec\s+)?LoadPath)\b/;

export function isHeaderSentence(sentence: string): boolean {
  return LOADS_OR_SETS.test(sentence);
}
