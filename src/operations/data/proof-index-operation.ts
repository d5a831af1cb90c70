/** Makes a vector index of a data set, in which similar proofs are looked for. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { Dataset } from '../../mining/dataset.ts';
import { indexDataset, isUrl, shownPlace } from '../../retrieval/index/dataset-index.ts';
import { Encoder } from '../../retrieval/model/encoder.ts';
import { rankerModelFolder } from '../../retrieval/model/model-format.ts';
import { QuodError } from '../../core/errors.ts';
import { defineOperation } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';

const outputSchema = z.object({
  sources: z.array(
    z.object({
      library: z.string(),
      items: z.int(),
      added: z.boolean().describe('False: the index had it already.'),
    }),
  ),
  proofs: z.int().nullable().describe('How many the index has; null: it was stopped before the end.'),
  of: z.int().describe('How many sources the data set has.'),
  place: z.string().describe('Without a password.'),
});

const A_DAY = 24 * 3600;

export const dataIndexProofs = defineOperation({
  name: 'data_index_proofs',
  area: 'data',
  title: 'Make a vector index of a data set',
  summary: 'Encodes every item of a data set with the learned ranker and adds what the index does not have.',
  details:
    'A build that was stopped goes on where it was. With QUOD_PROOF_INDEX naming the index, `rocq_similar_proofs` looks in it ' +
    'where its `scope` is `index`. The search does not: its steps of libraries are those of `data_index`.',
  input: z.object({
    folder: z.string().describe('A data set.'),
    output: z
      .string()
      .describe(
        'A folder, or the URL of a PostgreSQL with pgvector; of a server only the one that its QUOD_PROOF_INDEX names.',
      ),
    threads: z.int().positive().max(256).default(1).describe('Threads of the encoder.'),
  }),
  output: outputSchema,
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: A_DAY,
  longestTimeout: A_DAY,
  positional: ['folder'],
  render: ({ sources }) =>
    sources
      .filter(({ added }) => added)
      .map(({ library, items }) => `${library}: ${counted(items, 'item')}`)
      .join('\n'),
  conclude: ({ proofs, sources, of, place }) =>
    proofs === null
      ? `Stopped after ${sources.length} of ${counted(of, 'source')}; the same call goes on from there.`
      : `${counted(proofs, 'proof')} in the index. QUOD_PROOF_INDEX=${place} lets similar proofs be looked for in it.`,
  holds: ({ proofs }) => (proofs === null ? undefined : true),
  run: async ({ folder, output, threads }, { workspace, signal, progress }) => {
    const dataset = await Dataset.open(await workspace.resolve(folder));
    const { length } = await dataset.libraries();
    const place = await placeOf(output, workspace);
    const encoder = await Encoder.open(rankerModelFolder(), { threads });
    const sources: z.output<typeof outputSchema>['sources'] = [];
    const answer = { sources, of: length, place: shownPlace(output) };
    try {
      const proofs = await indexDataset({
        ...{ dataset, encoder, place, signal },
        onSource: ({ library, counts }, added) => {
          sources.push({ library, items: counts.items, added });
          progress({
            message: `${library}: ${counted(counts.items, 'item')}`,
            done: sources.length,
            total: length,
          });
        },
      });
      return { ...answer, proofs };
    } catch (error) {
      if (!signal.aborted) throw error;
      return { ...answer, proofs: null };
    } finally {
      await encoder.close();
    }
  },
});

/**
 * A connection takes the password of Quod's environment along, and reaches what the caller may not: which server it
 * goes to is chosen by whoever started Quod. @throws QuodError `not-allowed`, and as `resolve` does.
 */
async function placeOf(output: string, workspace: Workspace): Promise<string> {
  if (!isUrl(output)) return workspace.resolve(output);
  if (!workspace.isConfined) return output;
  const own = process.env['QUOD_PROOF_INDEX'];
  if (own !== undefined && (output === own || output === shownPlace(own))) return own;
  throw new QuodError('not-allowed', 'A client chooses no server that Quod connects to.', {
    place: { file: shownPlace(output) },
    remedy:
      'Name a folder; or whoever starts Quod sets QUOD_PROOF_INDEX to this URL, or makes the index on the command line.',
  });
}
