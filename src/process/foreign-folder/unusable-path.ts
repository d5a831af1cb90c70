/**
 * A path that the system does not take, whoever came across it: it was named by the caller or follows from what was, so
 * it is no defect of Quod.
 */
import { QuodError } from '../../core/errors.ts';

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['ENAMETOOLONG', 'The path, or a name in it, is longer than the system takes.'],
  ['ELOOP', 'The path leads through links in a circle.'],
  ['ENOTDIR', 'The path leads through a file as if it were a folder.'],
  ['EISDIR', 'The path is one of a folder, not of a file.'],
  ['ENOTEMPTY', 'There is a folder in the place of the file.'],
  ['EACCES', 'The system does not allow what was to be done with this path.'],
  ['EPERM', 'The system does not allow what was to be done with this path.'],
  ['EROFS', 'The path is on a file system that cannot be written to.'],
]);

const MOST_SHOWN = 200;

/** Undefined for what is not said of a path. */
export function unusablePath(error: unknown): QuodError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const { code, path } = error;
  // A program is no path that a caller names.
  const isProgram = 'syscall' in error && String(error.syscall).startsWith('spawn');
  const message = FAULTS.get(String(code));
  if (message === undefined || typeof path !== 'string' || isProgram) return undefined;
  const file = path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
  return new QuodError('invalid-input', message, {
    place: { file },
    remedy: 'Name another path.',
    cause: error,
  });
}
