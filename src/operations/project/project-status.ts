/**
 * Where a project stands, from its texts and the files that were compiled, without any prover: the holes of each
 * file, and the holes of those that it requires, on which its proofs rest whatever they say.
 */
import { readFile } from 'node:fs/promises';
import {
  inDependencyOrder,
  notCompiled,
  projectSources,
  requiresOf,
  type ProjectSource,
} from '../../provers/rocq/build/project-sources.ts';
import { findRocqProject } from '../../provers/rocq/project.ts';
import { sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';
import { visibleHoles } from './visible-holes.ts';

export interface FileStatus {
  /** Absolute. */
  readonly path: string;
  readonly language: SourceLanguage;
  /** What each hole leaves open, in the order of the text. */
  readonly holes: readonly string[];
  /** Of a Rocq source that a project compiles: whether what was compiled is at least as new. */
  readonly compiled?: boolean;
  /** The files with holes that it requires, directly or through others. */
  readonly restsOn: readonly { readonly path: string; readonly holes: number }[];
}

/** @param files Absolute paths of sources; others are left out. */
export async function projectStatus(files: readonly string[]): Promise<readonly FileStatus[]> {
  const projects = new Map<string, Promise<readonly ProjectSource[]>>();
  const holesOf = new Map<string, readonly string[]>();
  const holesIn = async (path: string): Promise<readonly string[]> => {
    const language = sourceLanguageOf(path);
    const known = holesOf.get(path);
    if (known !== undefined || language === undefined) return known ?? [];
    const holes = visibleHoles(language, await readFile(path, 'utf8')).map(({ theorem }) => theorem);
    holesOf.set(path, holes);
    return holes;
  };
  const statuses: FileStatus[] = [];
  for (const path of files) {
    const language = sourceLanguageOf(path);
    if (language === undefined) continue;
    const holes = await holesIn(path);
    if (language !== 'rocq') {
      statuses.push({ path, language, holes, restsOn: [] });
      continue;
    }
    const project = await findRocqProject(path);
    const key = project.source ?? project.root;
    const listing = projects.get(key) ?? projectSources(project);
    projects.set(key, listing);
    const sources = await listing;
    const own = sources.filter((source) => source.path === path);
    const restsOn: { path: string; holes: number }[] = [];
    for (const needed of await inDependencyOrder(await requiresOf(path), sources, path)) {
      const count = (await holesIn(needed.path)).length;
      if (count > 0) restsOn.push({ path: needed.path, holes: count });
    }
    const compiled = own.length === 0 ? {} : { compiled: (await notCompiled(own)).length === 0 };
    statuses.push({ path, language, holes, ...compiled, restsOn });
  }
  return statuses;
}
