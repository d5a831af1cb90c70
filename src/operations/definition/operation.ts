/**
 * One definition per operation. From the value that `defineOperation` answers come the MCP tool, the REST route and its
 * OpenAPI entry, the command line and the reference page; none of them knows more about an operation than stands here.
 *
 * Inputs and outputs are flat objects with names in snake_case: no `$ref`, no union at the top, no optional field inside
 * a nested object (a value that may be absent is `null` there), so that every model vendor takes the schemas.
 */
import { z } from 'zod';
import { parseInput, withTimeout } from './call-operation.ts';
import type { OperationContext } from './operation-context.ts';

export type { OperationContext, Progress } from './operation-context.ts';

export const AREAS = ['rocq', 'lean', 'fstar', 'hol', 'proof', 'gate'] as const;

/** What an operation is about: the first word of its name, the group in the command line, `quod mcp --tools AREA`. */
export type Area = (typeof AREAS)[number];

export interface Annotations {
  /** Changes nothing that outlives the call: no file, no session, no state that another call could see. */
  readonly readOnly: boolean;
  /** May overwrite or delete what somebody has. Only meaningful when not read-only. */
  readonly destructive: boolean;
  /** Calling it twice with the same input is the same as calling it once. */
  readonly idempotent: boolean;
  /** Runs code that is not Quod's own: a build, a file's tactics with side effects, a network service. */
  readonly openWorld: boolean;
}

export interface OperationDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** `area_verb`; those that stand in for another server's tool have that tool's name. */
  readonly name: string;
  readonly area: Area;
  /** A title of a few words. */
  readonly title: string;
  /** One sentence; the first thing that a model reads. */
  readonly summary: string;
  /** What else one must know to call it well: when to use which other tool, what the answer means. Markdown. */
  readonly details?: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: Annotations;
  /** Seconds after which the call ends with `timeout` when the caller says nothing; every operation takes `timeout`. */
  readonly defaultTimeout: number;
  /**
   * It opens a session for later calls: `purpose` when it does nothing else, `besides` when its answer is of use without
   * them. Absent when it opens none.
   */
  readonly session?: 'purpose' | 'besides' | undefined;
  /** Inputs that the command line takes without an option, in order. */
  readonly positional?: readonly string[];
  /** What people see of an answer in a terminal and models as text; default: the answer as indented JSON. */
  readonly render?: (output: z.output<Output>) => string;
  readonly run: (input: z.output<Input>, context: OperationContext) => Promise<z.input<Output>>;
}

/** An operation whose types are forgotten: what a catalogue holds and a face handles. */
export interface Operation {
  readonly name: string;
  readonly area: Area;
  readonly title: string;
  readonly summary: string;
  readonly details: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: Annotations;
  readonly defaultTimeout: number;
  readonly session: 'purpose' | 'besides' | undefined;
  readonly positional: readonly string[];
  readonly render: (output: Record<string, unknown>) => string;
  /** @throws QuodError `invalid-input` when the input does not parse, `timeout`, and whatever the operation throws. */
  readonly call: (input: unknown, context: OperationContext) => Promise<Record<string, unknown>>;
}

/** The longest `timeout` that a call may ask for, in seconds. */
export const LONGEST_TIMEOUT = 3600;

export function defineOperation<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: OperationDefinition<Input, Output>,
): Operation {
  const { name, area, title, summary, annotations, defaultTimeout } = definition;
  const input = z.strictObject({
    ...definition.input.shape,
    ...(!('timeout' in definition.input.shape) && {
      timeout: z
        .number()
        .positive()
        .max(LONGEST_TIMEOUT)
        .default(defaultTimeout)
        .describe('Seconds after which the call is given up; what it was about goes on living.'),
    }),
  });
  const renderJson = (value: unknown): string => JSON.stringify(value, undefined, 2);
  return {
    name,
    area,
    title,
    summary,
    details: definition.details ?? '',
    input,
    output: definition.output,
    annotations,
    defaultTimeout,
    session: definition.session,
    positional: definition.positional ?? [],
    render: (output) => (definition.render ?? renderJson)(definition.output.parse(output)),
    call: async (value, context) => {
      const parsed = parseInput(name, input, value);
      const seconds = typeof parsed['timeout'] === 'number' ? parsed['timeout'] : defaultTimeout;
      // Parsed again for its type; inputs have defaults but no transformations, so nothing changes.
      const own = definition.input.parse(value ?? {});
      const answer = await withTimeout(name, seconds, context, (inside) => definition.run(own, inside));
      return definition.output.parse(answer);
    },
  };
}
