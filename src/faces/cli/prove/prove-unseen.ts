/**
 * `quod prove` on a Rocq file whose text shows no hole: the prover runs it and says whether there is none. A loaded file
 * can admit, obligations can be left, and what a compiler refuses at the end is no complete file.
 */
import { counted } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { LineIndex } from '../../../core/position.ts';
import { errorOfFile } from '../../../operations/files/error-of-file.ts';
import type { CheckReport } from '../../../operations/files/check-report.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import { checkSource } from '../../../operations/project/check-source.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { errorLine, errorObjectLine } from '../terminal/print-error.ts';
import { tellHoles } from './prove-unsearched.ts';
import { NO_HOLES } from './prove-output.ts';

const SENTENCE_TIMEOUT_MS = 60_000;

export interface Unseen {
  readonly exitCode: ExitCode;
  /** The last line for people. */
  readonly told: string;
}

export async function tellUnseen(
  source: SourceFile,
  { backend, json }: { readonly backend: BackendChoice; readonly json: boolean },
  signal: AbortSignal,
): Promise<Unseen> {
  const { path: file, text } = source;
  const { report } = await checkSource({ file, text, backend, timeoutMs: SENTENCE_TIMEOUT_MS, signal });
  const lines = new LineIndex(text);
  for (const { span, message } of report.errors) {
    const place = { file: source.name, position: lines.printedAt(span.start) };
    const error = errorOfFile(new QuodError('does-not-compile', message, { place }), source.name);
    console.error(errorLine(error));
    if (json) console.log(errorObjectLine(error));
  }
  const message = 'The text does not show it: state it in this file.';
  tellHoles(source, report.holes, { language: 'rocq', message, json });
  return concluded(report, signal.aborted);
}

function concluded({ errors, holes, partial }: CheckReport, interrupted: boolean): Unseen {
  if (interrupted) return { exitCode: 130, told: 'Interrupted while the file was run.' };
  if (errors.length > 0)
    return { exitCode: 1, told: `Nothing was searched: the file has ${counted(errors.length, 'error')}` };
  if (partial) return { exitCode: 2, told: 'The text shows no hole; the prover did not come to its end.' };
  if (holes.length === 0) return { exitCode: 0, told: NO_HOLES };
  return {
    exitCode: 2,
    told: `Nothing was searched; left alone: ${counted(holes.length, 'hole')} that the text does not show`,
  };
}
