/**
 * What `coqchk` says where it ends with an error. Only its word about a declaration is a refusal; that it could not find or
 * read a library, ran out of memory, has a defect, or does not know its arguments says nothing about the file.
 */
import type { ReasonCode } from '../../../core/reason.ts';

export type CheckerWord =
  | { readonly kind: 'refusal' }
  | { readonly kind: 'could-not-look'; readonly reason: ReasonCode; readonly lacks?: string };

/** @param errorOutput all of it: the last error counts, and a long one is broken into lines. */
export function readCheckerWord(errorOutput: string): CheckerWord {
  const [, error = ''] = /^[\s\S]*Fatal Error:\s+([\s\S]*)$/u.exec(errorOutput) ?? [];
  const said = error.replace(/\s+/gu, ' ');
  if (REFUSALS.some((refusal) => refusal.test(said))) return { kind: 'refusal' };
  const lacks = LACKS_LIBRARY.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined);
  if (lacks !== undefined) return { kind: 'could-not-look', reason: 'library-missing', lacks };
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
  // A constant of the judged file by its full name, and what is wrong with it.
  /^QuodJudged\.\S+ \S/u,
];

const LACKS_LIBRARY = [
  /^User error: Cannot load ([\p{L}\p{N}_'.]+): no physical path bound to/u,
  /^User error: Cannot find library ([\p{L}\p{N}_'.]+) in loadpath/u,
];
