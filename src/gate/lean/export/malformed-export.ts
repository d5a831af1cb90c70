/** How every reader of exports says that a file is not what the format allows. */
import { QuodError } from '../../../core/errors.ts';

export function malformedExport(line: number, problem: string, cause?: unknown): QuodError {
  return new QuodError('invalid-input', `Line ${line} of the export: ${problem}.`, {
    remedy: 'Export it again with lean4export.',
    ...(cause === undefined ? {} : { cause }),
  });
}
