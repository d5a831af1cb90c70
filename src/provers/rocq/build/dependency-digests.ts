/**
 * What a Rocq text rests on of its project: what the project tells Rocq, and what Rocq loads of each file that the text
 * requires. Whoever asks whether something still holds asks it here, so that all mean the same by it.
 */
import { sha256 } from '../../../core/sha256.ts';
import { coqArguments, findRocqProject } from '../project/project.ts';
import { dependenciesOf } from './project-build.ts';
import type { ProjectSource, Require } from './project-sources.ts';

type DigestOf = (path: string) => Promise<string | undefined>;

/** What files say; undefined where there is none, or a Rocq does not read it. */
export interface DigestsOf {
  readonly compiled: DigestOf;
  readonly source: DigestOf;
}

export interface DependencyDigests {
  /** Each behind what it requires itself. */
  readonly sources: readonly ProjectSource[];
  /** By the paths of sources: a digest of what was compiled, and of the source where nothing was. */
  readonly digests: ReadonlyMap<string, string>;
}

export async function dependencyDigests(
  file: string,
  requires: readonly Require[],
  of: DigestsOf,
): Promise<DependencyDigests> {
  const { project, sources } =
    requires.length === 0
      ? { project: await findRocqProject(file), sources: [] }
      : await dependenciesOf(file, requires);
  const digests = new Map([
    [
      project.source ?? project.root,
      sha256(JSON.stringify([...coqArguments(project), ...(project.unread ?? [])])),
    ],
  ]);
  for (const { path, compiled } of sources) {
    const digest = (await of.compiled(compiled)) ?? (await of.source(path));
    if (digest !== undefined) digests.set(path, digest);
  }
  return { sources, digests };
}
