/**
 * What an installation changed, so that it can be undone byte for byte. When the file was changed by somebody else
 * since, only our entry is taken out. The records lie in the cache and may hold what the settings hold: only the
 * owner reads them.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../core/sha256.ts';
import { cacheDirectory } from '../../process/cache-directory.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';

const recordSchema = z.object({
  file: z.string(),
  /** Null when there was no file. */
  before: z.string().nullable(),
  after: z.string(),
});

export type ChangeRecord = z.output<typeof recordSchema>;

export async function keepRecord(record: ChangeRecord): Promise<void> {
  const path = recordFile(record.file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  await writeFile(path, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
}

/** Undefined when nothing is known of a change of this file. */
export async function recordOf(file: string): Promise<ChangeRecord | undefined> {
  try {
    const record = recordSchema.parse(JSON.parse(await readRegularText(recordFile(file))));
    return record.file === file ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function forgetRecord(file: string): Promise<void> {
  await rm(recordFile(file), { force: true });
}

function recordFile(file: string): string {
  return join(cacheDirectory(), 'installed', `${sha256(file).slice(0, 32)}.json`);
}
