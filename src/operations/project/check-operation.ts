/** All errors and holes of a file of any prover, and where its time goes. */
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { counted } from '../../core/counted.ts';
import { withSameReason } from '../../core/lists/same-reason.ts';
import { formatDuration } from '../../core/duration.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { LineIndex, type Span } from '../../core/position.ts';
import type { ProverIdentity } from '../../core/prover.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { stoppedBy, stoppedSchema } from '../definition/cut-off.ts';
import { defineOperation, type Saying } from '../definition/operation.ts';
import { restsOn, restsOnSchema } from '../definition/rests-on.ts';
import {
  assumedSchema,
  assumesText,
  errorsText,
  holesText,
  holdsOf,
  staleText,
  type CheckError,
  type CheckReport,
} from '../files/check-report.ts';
import { passedOverAnswer, passedOverFor, passedOverSchema, passedOverText } from '../files/passed-over.ts';
import { readSourceFile } from '../files/source-file.ts';
import { printedRange, rangeSchema } from '../rocq/session/positions.ts';
import { staleDependencies } from '../rocq/session/stale-dependencies.ts';
import { checkSource } from './check-source.ts';
import { backendField } from './rocq-run-fields.ts';

const outputSchema = z.object({
  holds: z
    .boolean()
    .nullable()
    .describe(
      'No errors, and no holes unless they are allowed; null: no error was found, but not all was looked at (`partial`, or an error says so by its `reason`), or what the file requires changed since it was compiled (`rests_on.stale`).',
    ),
  errors: z.array(
    z.object({
      message: z.string(),
      reason: z.string().nullable().describe('Why it could not be judged, when it was not refused.'),
      follows: z.string().nullable().describe('The earlier declaration whose failure explains this one.'),
      remedy: z.string().nullable(),
      ...rangeSchema.shape,
    }),
  ),
  holes: z.array(
    z.object({
      theorem: z.string(),
      kind: z.string(),
      further: z.boolean().describe('One more gap in what an earlier one leaves open.'),
      ...rangeSchema.shape,
    }),
  ),
  warnings: z.array(z.object({ message: z.string(), ...rangeSchema.shape })),
  assumed: assumedSchema,
  unit: z.enum(['sentence', 'declaration']).describe('What the file is cut into.'),
  run: z.int().describe('How many units were run.'),
  skipped: z.int().describe('How many were left out to recover from an error.'),
  slowest: z.array(z.object({ seconds: z.number(), text: z.string(), ...rangeSchema.shape })),
  seconds: z.number(),
  partial: z.boolean().describe('True when the rest of the file was not looked at.'),
  stopped: stoppedSchema,
  note: z.string().nullable().describe('Why another prover was taken than the usual one.'),
  passed_over: passedOverSchema,
  rests_on: restsOnSchema,
});

type Checked = z.output<typeof outputSchema>;

