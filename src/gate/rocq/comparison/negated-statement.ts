/**
 * Says of a theorem of a file whether it is the negation of one of its statements, from the compiled file: text is no evidence, since
 * the file's own notations and names decide how it is read. That the theorem is proved is another question, for a judge.
 */
import type { SourceText, UnknownVerdict } from '../../verdict.ts';
import { ComparisonWork } from './comparison-work.ts';
import { negationBy, type NegationNames } from './negation.ts';
import { isLeftOpen } from '../finished-proofs.ts';
import { brokenOff, type JudgeSettings, unknown, unreadable } from '../judgement.ts';
import { RequiredLibraries } from '../libraries/required-libraries.ts';
import { References } from '../reference.ts';
import type { Reference } from '../reference-result.ts';
import { Script } from '../text/script.ts';

export type NegationAnswer = { readonly kind: 'is-negation' } | { readonly kind: 'is-none' } | UnknownVerdict;

/** @param target states both, the holes of which are admitted. */
export async function negatesInFile(
  target: SourceText,
  names: NegationNames,
  settings: JudgeSettings,
): Promise<NegationAnswer> {
  try {
    const script = new Script(target);
    const result = await new References(script, (item) => isLeftOpen(item, new Set()), settings).forNone();
    switch (result.status) {
      case 'compiled':
        return { kind: (await isNegation(result.reference, names)) ? 'is-negation' : 'is-none' };
      case 'unknown':
      case 'stopped':
        return brokenOff(result);
      case 'failed':
        return unknown('does-not-compile', result.error.message);
    }
  } catch (error) {
    return unreadable(error);
  }
}

async function isNegation({ file, unit }: Reference, names: NegationNames): Promise<boolean> {
  const by = negationBy(file, names, new ComparisonWork());
  if (by === undefined) return false;
  // A project can have a library of that name.
  return (await new RequiredLibraries(file, unit).declaredByInstalled([by])).has(by);
}
