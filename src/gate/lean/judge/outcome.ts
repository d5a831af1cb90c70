/**
 * How each declaration of the target fares in the submission, in SafeVerify's terms: its checks, its names for what goes
 * wrong and its wording.
 */
import type { ConstantDeclaration, ConstantKind } from '../declaration.ts';
import type { Name } from '../name.ts';
import { difference } from './same-constant.ts';

export interface DeclarationWithAxioms {
  readonly constant: ConstantDeclaration;
  readonly axioms: readonly Name[];
}

/** `AxiomName` is a string where failures are told to other threads. */
export type Failure<AxiomName = Name> =
  | { readonly kind: 'not-found' }
  | { readonly kind: 'other-kind'; readonly expected: ConstantKind; readonly got: ConstantKind }
  | {
      readonly kind: 'theorem' | 'definition' | 'opaque' | 'inductive' | 'constructor';
      readonly what: string;
    }
  | { readonly kind: 'axiom' | 'quotient' | 'recursor'; readonly what: string }
  | { readonly kind: 'axioms'; readonly disallowed: readonly AxiomName[] };

export interface DeclarationOutcome {
  readonly name: Name;
  readonly target: DeclarationWithAxioms;
  /** Undefined when the submission has none; the disproof when that is what was judged. */
  readonly submission: DeclarationWithAxioms | undefined;
  readonly failure: Failure | undefined;
}

/** SafeVerify's names for kinds of constants. */
export const KIND_WORDS: Record<ConstantKind, string> = {
  axiom: 'axiom',
  definition: 'def',
  theorem: 'theorem',
  opaque: 'opaque',
  quotient: 'quot',
  inductive: 'inductive',
  constructor: 'constructor',
  recursor: 'recursor',
};

export function comparisonFailureText(failure: Failure<unknown>): string {
  switch (failure.kind) {
    case 'not-found':
      return 'declaration not found in submission';
    case 'other-kind':
      return `kind mismatch (expected ${KIND_WORDS[failure.expected]}, got ${KIND_WORDS[failure.got]})`;
    case 'theorem':
      return 'theorem type mismatch';
    case 'definition':
      return 'definition type or value mismatch';
    case 'opaque':
      return 'opaque type or value mismatch';
    case 'inductive':
      return 'inductive type mismatch';
    case 'constructor':
      return 'constructor mismatch';
    case 'axiom':
    case 'quotient':
    case 'recursor':
      return `${KIND_WORDS[failure.kind]} mismatch`;
    case 'axioms':
      return 'uses disallowed axioms';
  }
}

/**
 * What is wrong with the submission's constant. The value of a definition is free where the target's rests on `sorry`,
 * and so is the proof of a theorem.
 */
export function compareConstantWithTarget(
  target: ConstantDeclaration,
  submission: ConstantDeclaration,
  hasHole: boolean,
): Failure | undefined {
  if (target.kind !== submission.kind)
    return { kind: 'other-kind', expected: target.kind, got: submission.kind };
  const ignoreValue = target.kind === 'theorem' || (target.kind === 'definition' && hasHole);
  const what = difference(target, submission, { ignoreValue });
  return what === undefined ? undefined : { kind: target.kind, what };
}
