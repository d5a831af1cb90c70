/**
 * One process at a time works in a folder. The lock holds its number, and one of a process that is gone does not count.
 */
import { constants, copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { QuodError } from '../../core/errors.ts';
import { readRegularFileSync } from './regular-file.ts';
import { isAlive } from '../process-table.ts';

const LOCK = 'lock';

/** The process that works in a folder now. */
export function ownerOfFolder(folder: string): number | undefined {
  const owner = ownerIn(join(folder, LOCK));
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

export function unlockFolder(folder: string): void {
  rmSync(join(folder, LOCK), { force: true });
}

/** What is said of the process that holds a folder. */
type Told = (owner: number) => string;

/** @throws QuodError `invalid-input` when another process holds it. */
export function lockFolder(folder: string, told: Told): void {
  const owner = takeLock(folder);
  if (owner !== undefined) throw heldBy(owner, told);
}

const WAIT_MS = 10;

/**
 * Waits until no other process holds the folder, and works there at once: this process is not kept from its own folders.
 * @throws QuodError `invalid-input` when another process holds it for all of `waitMs`.
 */
export async function inLockedFolder<T>(
  folder: string,
  work: () => T,
  told: Told,
  waitMs = 10_000,
): Promise<T> {
  let owner = takeLock(folder);
  for (let waited = 0; owner !== undefined; waited += WAIT_MS) {
    if (waited >= waitMs) throw heldBy(owner, told);
    await delay(WAIT_MS);
    owner = takeLock(folder);
  }
  try {
    return work();
  } finally {
    unlockFolder(folder);
  }
}

function heldBy(owner: number, told: Told): QuodError {
  return new QuodError('invalid-input', told(owner), { remedy: 'Wait for it or stop it first.' });
}

/** @returns the process that holds it; undefined where this one does now. */
function takeLock(folder: string): number | undefined {
  const path = join(folder, LOCK);
  const own = join(folder, `${LOCK}.${process.pid}-${randomBytes(4).toString('hex')}`);
  // The lock appears with the number in it: an empty one would be taken for that of a process that is gone.
  writeFileSync(own, `${process.pid}`);
  try {
    while (!linked(own, path)) {
      const owner = ownerIn(path);
      if (owner !== undefined && owner !== process.pid && isAlive(owner)) return owner;
      takeAway(path, `${own}.gone`);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Of several that find the lock of a process that is gone, one may have its own there by now: that is put back. */
function takeAway(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    // Another process took it away.
    if (isError(error, 'ENOENT')) return;
    throw error;
  }
  const owner = ownerIn(aside);
  if (owner !== undefined && owner !== process.pid && isAlive(owner)) linked(aside, path);
  rmSync(aside, { force: true });
}

/** @returns false when there is something at `to` already. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
  }
  // A file system without links.
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isError(error, 'EEXIST')) return false;
    throw error;
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function ownerIn(lockFile: string): number | undefined {
  try {
    return Number(readRegularFileSync(lockFile).toString('utf8'));
  } catch {
    return undefined;
  }
}
