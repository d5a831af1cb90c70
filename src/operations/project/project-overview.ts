/** Of Rocq files what they require, and how they and that are compiled: each file is looked at once. */
import { dirname } from 'node:path';
import { sourceLanguageOf } from '../files/source-language.ts';
import { compiledStates, type CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import {
  projectFiles,
  type ProjectFiles,
  type ProjectSource,
} from '../../provers/rocq/build/project-sources.ts';
import { RequiredSources } from '../../provers/rocq/build/required-sources.ts';
import { findRocqProject, type RocqProject } from '../../provers/rocq/project.ts';

export interface ProjectOverview {
  /** Of each file the sources that it requires, directly or through others, each behind what it requires itself. */
  readonly below: ReadonlyMap<string, readonly ProjectSource[]>;
  /** Of what was asked for and what that requires. */
  readonly states: ReadonlyMap<string, CompiledState>;
  /** What is compiled as it is now, project by project, each behind what it requires. */
  readonly compiled: readonly (readonly ProjectSource[])[];
}

interface OneProject extends ProjectFiles {
  readonly byPath: ReadonlyMap<string, readonly ProjectSource[]>;
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
  const projects = new Map<string, OneProject>();
  /** Files of one folder are of one project. */
  const ofFolder = new Map<string, RocqProject>();
  const below = new Map<string, readonly ProjectSource[]>();
  for (const path of paths) {
    signal.throwIfAborted();
    if (sourceLanguageOf(path) !== 'rocq') continue;
    const project = ofFolder.get(dirname(path)) ?? (await findRocqProject(path));
    ofFolder.set(dirname(path), project);
    const key = project.source ?? project.root;
    const one = projects.get(key) ?? (await opened(project));
    projects.set(key, one);
    const required = await one.required.below(path);
    below.set(path, required);
    for (const source of [...required, ...(one.byPath.get(path) ?? [])]) one.ordered.add(source);
  }
  const states = new Map<string, CompiledState>();
  const compiled: ProjectSource[][] = [];
  for (const [key, { ordered, ...project }] of projects) {
    signal.throwIfAborted();
    const found = await compiledStates([...ordered], project);
    for (const [path, state] of found) {
      // Of a source that several projects bind, its own says where it is compiled.
      const owner = ofFolder.get(dirname(path));
      if (owner === undefined || (owner.source ?? owner.root) === key || !states.has(path))
        states.set(path, state);
    }
    compiled.push([...ordered].filter(({ path }) => found.get(path) === 'yes'));
    for (const path of project.misnamed.keys()) states.set(path, 'no-module-name');
  }
  return { below, states, compiled };
}

async function opened(project: RocqProject): Promise<OneProject> {
  const files = await projectFiles(project);
  return {
    ...files,
    byPath: Map.groupBy(files.sources, ({ path }) => path),
    required: new RequiredSources(files.sources),
    ordered: new Set(),
  };
}
