/**
 * What happens around every call of an operation: its input is parsed with messages for people, its time is
 * limited.
 */
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { illFormedText, isRecord } from '../../core/json.ts';
import { nearestNames } from '../../core/names/nearest-names.ts';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { capitalised, clause } from '../../core/sentence.ts';
import type { OperationContext } from './operation-context.ts';

/**
 * @param parameters All that the operation takes. Default: the fields of the schema.
 * @throws QuodError `invalid-input` with every fault of the input, and the nearest name of an unknown parameter.
 */
export function parseInput<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  parameters: readonly string[] = Object.keys(schema.shape),
): z.output<Schema> {
  const result = schema.safeParse(value);
  const hidden = prototypeIn(value);
  if (result.success && hidden === undefined) {
    requireWellFormed(result.data);
    return result.data;
  }
  const issues = result.success ? [] : result.error.issues;
  const faults = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .map((key) => {
          const nearest = nearestNames(key, parameters)[0];
          return `there is no parameter \`${key}\`${nearest === undefined ? '' : ` (did you mean \`${nearest}\`?)`}`;
        })
        .join('; ');
    }
    const [parameter] = issue.path;
    if (issue.path.length === 1 && isRecord(value) && value[String(parameter)] === undefined)
      return `\`${String(parameter)}\` is missing`;
    return `${issue.path.length === 0 ? 'the input' : `\`${issue.path.join('.')}\``}: ${issue.message}`;
  });
  const said = hidden === undefined ? undefined : `there is no parameter \`${hidden.join('.')}\``;
  if (said !== undefined && !faults.includes(said)) faults.push(said);
  throw new QuodError('invalid-input', capitalised(`${clause(faults.join('; '))}.`), {
    remedy: `What it takes: ${parameters.map((parameter) => `\`${parameter}\``).join(', ')}.`,
  });
}

const PROTOTYPE = '__proto__';

/**
 * Schemas pass this key over, in objects that take no other keys too.
 * @returns where in the value it is, as the words of a path
 */
function prototypeIn(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, PROTOTYPE)) return [PROTOTYPE];
  for (const [key, part] of Object.entries(value)) {
    const found = prototypeIn(part);
    if (found !== undefined) return [key, ...found];
  }
  return undefined;
}

/** @throws QuodError `invalid-input` for texts with half of a character, which could not be written as they are. */
function requireWellFormed(value: unknown): void {
  const found = illFormedText(value);
  if (found === undefined) return;
  throw new QuodError(
    'invalid-input',
    `\`${found.join('.')}\`: there is half of a character in it (a lone surrogate, U+D800 to U+DFFF).`,
    {
      remedy:
        'Send text that is Unicode: such halves come of cutting a text between them, or of escaping it wrongly.',
    },
  );
}

/** The value of each field that has one when nothing is said. */
export function defaultsOf(schema: z.ZodObject): Defaults {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const result = z.safeParse(field, undefined);
    return result.success && result.data !== undefined ? [[name, result.data] as const] : [];
  });
}

type Defaults = readonly (readonly [name: string, value: unknown])[];

/** What a caller in the process said, with the defaults of what it left out. Nothing is parsed: the compiler looked. */
export function withDefaults<Schema extends z.ZodObject>(
  defaults: Defaults,
  given: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const missing = defaults.filter(([name]) => given[name] === undefined);
  // Nothing in a schema transforms, so that input and output differ by defaults alone: a test of the catalogue
  // holds that.
  return { ...given, ...Object.fromEntries(missing) } as z.output<Schema>;
}

/** Runs a call whose signal is aborted when its time is over. @throws QuodError `timeout`, `interrupted`. */
export async function withTimeout<Result>(
  seconds: number,
  context: OperationContext,
  run: (context: OperationContext) => Promise<Result>,
): Promise<Result> {
  const clock = new AbortController();
  const givenUp = new QuodError('timeout', `The call was given up after ${seconds} s.`, {
    remedy: RUN_REMEDIES.moreTime,
  });
  // The reason goes with the signal: who ends early and answers all the same can say why.
  const timer = setTimeout(() => clock.abort(givenUp), seconds * 1000);
  try {
    return await run({ ...context, signal: AbortSignal.any([context.signal, clock.signal]) });
  } catch (error) {
    if (clock.signal.aborted && !context.signal.aborted && isAbort(error)) throw givenUp;
    if (context.signal.aborted && !(error instanceof QuodError)) {
      throw new QuodError('interrupted', 'The call was cancelled.', { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function isAbort(error: unknown): boolean {
  if (error instanceof QuodError) return error.reason === 'interrupted' || error.reason === 'timeout';
  return error instanceof Error && error.name === 'AbortError';
}
