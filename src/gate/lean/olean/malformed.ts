/**
 * The one way to say that a file is not what its format promises: the file, the byte, what was found there.
 * Everything in this folder that reads bytes either answers a complete value or throws this.
 */
import { QuodError } from '../../../core/errors.ts';

export function malformed(file: string, offset: number, message: string): QuodError {
  return new QuodError('file-unreadable', `At byte 0x${offset.toString(16)}: ${message}`, {
    place: { file },
    remedy: 'Compile the module again; a file that Lean wrote does not look like this.',
  });
}
