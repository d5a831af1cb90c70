/**
 * A path that the system does not take, whoever came across it: it was named by the caller or follows from what was, so
 * it is no defect of Quod.
 */
import { QuodError } from '../../core/errors.ts';
import { whatIsMissing } from './unreadable-file.ts';

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['ENAMETOOLONG', 'The path, or a name in it, is longer than the system takes.'],
  ['ELOOP', 'The path leads through links in a circle.'],
  ['ENOTDIR', 'The path leads through a file as if it were a folder.'],
  ['EISDIR', 'The path is one of a folder, not of a file.'],
  ['ENOTEMPTY', 'There is a folder in the place of the file.'],
  ['EEXIST', 'Something else is at this path already.'],
  ['EROFS', 'The path is on a file system that cannot be written to.'],
]);

/** What is not allowed to whoever runs Quod, by the name of the system's call. */
const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['scandir', 'The files of this folder may not be listed: permission denied.'],
  ['mkdir', 'This folder may not be made: permission denied.'],
  ['mkdtemp', 'No folder may be made here: permission denied.'],
  ['open', 'This file may not be opened: permission denied.'],
  ['rename', 'This file may not be renamed or replaced: permission denied.'],
  ['unlink', 'This file may not be removed: permission denied.'],
]);

/** What the system is asked for the names in a folder. */
const LISTING = 'scandir';

/** Asked to make a folder with those above it, Node says ENOENT where nothing can be written. */
const MAKING = 'mkdir';

const MOST_SHOWN = 200;

/** Undefined for what is not said of a path. */
export function unusablePath(error: unknown): QuodError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  // Who writes into an open file is told no path.
  const path = 'path' in error ? error.path : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noRoom(path, error);
  const called = 'syscall' in error ? String(error.syscall) : '';
  // A program is no path that a caller names.
  const isProgram = called.startsWith('spawn');
  // Files that are not there are looked for by whoever reads them; of folders, whose files are listed, it is told here.
  const isMissing = code === 'ENOENT' && (called === LISTING || called === MAKING);
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  const message = isMissing
    ? called === MAKING
      ? 'No folder can be made here.'
      : 'There is no such folder.'
    : isForbidden
      ? (FORBIDDEN.get(called) ?? 'What was to be done with this path is not allowed: permission denied.')
      : FAULTS.get(String(code));
  if (message === undefined || typeof path !== 'string' || isProgram) return undefined;
  const file = path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
  const reason = isMissing ? 'not-found' : code === 'EROFS' ? 'file-unwritable' : 'invalid-input';
  return new QuodError(reason, message, {
    place: { file },
    remedy: whatIsMissing(error, 'do that') ?? 'Name another path.',
    cause: error,
  });
}

function noRoom(path: unknown, cause: Error): QuodError {
  const todo = whatIsMissing(cause, 'do that');
  return new QuodError('file-unwritable', 'There is no room left to write to.', {
    ...(typeof path === 'string' && { place: { file: path } }),
    ...(todo !== undefined && { remedy: todo }),
    cause,
  });
}
