/** `quod check`: all errors and holes of a file, and where its time goes. */
import { resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { LineIndex } from '../../../core/position.ts';
import type { Span } from '../../../core/position.ts';
import type { ProverIdentity } from '../../../core/prover.ts';
import type { CheckError, CheckReport } from '../../../operations/files/check-report.ts';
import { type CheckedSource, checkSource } from '../../../operations/project/check-source.ts';
import { readSourceFile } from '../../../operations/files/source-file.ts';
import type { SourceFile } from '../../../operations/files/source-file.ts';
import type { BackendChoice } from '../../../sessions/find-rocq.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { restsOn } from '../terminal/rests-on.ts';
import { foreignText, inert } from '../terminal/foreign-text.ts';

export interface CheckOptions {
  readonly backend: BackendChoice;
  readonly allowHoles?: boolean;
  readonly timeout: number;
  readonly slowest: number;
  readonly json?: boolean;
}

export async function checkCommand(fileName: string, options: CheckOptions): Promise<ExitCode> {
  const startedAt = performance.now();
  const source = await readSourceFile(fileName);
  const interrupt = listenForInterrupt();
  let checked: CheckedSource;
  try {
    checked = await checkSource({
      file: resolve(fileName),
      text: source.text,
      backend: options.backend,
      timeoutMs: options.timeout,
      signal: interrupt.signal,
    });
  } finally {
    interrupt.stop();
  }
  const { report, identity, unit, note } = checked;
  if (note !== undefined) console.error(`${source.name}: ${note}`);
  if (options.json === true) {
    console.log(JSON.stringify(reportObject(source, identity, report)));
  } else {
    printReport(source, report, options.slowest, unit);
    console.error(`${summary(report, unit)} in ${formatDuration(performance.now() - startedAt)}`);
  }
  if (interrupt.signal.aborted) return 130;
  if (report.partial) return 2;
  return report.errors.length > 0 || (report.holes.length > 0 && options.allowHoles !== true) ? 1 : 0;
}

function printReport(
  source: SourceFile,
  report: CheckReport,
  slowest: number,
  unit: CheckedSource['unit'],
): void {
  const lines = new LineIndex(source.text);
  const place = (span: Span): string => {
    const { line, column } = lines.printedAt(span.start);
    return `${source.name}:${line}:${column}`;
  };
  const found = [
    ...report.errors
      .filter(({ follows }) => follows === undefined)
      .map((error) => {
        const remedy = error.remedy === undefined ? '' : `\n  ${error.remedy}`;
        return { span: error.span, text: `error: ${error.message}${remedy}` };
      }),
    ...followers(report, lines),
    ...report.warnings.map(({ span, message }) => ({ span, text: `warning: ${message}` })),
    ...report.holes.map(({ span, theorem, kind }) => ({ span, text: `hole: ${theorem} (${kind})` })),
  ].sort((left, right) => left.span.start - right.span.start);
  for (const { span, text } of found) console.log(`${place(span)}: ${foreignText(text)}`);

  const byTime = report.times.toSorted((left, right) => right.elapsedMs - left.elapsedMs).slice(0, slowest);
  if (byTime.length === 0) return;
  console.log(`${found.length > 0 ? '\n' : ''}Slowest ${unit}s:`);
  for (const { span, elapsedMs } of byTime) {
    console.log(
      `${formatDuration(elapsedMs).padStart(9)}  ${place(span)}: ${inert(excerpt(source.text, span))}`,
    );
  }
}

/** One line for all errors that follow from the same earlier one. */
function followers(report: CheckReport, lines: LineIndex): { span: Span; text: string }[] {
  const byCause = new Map<string, CheckError[]>();
  for (const error of report.errors) {
    if (error.follows !== undefined)
      byCause.set(error.follows, [...(byCause.get(error.follows) ?? []), error]);
  }
  return [...byCause].flatMap(([cause, errors]) => {
    const [first] = errors;
    const last = errors.at(-1);
    if (first === undefined || last === undefined) return [];
    const { line, column } = lines.printedAt(last.span.start);
    const text =
      errors.length === 1
        ? `error: ${first.message} (follows from the error in ${cause})`
        : `error: ${errors.length} errors follow from the error in ${cause}, here and up to ${line}:${column} (--json lists them)`;
    return [{ span: first.span, text }];
  });
}

function excerpt(text: string, span: Span): string {
  const oneLine = text.slice(span.start, span.end).replace(/\s+/g, ' ');
  return oneLine.length > 80 ? `${oneLine.slice(0, 79)}…` : oneLine;
}

function summary(
  { errors, holes, times, skipped, partial }: CheckReport,
  unit: CheckedSource['unit'],
): string {
  const following = errors.filter(({ follows }) => follows !== undefined).length;
  return [
    counted(errors.length - following, 'error') + (following === 0 ? '' : ` and ${following} that follow`),
    counted(holes.length, 'hole'),
    counted(times.length, unit) + ' run',
    ...(skipped > 0 ? [`${skipped} left out after errors`] : []),
    ...(partial ? ['the rest of the file was not looked at'] : []),
  ].join(', ');
}

/** Positions as at every face: lines from 1, columns from 0 in code points. */
function reportObject(source: SourceFile, prover: ProverIdentity, report: CheckReport) {
  const lines = new LineIndex(source.text);
  const placed = <Item extends { readonly span: Span }>({ span, ...rest }: Item) => ({
    start: lines.printedAt(span.start),
    end: lines.printedAt(span.end),
    ...rest,
  });
  return {
    ...restsOn(source, prover),
    partial: report.partial,
    skipped: report.skipped,
    errors: report.errors.map(placed),
    warnings: report.warnings.map(placed),
    holes: report.holes.map(placed),
    sentences: report.times.map(placed),
  };
}
