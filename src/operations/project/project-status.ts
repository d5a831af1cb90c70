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
import { changeTime } from '../../provers/rocq/build/compiled-from.ts';
import {
  sourcesInDependencyOrder,
  notCompiled,
  projectSources,
  directlyRequired,
  requiresOf,
  type ProjectSource,
} from '../../provers/rocq/build/project-sources.ts';
import { readCompiledFile } from '../../gate/rocq/compiled/compiled-file.ts';
import { declaredConstants } from '../../gate/rocq/compiled/declarations.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { hiddenHoles } from '../rocq/file/check-file.ts';
import { findRocqProject } from '../../provers/rocq/project.ts';
import { sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';
import { visibleHoles } from './visible-holes.ts';

export interface FileStatus {
  /** Absolute. */
  readonly path: string;
  readonly language: SourceLanguage;
  /** What each hole leaves open, in the order of the text; behind them what only the compiled file has. */
  readonly holes: readonly string[];
  /** From what the holes are known. */
  readonly readFrom: 'text' | 'compiled';
  /** Of a Rocq source that a project compiles: whether what was compiled is of its text and no older than what it requires. */
  readonly compiled?: boolean;
  /** The files with holes that it requires, directly or through others. */
  readonly restsOn: readonly { readonly path: string; readonly holes: number }[];
}

type FoundHoles = Pick<FileStatus, 'holes' | 'readFrom'>;

/** @param files Absolute paths of sources; others are left out. */
export async function projectStatus(files: readonly string[]): Promise<readonly FileStatus[]> {
  const projects = new Map<string, Promise<readonly ProjectSource[]>>();
  const known = new Map<string, Promise<FoundHoles>>();
  const holesIn = (path: string, language: SourceLanguage, compiled?: string): Promise<FoundHoles> => {
    const found = known.get(path) ?? holesOfFile(path, language, compiled);
    known.set(path, found);
    return found;
  };
  const statuses: FileStatus[] = [];
  for (const path of files) {
    const language = sourceLanguageOf(path);
    if (language === undefined) continue;
    if (language !== 'rocq') {
      statuses.push({ path, language, ...(await holesIn(path, language)), restsOn: [] });
      continue;
    }
    const project = await findRocqProject(path);
    const key = project.source ?? project.root;
    const listing = projects.get(key) ?? projectSources(project);
    projects.set(key, listing);
    const sources = await listing;
    const own = sources.find((source) => source.path === path);
    const below = await sourcesInDependencyOrder(await requiresOf(path), sources, path);
    const stale = await staleSources(own === undefined ? below : [...below, own], sources);
    const compiledOf = (source: ProjectSource | undefined): string | undefined =>
      source === undefined || stale.has(source.path) ? undefined : source.compiled;
    const found = await holesIn(path, language, compiledOf(own));
    const restsOn: { path: string; holes: number }[] = [];
    for (const needed of below) {
      const { holes } = await holesIn(needed.path, language, compiledOf(needed));
      if (holes.length > 0) restsOn.push({ path: needed.path, holes: holes.length });
    }
    const compiled = own === undefined ? {} : { compiled: !stale.has(path) };
    statuses.push({ path, language, ...found, ...compiled, restsOn });
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

/**
 * Those whose compiled file does not stand for the text: it is missing, of another text or older than its source, or
 * than the compiled file of what it requires, or that is stale itself.
 *
 * @param ordered Each behind what it requires.
 */
async function staleSources(
  ordered: readonly ProjectSource[],
  sources: readonly ProjectSource[],
): Promise<ReadonlySet<string>> {
  const stale = new Set((await notCompiled(ordered)).map(({ path }) => path));
  for (const source of ordered) {
    const made = await changeTime(source.compiled);
    for (const needed of directlyRequired(await requiresOf(source.path), sources)) {
      if (needed.path === source.path) continue;
      const below = await changeTime(needed.compiled);
      const isOlder = made !== undefined && below !== undefined && made < below;
      if (stale.has(needed.path) || isOlder) stale.add(source.path);
    }
  }
  return stale;
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
