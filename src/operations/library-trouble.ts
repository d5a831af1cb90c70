/**
 * What to make of a `Require` that Rocq refuses, which is one cause of everything behind it: files of the project that
 * are not compiled, or a library that this Rocq does not have. The second may be cured by another Rocq on the machine.
 */
import { relative } from 'node:path';
import { QuodError } from '../core/errors.ts';
import type { Prover } from '../core/prover.ts';
import { dependenciesOf } from '../provers/rocq/build/project-build.ts';
import { notCompiled } from '../provers/rocq/build/project-sources.ts';
import { BACKENDS, findRocq } from '../provers/rocq/discovery.ts';
import { missingLibrary, missingLibraryRemedy } from '../provers/rocq/known-libraries.ts';
import { isDuneProject } from '../provers/rocq/project.ts';
import type { FileOutline } from '../provers/rocq/syntax/outline.ts';

const NAMES_SHOWN = 5;
const REQUIRE_TIMEOUT_MS = 120_000;

/** The same error with the cause in the words of the project, and what to do about it. */
export async function explainLibraryTrouble(
  error: QuodError,
  file: string,
  outline: FileOutline,
  backend: string,
): Promise<QuodError> {
  const { place } = error;
  const uncompiled = backend === 'embedded' ? undefined : await uncompiledDependencies(file, outline);
  if (uncompiled !== undefined) {
    return new QuodError('library-missing', `${error.message} ${uncompiled.message}`, {
      place,
      remedy: uncompiled.remedy,
    });
  }
  const library = missingLibrary(error.message);
  const remedy = library === undefined ? undefined : missingLibraryRemedy(library, backend);
  return new QuodError('library-missing', error.message, { place, ...(remedy !== undefined && { remedy }) });
}

/** Undefined when all that the file requires of its project is compiled. */
export async function uncompiledDependencies(
  file: string,
  outline: FileOutline,
): Promise<{ readonly message: string; readonly remedy: string } | undefined> {
  const { project, sources } = await dependenciesOf(file, outline.requires);
  const uncompiled = await notCompiled(sources);
  if (uncompiled.length === 0) return undefined;
  const shown = uncompiled
    .slice(0, NAMES_SHOWN)
    .map(({ path, library }) => `${relative(process.cwd(), path)} (${library})`);
  const others = uncompiled.length - shown.length;
  const names = [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  const count = uncompiled.length === 1 ? 'One file' : `${uncompiled.length} files`;
  const verb = uncompiled.length === 1 ? 'is' : 'are';
  const tool = isDuneProject(project) ? '`dune build`, or `quod build`, which runs it' : '`quod build`';
  return {
    message: `${count} of the project that it requires ${verb} not compiled, or older than the source: ${names}.`,
    remedy: `Compile with ${tool}; \`quod prove --build\` does it first.`,
  };
}

/**
 * Another Rocq of this machine that has every library that the file requires; undefined when there is none. It is tried,
 * not guessed: a session runs the `Require` sentences.
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
      // One that is not there or does not start is no help, and no reason to end.
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
      const result = await session.run(state, text, { timeoutMs: REQUIRE_TIMEOUT_MS, signal });
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
