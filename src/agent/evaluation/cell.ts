/** One method on one theorem, once: what a benchmark's report is made of, and what stands in `cells.jsonl`. */
import { z } from 'zod';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { QuodError } from '../../core/errors.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';

/** Bytes: some millions of cells. */
const LARGEST_RESULTS = 256 * 1024 * 1024;

const count = z.number().nonnegative();

export const cellSchema = z.object({
  method: z.string(),
  task: z.string(),
  repeat: z.int().nonnegative(),
  /** Absent beyond all groups. */
  group: z.string().optional(),
  /** `failed`: it could not be run, and says nothing of the method. */
  outcome: z.enum(['proved', 'not-proved', 'failed']),
  /** What was asked for may be a value, of which any of its type counts. */
  isValue: z.boolean().optional(),
  seconds: count,
  /** US dollars, of the calls of which it is known. */
  cost: count,
  /** Calls of which nobody told what they cost. */
  uncosted: count.default(0),
  modelCalls: count,
  toolCalls: count,
  inputTokens: count.default(0),
  cachedTokens: count.default(0),
  outputTokens: count.default(0),
  /** Of what failed. */
  why: z.string().optional(),
});

export type Cell = z.output<typeof cellSchema>;

/** @throws QuodError `not-found`, `file-unreadable`, `invalid-input` when a line is no cell. */
export function readCells(file: string): readonly Cell[] {
  const remedy = 'Name the folder of results of `quod bench run`.';
  let text: string;
  try {
    text = readRegularFileSync(file, LARGEST_RESULTS).toString('utf8');
  } catch (cause) {
    throw unreadableFile(file, cause, { what: 'The list of results', ifMissing: remedy });
  }
  try {
    const lines = text.split('\n');
    return lines.filter((line) => line !== '').map((line) => cellSchema.parse(JSON.parse(line)));
  } catch (cause) {
    throw new QuodError('invalid-input', 'The cells of a benchmark cannot be read.', {
      place: { file },
      remedy,
      cause,
    });
  }
}
