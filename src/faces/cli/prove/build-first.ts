/**
 * `quod prove --build`: what a file requires of its project is compiled before the search, and told on standard
 * error.
 */
import { relative, resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import {
  buildConclusion,
  buildStepOf,
  buildStepText,
  isToldStep,
  type BuildStep,
} from '../../../operations/project/build-steps.ts';
import { defaultJobs } from '../../../operations/project/default-jobs.ts';
import { cacheDirectory } from '../../../process/cache-directory.ts';
import {
  buildEach,
  neededFirst,
  type FailedTool,
  type PlannedBuild,
} from '../../../provers/rocq/build/needed-projects.ts';
import {
  buildProject,
  dependenciesOf,
  type ProjectBuildEvent,
} from '../../../provers/rocq/build/project-build.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';

interface Building {
  readonly prover: Prover;
  readonly signal: AbortSignal;
  readonly options: { readonly jobs?: number };
  /** Why it is done where nobody asked for it: it is told in one line then, with what goes wrong. */
  readonly because?: string;
}

/** @throws QuodError `does-not-compile` when something that the file needs does not compile. */
export async function buildDependencies(
  fileName: string,
  outline: FileOutline,
  { prover, signal, options, because }: Building,
): Promise<void> {
  const needed = await dependenciesOf(resolve(fileName), outline.requires);
  if (needed.sources.length === 0) return;
  const settings = {
    ...{ prover: prover.identity.location, jobs: options.jobs ?? defaultJobs() },
    ...{ cacheDirectory: cacheDirectory(), signal },
  };
  const begunAt = performance.now();
  const steps: BuildStep[] = [];
  const tell = (event: ProjectBuildEvent): void => {
    const step = buildStepOf(event, (path) => relative(process.cwd(), path));
    if (step === undefined) return;
    steps.push(step);
    const isTold = because === undefined || step.kind === 'failed' || step.kind === 'left-out';
    if (isTold && isToldStep(step)) console.error(buildStepText(step));
  };
  const build = (planned: PlannedBuild): Promise<boolean | FailedTool> =>
    buildProject({ ...planned, ...settings }, tell).catch((error: unknown) => {
      if (!(error instanceof QuodError) || error.reason !== 'does-not-compile') throw error;
      return { file: error.place.file ?? planned.project.root, error };
    });
  const failed: FailedTool[] = [];
  const complete = await buildEach(await neededFirst([needed]), build, (one) => failed.push(one));
  const [first] = failed;
  if (first !== undefined) throw first.error;
  const conclusion = buildConclusion(steps, (performance.now() - begunAt) / 1000);
  console.error(because === undefined ? conclusion : `${because}: ${conclusion}`);
  if (complete) return;
  if (signal.aborted) throw new QuodError('interrupted', 'The build was interrupted.');
  throw new QuodError('does-not-compile', 'Not all that the file requires of its project compiles.', {
    place: { file: fileName },
    remedy: 'Mend the first error above.',
  });
}
