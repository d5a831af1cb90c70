/**
 * Files of a folder that may come from somebody else. A named pipe in the place of a file would be waited for without
 * end, a device read without end: only regular files are read, and no more of them than their kind needs.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';

/** Far above any settings, prices or instructions that people write. */
const LARGEST_SMALL_FILE = 4 * 1024 * 1024;

/** @throws QuodError `file-unreadable`, `too-large`; what the system says where there is no such file. */
export function readRegularFile(path: string, mostBytes = LARGEST_SMALL_FILE): Buffer {
  // Without O_NONBLOCK, opening a named pipe that nobody writes to would wait for ever.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) {
      throw new QuodError('file-unreadable', 'This is not a regular file', {
        place: { file: path },
        remedy: 'Remove it, or put a file in its place.',
      });
    }
    if (status.size > mostBytes) {
      throw new QuodError('too-large', `The file has more than ${counted(mostBytes, 'byte')}`, {
        place: { file: path },
      });
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
