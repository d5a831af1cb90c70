/** Another Rocq of the machine, for a file that requires a library which the usual one does not have. */
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { uncompiledDependencies } from '../../../provers/rocq/build/uncompiled.ts';
import { missingLibrary } from '../../../provers/rocq/known-libraries.ts';
import { outlineOf, type FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { BACKENDS, findRocq, type BackendChoice } from '../../../sessions/find-rocq.ts';
import type { CheckReport } from '../../files/check-report.ts';
import { checkFile, type CheckRequest } from './check-file.ts';

const REQUIRE_TIMEOUT_MS = 120_000;

export interface RocqCheckRequest extends Omit<CheckRequest, 'prover'> {
  readonly backend: BackendChoice;
}

export interface RocqChecked {
  readonly prover: Prover;
  readonly report: CheckReport;
  /** Why another Rocq was taken than the usual one. */
  readonly note?: string;
}

/** As `checkFile`, by the Rocq that was chosen; where none was, by one that has what the file requires. */
export async function checkByAnyRocq({ backend, ...request }: RocqCheckRequest): Promise<RocqChecked> {
  const prover = await findRocq(backend, { errorPlaces: true });
  const report = await checkFile({ ...request, prover });
  const missing = report.errors.find(({ reason }) => reason === 'library-missing');
  const other = missing && backend === 'auto' ? await otherRocq(request, prover) : undefined;
  if (missing === undefined || other === undefined) return { prover, report };
  return {
    prover: other,
    report: await checkFile({ ...request, prover: other }),
    note: otherRocqNote(missing.message, prover, other),
  };
}

/** One that has the libraries, unless it is the project's own files that are not compiled. */
async function otherRocq(
  { file, text, signal }: Omit<RocqCheckRequest, 'backend'>,
  prover: Prover,
): Promise<Prover | undefined> {
  const outline = outlineOf(text);
  const ours = await uncompiledDependencies(file, outline);
  return ours === undefined ? rocqWithLibraries(file, outline, prover, signal) : undefined;
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
