/**
 * Where a project stands, from its texts and the files that were compiled, without any prover: the holes of each
 * file, and the holes of those that it requires, on which its proofs rest whatever they say. A text does not show all
 * that is open (what a loaded file admits, what a command leaves to be proved); a compiled file does, and has nothing that
 * the end of a file may not leave open. So it is told which of the two was read.
 */
import {
  LARGEST_WRITTEN_BYTES,
  readRegularFile,
  readRegularText,
} from '../../process/foreign-folder/regular-file.ts';
import {
  sourcesInDependencyOrder,
  requiresOf,
  projectFiles,
  type ProjectFiles,
  type ProjectSource,
} from '../../provers/rocq/build/project-sources.ts';
import { readCompiledFile } from '../../gate/rocq/compiled/compiled-file.ts';
import { declaredConstants } from '../../gate/rocq/compiled/declarations.ts';
import { orZero } from '../../core/entry.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { hiddenHoles } from '../rocq/file/check-file.ts';
import { findRocqProject } from '../../provers/rocq/project.ts';
import { sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';
import { compiledStates, type CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import { visibleHoles } from './visible-holes.ts';

export interface FileStatus {
  /** Absolute. */
  readonly path: string;
  readonly language: SourceLanguage;
  /** What each hole leaves open, in the order of the text; behind them what only the compiled file has. */
  readonly holes: readonly string[];
  /** From what the holes are known. */
  readonly readFrom: 'text' | 'compiled';
  /** Of a Rocq source of a project. */
  readonly compiled?: CompiledState;
  /** The files with holes that it requires, directly or through others. */
  readonly restsOn: readonly { readonly path: string; readonly holes: number }[];
}

type FoundHoles = Pick<FileStatus, 'holes' | 'readFrom'>;

/**
 * @param files Absolute paths of sources; others are left out.
 * @throws the reason of `signal`: of many files each is followed through those that it requires.
 */
export async function projectStatus(
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileStatus[]> {
  const projects = new Map<string, Promise<ProjectFiles>>();
  const known = new Map<string, Promise<FoundHoles>>();
  const holesIn = (path: string, language: SourceLanguage, compiled?: string): Promise<FoundHoles> => {
    const found = known.get(path) ?? holesOfFile(path, language, compiled);
    known.set(path, found);
    return found;
  };
  const statuses: FileStatus[] = [];
  for (const path of files) {
    signal.throwIfAborted();
    const language = sourceLanguageOf(path);
    if (language === undefined) continue;
    if (language !== 'rocq') {
      statuses.push({ path, language, ...(await holesIn(path, language)), restsOn: [] });
      continue;
    }
    const project = await findRocqProject(path);
    const key = project.source ?? project.root;
    const listing = projects.get(key) ?? projectFiles(project);
    projects.set(key, listing);
    const { sources, misnamed } = await listing;
    const own = sources.find((source) => source.path === path);
    const below = await sourcesInDependencyOrder(await requiresOf(path), sources, path);
    const ordered = own === undefined ? below : [...below, own];
    const states = await compiledStates(ordered, { root: project.root, sources, misnamed });
    const compiledOf = (source: ProjectSource | undefined): string | undefined =>
      source !== undefined && states.get(source.path) === 'yes' ? source.compiled : undefined;
    const found = await holesIn(path, language, compiledOf(own));
    const restsOn: { path: string; holes: number }[] = [];
    for (const needed of below) {
      // Of one that cannot be read nothing is known.
      const found = await holesIn(needed.path, language, compiledOf(needed)).catch(() => undefined);
      const holes = orZero(found?.holes.length);
      if (holes > 0) restsOn.push({ path: needed.path, holes });
    }
    const compiled = misnamed.has(path) ? 'no-module-name' : states.get(path);
    statuses.push({ path, language, ...found, ...(compiled !== undefined && { compiled }), restsOn });
  }
  return statuses;
}

async function holesOfFile(
  path: string,
  language: SourceLanguage,
  compiled: string | undefined,
): Promise<FoundHoles> {
  const text = await readRegularText(path);
  const holes = visibleHoles(language, text).map(({ theorem }) => theorem);
  const admitted = compiled === undefined ? undefined : await admittedIn(compiled);
  return admitted === undefined
    ? { holes, readFrom: 'text' }
    : { holes: [...holes, ...hiddenHoles(admitted, outlineOf(text))], readFrom: 'compiled' };
}

/** Undefined where the file cannot be read: not there, or of a release whose files are not known. */
async function admittedIn(compiled: string): Promise<readonly string[] | undefined> {
  try {
    return declaredConstants(readCompiledFile(await readRegularFile(compiled, LARGEST_WRITTEN_BYTES)))
      .filter(({ assumed }) => assumed === 'admitted')
      .map(({ name }) => name);
  } catch {
    return undefined;
  }
}
