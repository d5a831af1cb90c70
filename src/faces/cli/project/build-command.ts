/**
 * `quod build`: compiles a project, or what some of its files need, and says what it did. Also what `quod prove --build`
 * does before it begins.
 */
import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { sourceLanguageOf } from '../../../operations/files/source-language.ts';
import { cacheDirectory } from '../../../process/cache-directory.ts';
import {
  allSources,
  buildProject,
  type BuildTool,
  buildToolOf,
  dependenciesOf,
  type ProjectBuildEvent,
  type ProjectBuildRequest,
} from '../../../provers/rocq/build/project-build.ts';
import { inDependencyOrder } from '../../../provers/rocq/build/project-sources.ts';
import { findRocq } from '../../../sessions/find-rocq.ts';
import { findRocqProject, type RocqProject } from '../../../provers/rocq/project.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { defaultJobs } from '../terminal/default-jobs.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { sourceFilesBelow } from './named-files.ts';
import { errorLine } from '../terminal/print-error.ts';

export interface BuildOptions {
  readonly jobs?: number;
  readonly tool?: BuildTool;
  readonly json?: boolean;
}

/** @param names Files, with all that they require, or folders, with all that is in them. */
export async function buildCommand(names: readonly string[], options: BuildOptions): Promise<ExitCode> {
  const interrupt = listenForInterrupt();
  try {
    const prover = await nativeProver();
    let complete = true;
    for (const name of names) {
      for (const { project, sources } of await sourcesNamed(name)) {
        const request = {
          project,
          sources,
          jobs: options.jobs ?? defaultJobs(),
          cacheDirectory: cacheDirectory(),
          signal: interrupt.signal,
          ...(prover !== undefined && { prover: prover.identity.location }),
          ...(options.tool !== undefined && { tool: options.tool }),
        };
        complete = (await buildAndTell(request, options)) && complete;
      }
    }
    if (interrupt.signal.aborted) return 130;
    return complete ? 0 : 1;
  } finally {
    interrupt.stop();
  }
}

/** @throws QuodError `does-not-compile` when something that the file needs does not compile. */
export async function buildDependencies(
  fileName: string,
  outline: FileOutline,
  prover: Prover,
  signal: AbortSignal,
  options: { readonly jobs?: number },
): Promise<void> {
  const { project, sources } = await dependenciesOf(resolve(fileName), outline.requires);
  if (sources.length === 0) return;
  const request = {
    project,
    sources,
    prover: prover.identity.location,
    jobs: options.jobs ?? defaultJobs(),
    cacheDirectory: cacheDirectory(),
    signal,
  };
  if (await buildAndTell(request, {})) return;
  if (signal.aborted) throw new QuodError('interrupted', 'The build was interrupted.');
  throw new QuodError('does-not-compile', 'Not all that the file requires of its project compiles.', {
    place: { file: fileName },
    remedy: 'Mend the first error above.',
  });
}

async function nativeProver(): Promise<Prover | undefined> {
  const prover = await findRocq('auto');
  return prover.identity.backend === 'embedded' ? undefined : prover;
}

type Sources = Pick<ProjectBuildRequest, 'project' | 'sources'>;

/** What is to be compiled, by project: a folder may hold several, or be the root above one. @throws QuodError `not-found`. */
async function sourcesNamed(name: string): Promise<readonly Sources[]> {
  const path = resolve(name);
  const status = await stat(path).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such file or directory.', { place: { file: name }, cause });
  });
  const inside = (file: string): boolean =>
    status.isDirectory() ? !relative(path, file).startsWith('..') : file === path;
  const files = status.isDirectory() ? (await sourceFilesBelow(path)).filter(isRocqFile) : [path];
  const projects = new Map<string, RocqProject>();
  for (const folder of new Set(files.map(dirname))) {
    const project = await findRocqProject(join(folder, 'any.v'));
    projects.set(project.source ?? project.root, project);
  }
  const found: Sources[] = [];
  for (const project of projects.values()) {
    const all = await allSources(project);
    const libraries = all.filter((source) => inside(source.path)).map(({ library }) => library);
    const sources = await inDependencyOrder([{ modules: libraries }], all, '');
    if (sources.length > 0) found.push({ project, sources });
  }
  if (found.length > 0) return found;
  throw new QuodError(
    'not-found',
    'There is no Rocq source here that belongs to the load path of a project.',
    {
      place: { file: name },
      remedy: 'Write a _CoqProject with a line such as `-Q theories Name` into the root of the project.',
    },
  );
}

function isRocqFile(file: string): boolean {
  return sourceLanguageOf(file) === 'rocq';
}

async function buildAndTell(
  request: ProjectBuildRequest,
  options: { readonly json?: boolean },
): Promise<boolean> {
  const startedAt = performance.now();
  const counts = { fresh: 0, compiled: 0, failed: 0, 'left-out': 0, tool: 0 };
  const complete = await buildProject(request, (event) => {
    counts[event.kind] += 1;
    if (options.json === true) console.log(JSON.stringify(objectOf(event)));
    else if (event.kind !== 'fresh') console.error(eventText(event));
  });
  const { fresh, compiled, failed, 'left-out': leftOut } = counts;
  const elapsed = formatDuration(performance.now() - startedAt);
  const own = request.tool ?? buildToolOf(request.project);
  console.error(
    own === 'quod'
      ? `${compiled} compiled, ${fresh} up to date, ${failed} failed, ${leftOut} left out in ${elapsed}`
      : `built in ${elapsed}`,
  );
  return complete;
}

function objectOf(event: ProjectBuildEvent): object {
  if (event.kind !== 'failed') return event;
  const { reason, message, place } = event.error;
  return { ...event, error: { reason, message, file: place.file, ...place.position } };
}

function eventText(event: ProjectBuildEvent): string {
  switch (event.kind) {
    case 'tool':
      return `  ${event.command}`;
    case 'fresh':
      return `  = ${event.library}`;
    case 'compiled':
      return `  ✓ ${event.library}  ${formatDuration(event.elapsedMs)}`;
    case 'failed':
      return `  ✗ ${event.library}\n${errorLine(event.error)}`;
    case 'left-out':
      return `  - ${event.library}: ${event.because} did not compile`;
  }
}
