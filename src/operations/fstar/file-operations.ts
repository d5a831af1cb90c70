/** What is asked about a file, without a session: its outline, how stable and how fast its proofs are. */
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { formatDuration } from '../../core/duration.ts';
import { entryAt } from '../../core/entry.ts';
import { LineIndex } from '../../core/position.ts';
import { greatestOf, leastOf } from '../../core/lists/many.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { judgeRecord, optionsOf, quake, variations } from '../../provers/fstar/measure/quake.ts';
import { readQueryStatistics } from '../../provers/fstar/measure/query-statistics.ts';
import { runDeclarations } from '../../provers/fstar/measure/run-declarations.ts';
import { counterpartOf } from '../../provers/fstar/project.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { signatureOf } from '../../provers/fstar/syntax/declaration-parts.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import { declarationTimeout } from './report-schemas.ts';
import { timeTable } from './report-text.ts';
import { sourcePath } from './session-operations.ts';
import { launchOf } from './fstar-workbench.ts';

const filePath = z.string().describe('A `.fst` or `.fsti` file.');

export const fstarOutline = defineOperation({
  name: 'fstar_outline',
  area: 'fstar',
  title: 'Outline an F* file',
  summary: 'Lists the top-level declarations of a file with their statements and places. Needs no F*.',
  input: z.object({ file_path: filePath }),
  output: z.object({
    declarations: z.array(
      z.object({
        kind: z.string(),
        names: z.array(z.string()),
        qualifiers: z.array(z.string()),
        signature: z.string().describe('What it states, on one line, at most 2,000 characters.'),
        defined: z
          .boolean()
          .nullable()
          .describe('Of a `val`: whether the file or its counterpart defines it.'),
        start_line: z.int(),
        start_column: z.int(),
        end_line: z.int(),
        end_column: z.int(),
      }),
    ),
    count: z.int(),
    counterpart: z
      .string()
      .nullable()
      .describe('The interface of an implementation, or the other way round.'),
  }),
  annotations: READS,
  defaultTimeout: 30,
  positional: ['file_path'],
  render: ({ declarations }) =>
    declarations.map(({ start_line, signature }) => `${start_line}: ${signature}`).join('\n'),
  run: async ({ file_path }, context) => {
    const file = await sourcePath(file_path, context);
    const text = await readRegularText(file);
    const counterpart = counterpartOf(file);
    const declarations = parseDeclarations(text);
    const others = counterpart === null ? [] : parseDeclarations(await readRegularText(counterpart));
    const defined = new Set(
      [...declarations, ...others].filter(({ kind }) => kind !== 'val').flatMap(({ names }) => names),
    );
    const lines = new LineIndex(text);
    return {
      declarations: declarations.map((declaration) => {
        const start = lines.printedAt(declaration.start);
        const end = lines.printedAt(declaration.end);
        return {
          kind: declaration.kind,
          names: [...declaration.names],
          qualifiers: [...declaration.qualifiers],
          signature: signatureOf(declaration).slice(0, 2000),
          defined: declaration.kind === 'val' ? declaration.names.every((name) => defined.has(name)) : null,
          start_line: start.line,
          start_column: start.column,
          end_line: end.line,
          end_column: end.column,
        };
      }),
      count: declarations.length,
      counterpart: counterpart && context.workspace.nameOf(counterpart),
    };
  },
});

