/** The files that say what a project is. */
import { statSync } from 'node:fs';
import { QuodError, errorText } from '../../../core/errors.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';

/** A folder may have the name of a project file: the sources of dune do. What cannot be looked at says nothing. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
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
