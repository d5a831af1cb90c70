/** `quod status`: the files of a project with their holes, errors and what they rest on, as a table or JSON. */
import { relative, resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { checkSource } from '../../../operations/project/check-source.ts';
import { type FileStatus, projectStatus } from '../../../operations/project/project-status.ts';
import { readSourceFile } from '../../../operations/files/source-file.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { filesNamed } from './named-files.ts';

export interface StatusOptions {
  readonly check?: boolean;
  readonly json?: boolean;
}

interface Row extends FileStatus {
  /** Absent when the file was not run. */
  readonly errors?: number;
}

const SENTENCE_TIMEOUT_MS = 60_000;

/** Exits with 1 when something is open or wrong. */
export async function statusCommand(names: readonly string[], options: StatusOptions): Promise<ExitCode> {
  const files = (await filesNamed(names)).map(({ name }) => resolve(name));
  const interrupt = listenForInterrupt();
  const rows: Row[] = [];
  try {
    for (const status of await projectStatus(files)) {
      const errors =
        options.check === true && status.language !== 'lean'
          ? await errorsOf(status.path, interrupt.signal)
          : undefined;
      if (interrupt.signal.aborted) return 130;
      const row = { ...status, ...(errors !== undefined && { errors }) };
      rows.push(row);
      if (options.json === true) console.log(JSON.stringify(row));
    }
  } finally {
    interrupt.stop();
  }
  if (options.json !== true) console.log(tableOf(rows));
  const holes = rows.reduce((sum, row) => sum + row.holes.length, 0);
  const errors = rows.reduce((sum, row) => sum + (row.errors ?? 0), 0);
  const resting = rows.filter(({ restsOn }) => restsOn.length > 0).length;
  const wrong = options.check === true ? `, ${counted(errors, 'error')}` : '';
  console.error(
    `${counted(rows.length, 'file')}, ${counted(holes, 'hole')}${wrong}, ${counted(resting, 'file')} resting on holes of others`,
  );
  return holes + errors > 0 ? 1 : 0;
}

async function errorsOf(path: string, signal: AbortSignal): Promise<number> {
  const { text } = await readSourceFile(path);
  const { report } = await checkSource({
    file: path,
    text,
    backend: 'auto',
    timeoutMs: SENTENCE_TIMEOUT_MS,
    signal,
  });
  return report.errors.length;
}

function tableOf(rows: readonly Row[]): string {
  const name = (path: string): string => relative(process.cwd(), path);
  const cells = rows.map((row) => [
    name(row.path),
    row.holes.length === 0 ? '' : `${row.holes.length}: ${row.holes.join(', ')}`,
    row.errors === undefined || row.errors === 0 ? '' : String(row.errors),
    row.compiled === undefined ? '' : row.compiled ? 'yes' : 'no',
    row.restsOn.map(({ path, holes }) => `${name(path)} (${holes})`).join(', '),
  ]);
  const table = [['file', 'holes', 'errors', 'compiled', 'rests on holes of'], ...cells];
  const shown = (table[0] ?? []).map((_, at) => at === 0 || cells.some((row) => row[at] !== ''));
  const widths = shown.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .flatMap((cell, at) => (shown[at] === true ? [cell.padEnd(widths[at] ?? 0)] : []))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
