/**
 * Folders for what is needed only while Quod works, in the temporary folder of the machine. Whoever makes one
 * removes it; what a Quod that was killed left behind is removed by a later one.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './process-table.ts';

const NAME = /^quod-[a-z0-9]+-(\d+)-\w{6}$/u;
/** Processes of another container may share the folder and not be seen: theirs are left alone for that long. */
const LEFT_ALONE_MS = 24 * 3_600_000;

/** @param purpose Lower-case letters and digits, for people who look into the temporary folder. */
export function makeScratchFolder(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `quod-${purpose}-${process.pid}-`));
}

/** Removes scratch folders whose process has ended, if nothing changed in them for a day. */
export function removeAbandoned(parent = tmpdir(), now = Date.now()): void {
  for (const name of readdirSync(parent)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    try {
      if (now - statSync(folder).mtimeMs > LEFT_ALONE_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another Quod was faster, or it is another user's.
    }
  }
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
