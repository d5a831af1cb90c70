/** Of Rocq files what they require, and how they and that are compiled: each file is looked at once. */
import { sourceLanguageOf } from '../files/source-language.ts';
import { compiledStates, type CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import { KnownProjects } from '../../provers/rocq/build/known-projects.ts';
import type { ProjectSource } from '../../provers/rocq/build/project-sources.ts';
import { RequiredSources } from '../../provers/rocq/build/required-sources.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';

export interface ProjectOverview {
  /** Of each file the sources that it requires, directly or through others, each behind what it requires itself. */
  readonly below: ReadonlyMap<string, readonly ProjectSource[]>;
  /** Of what was asked for and what that requires. */
  readonly states: ReadonlyMap<string, CompiledState>;
  /** What is compiled as it is now, project by project, each behind what it requires. */
  readonly compiled: readonly (readonly ProjectSource[])[];
}

interface Asked {
  readonly required: RequiredSources;
  /** What was asked for and what that requires, each behind what it requires. */
  readonly ordered: Set<ProjectSource>;
}

/**
 * @param paths Absolute; those of other languages are left out.
 * @throws the reason of `signal`, and as reading one of the files does.
 */
export async function projectOverview(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ProjectOverview> {
  const known = new KnownProjects();
  const projects = new Map<RocqProject, Asked>();
  const below = new Map<string, readonly ProjectSource[]>();
  for (const path of paths) {
    signal.throwIfAborted();
    if (sourceLanguageOf(path) !== 'rocq') continue;
    const project = await known.ownerOf(path);
    const files = await known.filesOf(project);
    const asked: Asked = projects.get(project) ?? {
      required: new RequiredSources(files.sources),
      ordered: new Set(),
    };
    projects.set(project, asked);
    const required = await asked.required.below(path);
    below.set(path, required);
    for (const source of [...required, ...(files.byPath.get(path) ?? [])]) asked.ordered.add(source);
  }
  const states = new Map<string, CompiledState>();
  const compiled: ProjectSource[][] = [];
  for (const [project, { ordered }] of projects) {
    signal.throwIfAborted();
    const files = await known.filesOf(project);
    const found = await compiledStates([...ordered], files);
    for (const [path, state] of found) {
      // Of a source that several projects bind, its own says where it is compiled.
      if (!states.has(path) || (await known.ownerOf(path)) === project) states.set(path, state);
    }
    compiled.push([...ordered].filter(({ path }) => found.get(path) === 'yes'));
    for (const path of files.misnamed.keys()) states.set(path, 'no-module-name');
  }
  return { below, states, compiled };
}
