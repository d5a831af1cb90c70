/** Compiles a project of Rocq, or what some of its files need. */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { appendAll } from '../../core/lists/many.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import { KnownProjects } from '../../provers/rocq/build/known-projects.ts';
import {
  buildEach,
  neededFirst,
  type BuildSources,
  type FailedTool,
  type PlannedBuild,
} from '../../provers/rocq/build/needed-projects.ts';
import { buildProject } from '../../provers/rocq/build/project-build.ts';
import { readsCompiled } from '../../provers/rocq/build/uncompiled.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { holdsSoFar, stoppedBy, stoppedSchema } from '../definition/cut-off.ts';
import { defineOperation } from '../definition/operation.ts';
import { errorOfFile } from '../files/error-of-file.ts';
import { passedOverAnswer, passedOverFor, passedOverSchema, passedOverText } from '../files/passed-over.ts';
import { buildConclusion, buildStepSchema, buildStepText, isToldStep } from './build-steps.ts';
import { sourcesToBuild } from './build-sources.ts';
import { defaultJobs } from './default-jobs.ts';
import { WatchedBuild } from './watched-build.ts';

const outputSchema = z.object({
  complete: z
    .boolean()
    .describe('All that was asked for is compiled, but for files whose names no module of Rocq can have.'),
  steps: z.array(buildStepSchema),
  stopped: stoppedSchema,
  passed_over: passedOverSchema,
  seconds: z.number(),
});

export const proofBuild = defineOperation({
  name: 'proof_build',
  area: 'proof',
  title: 'Compile a project',
  summary:
    'Compiles Rocq sources in the order of what they require: with dune or make where the project uses them, else by itself.',
  details: 'Files are compiled with all that they require. What did not change is not compiled again.',
  input: z.object({
    paths: z.array(z.string()).min(1).default(['.']).describe('Files or folders.'),
    jobs: z.int().positive().max(64).optional().describe('Files that are compiled at once.'),
    tool: z
      .enum(['dune', 'make', 'quod'])
      .optional()
      .describe('Who compiles; default: what the project uses.'),
  }),
  output: outputSchema,
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 24 * 3600,
  longestTimeout: 24 * 3600,
  positional: ['paths'],
  render: ({ steps }) => steps.filter(isToldStep).map(buildStepText).join('\n'),
  conclude: ({ steps, seconds, stopped, passed_over }) =>
    [...passedOverText(passed_over), buildConclusion(steps, seconds, stopped)].join('\n'),
  holds: ({ complete, steps, stopped }) => {
    const isRefused = stopped === null ? !complete : steps.some(({ kind }) => kind === 'failed');
    return holdsSoFar({ isRefused, isCutOff: stopped !== null });
  },
  run: async (input, context) => {
    const { workspace, signal } = context;
    const { identity } = await findRocq('auto');
    const begunAt = performance.now();
    const known = new KnownProjects();
    const found: BuildSources[] = [];
    const misnamed = new Map<string, string>();
    for (const name of input.paths) {
      const here = await sourcesToBuild(name, await workspace.resolve(name), known);
      appendAll(found, here.wanted);
      for (const [file, wrongPart] of here.misnamed) misnamed.set(file, wrongPart);
    }
    const wanted = await neededFirst(found, known);
    const watched = new WatchedBuild(context, wanted);
    for (const [path, wrongPart] of misnamed) watched.leaveOut(path, wrongPart);
    const build = async (planned: PlannedBuild): Promise<boolean | FailedTool> => {
      const request = {
        ...planned,
        ...{ jobs: input.jobs ?? defaultJobs(), cacheDirectory: cacheDirectory(), signal },
        ...(readsCompiled(identity) && { prover: identity.location }),
        ...(input.tool !== undefined && { tool: input.tool }),
      };
      return buildProject(request, (event) => watched.add(event)).catch((error: unknown) => {
        // What was done until then is told.
        if (signal.aborted) return false;
        const { file } = error instanceof QuodError ? error.place : {};
        if (!(error instanceof QuodError) || file === undefined) throw error;
        if (error.reason !== 'does-not-compile') throw errorOfFile(error, workspace.nameOf(file));
        return { file, error };
      });
    };
    const complete = await buildEach(wanted, build, ({ file, error }) => watched.fail(file, error));
    const { steps } = watched;
    const stopped = complete ? null : stoppedBy(signal);
    const built = wanted.flatMap(({ sources }) => sources.map(({ path }) => path));
    const passed_over = passedOverAnswer(await passedOverFor(built), (file) => workspace.nameOf(file));
    return { complete, steps, stopped, passed_over, seconds: Math.round(performance.now() - begunAt) / 1000 };
  },
});
