/**
 * What an installation or its undoing would do to a program's settings, and doing it: seen first, written in one
 * step.
 */
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import {
  attributesCannotBeKept,
  copyAttributes,
  CP_REMEDY,
} from '../../process/foreign-folder/file-attributes.ts';
import { READ_UNLINKED, readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { forgetRecord, keepRecord, recordOf } from './change-record.ts';
import type { Launch, McpClient, Place } from './clients.ts';
import { withEntry, withoutEntry } from './edit-settings.ts';

export interface SettingsChange {
  readonly file: string;
  /** Null: there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

export async function plannedInstall(
  client: McpClient,
  place: Place,
  launch: Launch,
): Promise<SettingsChange> {
  const { file, before } = await current(client, place);
  return {
    file,
    before,
    after: withEntry(orNothing(before), client.format, client.path, client.entry(launch)),
  };
}

export async function plannedUninstall(client: McpClient, place: Place): Promise<SettingsChange> {
  const { file, before } = await current(client, place);
  if (before === null) return { file, before, after: null };
  const record = await recordOf(file);
  if (record?.after === before) return { file, before, after: record.before };
  return { file, before, after: withoutEntry(before, client.format, client.path) };
}

/** @throws QuodError `file-changed` when the file is not what the change was planned on. */
export async function applyInstall(change: SettingsChange): Promise<void> {
  const earlier = await recordOf(change.file);
  await write(change);
  if (change.after === null) return;
  // Installed twice: what there was before the first time is what undoing must bring back.
  const before = earlier?.after === change.before ? earlier.before : change.before;
  await keepRecord({ file: change.file, before, after: change.after });
}

/** @throws QuodError `file-changed` when the file is not what the change was planned on. */
export async function applyUninstall(change: SettingsChange): Promise<void> {
  await write(change);
  await forgetRecord(change.file);
}

async function current(client: McpClient, place: Place): Promise<{ file: string; before: string | null }> {
  const named = client.file(place);
  // A link stays a link: what it points to is changed.
  const isLink = (await lstat(named).catch(() => undefined))?.isSymbolicLink() === true;
  const file = isLink ? await realpath(named) : named;
  return { file, before: await textOf(file) };
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readRegularText(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw new QuodError('file-unreadable', 'The settings cannot be read.', { place: { file }, cause });
  }
}

async function write({ file, before, after }: SettingsChange): Promise<void> {
  if ((await textOf(file)) !== before) {
    throw new QuodError('file-changed', 'Somebody else changed the settings meanwhile.', {
      place: { file },
      remedy: 'Run the command again.',
    });
  }
  if (after === null) {
    await rm(file, { force: true });
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.quod-${process.pid}`;
  try {
    await writeLike(file, temporary, after);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** As a new file that has all but its bytes from the one that is there, if there is one. */
async function writeLike(file: string, fresh: string, text: string): Promise<void> {
  const there = await open(file, READ_UNLINKED).catch(() => undefined);
  try {
    const handle = await open(fresh, 'wx', there === undefined ? 0o666 : 0o600);
    try {
      if (there !== undefined) {
        const from = { path: file, descriptor: there.fd };
        const lost = copyAttributes(from, { path: fresh, descriptor: handle.fd });
        if (lost !== undefined) throw attributesLost(file, lost);
        await handle.truncate();
      }
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } finally {
    await there?.close();
  }
}

function attributesLost(file: string, why: string): QuodError {
  return new QuodError('file-unwritable', `The file cannot be replaced: ${attributesCannotBeKept(why)}.`, {
    place: { file },
    remedy: `It is unchanged. ${CP_REMEDY}`,
  });
}
