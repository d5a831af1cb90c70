/** Recorded conversations with real F*s, as data: what each line was and in which order they came. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const entrySchema = z.object({
  t: z.number(),
  /** `in`: to F*; `out`: from F*; `cmd`: the command line; `sig`: a signal to F*; `exit`: its exit code. */
  dir: z.enum(['cmd', 'in', 'out', 'sig', 'exit']),
  raw: z.string(),
});

export type RecordedLine = z.output<typeof entrySchema>;

const FOLDER = import.meta.dirname;

export function readRecording(path: string): readonly RecordedLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => entrySchema.parse(JSON.parse(line)));
}

export function recordingNames(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
}

export function recordingPath(name: string): string {
  return join(FOLDER, name);
}

/** What F* wrote, byte for byte. */
export function outputOf(name: string): Buffer {
  const lines = readRecording(recordingPath(name)).filter(({ dir }) => dir === 'out');
  return Buffer.from(lines.map(({ raw }) => `${raw}\n`).join(''));
}

const querySchema = z.looseObject({ 'query-id': z.string(), query: z.string(), args: z.unknown() });

/** What was asked, by its id. Lines that are no queries (some recordings try them) are left out. */
export function queriesOf(name: string): ReadonlyMap<string, z.output<typeof querySchema>> {
  const queries = new Map<string, z.output<typeof querySchema>>();
  for (const { dir, raw } of readRecording(recordingPath(name))) {
    if (dir !== 'in') continue;
    const query = parseQuery(raw);
    if (query !== undefined) queries.set(query['query-id'], query);
  }
  return queries;
}

export function parseQuery(line: string): z.output<typeof querySchema> | undefined {
  try {
    return querySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/**
 * The recording of the process that is starting now: the nth that a test starts in a folder has `NAME-n.jsonl`.
 * Counted in a file of that folder, since each process is a program of its own.
 */
export function nextRecording(name: string, folder: string): string {
  const counter = join(folder, '.started');
  appendFileSync(counter, '.');
  return recordingPath(`${name}-${readFileSync(counter).length}.jsonl`);
}
