/** Makes a data set of checked theorems from every state of every proof of some sources. */
import { relative } from 'node:path';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { formatDuration } from '../../core/duration.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { Dataset, DATASET_FORMAT } from '../../mining/dataset.ts';
import { addCounts, noCounts } from '../../mining/mined-counts.ts';
import { mineSources, type MiningEvent, type SourceFile } from '../../mining/mine-sources.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { sourcesUnder } from '../../search/libraries/index-library.ts';
import { defineOperation } from '../definition/operation.ts';
import { holdsSoFar, stoppedBy, stoppedSchema } from '../definition/cut-off.ts';
import type { Workspace } from '../definition/workspace.ts';
import { defaultJobs } from '../project/default-jobs.ts';
import { backendField, proversField } from '../project/rocq-run-fields.ts';
import { countsOf, countsSchema, countsText } from './mined-counts.ts';
import { leftText, libraryName, noSources, openPlace } from './source-places.ts';

const sourceSchema = z.object({
  kind: z.enum(['mined', 'unchanged', 'failed']),
  library: z.string(),
  file: z.string(),
  split: z.string().nullable().describe('train, validation or test.'),
  proofs: z.int(),
  replayed: z.int(),
  items: z.int(),
  seconds: z.number(),
  errors: z.array(z.string()).describe('The first errors of the source, with their places.'),
  reason: z.string().nullable(),
  message: z.string().nullable().describe('Why it failed.'),
});

type MinedSource = z.output<typeof sourceSchema>;

const outputSchema = z.object({
  sources: z.array(sourceSchema),
  mined: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  left: z
    .int()
    .describe('Not mined, or not to their end, when the call was stopped; they are still to be mined.'),
  stopped: stoppedSchema,
  counts: countsSchema,
  seconds: z.number(),
});

/** A library of the size of mathcomp takes hours. */
const A_WEEK = 7 * 24 * 3600;

export const dataMine = defineOperation({
  name: 'data_mine',
  area: 'data',
  title: 'Make a data set of every state of every proof',
  summary:
    'Runs Rocq sources and writes each state of each proof as a theorem with its proof, checked to Qed.',
  details: 'Sources that are done already and have not changed are not run again.',
  input: z.object({
    paths: z.array(z.string()).min(1).describe('Files or folders of Rocq sources.'),
    output: z.string().describe('The folder where the data set is, or will be.'),
    after: z
      .int()
      .nonnegative()
      .optional()
      .describe('Only the state of each theorem after so many tactic sentences.'),
    effort: z.number().positive().default(1).describe('Time for checking, in times that of the source.'),
    seed: z.int().nonnegative().default(0).describe('Of the split into train, validation and test.'),
    jobs: proversField,
    backend: backendField,
  }),
  output: outputSchema,
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: A_WEEK,
  longestTimeout: A_WEEK,
  positional: ['paths'],
  render: ({ sources }) =>
    sources
      .filter(({ kind }) => kind !== 'unchanged')
      .map(sourceText)
      .join('\n'),
  conclude: ({ counts, mined, unchanged, failed, left, stopped, seconds }) =>
    `${countsText(counts)}\n${counted(mined, 'file')} mined, ${unchanged} unchanged, ${failed} failed in ${formatDuration(seconds * 1000)}${leftText(left, stopped)}`,
  holds: ({ failed, stopped }) => holdsSoFar({ isRefused: failed > 0, isCutOff: stopped !== null }),
  run: async (input, { workspace, signal, progress }) => {
    const begunAt = performance.now();
    const found = await sourcesOf(input.paths, workspace);
    const dataset = await Dataset.openOrCreate(await workspace.resolve(input.output), {
      format: DATASET_FORMAT,
      seed: input.seed,
      after: input.after ?? null,
    });
    const prover = await findRocq(input.backend);
    const sources: MinedSource[] = [];
    let counts = noCounts();
    const jobs = input.jobs ?? defaultJobs();
    const request = { sources: found, dataset, prover, jobs, share: input.effort, signal };
    await mineSources(request, (event) => {
      if (event.kind !== 'failed') counts = addCounts(counts, event.record.counts);
      const source = sourceOf(event, workspace);
      sources.push(source);
      if (source.kind !== 'unchanged')
        progress({ message: sourceText(source).trim(), done: sources.length, total: found.length });
    });
    const count = (kind: MinedSource['kind']): number => sources.filter((one) => one.kind === kind).length;
    return {
      ...{ sources, mined: count('mined'), unchanged: count('unchanged'), failed: count('failed') },
      ...{
        left: found.length - sources.length,
        stopped: sources.length < found.length ? stoppedBy(signal) : null,
      },
      ...{ counts: countsOf(counts), seconds: Math.round(performance.now() - begunAt) / 1000 },
    };
  },
});

/** Each source once, however many of the paths lead to it. @throws QuodError when two have one logical name. */
async function sourcesOf(paths: readonly string[], workspace: Workspace): Promise<SourceFile[]> {
  const sources = new Map<string, SourceFile>();
  for (const name of paths) {
    const place = await openPlace(name, await workspace.resolve(name));
    for (const path of await sourcesUnder(place.path)) {
      const library = libraryName(place, path);
      const known = sources.get(library);
      if (known !== undefined && known.path !== path)
        throw new QuodError('invalid-input', `This source and ${known.path} are both called ${library}.`, {
          place: { file: path },
          remedy: 'Mine them into two folders.',
        });
      sources.set(library, { path, library, file: relative(place.folder, path) });
    }
  }
  if (sources.size === 0) throw noSources(paths);
  return [...sources.values()];
}

function sourceOf(event: MiningEvent, workspace: Workspace): MinedSource {
  const { kind, source } = event;
  const named = { kind, library: source.library, file: workspace.nameOf(source.path) };
  if (event.kind === 'failed') {
    const { reason, message } = event.error;
    return {
      ...{ ...named, split: null, proofs: 0, replayed: 0, items: 0, seconds: 0, errors: [] },
      ...{ reason, message },
    };
  }
  const { split, counts, errors } = event.record;
  const { proofs, replayed, items, elapsedMs } = counts;
  return {
    ...{ ...named, split, proofs, replayed, items, seconds: elapsedMs / 1000, errors: [...errors] },
    ...{ reason: null, message: null },
  };
}

function sourceText(source: MinedSource): string {
  const { library, file, proofs, replayed, items, seconds, errors, message, reason } = source;
  if (message !== null) return `  ✗ ${library}  ${foreignText(message)} [${reason ?? 'internal'}]`;
  const broken = replayed === proofs ? '' : ` (${proofs - replayed} did not run)`;
  // The data set knows its sources by their library; whoever mends one opens a file.
  const told = errors.map((error) =>
    foreignText(error.startsWith(`${library}:`) ? `${file}${error.slice(library.length)}` : error, '      '),
  );
  return [
    `  ✓ ${library}  ${counted(items, 'item')} of ${counted(proofs, 'proof')}${broken}, ${formatDuration(seconds * 1000)}`,
    ...told.map((error) => `    ${error}`),
  ].join('\n');
}
