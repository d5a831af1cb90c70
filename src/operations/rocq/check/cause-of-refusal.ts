/**
 * Why Rocq refuses a `Require` of a file of the project, in the same words whoever meets it: a check, a search, a question at a
 * place. One file below may have an error: that is then the cause, and it is told with its place. Where no error is known, what is
 * not compiled is named, and that it can be built.
 */
import { orNothing } from '../../../core/entry.ts';
import { QuodError, type ErrorPlace } from '../../../core/errors.ts';
import type { ProverIdentity } from '../../../core/prover.ts';
import { causeOfMissing, readsCompiled, type LibraryCause } from '../../../provers/rocq/build/uncompiled.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import type { CheckReport } from '../../files/check-report.ts';
import { BrokenSources, type BlockedFile } from './broken-sources.ts';

export interface RefusedRequire extends BlockedFile {
  /** What Rocq says. */
  readonly message: string;
  /** Of the Rocq that says it. */
  readonly identity: ProverIdentity;
}

export interface CauseOfRefusal extends LibraryCause {
  /** A file below does not compile, and a build would not help. */
  readonly isBroken: boolean;
}

/**
 * Undefined where it cannot be told, and for a Rocq that compiles by itself what a file requires.
 * @param broken Of one run over many files.
 */
export async function causeOfRefusal(
  { message, identity, ...blocked }: RefusedRequire,
  broken = new BrokenSources(),
): Promise<CauseOfRefusal | undefined> {
  const cause = await causeOfMissing(blocked.file, blocked.outline, message);
  if (cause === undefined || !cause.needsBuild) return cause && { ...cause, isBroken: false };
  if (!readsCompiled(identity)) return undefined;
  const source = await broken.cause(blocked);
  return source === undefined
    ? { ...cause, isBroken: false }
    : { ...source, needsBuild: false, isBroken: true };
}

/** The error of whoever came no further than to the `Require`. */
export function refusedRequire(message: string, cause: CauseOfRefusal, place: ErrorPlace): QuodError {
  const { remedy } = cause;
  return cause.isBroken
    ? new QuodError('does-not-compile', cause.message, { place, remedy })
    : new QuodError('library-missing', `${message} ${cause.message}`, { place, remedy });
}

/** What was checked, whose first refused `Require` is to be explained. */
interface CheckedFile extends Omit<RefusedRequire, 'message' | 'outline'> {
  readonly text: string;
  readonly report: CheckReport;
}

/** With what the project says of the library that is missing. */
export async function explainedReport(
  { text, report, ...checked }: CheckedFile,
  broken?: BrokenSources,
): Promise<CheckReport> {
  const at = report.errors.findIndex(({ reason }) => reason === 'library-missing');
  if (at < 0) return report;
  const message = orNothing(report.errors[at]?.message);
  const cause = await causeOfRefusal({ ...checked, outline: outlineOf(text), message }, broken);
  if (cause === undefined) return report;
  const errors = report.errors.map((error, index) =>
    index === at ? { ...error, message: `${message} ${cause.message}`, remedy: cause.remedy } : error,
  );
  return { ...report, errors };
}
