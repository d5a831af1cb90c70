/**
 * What `coqchk` says where it ends with an error. Only its word about a declaration is a refusal; that it could not find or
 * read a library, ran out of memory, has a defect, or does not know its arguments says nothing about the file.
 */
import { orNothing } from '../../../core/entry.ts';
import { cutMiddle } from '../../../core/foreign-text.ts';
import type { ReasonCode } from '../../../core/reason.ts';

export type CheckerWord =
  | { readonly kind: 'refusal' }
  | { readonly kind: 'could-not-look'; readonly reason: ReasonCode; readonly lacks?: string };

/** An error may have whole terms in it. */
const LONGEST_WORDS = 2000;

/** What it says at its end, on one line: its error, else the last lines. */
export function lastWords(errorOutput: string): string {
  const lines = errorOutput.trim().split('\n').slice(-6).join('\n');
  const said = (errorIn(errorOutput) ?? lines)
    .replace(/\s+/gu, ' ')
    .replace(/ Please report at \S+\s*$/u, '')
    .trim();
  const cut = cutMiddle(said, LONGEST_WORDS).text.replaceAll('\n', ' ');
  return NOT_WHOLLY_COMPILED.test(said) ? `${cut}. ${COMPILE_WHOLLY}` : cut;
}

function errorIn(errorOutput: string): string | undefined {
  return /^[\s\S]*Fatal Error:\s+([\s\S]*)$/u.exec(errorOutput)?.[1];
}

/** @param errorOutput all of it: the last error counts, and a long one is broken into lines. */
export function readCheckerWord(errorOutput: string): CheckerWord {
  const said = orNothing(errorIn(errorOutput)).replace(/\s+/gu, ' ');
  if (REFUSALS.some((refusal) => refusal.test(said))) return { kind: 'refusal' };
  const lacks = LACKS_LIBRARY.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined);
  if (lacks !== undefined) return { kind: 'could-not-look', reason: 'library-missing', lacks };
  if (NOT_WHOLLY_COMPILED.test(said)) return { kind: 'could-not-look', reason: 'library-missing' };
  if (/out of memory/iu.test(errorOutput)) return { kind: 'could-not-look', reason: 'memory-exceeded' };
  if (/Unknown option|^Usage: /mu.test(errorOutput)) return { kind: 'could-not-look', reason: 'unsupported' };
  return { kind: 'could-not-look', reason: 'prover-crashed' };
}

/** How errors about declarations begin in the checkers of Coq 8.16 to Rocq 9 (checker/coqchk_main.ml, `explain_exn`). */
const REFUSALS = [
  /^Type error: /u,
  /^Error: Universe inconsistency/u,
  /^Error related to inductive types/u,
  // A type that is stored otherwise than it comes out when it is made again.
  /^\S+: field \S+ is incorrect/u,
  // A constant by its full name, and what is wrong with it.
  /^[\p{L}_][\p{L}\p{N}_']*(?:\.[\p{L}_][\p{L}\p{N}_']*)+ \S/u,
  // What the kernel raises about modules, terms and universes, for which the checker has no words of its own.
  /^Anomaly "Uncaught exception (?:Modops\.ModuleTypingError|(?:Reduction|Conversion)\.NotConvertible|U(?:Graph|niv)\.UniverseInconsistency)\b/u,
];

const LACKS_LIBRARY = [
  /^User error: Cannot load ([\p{L}\p{N}_'.]+): no physical path bound to/u,
  /^User error: Cannot find library ([\p{L}\p{N}_'.]+) in loadpath/u,
];

/** Of what `coqc -vos` or `coqc -vio` made, under the name of a compiled file. */
const NOT_WHOLLY_COMPILED = /^User error: The file .* (?:is still a \.vio|contains unfinished tasks)/u;
const COMPILE_WHOLLY =
  'That library is not compiled wholly, its proofs are not checked (`coqc -vos`, `-vio`): compile it with `coqc` and neither option';
