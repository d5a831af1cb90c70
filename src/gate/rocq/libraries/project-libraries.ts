/** What speaks against the project's own libraries on which a target rests: that they are not what was compiled. */
import { existsSync } from 'node:fs';
import { isUnfinishedLoaded, unfinishedFileOf } from '../../../provers/rocq/build/compiled-from.ts';
import { isOutdated } from '../../../provers/rocq/build/outdated.ts';
import { projectFiles, projectSources } from '../../../provers/rocq/build/project-sources.ts';
import { sourcesInDependencyOrder } from '../../../provers/rocq/build/required-sources.ts';
import { buildRemedy, unfinishedText } from '../../../provers/rocq/build/uncompiled.ts';
import type { UnknownVerdict, Warning } from '../../verdict.ts';
import { placesInLoadPath } from '../compiled/library-files.ts';
import { type JudgeSettings, unknown } from '../judgement.ts';
import type { Script } from '../text/script.ts';

/**
 * That the source of a library was changed after it was compiled, or is of another text than what was. With the Rocq inside Node
 * none is: it compiles the sources itself.
 */
export async function staleLibraries(
  { backend, project }: Pick<JudgeSettings, 'backend' | 'project'>,
  libraries: readonly string[],
): Promise<Warning | undefined> {
  if (backend.name !== 'coqc') return undefined;
  const { sources, where } = await projectFiles(project);
  const byCompiled = new Map(sources.map((source) => [source.compiled, source]));
  const areStale = await Promise.all(
    libraries.map(async (library) => {
      const compiled = placesInLoadPath(project, library).find((path) => existsSync(path));
      if (compiled === undefined) return false;
      // A source that is a link is none of those that are listed.
      const beside = { path: compiled.replace(/\.vo$/u, '.v'), compiled, where };
      return isOutdated(byCompiled.get(compiled) ?? beside);
    }),
  );
  const stale = libraries.filter((_, index) => areStale[index]);
  if (stale.length === 0) return undefined;
  const message = `${stale.join(', ')}: the source is newer than what was compiled, or another; the verdict rests on what was compiled. ${buildRemedy(project)}`;
  return { kind: 'stale-libraries', message };
}

/**
 * A verdict where one of the texts requires a library of which the compiler loads another file than the one that is read here and
 * that the separate checker checks. The Rocq inside Node loads what it compiled itself.
 */
export async function unfinishedLibrary(
  { backend, project }: Pick<JudgeSettings, 'backend' | 'project'>,
  texts: readonly Script[],
): Promise<UnknownVerdict | undefined> {
  if (backend.name !== 'coqc' || project.loadPath.length === 0) return undefined;
  const sources = await projectSources(project);
  const unfinished = new Set(sources.filter(({ compiled }) => existsSync(unfinishedFileOf(compiled))));
  if (unfinished.size === 0) return undefined;
  for (const { source, outline } of texts)
    for (const needed of await sourcesInDependencyOrder(outline.requires, sources, source.path))
      if (unfinished.has(needed) && (await isUnfinishedLoaded(needed.compiled)))
        return unknown('library-missing', `${unfinishedText(needed)} ${buildRemedy(project)}`);
  return undefined;
}
