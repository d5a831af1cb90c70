/** How every failure of a command is told: one line for people on stderr, with --json also one object on stdout. */
import { QuodError, errorText, tooDeep } from '../../../core/errors.ts';
import { unusablePath } from '../../../process/foreign-folder/unusable-path.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitCodeOfFailure } from '../exit/exit-codes.ts';
import { foreignText, inertJson } from '../../../core/foreign-text.ts';
import { fromHere } from './from-here.ts';
import { inCommandWords, type Taking } from './command-words.ts';

export interface ErrorOutput {
  readonly json: boolean;
  /** The operation that was called, whose parameters the error may speak of. */
  readonly operation?: Taking;
}

export function printError(error: unknown, { json, operation }: ErrorOutput): ExitCode {
  const failure =
    error instanceof QuodError
      ? error
      : (unusablePath(error) ??
        tooDeep(error) ??
        new QuodError('internal', `Quod has a defect: ${errorText(error)}`, {
          remedy: 'Please report it with the lines below.',
          cause: error,
        }));
  console.error(errorLine(failure, operation));
  if (failure.reason === 'internal' && error instanceof Error) console.error(error.stack);
  if (json) {
    console.log(errorObjectLine(failure));
  }
  return exitCodeOfFailure(failure.reason);
}

/** The message may quote a prover: only where Quod refuses the input does it speak of parameters. */
export function errorLine(error: QuodError, operation?: Taking): string {
  const { reason, place, message, remedy } = error;
  const isRefused = reason === 'invalid-input' && operation !== undefined;
  const told = new QuodError(reason, isRefused ? inCommandWords(message, operation) : message, {
    place: { ...place, ...(place.file !== undefined && { file: fromHere(place.file) }) },
    ...(remedy !== undefined && { remedy: inCommandWords(remedy, operation) }),
  });
  return `quod: ${foreignText(told.toString())} [${reason}]`;
}

/** The JSON line of an error: `{"error":{"reason",…}}`, with the place when there is one, in the words of all faces. */
export function errorObjectLine({ reason, message, place, remedy }: QuodError): string {
  return inertJson({ error: { reason, message, file: place.file, ...place.position, remedy } });
}
