/** How every failure of a command is told: one line for people on stderr, with --json also one object on stdout. */
import { QuodError, errorText } from '../../../core/errors.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitCodeOf } from '../exit/exit-codes.ts';
import { foreignText } from '../../../core/foreign-text.ts';

export function printError(error: unknown, output: { readonly json: boolean }): ExitCode {
  const failure =
    error instanceof QuodError
      ? error
      : new QuodError('internal', `Quod has a defect: ${errorText(error)}`, {
          remedy: 'Please report it with the lines below.',
          cause: error,
        });
  console.error(errorLine(failure));
  if (failure.reason === 'internal' && error instanceof Error) console.error(error.stack);
  if (output.json) {
    console.log(errorObjectLine(failure));
  }
  return exitCodeOf(failure.reason);
}

export function errorLine(error: QuodError): string {
  return `quod: ${foreignText(error.toString())} [${error.reason}]`;
}

/** The JSON line of an error: `{"error":{"reason",…}}`, with the place when there is one. */
export function errorObjectLine({ reason, message, place, remedy }: QuodError): string {
  return JSON.stringify({ error: { reason, message, file: place.file, ...place.position, remedy } });
}
