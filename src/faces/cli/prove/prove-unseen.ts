/**
 * `quod prove` on a Rocq file of which nothing is searched: the prover runs it and says whether there is no hole. A loaded file
 * can admit, obligations can be left, and what a compiler refuses at the end is no complete file. Nor does the text say whether
 * `Admit Obligations` admits any.
 */
import { counted, someOf } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { foreignText } from '../../../core/foreign-text.ts';
import { LineIndex } from '../../../core/position.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { errorOfFile } from '../../../operations/files/error-of-file.ts';
import type { CheckReport, FoundHole } from '../../../operations/files/check-report.ts';
import { admittedObligations } from '../../../operations/rocq/check/holes-of-file.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import { checkSource } from '../../../operations/project/check-source.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { errorLine, errorObjectLine } from '../terminal/print-error.ts';
import { tellHoles } from './prove-unsearched.ts';
import { NO_HOLES } from './prove-output.ts';

const SENTENCE_TIMEOUT_MS = 60_000;

export interface LeftOpen {
  /** `obligations` are told behind what was searched; of a file without a visible hole it is all that is told. */
  readonly kind: 'obligations' | 'whole-file';
  readonly exitCode: ExitCode;
  /** The last line for people, or its end. */
  readonly told: string;
}

export interface FileRunChoice {
  readonly backend: BackendChoice;
  readonly json: boolean;
  /** Whether the text shows no hole, so that all that Rocq says is news. */
  readonly isUnseen: boolean;
}

/**
 * Prints the holes of a Rocq file that no statement opens; where the text shows none, also what else Rocq says of the file.
 * Proofs have stdout for themselves. Undefined where there is nothing to tell.
 */
export async function leftOpen(
  source: SourceFile,
  { backend, json, isUnseen }: FileRunChoice,
  signal: AbortSignal,
): Promise<LeftOpen | undefined> {
  const report = await reportOf(source, backend, signal);
  if (signal.aborted)
    return isUnseen
      ? { kind: 'whole-file', exitCode: 130, told: 'Interrupted while the file was run.' }
      : undefined;
  const obligations = tellObligations(source, report, json);
  if (obligations > 0) {
    const told = `left alone: ${counted(obligations, 'hole')} without a statement`;
    return { kind: 'obligations', exitCode: 2, told };
  }
  return isUnseen ? tellUnseen(source, report, json) : undefined;
}

function tellUnseen(source: SourceFile, report: CheckReport, json: boolean): LeftOpen {
  const lines = new LineIndex(source.text);
  for (const { span, message } of report.errors) {
    const place = { file: source.name, position: lines.printedAt(span.start) };
    const error = errorOfFile(new QuodError('does-not-compile', message, { place }), source.name);
    console.error(errorLine(error));
    if (json) console.log(errorObjectLine(error));
  }
  const isGivenUp = ({ kind }: FoundHole): boolean => kind === 'aborted';
  const tell = (holes: readonly FoundHole[], message: string): void =>
    tellHoles(source, holes, { language: 'rocq', message, json });
  tell(
    report.holes.filter((hole) => !isGivenUp(hole)),
    'The text does not show it: state it in this file.',
  );
  tell(
    report.holes.filter(isGivenUp),
    'It is given up, and something else is stated under its name later: give it another name.',
  );
  return { kind: 'whole-file', ...concluded(report, report.holes.every(isGivenUp)) };
}

/** @returns how many of them Rocq says are open. */
function tellObligations(source: SourceFile, { holes }: CheckReport, json: boolean): number {
  const places = new Set(holes.map(({ span }) => span.start));
  const admitted = admittedObligations(outlineOf(source.text)).filter(({ span }) => places.has(span.start));
  const message =
    'The obligations have no statement of their own: write `Next Obligation.` for each, or `Obligation 1 of` its name.';
  tellHoles(source, admitted, { language: 'rocq', message, json });
  return admitted.length;
}

async function reportOf(
  { path: file, text }: SourceFile,
  backend: BackendChoice,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { report } = await checkSource({ file, text, backend, timeoutMs: SENTENCE_TIMEOUT_MS, signal });
  return report;
}

function concluded(
  { errors, holes, partial, assumed = [] }: CheckReport,
  areGivenUp: boolean,
): Pick<LeftOpen, 'exitCode' | 'told'> {
  if (errors.length > 0)
    return { exitCode: 1, told: `Nothing was searched: the file has ${counted(errors.length, 'error')}` };
  if (partial) return { exitCode: 2, told: 'The text shows no hole; the prover did not come to its end.' };
  if (holes.length === 0) {
    const told = assumed.length === 0 ? NO_HOLES : `${NO_HOLES} It assumes ${foreignText(someOf(assumed))}.`;
    return { exitCode: 0, told };
  }
  const why = areGivenUp
    ? 'given up, with its name taken by another statement'
    : 'that the text does not show';
  return { exitCode: 2, told: `Nothing was searched; left alone: ${counted(holes.length, 'hole')} ${why}` };
}
