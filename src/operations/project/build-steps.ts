/** What a build did, step by step: as an answer, and as lines for people. */
import { z } from 'zod';
import { formatDuration } from '../../core/duration.ts';
import { orNothing } from '../../core/entry.ts';
import type { ProjectBuildEvent } from '../../provers/rocq/build/project-build.ts';

export const buildStepSchema = z.object({
  kind: z.enum(['fresh', 'compiled', 'failed', 'left-out', 'tool']),
  library: z.string().nullable().describe('null: another tool builds.'),
  file: z.string().nullable(),
  seconds: z.number().nullable(),
  message: z
    .string()
    .nullable()
    .describe('The error, what did not compile before it, or the command of the tool.'),
});

export type BuildStep = z.output<typeof buildStepSchema>;

export function buildStepOf(event: ProjectBuildEvent, nameOf: (path: string) => string): BuildStep {
  if (event.kind === 'tool')
    return { kind: event.kind, library: null, file: null, seconds: null, message: event.command };
  const step = { kind: event.kind, library: event.library, file: nameOf(event.path) };
  switch (event.kind) {
    case 'fresh':
      return { ...step, seconds: null, message: null };
    case 'compiled':
      return { ...step, seconds: event.elapsedMs / 1000, message: null };
    case 'failed':
      return { ...step, seconds: null, message: `${event.error.toString()} [${event.error.reason}]` };
    case 'left-out':
      return { ...step, seconds: null, message: `${event.because} did not compile` };
  }
}

export function buildStepText({ kind, library, seconds, message }: BuildStep): string {
  const name = orNothing(library);
  switch (kind) {
    case 'tool':
      return `  ${orNothing(message)}`;
    case 'fresh':
      return `  = ${name}`;
    case 'compiled':
      return `  ✓ ${name}${seconds === null ? '' : `  ${formatDuration(seconds * 1000)}`}`;
    case 'failed':
      return `  ✗ ${name}\nquod: ${orNothing(message)}`;
    case 'left-out':
      return `  - ${name}: ${orNothing(message)}`;
  }
}

export function buildConclusion(steps: readonly BuildStep[], seconds: number): string {
  const count = (kind: BuildStep['kind']): number => steps.filter((step) => step.kind === kind).length;
  const elapsed = formatDuration(seconds * 1000);
  return steps.length > 0 && count('tool') === steps.length
    ? `built in ${elapsed}`
    : `${count('compiled')} compiled, ${count('fresh')} up to date, ${count('failed')} failed, ${count('left-out')} left out in ${elapsed}`;
}
