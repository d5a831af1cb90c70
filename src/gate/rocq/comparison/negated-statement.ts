/**
 * Says of a theorem of a file whether it is the negation of one of its statements, from the compiled file: text is no evidence, since
 * the file's own notations and names decide how it is read. That the theorem is proved is another question, for a judge.
 */
import { QuodError } from '../../../core/errors.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import type { SourceText } from '../../verdict.ts';
import { ComparisonWork } from './comparison-work.ts';
import { negationBy, type NegationNames } from './negation.ts';
import { MalformedValue, TooLarge } from '../compiled/ocaml-values.ts';
import { type JudgeSettings, moduleNameOf } from '../judgement.ts';
import { RequiredLibraries } from '../libraries/required-libraries.ts';
import { References } from '../reference.ts';
import type { Reference } from '../reference-result.ts';
import { Script } from '../text/script.ts';

export type NegationAnswer =
  | { readonly kind: 'is-negation' }
  | { readonly kind: 'is-none' }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

/** @param target states both, the holes of which are admitted. */
export async function negatesInFile(
  target: SourceText,
  names: NegationNames,
  settings: JudgeSettings,
): Promise<NegationAnswer> {
  try {
    const request = { path: target.path, moduleName: moduleNameOf(target.path) };
    const isLeftOut = ({ hole }: TheoremItem): boolean => hole !== undefined && hole !== 'aborted';
    const result = await new References(new Script(target), isLeftOut, settings, request).forNone();
    switch (result.status) {
      case 'compiled':
        return { kind: (await isNegation(result.reference, names)) ? 'is-negation' : 'is-none' };
      case 'unknown':
        return { kind: 'unknown', reason: result.reason, message: result.message };
      case 'stopped':
        return unknown('does-not-compile', result.incidents.map(({ detail }) => detail).join('; '));
      case 'failed':
        return unknown('does-not-compile', result.error.message);
    }
  } catch (error) {
    if (error instanceof MalformedValue)
      return unknown('unsupported', `A compiled file cannot be read: ${error.message}`);
    if (error instanceof TooLarge) return unknown('too-large', error.message);
    if (error instanceof RangeError) return unknown('too-large', 'A term is too deep to be compared.');
    if (error instanceof QuodError) return unknown(error.reason, error.toString());
    throw error;
  }
}

async function isNegation({ file, unit }: Reference, names: NegationNames): Promise<boolean> {
  const by = negationBy(file, names, new ComparisonWork());
  if (by === undefined) return false;
  // A project can have a library of that name.
  return (await new RequiredLibraries(file, unit).declaredByInstalled([by])).has(by);
}

function unknown(reason: ReasonCode, message: string): NegationAnswer {
  return { kind: 'unknown', reason, message };
}