export const proofCheck = defineOperation({
  name: 'proof_check',
  area: 'proof',
  title: 'Check a file of any prover',
  summary:
    'Runs a file, goes on after each error, and lists all errors, the holes and what took the longest.',
  details:
    'Quod writes and judges nothing (`gate_verify`); commands of the file that write are run, in no sandbox.',
  input: z.object({
    file: z.string().describe('A Rocq file, a HOL4 script (`Script.sml`) or an F* file (`.fst`, `.fsti`).'),
    allow_holes: z.boolean().default(false).describe('Holes are no fault.'),
    sentence_timeout: z
      .number()
      .positive()
      .max(3600)
      .default(60)
      .describe('Seconds for each sentence or declaration.'),
    slowest: z.int().nonnegative().max(10_000).default(5).describe('How many of the slowest to list.'),
    backend: backendField,
  }),
  output: outputSchema,
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  defaultTimeout: 3600,
  positional: ['file'],
  render: checkText,
  conclude: conclusion,
  holds: ({ holds }) => holds ?? undefined,
  run: async (input, { workspace, signal, progress }) => {
    const begunAt = performance.now();
    const path = await workspace.resolve(input.file);
    const source = await readSourceFile(input.file, path).catch(async (error: unknown) => {
      throw (await isFolder(path)) ? withWayForAll(error) : error;
    });
    const { report, identity, unit, note } = await checkSource({
      file: path,
      text: source.text,
      backend: input.backend,
      timeoutMs: input.sentence_timeout * 1000,
      signal,
      onProgress: (done, total) => {
        progress({ message: 'Checking the file', done, total });
      },
    });
    const { errors, holes, warnings, assumed = [], times, skipped, partial } = report;
    const stale = (await staleBelow(path, source.text, identity)).map((one) => workspace.nameOf(one));
    const lines = new LineIndex(source.text);
    const placed = <Item extends { readonly span: Span }>({ span, ...rest }: Item) => ({
      ...rest,
      ...printedRange(lines, span),
    });
    return {
      holds: holdsOf({ errors, holes: input.allow_holes ? [] : holes, partial }, stale),
      errors: errors.map((error) => placed({ ...withNulls(error), span: error.span })),
      holes: holes.map(({ isFurther = false, ...hole }) => placed({ ...hole, further: isFurther })),
      warnings: warnings.map(placed),
      assumed: [...assumed],
      unit,
      run: times.length,
      skipped,
      slowest: slowestOf(report, input.slowest, source.text).map(placed),
      seconds: Math.round(performance.now() - begunAt) / 1000,
      partial,
      stopped: partial ? stoppedBy(signal) : null,
      note: note ?? null,
      passed_over: passedOverAnswer(await passedOverFor([path]), (file) => workspace.nameOf(file)),
      rests_on: restsOn(identity, { file: workspace.nameOf(path), hash: source.hash }, stale),
    };
  },
});

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Who names a folder may want all of it checked. */
function withWayForAll(error: unknown): unknown {
  if (!(error instanceof QuodError)) return error;
  const { reason, message, place, remedy } = error;
  const forAll = '`proof_status` with `check` checks all files in a folder and below it.';
  return new QuodError(reason, message, {
    place,
    remedy: remedy === undefined ? forAll : `${remedy} ${forAll}`,
    cause: error,
  });
}

/** Of other provers than Rocq it is not known. */
async function staleBelow(path: string, text: string, identity: ProverIdentity): Promise<string[]> {
  if (identity.prover !== 'rocq') return [];
  return await staleDependencies(path, outlineOf(text).requires, identity);
}

function withNulls({ message, reason, follows, remedy }: CheckError) {
  return { message, reason: reason ?? null, follows: follows ?? null, remedy: remedy ?? null };
}

function slowestOf({ times }: CheckReport, count: number, text: string) {
  return times
    .toSorted((left, right) => right.elapsedMs - left.elapsedMs)
    .slice(0, count)
    .map(({ span, elapsedMs }) => ({
      span,
      seconds: elapsedMs / 1000,
      text: text.slice(span.start, span.end).replace(/\s+/gu, ' '),
    }));
}

interface Placed {
  readonly line: number;
  readonly column: number;
}

function checkText(checked: Checked, say: Saying): string {
  const file = foreignName(orNothing(checked.rests_on.file));
  const place = ({ line, column }: Placed): string => `${file}:${line}:${column}`;
  const { told, rest } = ownErrors(checked);
  const found = [
    ...told.map((error) => ({
      at: error,
      text: `error: ${foreignText(error.message)}${holeText(checked, error)}${error.remedy === null ? '' : `\n  ${foreignText(say(error.remedy))}`}`,
    })),
    ...rest,
    ...followers(checked),
    ...checked.warnings.map((warning) => ({ at: warning, text: `warning: ${foreignText(warning.message)}` })),
    ...checked.holes
      .filter((hole) => !isError(checked, hole))
      .map((hole) => ({
        at: hole,
        text: `${hole.further ? 'one more place of the hole' : 'hole'}: ${hole.theorem} (${hole.kind})`,
      })),
  ].sort((left, right) => left.at.line - right.at.line || left.at.column - right.at.column);
  const slowest = checked.slowest.map(
    (one) =>
      `${formatDuration(one.seconds * 1000).padStart(9)}  ${place(one)}: ${excerpt(foreignName(one.text))}`,
  );
  return [
    ...found.map(({ at, text }) => `${place(at)}: ${text}`),
    ...(slowest.length === 0 ? [] : [...(found.length === 0 ? [] : ['']), `Slowest ${checked.unit}s:`]),
    ...slowest,
  ].join('\n');
}

type Told = Checked['errors'][number];
type Hole = Checked['holes'][number];

