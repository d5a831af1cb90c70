/**
 * What a search makes of a `Require` that Rocq refuses, which is one cause of everything behind it: a file of the project that
 * does not compile, others that are not compiled, or a library that this Rocq does not have. The last may be cured by another
 * Rocq on the machine.
 */
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { readsCompiled, uncompiledDependencies } from '../../../provers/rocq/build/uncompiled.ts';
import { missingLibrary, missingLibraryRemedy } from '../../../provers/rocq/known-libraries.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import type { BrokenSources } from './broken-sources.ts';
import { causeOfRefusal, refusedRequire } from './cause-of-refusal.ts';
import { meantModule } from './meant-module.ts';
import { otherRocqNote, rocqWithLibraries } from './other-rocq.ts';

export interface MissingLibrary {
  /** What a search of the file failed with. */
  readonly error: QuodError;
  /** Absolute path. */
  readonly file: string;
  readonly outline: FileOutline;
  readonly prover: Prover;
  /** The Rocq that was asked for: another one is tried only where none was chosen. */
  readonly backend: BackendChoice;
  readonly signal: AbortSignal;
  /** Of one run over many files. */
  readonly broken?: BrokenSources;
}

export type LibraryCure =
  | { readonly kind: 'other-rocq'; readonly prover: Prover; readonly note: string }
  /** The same error. It names the cause in the words of the project and says what to do. */
  | {
      readonly kind: 'none';
      readonly error: QuodError;
      /** Files of its project are not compiled. */
      readonly needsBuild: boolean;
    };

export function isMissingLibrary(failure: unknown): failure is QuodError {
  return failure instanceof QuodError && failure.reason === 'library-missing';
}

/** What helps where a search ended at a `Require` that was refused. */
export async function cureMissingLibrary(trouble: MissingLibrary): Promise<LibraryCure> {
  const { error, file, outline, prover, backend, signal, broken } = trouble;
  const { place, message } = error;
  const { identity } = prover;
  const refusal = { file, outline, message, identity, backend, signal };
  const cause = await causeOfRefusal(refusal, broken);
  // The embedded Rocq compiles what is the project's own, and says itself what does not.
  const isOwn =
    cause !== undefined ||
    (!readsCompiled(identity) && (await uncompiledDependencies(file, outline)) !== undefined);
  if (!isOwn && backend === 'auto') {
    const other = await rocqWithLibraries(file, outline, prover, signal);
    if (other !== undefined)
      return { kind: 'other-rocq', prover: other, note: otherRocqNote(message, prover, other) };
  }
  if (cause !== undefined) {
    const { needsBuild } = cause;
    return { kind: 'none', error: refusedRequire(message, cause, place), needsBuild };
  }
  const library = missingLibrary(message);
  const remedy =
    library === undefined
      ? undefined
      : [await meantAt(trouble), missingLibraryRemedy(library, identity.backend)]
          .filter((part) => part !== undefined)
          .join(' ');
  const placed = new QuodError('library-missing', message, {
    place,
    ...(remedy !== undefined && { remedy }),
  });
  return { kind: 'none', error: placed, needsBuild: false };
}

/** The library that is spelt nearly like the one that is missing. */
async function meantAt({ error, file, prover, signal }: MissingLibrary): Promise<string | undefined> {
  const session = await prover.openSession({ file, signal });
  try {
    return await meantModule(session, session.root, { message: error.message, file, before: '' }, signal);
  } finally {
    await session.close();
  }
}
