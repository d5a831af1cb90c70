/** The files that say what a project is. */
import { statSync, type Stats } from 'node:fs';
import { QuodError, errorText } from '../../../core/errors.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';

/**
 * A folder may have the name of a project file: the sources of dune do. What cannot be looked at says nothing.
 * @throws QuodError `file-unreadable` for a pipe or a device: whoever builds the project would read what it says.
 */
export function isFile(path: string): boolean {
  const status = statusOf(path);
  if (status === undefined || status.isDirectory()) return false;
  if (status.isFile()) return true;
  throw new QuodError('file-unreadable', 'This has the name of a project file, and is not a regular file.', {
    place: { file: path },
    remedy: 'Remove it, or put a file in its place.',
  });
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** @throws QuodError `file-unreadable`. */
export async function projectText(file: string): Promise<string> {
  try {
    return await readRegularText(file);
  } catch (error) {
    throw new QuodError('file-unreadable', `Cannot read the project file: ${errorText(error)}`, {
      place: { file },
      cause: error,
    });
  }
}