export const fstarQuake = defineOperation({
  name: 'fstar_quake',
  area: 'fstar',
  title: 'Shake the proofs of a file',
  summary:
    'Checks a file several times with other seeds and fuel, and names the proofs that pass only sometimes.',
  input: z.object({
    file_path: filePath,
    runs: z.int().min(2).max(50).default(5),
    vary_fuel: z.boolean().default(true).describe('Also start with other fuel than the file says.'),
    declaration_timeout: declarationTimeout,
  }),
  output: z.object({
    runs: z.array(z.object({ seed: z.int(), fuel: z.int().nullable(), options: z.array(z.string()) })),
    flaky: z.array(z.string()).describe('Passed in some runs and failed in others.'),
    failing: z.array(z.string()).describe('Failed in every run.'),
    stable: z.int().describe('How many passed in every run.'),
    declarations: z.array(
      z.object({
        names: z.array(z.string()),
        line: z.int(),
        verdict: z.enum(['stable', 'flaky', 'failing']),
        passed: z.int(),
        failed_with: z.array(z.int()).describe('The seeds of the runs in which it did not pass.'),
        fastest_ms: z.int(),
        slowest_ms: z.int(),
      }),
    ),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 1800,
  positional: ['file_path'],
  render: ({ runs, declarations, stable }) =>
    [
      `${counted(runs.length, 'run')}: ${stable} of ${counted(declarations.length, 'declaration')} stable`,
      ...declarations
        .filter(({ verdict }) => verdict !== 'stable')
        .map(
          ({ names, line, verdict, passed, failed_with }) =>
            `  ${verdict}: ${names.join(', ')} (line ${line}) passed in ${passed} of ${runs.length}, not with ${failed_with.length === 1 ? 'seed' : 'seeds'} ${failed_with.join(', ')}`,
        ),
    ].join('\n'),
  run: async ({ file_path, runs, vary_fuel, declaration_timeout }, context) => {
    const file = await sourcePath(file_path, context);
    const text = await readRegularText(file);
    const launch = await launchOf(file, context);
    const varied = variations(runs, vary_fuel);
    const records = await quake(launch, text, varied, {
      signal: context.signal,
      timeoutMs: declaration_timeout * 1000,
      onRun: (done, total) => context.progress({ message: `run ${done + 1} of ${total}`, done, total }),
    });
    const lines = new LineIndex(text);
    const judged = records.map((record) => ({ record, verdict: judgeRecord(record) }));
    const namesWith = (wanted: string): string[] =>
      judged.filter(({ verdict }) => verdict === wanted).map(({ record }) => record.names.join(', '));
    return {
      runs: varied.map((variation) => ({ ...variation, options: [...optionsOf(variation)] })),
      flaky: namesWith('flaky'),
      failing: namesWith('failing'),
      stable: judged.filter(({ verdict }) => verdict === 'stable').length,
      declarations: judged.map(({ record, verdict }) => {
        const times = record.runs.map(({ elapsedMs }) => elapsedMs);
        return {
          names: [...record.names],
          line: lines.printedAt(record.start).line,
          verdict,
          passed: record.runs.filter(({ status }) => status === 'ok').length,
          failed_with: record.runs.flatMap(({ status }, index) =>
            status === 'ok' ? [] : [entryAt(varied, index, 'run').seed],
          ),
          fastest_ms: Math.round(leastOf(times)),
          slowest_ms: Math.round(greatestOf(times)),
        };
      }),
    };
  },
});

export const fstarProfile = defineOperation({
  name: 'fstar_profile',
  area: 'fstar',
  title: 'Profile the proofs of a file',
  summary: 'Checks a file once and tells which declarations and which questions to the solver took longest.',
  input: z.object({
    file_path: filePath,
    top: z.int().positive().max(200).default(10).describe('How many of each to show.'),
    declaration_timeout: declarationTimeout,
  }),
  output: z.object({
    total_ms: z.int(),
    declarations: z.array(
      z.object({ names: z.array(z.string()), line: z.int(), status: z.string(), elapsed_ms: z.int() }),
    ),
    queries: z.array(
      z.object({
        name: z.string().describe('The definition that the question belongs to.'),
        index: z.int().describe('Its number among the questions of that definition.'),
        succeeded: z.boolean(),
        milliseconds: z.int(),
        fuel: z.int().nullable(),
        ifuel: z.int().nullable(),
        rlimit: z.int().nullable(),
        rlimit_used: z.int().nullable(),
        reason: z.string().nullable().describe('Why the solver gave up.'),
        line: z.int().nullable(),
      }),
    ),
    queries_total: z.int(),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 1200,
  positional: ['file_path'],
  render: ({ total_ms, declarations, queries, queries_total }) =>
    [
      `${formatDuration(total_ms)} in all; the slowest declarations:`,
      ...timeTable(
        declarations.map(({ names, line, status, elapsed_ms }) => ({
          milliseconds: elapsed_ms,
          what: `${names.join(', ')} (line ${line})${status === 'ok' ? '' : `: ${status}`}`,
        })),
      ),
      queries_total === 0
        ? 'The solver was asked nothing, or F* did not say what.'
        : `The slowest of ${counted(queries_total, 'question')} to the solver:`,
      ...timeTable(
        queries.map(({ name, index, succeeded, milliseconds, line, reason }) => ({
          milliseconds,
          what: `${name}, ${index}${line === null ? '' : ` (line ${line})`}${succeeded ? '' : `: not proved${reason === null ? '' : ` (${reason})`}`}`,
        })),
      ),
    ].join('\n'),
  run: async ({ file_path, top, declaration_timeout }, context) => {
    const file = await sourcePath(file_path, context);
    const text = await readRegularText(file);
    const launch = await launchOf(file, context, ['--query_stats']);
    const runs = await runDeclarations(launch, text, {
      signal: context.signal,
      timeoutMs: declaration_timeout * 1000,
      onProgress: (done, total) => context.progress({ message: 'Checking', done, total }),
    });
    const lines = new LineIndex(text);
    const queries = runs.flatMap(({ texts }) => texts.flatMap(readQueryStatistics));
    return {
      total_ms: Math.round(runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0)),
      declarations: [...runs]
        .sort((one, other) => other.elapsedMs - one.elapsedMs)
        .slice(0, top)
        .map(({ declaration, status, elapsedMs }) => ({
          names: [...declaration.names],
          line: lines.printedAt(declaration.start).line,
          status,
          elapsed_ms: Math.round(elapsedMs),
        })),
      queries: [...queries]
        .sort((one, other) => other.milliseconds - one.milliseconds)
        .slice(0, top)
        .map(({ used, start, ...query }) => ({ ...query, rlimit_used: used, line: start?.line ?? null })),
      queries_total: queries.length,
    };
  },
});
