/** What a build did, step by step: as an answer, and as lines for people. */
import { z } from 'zod';
import { formatDuration } from '../../core/duration.ts';
import { orNothing, orZero } from '../../core/entry.ts';
import { type QuodError, withRemedy } from '../../core/errors.ts';
import { foreignName, foreignText } from '../../core/foreign-text.ts';
import { stoppedText, type Stopped } from '../definition/cut-off.ts';
import { misnamedText } from '../../provers/rocq/build/project-sources.ts';
import type { ProjectBuildEvent } from '../../provers/rocq/build/project-build.ts';

export const buildStepSchema = z.object({
  kind: z
    .enum(['fresh', 'compiled', 'failed', 'left-out', 'stopped', 'tool'])
    .describe(
      '`left-out`: something that it requires failed. `stopped`: the call ended before it was compiled.',
    ),
  library: z.string().nullable().describe('null: another tool builds, or no library can be called so.'),
  file: z.string().nullable(),
  line: z.int().nullable().describe('Of the error.'),
  column: z.int().nullable(),
  seconds: z.number().nullable(),
  message: z
    .string()
    .nullable()
    .describe(
      'The error, what did not compile before it, what is wrong with its name, or the command of the tool.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Of what failed: `does-not-compile`, or what kept it from being compiled (`file-unreadable`, `file-unwritable`).',
    ),
});

export type BuildStep = z.output<typeof buildStepSchema>;

const NOWHERE = { line: null, column: null, seconds: null, message: null, reason: null };

/** Of a file that nothing can compile. */
export function misnamedStep(file: string, wrongPart: string): BuildStep {
  return { ...NOWHERE, kind: 'left-out', library: null, file, message: withRemedy(misnamedText(wrongPart)) };
}

/** Of a file at which another tool stopped. */
export function toolFailedStep(file: string, error: QuodError): BuildStep {
  return { ...NOWHERE, kind: 'failed', library: null, file, ...failureOf(error) };
}

function failureOf(error: QuodError) {
  const { reason, place } = error;
  const { line, column } = place.position ?? NOWHERE;
  return { line, column, reason, message: `${withRemedy(error)} [${reason}]` };
}

/** Undefined where nothing has ended. */
export function buildStepOf(
  event: ProjectBuildEvent,
  nameOf: (path: string) => string,
): BuildStep | undefined {
  switch (event.kind) {
    case 'started':
    case 'output':
      return undefined;
    case 'tool':
      return { ...NOWHERE, kind: event.kind, library: null, file: null, message: event.command };
    default:
  }
  const step = { ...NOWHERE, kind: event.kind, library: event.library, file: nameOf(event.path) };
  switch (event.kind) {
    case 'fresh':
    case 'stopped':
      return step;
    case 'compiled':
      return { ...step, seconds: event.elapsedMs / 1000 };
    case 'failed':
      return { ...step, ...failureOf(event.error) };
    case 'left-out':
      return { ...step, message: `${event.because} did not compile` };
  }
}

export type ToldStep = BuildStep & { readonly kind: Exclude<BuildStep['kind'], 'fresh' | 'stopped'> };

/** Whether a step is told by itself: what is up to date, and what the build did not come to, is only counted. */
export function isToldStep(step: BuildStep): step is ToldStep {
  return step.kind !== 'fresh' && step.kind !== 'stopped';
}

export function buildStepText({ kind, library, file, line, column, seconds, message }: ToldStep): string {
  const name = library ?? foreignName(orNothing(file));
  switch (kind) {
    case 'tool':
      return `  ${foreignText(orNothing(message))}`;
    case 'compiled':
      return `  ✓ ${name}${seconds === null ? '' : `  ${formatDuration(seconds * 1000)}`}`;
    case 'failed': {
      const where = [orNothing(file), ...(line === null ? [] : [line, orZero(column)])].join(':');
      return `  ✗ ${name}\n    ${foreignText(`${where}: ${orNothing(message)}`, '      ')}`;
    }
    case 'left-out':
      return `  - ${name}: ${foreignText(orNothing(message))}`;
  }
}

/** @param stopped What ended the call before the build was done. */
export function buildConclusion(
  steps: readonly BuildStep[],
  seconds: number,
  stopped: Stopped = null,
): string {
  const count = (kind: BuildStep['kind']): number => steps.filter((step) => step.kind === kind).length;
  const elapsed = formatDuration(seconds * 1000);
  const leftOut = count('left-out');
  const isOfTool = count('tool') > 0 && count('tool') + leftOut === steps.length;
  const unmade = count('stopped');
  const ended = stopped === null ? '' : `. ${stoppedText(stopped)} [${stopped}]`;
  if (isOfTool && stopped !== null) return `not built to the end in ${elapsed}${ended}`;
  return isOfTool
    ? `built${leftOut === 0 ? '' : `, ${leftOut} left out`} in ${elapsed}`
    : `${count('compiled')} compiled, ${count('fresh')} up to date, ${count('failed')} failed, ${leftOut} left out${unmade === 0 ? '' : `, ${unmade} not compiled yet`} in ${elapsed}${ended}`;
}
