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
  inDependencyOrder,
  notCompiled,
  projectSources,
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
  /** Of a Rocq source that a project compiles: whether what was compiled is at least as new. */
  readonly compiled?: boolean;
  /** The files with holes that it requires, directly or through others. */
  readonly restsOn: readonly { readonly path: string; readonly holes: number }[];
}

type FoundHoles = Pick<FileStatus, 'holes' | 'readFrom'>;

/** @param files Absolute paths of sources; others are left out. */
export async function projectStatus(files: readonly string[]): Promise<readonly FileStatus[]> {
  const projects = new Map<string, Promise<readonly ProjectSource[]>>();
  const known = new Map<string, Promise<FoundHoles>>();
  const holesIn = (path: string, language: SourceLanguage, source?: ProjectSource): Promise<FoundHoles> => {
    const found = known.get(path) ?? holesOfFile(path, language, source);
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
    const found = await holesIn(path, language, own);
    const restsOn: { path: string; holes: number }[] = [];
    for (const needed of await inDependencyOrder(await requiresOf(path), sources, path)) {
      const { holes } = await holesIn(needed.path, language, needed);
      if (holes.length > 0) restsOn.push({ path: needed.path, holes: holes.length });
    }
    const compiled = own === undefined ? {} : { compiled: await isCompiled(own) };
    statuses.push({ path, language, ...found, ...compiled, restsOn });
  }
  return statuses;
}

async function holesOfFile(
  path: string,
  language: SourceLanguage,
  source: ProjectSource | undefined,
): Promise<FoundHoles> {
  const text = await readRegularText(path);
  const holes = visibleHoles(language, text).map(({ theorem }) => theorem);
  const admitted =
    source !== undefined && (await isCompiled(source)) ? await admittedIn(source.compiled) : undefined;
  return admitted === undefined
    ? { holes, readFrom: 'text' }
    : { holes: [...holes, ...hiddenHoles(admitted, outlineOf(text))], readFrom: 'compiled' };
}

async function isCompiled(source: ProjectSource): Promise<boolean> {
  return (await notCompiled([source])).length === 0;
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
