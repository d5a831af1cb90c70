/**
 * The lock of a repository's index. A git holds it for moments, so it is waited for a little; then it is told whose it is, as
 * far as the system says: one that stays was left behind, and no git takes it away.
 */
import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orNothing } from '../../core/entry.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { isInside } from '../../core/inside.ts';
import { processNumbers } from '../process-table.ts';

const TRIES = 20;
const BETWEEN_TRIES_MS = 100;

/** @param workTree Where a git works that may hold it. @throws when it is there after two seconds, with whose it is. */
export async function waitForIndex(directory: string, workTree: string): Promise<void> {
  const lock = join(directory, 'index.lock');
  for (let tries = 1; existsSync(lock); tries++) {
    if (tries > TRIES) throw new Error(lockText(lock, workTree));
    await delay(BETWEEN_TRIES_MS);
  }
}

/** @param lock Of the index or of a branch. @param workTree By default that whose `.git` the lock is in. */
export function lockText(lock: string, workTree = orNothing(lock.split('/.git/')[0])): string {
  const holder = processNumbers()
    .map((pid) => holderOf(lock, workTree, pid))
    .find((found) => found !== undefined);
  const name = foreignName(lock);
  if (holder !== undefined)
    return `${name} is there, and ${holder} is at work in this repository: wait until it has ended`;
  return `${name} is there${othersOwn(lock)}, so another git may be at work in this repository, though none is seen; where none is, it was left behind: remove that file`;
}

/** A process that has the lock open, or a git in the work tree: git closes the lock while an editor is open. */
function holderOf(lock: string, workTree: string, pid: number): string | undefined {
  const place = `/proc/${pid}`;
  try {
    const words = readFileSync(`${place}/cmdline`, 'utf8').split('\0');
    const isGit = /(?:^|\/)git$/u.test(orNothing(words[0]));
    const opened = readdirSync(`${place}/fd`).map((one) => linkOf(`${place}/fd/${one}`));
    if (!opened.includes(lock) && !(isGit && isInside(workTree, readlinkSync(`${place}/cwd`))))
      return undefined;
    const told = words.slice(0, 2).join(' ').trim().slice(0, LONGEST_TOLD);
    return `process ${pid} (${foreignName(told)})`;
  } catch {
    // It is another user's, or has ended.
    return undefined;
  }
}

/** A command may have anything in its arguments: its beginning tells which it is. */
const LONGEST_TOLD = 60;

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function othersOwn(lock: string): string {
  const owner = lstatSync(lock, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  return owner === undefined || own === undefined || owner === own
    ? ''
    : ` (of the user with the number ${owner})`;
}
