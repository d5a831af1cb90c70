/**
 * One writer of a file at a time, over all processes that see its folder. The lock is a folder beside the file with the
 * mark of its owner in it; it is made elsewhere and renamed into its place, which the system refuses while the place
 * holds a mark. No two marks have one name, so whoever removes that of a dead owner can never remove another's: a lock
 * is taken over without a moment in which two hold it. Nothing is left in the folder, and what a killed writer leaves
 * the next one removes.
 */
import { randomBytes } from 'node:crypto';
import { constants, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { QuodError } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import { isAlive, startOfProcess } from '../process-table.ts';

const BETWEEN_TRIES_MS = 5;

/** A writer holds its lock for milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** Of an owner in another container or before a restart, nobody can say whether it lives. */
const LONGEST_UNKNOWN_MS = 10_000;

export interface HeldLock {
  /** A path in the lock's folder that nobody else has: what is left there goes away with the lock. */
  readonly path: (kind: string) => string;
}

/**
 * @param folder where the file is.
 * @param name of the file.
 * @throws QuodError `file-changed` when another writer does not end; what the system says.
 */
export async function withFileLock<Result>(
  folder: string,
  name: string,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  // Of one length, whatever the file's name has.
  const lockName = `.quod-${sha256(name).slice(0, 16)}`;
  const place = join(folder, lockName);
  const owner = `${MACHINE}-${process.pid}-${startOfProcess(process.pid)}-${randomBytes(6).toString('hex')}`;
  await removeLeftovers(folder, lockName);
  const prepared = `${place}-${owner}`;
  await mkdir(prepared, { mode: 0o700 });
  try {
    await (await open(join(prepared, owner), constants.O_CREAT | constants.O_EXCL, 0o600)).close();
    await take(prepared, place);
  } catch (error) {
    await removeOf(owner, prepared);
    throw error;
  }
  try {
    return await work({ path: (kind) => join(place, `${owner}.${kind}`) });
  } finally {
    await removeOf(owner, place);
  }
}

async function take(prepared: string, place: string): Promise<void> {
  const begun = performance.now();
  let seen = { owners: '', since: begun };
  for (;;) {
    try {
      await rename(prepared, place);
      return;
    } catch (error) {
      if (!isOccupied(error)) throw error;
    }
    const names = await entriesOf(place);
    const owners = names.join('/');
    const now = performance.now();
    if (owners !== seen.owners) seen = { owners, since: now };
    const isLongUnknown = now - seen.since > LONGEST_UNKNOWN_MS;
    const dead = names.filter((name) => {
      const state = stateOf(name);
      return state === 'dead' || (state === 'unknown' && isLongUnknown);
    });
    if (dead.length > 0) await removeAll(dead.map((name) => join(place, name)));
    else if (now - begun > LONGEST_WAIT_MS)
      throw new QuodError('file-changed', 'Another process is writing the file and does not end.', {
        remedy: 'Nothing was written. End that process, or wait for it, and run the command again.',
      });
    else await delay(BETWEEN_TRIES_MS);
  }
}

function isOccupied(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // By the standard, either of the first two; EPERM and EACCES where a system replaces no folder by another.
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

/** The folder of a lock and what its owner has in it; the folder stays where another took it already. */
async function removeOf(owner: string, folder: string): Promise<void> {
  const names = await entriesOf(folder);
  // The mark last: until then the lock is held.
  const own = names.filter((name) => name.startsWith(`${owner}.`));
  await removeAll([...own, ...names.filter((name) => name === owner)].map((name) => join(folder, name)));
  await rmdir(folder).catch(() => undefined);
}

/** What writers that were killed while they waited left beside the lock, and locks that nobody holds. */
async function removeLeftovers(folder: string, lockName: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${lockName}-`) || stateOf(name.slice(lockName.length + 1)) !== 'dead') continue;
    const left = join(folder, name);
    await removeAll((await entriesOf(left)).map((inside) => join(left, inside)));
    await rmdir(left).catch(() => undefined);
  }
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await unlink(path).catch(() => undefined);
}

/** Of the owner that a name begins with: `MACHINE-PID-START-RANDOM`. */
function stateOf(name: string): 'alive' | 'dead' | 'unknown' {
  const parts = /^(?<machine>[0-9a-f]*)-(?<pid>\d+)-(?<start>\d*)-[0-9a-f]+(?:\.|$)/u.exec(name)?.groups;
  if (parts === undefined || parts['machine'] !== MACHINE) return 'unknown';
  const pid = Number(parts['pid']);
  return isAlive(pid) && startOfProcess(pid) === parts['start'] ? 'alive' : 'dead';
}

/** Where a process number means what it means here: until the system is started again, and in this container. */
const MACHINE = sha256(
  [() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), () => readlinkSync('/proc/self/ns/pid')]
    .map((ask) => {
      try {
        return ask();
      } catch {
        return '';
      }
    })
    .join(),
).slice(0, 12);
