/**
 * Folders for what is needed only while Quod works, in the temporary folder of the machine. Whoever makes one
 * removes it, at the latest when its process ends; what a Quod that was killed left behind is removed by the next one.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { lazyConstant } from '../core/lazy-constant.ts';
import { isAlive, placeOfSeen, startOfProcess } from './process-table.ts';

/** Purpose, number of the process, when it began (nothing where the system does not tell), and where it can be seen. */
const NAME = /^quod-[a-z0-9]+-(\d+)-(?:(\d*)-([0-9a-f]{8})-)?\w{6}$/u;

/** Processes of another container may share the folder and not be seen: theirs are left alone for that long. */
const LEFT_ALONE_MS = 24 * 3_600_000;

/** Stands for a place of which the system tells nothing. */
const UNKNOWN = '00000000';

/** @param purpose Lower-case letters and digits, for people who look into the temporary folder. */
export function makeScratchFolder(purpose: string): string {
  // That of a thread does not end the process.
  if (isMainThread && !process.listeners('exit').includes(removeOwn)) process.once('exit', removeOwn);
  return mkdtempSync(join(tmpdir(), `quod-${purpose}-${ownerHere()}-`));
}

/** Removes scratch folders whose process has ended. Of a process that could not be seen from here, only those in which nothing changed for a day. */
export function removeAbandoned(parent = tmpdir(), now = Date.now()): void {
  for (const name of readdirSync(parent)) {
    const [, pid, start, place] = NAME.exec(name) ?? [];
    if (pid === undefined || isOwned(Number(pid), start)) continue;
    const folder = join(parent, name);
    try {
      const isSeen = place !== UNKNOWN && place === placeOfProcesses();
      if (isSeen || now - statSync(folder).mtimeMs > LEFT_ALONE_MS)
        rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another Quod was faster, or it is another user's.
    }
  }
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether the process that made a folder may run. */
function isOwned(pid: number, start: string | undefined): boolean {
  if (!isAlive(pid)) return false;
  const known = startOfProcess(pid);
  // Another process may have the same number by now.
  return start === undefined || start === '' || known === '' || known === start;
}

function ownerHere(): string {
  const { pid } = process;
  return `${pid}-${startOfProcess(pid)}-${placeOfProcesses()}`;
}

/** The same for processes that see each other: of one machine since it was started, and of one container. A process stays there. */
const placeOfProcesses = lazyConstant((): string => {
  // Only Linux has containers.
  const place = process.platform === 'linux' ? placeOfSeen() : hostname();
  return place === '' ? UNKNOWN : createHash('sha256').update(place).digest('hex').slice(0, UNKNOWN.length);
});

/** What is left when the process ends, however it came to that, but for a signal that nobody listens to. */
function removeOwn(): void {
  const owned = new RegExp(`^quod-[a-z0-9]+-${ownerHere()}-\\w{6}$`, 'u');
  const parent = tmpdir();
  try {
    for (const name of readdirSync(parent))
      if (owned.test(name)) rmSync(join(parent, name), { recursive: true, force: true });
  } catch {
    // The next Quod removes it.
  }
}
