/** All errors of a file, not only the first, with the goals where each stands. */
import { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { orNothing } from '../../../core/entry.ts';
import { assumedSchema, assumesText, holdsOf, staleText } from '../../files/check-report.ts';
import { explainedReport } from '../check/cause-of-refusal.ts';
import { checkFile } from '../check/check-file.ts';
import { READS, defineOperation } from '../../definition/operation.ts';
import { restsOnSchema } from '../../definition/rests-on.ts';
import { goalSchema, goalsShown, rocqGoalText } from '../session/goal-schemas.ts';
import { placeRestsOn, rocqWorkbenchOf } from '../session/place.ts';
import { printedRange, rangeSchema } from '../session/positions.ts';

export const rocqCompile = defineOperation({
  name: 'rocq_compile',
  area: 'rocq',
  title: 'Check a file',
  summary:
    'Runs a file and lists all its errors, per declaration, with the goals at each; holes; warnings; the slowest sentences.',
  details: 'Goes on behind each error. No `.vo` is made, nothing judged (`gate_verify`).',
  input: z.object({
    file: z.string(),
    sentence_timeout: z.number().positive().max(600).default(60).describe('Seconds for each sentence.'),
    slowest: z.int().nonnegative().max(1000).default(5),
  }),
  output: z.object({
    ok: z
      .boolean()
      .describe(
        'No errors and no holes, all of the file was looked at, and nothing that it requires is stale (`rests_on.stale`).',
      ),
    errors: z.array(
      z.object({
        message: z.string(),
        theorem: z.string().nullable().describe('The declaration in which it stands.'),
        reason: z.string().nullable(),
        follows: z.string().nullable().describe('The earlier declaration whose failure explains this one.'),
        remedy: z.string().nullable(),
        goals: z
          .array(goalSchema)
          .describe('The goals in focus where the error stands; none outside of a proof.'),
        ...rangeSchema.shape,
      }),
    ),
    holes: z.array(z.object({ theorem: z.string(), kind: z.string(), ...rangeSchema.shape })),
    warnings: z.array(z.object({ message: z.string(), ...rangeSchema.shape })),
    assumed: assumedSchema,
    sentences_run: z.int(),
    sentences_skipped: z.int(),
    seconds: z.number(),
    slowest: z.array(z.object({ seconds: z.number(), ...rangeSchema.shape })),
    partial: z.boolean().describe('True when the check was stopped before the end of the file.'),
    rests_on: restsOnSchema,
  }),
  annotations: READS,
  defaultTimeout: 600,
  positional: ['file'],
  holds: ({ rests_on, ...checked }) => holdsOf(checked, rests_on.stale) ?? undefined,
  render: ({ errors, holes, warnings, assumed, rests_on: { file, stale }, seconds, partial }, say) =>
    [
      ...errors.map(
        ({ line, column, message, goals }) =>
          `${orNothing(file)}:${line}:${column}: ${message}${goals[0] === undefined ? '' : `\n${rocqGoalText(goals[0])}`}`,
      ),
      ...holes.map(
        ({ line, column, theorem, kind }) =>
          `${orNothing(file)}:${line}:${column}: ${theorem} has a hole (${kind})`,
      ),
      ...warnings.map(
        ({ line, column, message }) => `${orNothing(file)}:${line}:${column}: warning: ${message}`,
      ),
      ...(assumed.length === 0 ? [] : [assumesText(assumed, say)]),
      ...[staleText({ errors }, stale, say)].filter((line) => line !== undefined),
      `${counted(errors.length, 'error')}, ${counted(holes.length, 'hole')}, ${seconds.toFixed(1)} s${partial ? ', not all of the file' : ''}`,
    ].join('\n'),
  run: async (input, context) => {
    const workbench = rocqWorkbenchOf(context);
    const file = await workbench.file(context.workspace, input.file);
    const prover = await workbench.prover();
    const { path, text } = file.source;
    const ran = await checkFile({
      ...{ file: path, text, prover },
      timeoutMs: input.sentence_timeout * 1000,
      signal: context.signal,
      onProgress: (done, total) => {
        context.progress({ message: 'Checking the file', done, total });
      },
    });
    const { backend } = workbench;
    const checked = { file: path, text, report: ran, identity: prover.identity, backend };
    const report = await explainedReport({ ...checked, signal: context.signal });
    const declarationAt = (offset: number): string | null => {
      const { sentences, statements } = file.outline;
      const before = statements.findLast(
        ({ sentence }) => (sentences[sentence]?.span.start ?? Infinity) <= offset,
      );
      const end =
        before && sentences[before.closing ?? Math.max(before.sentence, before.body.end - 1)]?.span.end;
      return end !== undefined && offset < end ? (before?.name ?? null) : null;
    };
    const rests_on = await placeRestsOn(context, await workbench.pool(), file);
    const range = (span: { readonly start: number; readonly end: number }) => printedRange(file.lines, span);
    return {
      ok: holdsOf(report, rests_on.stale) === true,
      errors: report.errors.map(({ message, span, reason, follows, remedy, goals }) => ({
        message,
        theorem: declarationAt(span.start),
        reason: reason ?? null,
        follows: follows ?? null,
        remedy: remedy ?? null,
        goals: goalsShown(goals ?? [], { goals: 3, characters: 2000 }).goals,
        ...range(span),
      })),
      holes: report.holes.map(({ theorem, kind, span }) => ({ theorem, kind, ...range(span) })),
      warnings: report.warnings.map(({ message, span }) => ({ message, ...range(span) })),
      assumed: [...(report.assumed ?? [])],
      sentences_run: report.times.length,
      sentences_skipped: report.skipped,
      seconds: report.times.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000,
      slowest: report.times
        .toSorted((one, other) => other.elapsedMs - one.elapsedMs)
        .slice(0, input.slowest)
        .map(({ elapsedMs, span }) => ({ seconds: elapsedMs / 1000, ...range(span) })),
      partial: report.partial,
      rests_on,
    };
  },
});
