/**
 * A data set on disk: `dataset.json`, and for each source `LIBRARY.jsonl` with its items and `LIBRARY.source.json` with
 * what became of it. The latter is written last, so a source whose record is there is whole; a crash costs the sources
 * that were in work.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../core/sha256.ts';
import { errorText, QuodError } from '../core/errors.ts';
import { parsedJson } from '../core/json.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../process/foreign-folder/regular-file.ts';
import { writeWholeFile } from '../process/whole-file.ts';
import { itemSchema, SPLITS, type Item } from './item.ts';
import { minedCountsSchema } from './mined-counts.ts';

export const DATASET_FORMAT = 1;

export const headerSchema = z.strictObject({
  format: z.literal(DATASET_FORMAT),
  /** Of the splits. */
  seed: z.number().int(),
  /** Only the state of each theorem after so many sentences; null: every state. */
  after: z.number().int().nullable(),
});

export type DatasetHeader = z.infer<typeof headerSchema>;

export const sourceRecordSchema = z.strictObject({
  library: z.string(),
  /** Below the folder that was mined. */
  file: z.string(),
  /** Hash of everything that the items depend on: text, prover, library, format. */
  key: z.string(),
  prover: z.string(),
  split: z.enum(SPLITS),
  /** Hash of the file with the items. */
  itemsHash: z.string(),
  counts: minedCountsSchema,
  /** The first errors of the source, with their places. */
  errors: z.array(z.string()),
});

export type SourceRecord = z.infer<typeof sourceRecordSchema>;

const HEADER = 'dataset.json';
const RECORD = '.source.json';
const ITEMS = '.jsonl';

export class Dataset {
  readonly directory: string;
  readonly header: DatasetHeader;

  private constructor(directory: string, header: DatasetHeader) {
    this.directory = directory;
    this.header = header;
  }

  /** @throws QuodError `not-found`; `invalid-input` for a folder that is no data set. */
  static async open(directory: string): Promise<Dataset> {
    const path = join(directory, HEADER);
    const text = await readText(path);
    if (text === undefined)
      throw new QuodError('not-found', 'There is no data set in this folder.', {
        place: { file: directory },
        remedy: '`data_mine` makes one.',
      });
    return new Dataset(directory, parse(headerSchema, text, path));
  }

  /**
   * Opens one, or makes it in a folder that is new or empty: what else is in a folder is somebody's. @throws QuodError
   * `invalid-input` when there is one with other settings, or something else.
   */
  static async openOrCreate(directory: string, header: DatasetHeader): Promise<Dataset> {
    if ((await readText(join(directory, HEADER))) === undefined) {
      await requireEmpty(directory);
      await writeWholeFile(join(directory, HEADER), Buffer.from(`${JSON.stringify(header, undefined, 2)}\n`));
      return new Dataset(directory, header);
    }
    const dataset = await Dataset.open(directory);
    for (const setting of ['seed', 'after'] as const)
      if (dataset.header[setting] !== header[setting])
        throw new QuodError(
          'invalid-input',
          `The data set in this folder was made with ${setting} ${String(dataset.header[setting])}, not ${String(header[setting])}.`,
          { place: { file: directory }, remedy: 'Say the same again, or choose another folder.' },
        );
    return dataset;
  }

  /** The libraries whose sources are done, in order. */
  async libraries(): Promise<string[]> {
    const names = await readdir(this.directory);
    return names
      .filter((name) => name.endsWith(RECORD) && !name.startsWith('.'))
      .map((name) => name.slice(0, -RECORD.length))
      .sort();
  }

  itemsPath(library: string): string {
    return join(this.directory, library + ITEMS);
  }

  /** @throws QuodError `invalid-input` when it is damaged. */
  async record(library: string): Promise<SourceRecord | undefined> {
    const path = join(this.directory, library + RECORD);
    const text = await readText(path);
    return text === undefined ? undefined : parse(sourceRecordSchema, text, path);
  }

  /** The items of a source, checked against its record. @throws QuodError `invalid-input` when they are damaged. */
  async items(record: SourceRecord): Promise<Item[]> {
    const path = this.itemsPath(record.library);
    const text = await readText(path);
    const broken = (what: string, line?: number): QuodError =>
      new QuodError('invalid-input', what, {
        place: { file: path, ...(line !== undefined && { position: { line, column: 0 } }) },
        remedy: 'Delete its .source.json and mine the source again.',
      });
    if (text === undefined) throw broken('The items of this source are missing.');
    const items = text
      .split('\n')
      .slice(0, -1)
      .map((line, index) => {
        const parsed = itemSchema.safeParse(parsedJson(line));
        if (parsed.success) return parsed.data;
        throw broken(`This line is no item: ${z.prettifyError(parsed.error)}`, index + 1);
      });
    if (shortHash(text) !== record.itemsHash)
      throw broken('The items are not those that were written with the record of the source.');
    return items;
  }

  async write(record: Omit<SourceRecord, 'itemsHash'>, items: readonly Item[]): Promise<SourceRecord> {
    const text = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    const whole: SourceRecord = { ...record, itemsHash: shortHash(text) };
    const path = join(this.directory, record.library + RECORD);
    for (const written of [path, this.itemsPath(record.library)]) await requireOwn(written, record.library);
    // The record comes last, and an old one must not vouch for new items.
    await rm(path, { force: true });
    await writeWholeFile(this.itemsPath(record.library), Buffer.from(text));
    await writeWholeFile(path, Buffer.from(`${JSON.stringify(whole, undefined, 1)}\n`));
    return whole;
  }
}

async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new QuodError('file-unreadable', errorText(error), { place: { file: directory }, cause: error });
  });
  if (names.length === 0) return;
  throw new QuodError('invalid-input', 'There are files in this folder, and it is not a data set.', {
    place: { file: directory },
    remedy: 'Nothing was written. Name a folder that is new or empty.',
  });
}

/** What is to be replaced was written for the same source, whether it is whole or not. */
async function requireOwn(path: string, library: string): Promise<void> {
  const text = await readText(path);
  if (text === undefined || text === '') return;
  const read = writtenFor.safeParse(parsedJson(path.endsWith(RECORD) ? text : text.replace(/\n.*$/su, '')));
  if (read.success && read.data.library === library) return;
  throw new QuodError('invalid-input', 'This file was not written by Quod, or it is damaged.', {
    place: { file: path },
    remedy: 'It was left as it is. Move it to another folder, or delete it.',
  });
}

const writtenFor = z.object({ library: z.string() });

function shortHash(text: string): string {
  return sha256(text).slice(0, 32);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readRegularText(path, LARGEST_WRITTEN_BYTES);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new QuodError('file-unreadable', errorText(error), { place: { file: path }, cause: error });
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string, path: string): z.output<Schema> {
  const parsed = schema.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new QuodError(
    'invalid-input',
    `This is not a data set of format ${DATASET_FORMAT}: ${z.prettifyError(parsed.error)}`,
    {
      place: { file: path },
      remedy: 'Mine into an empty folder.',
    },
  );
}
