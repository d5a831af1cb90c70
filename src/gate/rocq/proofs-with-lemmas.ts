/**
 * Proofs that were put into a file together with helper lemmas, which are known by name. But for these proofs and lemmas the new file
 * is the old one, sentence by sentence.
 */
import type { Span } from '../../core/position.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import { isLemma } from '../../provers/rocq/syntax/statement-head.ts';
import { proofSpan } from './text/reference-text.ts';
import type { Script } from './text/script.ts';

export interface ProofsWithLemmas {
  /** Where the proofs of the statements and of the lemmas are in the new text. */
  readonly proofs: readonly Span[];
  /** The lemmas, by the names that the kernel gives them. */
  readonly lemmas: ReadonlySet<string>;
}

/**
 * @param statements by the sentences of the target that state them.
 * @param names of the lemmas. The target may have some of them already, and elsewhere.
 * @returns undefined when the new text differs elsewhere, or when one of the lemmas is more than a lemma.
 */
export function proofsWithLemmas(
  target: Script,
  submission: Script,
  statements: readonly number[],
  names: readonly string[],
): ProofsWithLemmas | undefined {
  const before = partsOf(target, names);
  const now = partsOf(submission, names);
  const isAsked = before.others.map(({ sentence }) => statements.includes(sentence));
  const asked = ({ others }: Parts): readonly TheoremItem[] => others.filter((_, index) => isAsked[index]);
  if (asked(before).length !== statements.length || !now.lemmas.every(isNothingButLemma)) return undefined;
  if (around(target, before, asked(before)).join('\0') !== around(submission, now, asked(now)).join('\0'))
    return undefined;
  const lemmas = submission.statements.filter(({ item }) => now.lemmas.includes(item));
  return {
    proofs: [...asked(now), ...now.lemmas].map((item) => proofSpan(submission.outline, item)),
    lemmas: new Set(lemmas.map(({ name }) => name)),
  };
}

/** The statements of a file: helper lemmas, and all others. */
interface Parts {
  readonly lemmas: readonly TheoremItem[];
  readonly others: readonly TheoremItem[];
}

function partsOf({ outline: { statements } }: Script, names: readonly string[]): Parts {
  const isLemmaOfThose = ({ name }: TheoremItem): boolean => name !== undefined && names.includes(name);
  return {
    lemmas: statements.filter(isLemmaOfThose),
    others: statements.filter((item) => !isLemmaOfThose(item)),
  };
}

/** What else a statement says (an attribute, a second statement `with` it) could act on what follows. */
function isNothingButLemma(item: TheoremItem): boolean {
  const { attributes, prefixes, otherNames } = item;
  const isPlain = attributes.length === 0 && prefixes.every((prefix) => prefix === 'Local');
  return isLemma(item) && isPlain && otherNames.length === 0;
}

/** The sentences of a file without its lemmas and without some proofs. */
function around(script: Script, { lemmas }: Parts, asked: readonly TheoremItem[]): readonly string[] {
  const leftOut = new Set<number>();
  const leaveOut = (first: number, { sentence, closing, body }: TheoremItem): void => {
    const last = closing ?? Math.max(sentence, body.end - 1);
    for (let index = first; index <= last; index += 1) leftOut.add(index);
  };
  for (const item of lemmas) leaveOut(item.sentence, item);
  for (const item of asked) leaveOut(item.sentence + 1, item);
  const { sentences } = script.outline;
  return sentences.flatMap((_, index) => (leftOut.has(index) ? [] : [script.key(index)]));
}
