/** The tools with which a model reads: parts of files, definitions, uses, the outline of what the file rests on. */
import { z } from 'zod';
import type { TargetTool } from '../../agent/target.ts';
import { QuodError } from '../../core/errors.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { nearestNames } from '../../core/names/nearest-names.ts';
import { clause } from '../../core/sentence.ts';
import { namesUsed } from './rocq-declarations.ts';
import { firstLines } from './rocq-context.ts';
import type { ReadSource, RocqSources } from './rocq-sources.ts';

export interface ReadingTool {
  readonly listing: TargetTool;
  /** @throws QuodError for what a model did wrong. */
  answer(sources: RocqSources, input: unknown): string;
}

const LINES_AT_ONCE = 120;
const MOST_USES = 20;

const file = z
  .string()
  .optional()
  .describe('A file that the outline names; default: the file of the theorem.');

export const READING_TOOLS: readonly ReadingTool[] = [
  readingTool(
    'read_part',
    `Reads lines of the file, or of a file that it requires: at most ${LINES_AT_ONCE} at once.`,
    z.object({ file, first_line: z.int().positive(), last_line: z.int().positive().optional() }),
    (sources, { file: name, first_line: first, last_line: last = first + 60 }) => {
      const source = sourceOf(sources, name);
      const lines = source.outline.text.split('\n');
      const end = Math.min(last, first + LINES_AT_ONCE - 1, lines.length);
      const shown = lines.slice(first - 1, end).map((line, index) => `${first + index}  ${line}`);
      return [`${source.name}, lines ${first} to ${end} of ${lines.length}`, ...shown].join('\n');
    },
  ),
  readingTool(
    'read_definition',
    'Shows where and how a name is declared in the file or in what it requires of its project, with its proof. Of libraries: rocq_print.',
    z.object({ name: z.string() }),
    (sources, { name }) => {
      const found = sources.all.flatMap((source) =>
        source.units
          .filter(({ names }) => names.includes(lastPart(name)))
          .map((unit) => `${source.name}, lines ${unit.lines.first} to ${unit.lines.last}\n${unit.text}`),
      );
      if (found.length > 0) return found.join('\n\n');
      const names = sources.all.flatMap(({ units }) => units.flatMap((unit) => unit.names));
      const near = nearestNames(name, names);
      throw new QuodError('not-found', `The project declares no ${name}.`, {
        remedy:
          near.length > 0
            ? `The nearest names: ${near.join(', ')}.`
            : 'Ask rocq_print for names of libraries.',
      });
    },
  ),
  readingTool(
    'read_uses',
    'Lists what uses a name in the file and in what it requires of its project: statements, definitions, proofs.',
    z.object({ name: z.string() }),
    (sources, { name }) => {
      const uses = sources.all.flatMap((source) =>
        source.units
          .filter((unit) => !unit.names.includes(lastPart(name)) && namesUsed(unit.text).has(lastPart(name)))
          .map((unit) => `${source.name}:${unit.lines.first}: ${firstLines(unit.head, 3)}`),
      );
      const more = uses.length > MOST_USES ? [`… and ${uses.length - MOST_USES} more`] : [];
      return uses.length === 0 ? `Nothing uses ${name}.` : [...uses.slice(0, MOST_USES), ...more].join('\n');
    },
  ),
  readingTool(
    'read_outline',
    'Lists what the file, or a file that it requires, declares, with lines; without `file` also the files that it requires.',
    z.object({ file }),
    (sources, { file: name }) => {
      const source = sourceOf(sources, name);
      const units = source.units
        .filter(({ kind }) => kind !== 'command')
        .map((unit) => `${unit.lines.first}: ${unit.keyword} ${unit.names.slice(0, 8).join(' ')}`.trimEnd());
      const required = name === undefined ? sources.required.map((one) => one.name) : [];
      const head = required.length === 0 ? [] : [`Requires of its project: ${required.join(', ')}`];
      return [...head, source.name, ...units].join('\n');
    },
  ),
];

function sourceOf(sources: RocqSources, name: string | undefined): ReadSource {
  if (name === undefined) return sources.own;
  const source = sources.named(name);
  if (source !== undefined) return source;
  throw new QuodError('not-found', `The file requires no ${name} of its project.`, {
    remedy: `It requires ${sources.required.map((one) => one.name).join(', ') || 'none'}.`,
  });
}

function readingTool<Input extends z.ZodObject>(
  name: string,
  description: string,
  input: Input,
  answer: (sources: RocqSources, input: z.output<Input>) => string,
): ReadingTool {
  const inputSchema: Record<string, unknown> = z.toJSONSchema(input);
  delete inputSchema['$schema'];
  return {
    listing: { name, description, inputSchema, leavesState: false },
    answer: (sources, value) => {
      const parsed = input.safeParse(value);
      if (parsed.success) return answer(sources, parsed.data);
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw new QuodError(
        'invalid-input',
        `The arguments of ${name} are wrong: ${clause(faults.join('; '))}.`,
      );
    },
  };
}
