/** What speaks against the project's own libraries on which a target rests: that they are not what was compiled. */
import { existsSync } from 'node:fs';
import { isOutdated, isPassedOver, unfinishedFileOf } from '../../../provers/rocq/build/compiled-from.ts';
import { projectSources } from '../../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../../provers/rocq/build/required-sources.ts';
import { buildRemedy, unfinishedText } from '../../../provers/rocq/build/uncompiled.ts';
import type { RocqProject } from '../../../provers/rocq/project.ts';
import type { UnknownVerdict } from '../../verdict.ts';
import { placesInLoadPath } from '../compiled/library-files.ts';
import { type JudgeSettings, unknown } from '../judgement.ts';
import type { Script } from '../text/script.ts';

/** The libraries whose source was changed after it was compiled, or is of another text than what was. */
export async function staleLibraries(
  project: RocqProject,
  libraries: readonly string[],
): Promise<readonly string[]> {
  const stale = await Promise.all(
    libraries.map(async (library) => {
      const compiled = placesInLoadPath(project, library).find((path) => existsSync(path));
      return compiled !== undefined && (await isOutdated(compiled.replace(/\.vo$/, '.v'), compiled));
    }),
  );
  return libraries.filter((_, index) => stale[index]);
}

/**
 * A verdict where one of the texts requires a library of which the compiler loads another file than the one that is read here and
 * that the separate checker checks. The Rocq inside Node loads what it compiled itself.
 */
export async function passedOverLibrary(
  { backend, project }: Pick<JudgeSettings, 'backend' | 'project'>,
  texts: readonly Script[],
): Promise<UnknownVerdict | undefined> {
  if (backend.name !== 'coqc' || project.loadPath.length === 0) return undefined;
  const sources = await projectSources(project);
  const unfinished = new Set(sources.filter(({ compiled }) => existsSync(unfinishedFileOf(compiled))));
  if (unfinished.size === 0) return undefined;
  for (const { source, outline } of texts)
    for (const needed of await sourcesInDependencyOrder(outline.requires, sources, source.path))
      if (unfinished.has(needed) && (await isPassedOver(needed.compiled)))
        return unknown('library-missing', `${unfinishedText(needed)} ${buildRemedy(project)}`);
  return undefined;
}
