/** What became of a file that somebody took away, renamed or put something else in the place of. */
import { lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** Said behind the name of the file; undefined where a file is there. */
export function whyNoFile(path: string): string | undefined {
  let status: Stats;
  try {
    status = lstatSync(path);
  } catch {
    return 'is not there any more (removed or renamed)';
  }
  return status.isFile() ? undefined : `is no file any more (${kindOf(status)} is in its place)`;
}

function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'a folder';
  if (status.isSymbolicLink()) return 'a link';
  if (status.isFIFO()) return 'a pipe';
  return 'something else';
}
