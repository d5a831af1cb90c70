/** Runs the sources of a project or library once, so that later searches can use their proofs. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { formatDuration } from '../../core/duration.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignText } from '../../core/foreign-text.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { indexLibrary, sourcesUnder, type IndexEvent } from '../../search/libraries/index-library.ts';
import { LibraryIndex } from '../../search/libraries/library-index.ts';
import { holdsSoFar, stoppedBy, stoppedSchema } from '../definition/cut-off.ts';
import { defineOperation } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';
import { defaultJobs } from '../project/default-jobs.ts';
import { backendField, proversField } from '../project/rocq-run-fields.ts';
import { leftText, libraryName, noSources, openPlace, type SourcePlace } from './source-places.ts';

/** Of each file; as many as a data set keeps of a source. */
const ERRORS_TOLD = 20;

const fileSchema = z.object({
  kind: z.enum(['indexed', 'unchanged', 'failed']),
  file: z.string(),
  library: z.string().nullable(),
  steps: z.int(),
  refused: z.int().describe('Sentences that Rocq refused.'),
  errors: z.array(z.string()).describe('The first errors of these sentences, with their places.'),
  seconds: z.number(),
  message: z.string().nullable().describe('Why it failed.'),
});

type IndexedFile = z.output<typeof fileSchema>;

const outputSchema = z.object({
  files: z.array(fileSchema),
  indexed: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  left: z
    .int()
    .describe('Not run, or not to their end, when the call was stopped; they are still to be run.'),
  stopped: stoppedSchema,
  steps: z.int(),
  seconds: z.number(),
});

const A_DAY = 24 * 3600;

export const dataIndex = defineOperation({
  name: 'data_index',
  area: 'data',
  title: 'Learn from the proofs of a project or library',
  summary: 'Runs sources once and stores the steps of their proofs, so that the search can use them.',
  details:
    'What is stored already is not run again. The search uses it by itself. The vector index in which similar proofs are ' +
    'looked for is another one: `data_index_proofs` makes it, of a data set.',
  input: z.object({
    paths: z.array(z.string()).min(1).describe('Files or folders of Rocq sources.'),
    jobs: proversField,
    backend: backendField,
  }),
  output: outputSchema,
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: A_DAY,
  longestTimeout: A_DAY,
  positional: ['paths'],
  render: ({ files }) =>
    files
      .filter(({ kind }) => kind !== 'unchanged')
      .map(fileText)
      .join('\n'),
  conclude: ({ indexed, steps, unchanged, failed, left, stopped, seconds }) =>
    `${counted(indexed, 'file')} indexed (${counted(steps, 'step')}), ${unchanged} unchanged, ${failed} failed in ${formatDuration(seconds * 1000)}${leftText(left, stopped)}`,
  holds: ({ failed, stopped }) => holdsSoFar({ isRefused: failed > 0, isCutOff: stopped !== null }),
  run: async (input, { workspace, signal, progress }) => {
    const begunAt = performance.now();
    const places: { place: SourcePlace; files: readonly string[] }[] = [];
    const seen = new Set<string>();
    for (const path of input.paths) {
      const place = await openPlace(path, await workspace.resolve(path));
      const files = (await sourcesUnder(place.path)).filter((file) => !seen.has(file));
      for (const file of files) seen.add(file);
      places.push({ place, files });
    }
    const total = places.reduce((sum, place) => sum + place.files.length, 0);
    if (total === 0) throw noSources(input.paths);
    const prover = await findRocq(input.backend);
    const index = new LibraryIndex(cacheDirectory());
    const jobs = input.jobs ?? defaultJobs();
    const files: IndexedFile[] = [];
    for (const { place, files: sources } of places) {
      const libraryOf = (file: string): string => libraryName(place, file);
      await indexLibrary({ files: sources, libraryOf, prover, index, jobs, signal }, (event) => {
        const file = fileOf(event, workspace);
        files.push(file);
        if (file.kind !== 'unchanged')
          progress({ message: fileText(file).trim(), done: files.length, total });
      });
    }
    const count = (kind: IndexedFile['kind']): number => files.filter((file) => file.kind === kind).length;
    return {
      ...{ files, indexed: count('indexed'), unchanged: count('unchanged'), failed: count('failed') },
      ...{ left: total - files.length, stopped: files.length < total ? stoppedBy(signal) : null },
      steps: files.reduce((sum, { steps }) => sum + steps, 0),
      seconds: Math.round(performance.now() - begunAt) / 1000,
    };
  },
});

function fileOf(event: IndexEvent, workspace: Workspace): IndexedFile {
  const file = workspace.nameOf(event.file);
  const unread = { library: null, steps: 0, refused: 0, errors: [], seconds: 0, message: null };
  const nothing = { kind: event.kind, file, ...unread };
  switch (event.kind) {
    case 'indexed': {
      const { library, steps, errors, elapsedMs } = event;
      const told = errors
        .slice(0, ERRORS_TOLD)
        .map((error) =>
          new QuodError(error.reason, error.message, { place: { ...error.place, file } }).toString(),
        );
      return { ...nothing, library, steps, refused: errors.length, errors: told, seconds: elapsedMs / 1000 };
    }
    case 'failed':
      return { ...nothing, message: event.message };
    case 'unchanged':
      return nothing;
  }
}

function fileText({ file, steps, refused, errors, seconds, message }: IndexedFile): string {
  if (message !== null) return `  ✗ ${file}  ${foreignText(message)}`;
  const broken = refused === 0 ? '' : `, ${counted(refused, 'sentence')} refused`;
  return [
    `  ✓ ${file}  ${counted(steps, 'step')}, ${formatDuration(seconds * 1000)}${broken}`,
    ...errors.map((error) => `    ${foreignText(error, '      ')}`),
  ].join('\n');
}