/** Whether an error is that the proof with the hole is not finished: Rocq names the proof that it refuses to end. */
function isOf({ message }: Told, { theorem, kind }: Hole): boolean {
  return kind !== 'admitted' && message.startsWith(`(in proof ${theorem}):`);
}

function isError({ errors }: Checked, hole: Hole): boolean {
  return errors.some((error) => error.follows === null && isOf(error, hole));
}

/** What is a hole and an error, too, is told once. */
function holeText({ holes }: Checked, error: Told): string {
  const kinds = new Set(holes.filter((hole) => isOf(error, hole)).map(({ kind }) => kind));
  return kinds.size === 0 ? '' : ` (a hole: ${[...kinds].join(', ')})`;
}

/** Errors behind a `Require` in vain that may be there for that alone, of which a few are told. */
const MOST_UNSURE = 5;

function ownErrors({ errors }: Checked): {
  readonly told: readonly Told[];
  readonly rest: readonly { at: Placed; text: string }[];
} {
  const own = errors.filter(({ follows }) => follows === null);
  const isUnsure = unsureOf(own);
  const unsure = own.filter(isUnsure);
  const [first, ...others] = unsure.slice(MOST_UNSURE);
  const last = others.at(-1);
  if (first === undefined || last === undefined) return { told: own, rest: [] };
  const hidden = new Set<Told>([first, ...others]);
  const text = `error: ${hidden.size} more errors here and up to ${last.line}:${last.column} (--json lists them)`;
  return { told: own.filter((error) => !hidden.has(error)), rest: [{ at: first, text }] };
}

/** The `Require` that failed first. */
function failedRequire(errors: readonly Told[]): Told | undefined {
  return errors.find(({ reason }) => reason === 'library-missing');
}

function unsureOf(errors: readonly Told[]): (error: Told) => boolean {
  const require = failedRequire(errors);
  return (error) =>
    require !== undefined &&
    error.reason !== 'library-missing' &&
    error.follows === null &&
    (error.line > require.line || (error.line === require.line && error.column > require.column));
}

/** One line for all errors that follow from the same earlier one. */
function followers({ errors }: Checked): { at: Placed; text: string }[] {
  return withSameReason(errors, ({ follows }) => follows).flatMap(({ reason: cause, of: following }) => {
    const [first] = following;
    const last = following.at(-1);
    if (cause === null || first === undefined || last === undefined) return [];
    const text =
      following.length === 1
        ? `error: ${foreignText(first.message)} (follows from the error in ${cause})`
        : `error: ${following.length} errors follow from the error in ${cause}, here and up to ${last.line}:${last.column} (--json lists them)`;
    return [{ at: first, text }];
  });
}

function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function conclusion(checked: Checked, say: Saying): string {
  const { errors, holes, assumed, run, unit, skipped, partial, stopped, seconds, note } = checked;
  const { passed_over, rests_on } = checked;
  const following = errors.filter(({ follows }) => follows !== null).length;
  const open = holes.filter(({ further }) => !further);
  const both = open.filter((hole) => isError(checked, hole)).length;
  const told = [
    errorsText(errors.length - following, following),
    holesText(open.length, holes.length) +
      (both === 0 ? '' : ` (${both} told as ${both === 1 ? 'an error' : 'errors'})`),
    counted(run, unit) + ' run',
    ...(skipped > 0 ? [`${skipped} left out after errors`] : []),
    ...(partial ? [`the rest of the file was not looked at${stopped === null ? '' : ` [${stopped}]`}`] : []),
  ].join(', ');
  const other = note === null ? '' : `${orNothing(rests_on.file)}: ${foreignText(note)}\n`;
  const assumes = assumed.length === 0 ? '' : `${assumesText(assumed, say)}\n`;
  const stale = staleText({ errors }, rests_on.stale, say);
  const older = stale === undefined ? '' : `${stale}\n`;
  const inVain = passedOverText(passed_over).map((line) => `${line}\n`);
  const require = failedRequire(errors);
  const without =
    require === undefined || !errors.some(unsureOf(errors))
      ? ''
      : `What stands behind ${require.line}:${require.column} was run without what is required there: errors there may be for that alone\n`;
  return `${inVain.join('')}${other}${assumes}${older}${without}${told} in ${formatDuration(seconds * 1000)}`;
}
