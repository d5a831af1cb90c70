/**
 * One process at a time works in a folder. The lock holds its number, and one of a process that is gone does not count.
 */
import { constants, copyFileSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { isAlive } from '../../process/process-table.ts';

const LOCK = 'lock';

/** The process that works in a folder now. */
export function ownerOfFolder(folder: string): number | undefined {
  const owner = ownerIn(join(folder, LOCK));
  return owner !== undefined && isAlive(owner) ? owner : undefined;
}

export function unlockFolder(folder: string): void {
  rmSync(join(folder, LOCK), { force: true });
}

/** @param worked Says who holds it. @throws QuodError `invalid-input` when another process does. */
export function lockFolder(folder: string, worked: (owner: number) => string): void {
  const path = join(folder, LOCK);
  const own = join(folder, `${LOCK}.${process.pid}-${randomBytes(4).toString('hex')}`);
  // The lock appears with the number in it: an empty one would be taken for that of a process that is gone.
  writeFileSync(own, `${process.pid}`);
  try {
    while (!linked(own, path)) {
      const owner = ownerIn(path);
      if (owner !== undefined && owner !== process.pid && isAlive(owner)) {
        throw new QuodError('invalid-input', worked(owner), {
          remedy: 'Wait for it or stop it first.',
        });
      }
      takeAway(path, `${own}.gone`);
    }
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
