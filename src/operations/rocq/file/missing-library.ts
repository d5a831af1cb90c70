/**
 * What to make of a `Require` that Rocq refuses, which is one cause of everything behind it: files of the project that
 * are not compiled, or a library that this Rocq does not have. The second may be cured by another Rocq on the machine.
 */
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { causeOfMissing, readsCompiled } from '../../../provers/rocq/build/uncompiled.ts';
import { BACKENDS, findRocq, type BackendChoice } from '../../../sessions/find-rocq.ts';
import { missingLibrary, missingLibraryRemedy } from '../../../provers/rocq/known-libraries.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';

const REQUIRE_TIMEOUT_MS = 120_000;

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
  const { error, file, outline, prover, backend, signal } = trouble;
  const { place, message } = error;
  const cause = await causeOfMissing(file, outline, message);
  if (cause === undefined && backend === 'auto') {
    const other = await rocqWithLibraries(file, outline, prover, signal);
    if (other !== undefined)
      return { kind: 'other-rocq', prover: other, note: otherRocqNote(message, prover, other) };
  }
  if (cause !== undefined && (!cause.needsBuild || readsCompiled(prover.identity))) {
    const { remedy, needsBuild } = cause;
    const explained = `${message} ${cause.message}`;
    return {
      kind: 'none',
      error: new QuodError('library-missing', explained, { place, remedy }),
      needsBuild,
    };
  }
  const library = missingLibrary(message);
  const remedy = library === undefined ? undefined : missingLibraryRemedy(library, prover.identity.backend);
  const placed = new QuodError('library-missing', message, {
    place,
    ...(remedy !== undefined && { remedy }),
  });
  return { kind: 'none', error: placed, needsBuild: false };
}

/**
 * Another Rocq of this machine that has every library that the file requires; undefined when there is none. It is
 * tried, not guessed: a session runs the `Require` sentences.
 */
export async function rocqWithLibraries(
  file: string,
  outline: FileOutline,
  except: Prover,
  signal: AbortSignal,
): Promise<Prover | undefined> {
  for (const backend of BACKENDS) {
    if (backend === except.identity.backend) continue;
    try {
      const prover = await findRocq(backend);
      const isSame =
        prover.identity.backend !== 'embedded' && prover.identity.version === except.identity.version;
      if (!isSame && (await loads(prover, file, outline, signal))) return prover;
    } catch (error) {
      // A Rocq that is missing or does not start does not help, but another one may.
      if (!(error instanceof QuodError) || error.reason === 'interrupted') throw error;
    }
  }
  return undefined;
}

async function loads(
  prover: Prover,
  file: string,
  outline: FileOutline,
  signal: AbortSignal,
): Promise<boolean> {
  const session = await prover.openSession({ file, signal });
  try {
    let state = session.root;
    for (const { sentence } of outline.requires) {
      const text = outline.sentences[sentence]?.text;
      if (text === undefined) continue;
      const result = await session.run(state, { text }, { timeoutMs: REQUIRE_TIMEOUT_MS, signal });
      if (result.status !== 'done') return false;
      state = result.state;
    }
    return true;
  } finally {
    await session.close();
  }
}

/** Said when a file is given to another Rocq than the usual one. */
export function otherRocqNote(message: string, from: Prover, to: Prover): string {
  const library = missingLibrary(message) ?? 'a library that it requires';
  const name = ({ identity: { backend, version } }: Prover): string =>
    backend === 'embedded' ? `the embedded Rocq ${version}` : `${backend} ${version}`;
  return `${name(from)} does not have ${library}: the file is given to ${name(to)}, which has it`;
}
