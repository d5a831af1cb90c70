/** `quod runs`, `quod show`, `quod run export`: what runs were and are, read from their logs. */
import { resolve } from 'node:path';
import { counted } from '../../../core/counted.ts';
import { exportRun } from '../../../agent/runs/export.ts';
import { foldRun } from '../../../agent/runs/fold.ts';
import { findRun, listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { QuodError } from '../../../core/errors.ts';
import { costText, eventLine } from './agent-progress.ts';
import { formatDuration } from '../terminal/duration.ts';
import type { ExitCode } from '../terminal/exit-codes.ts';

export interface RunsOptions {
  readonly json?: boolean;
}

export function runsCommand({ json }: RunsOptions): ExitCode {
  const runs = runsFolder(process.cwd());
  for (const name of listRuns(runs)) {
    const state = foldRun(readRun(runs, name));
    if (state === undefined) continue;
    const { file, outcome, theorems, spent, elapsedMs, startedAt } = state;
    const proved = theorems.filter((one) => one.outcome === 'proved').length;
    const provedBut = theorems.filter((one) => one.outcome === 'proved-but').length;
    console.log(
      json === true
        ? JSON.stringify({
            name,
            file,
            outcome,
            proved,
            provedBut,
            theorems: theorems.length,
            cost: spent.cost,
            elapsedMs,
            startedAt,
          })
        : `${name}  ${outcome.padEnd(16)} ${proved}/${theorems.length}${provedBut === 0 ? '' : ` (+${provedBut} but open)`}  $${spent.cost.toFixed(4)}  ${formatDuration(elapsedMs)}  ${file}`,
    );
  }
  return 0;
}

export function showCommand(wanted: string, { json }: RunsOptions): ExitCode {
  const runs = runsFolder(process.cwd());
  const name = findRun(runs, wanted);
  const records = readRun(runs, name);
  const state = foldRun(records);
  if (state === undefined) throw new QuodError('invalid-input', `Run ${name} ended before it began.`);
  if (json === true) {
    console.log(JSON.stringify({ name, ...state, byRole: Object.fromEntries(state.byRole) }));
    return 0;
  }
  const begun = Date.parse(state.startedAt);
  for (const record of records) {
    const line = eventLine(record);
    if (line === undefined) continue;
    // The tree of attempts is in the keys: each level is indented.
    const depth = 'key' in record.event ? record.event.key.split('/').length - 1 : 0;
    console.log(`${formatDuration(Date.parse(record.at) - begun).padStart(9)}  ${'  '.repeat(depth)}${line}`);
  }
  console.log(
    `\n${name}: ${state.outcome}, ${formatDuration(state.elapsedMs)}, ${counted(state.toolCalls, 'tool call')}`,
  );
  for (const [role, { calls, inputTokens, outputTokens, cost }] of state.byRole) {
    console.log(
      `  ${role.padEnd(18)} ${String(calls).padStart(4)} calls  ${inputTokens} + ${outputTokens} tokens  ${costText(cost)}`,
    );
  }
  console.log(
    `  ${'all'.padEnd(18)} ${String(state.spent.calls).padStart(4)} calls  ${costText(state.spent.cost)}`,
  );
  if (state.lostCalls > 0) {
    console.log(
      `  ${counted(state.lostCalls, 'call')} under way when the process died; what that cost is not known.`,
    );
  }
  for (const { theorem, outcome, reason, proof } of state.theorems) {
    console.log(
      `\n${theorem}: ${outcome}${reason === '' ? '' : ` (${reason})`}${proof === null ? '' : `\n${proof}`}`,
    );
  }
  return 0;
}

/** The file as it was before the run, byte for byte as text. */
export function originalCommand(wanted: string, { file }: { readonly file?: string }): ExitCode {
  const runs = runsFolder(process.cwd());
  const name = findRun(runs, wanted);
  const state = foldRun(readRun(runs, name));
  const files = state?.files ?? [];
  const found =
    file === undefined && files.length === 1
      ? files[0]
      : files.find((one) => one.file === resolve(file ?? ''));
  if (found === undefined) {
    throw new QuodError('invalid-input', `Run ${name} worked on several files.`, {
      remedy: `Name one with --file: ${files.map((one) => one.file).join(', ')}.`,
    });
  }
  process.stdout.write(found.text);
  return 0;
}

export function exportCommand(wanted: string): ExitCode {
  const runs = runsFolder(process.cwd());
  const name = findRun(runs, wanted);
  console.log(exportRun(name, readRun(runs, name)));
  return 0;
}
