/** An error about a file, as its user knows the file: by the name that was asked for. */
import { QuodError } from '../../core/errors.ts';

export function errorOfFile({ reason, message, place, remedy }: QuodError, fileName: string): QuodError {
  return new QuodError(reason, message, {
    place: { ...place, file: fileName },
    ...(remedy !== undefined && { remedy }),
  });
}
