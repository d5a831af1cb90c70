/**
 * One definition per operation. From the value that `defineOperation` answers come the MCP tool, the REST route and its
 * OpenAPI entry, the command line and the reference page; none of them knows more about an operation than stands here.
 *
 * Inputs and outputs are flat objects with names in snake_case: no `$ref`, no union at the top, no optional field
 * inside a nested object (a value that may be absent is `null` there), so that every model vendor takes the
 * schemas. Nothing in them transforms a value: an input has defaults, an output has none.
 *
 * An operation keeps the types of both. `call` is for callers in this process, whom the compiler checks: nothing is
 * parsed. `answer` is the border, for whoever comes with JSON: what goes in is parsed once, and what comes out once.
 */
import { z } from 'zod';
import { lazyConstant } from '../../core/lazy-constant.ts';
import { orNothing } from '../../core/entry.ts';
import { inertJson } from '../../core/foreign-text.ts';
import { isRecord } from '../../core/json.ts';
import { withSeenNames } from './seen-names.ts';
import { defaultsOf, parseInput, withDefaults, withTimeout } from './call-operation.ts';
import type { OperationContext } from './operation-context.ts';
import { objectSchema, type ObjectSchema } from './operation-schema.ts';

export type { OperationContext, Progress } from './operation-context.ts';

export const AREAS = ['rocq', 'lean', 'fstar', 'hol', 'proof', 'gate', 'data', 'agent'] as const;

/** What an operation is about: the first word of its name, the group in the command line, `quod mcp --tools AREA`. */
export type Area = (typeof AREAS)[number];

export interface Annotations {
  /**
   * Quod changes nothing that outlives the call: no file, no session, no state that another call could see. What code
   * of others does (`openWorld`) is that code's.
   */
  readonly readOnly: boolean;
  /** May overwrite or delete what somebody has. Only meaningful when not read-only. */
  readonly destructive: boolean;
  /** Calling it twice with the same input is the same as calling it once. */
  readonly idempotent: boolean;
  /** Runs code that is not Quod's own: a build, a file's tactics with side effects, a network service. */
  readonly openWorld: boolean;
}

/** Of an operation that only answers, from what Quod and its provers know. */
export const READS: Annotations = {
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
};

export interface OperationDefinition<
  Name extends string,
  Input extends z.ZodRawShape,
  Output extends z.ZodRawShape,
> {
  /** `area_verb`; those that stand in for another server's tool have that tool's name. */
  readonly name: Name;
  readonly area: Area;
  /** A title of a few words. */
  readonly title: string;
  /** One sentence; the first thing that a model reads. */
  readonly summary: string;
  /** What else one must know to call it well: when to use which other tool, what the answer means. Markdown. */
  readonly details?: string;
  readonly input: z.ZodObject<Input>;
  readonly output: z.ZodObject<Output>;
  readonly annotations: Annotations;
  /** Seconds after which the call ends with `timeout` when the caller says nothing; every operation takes `timeout`. */
  readonly defaultTimeout: number;
  /** What running out of time does, where it is more than that the call is given up. For models. */
  readonly timeoutMeans?: string;
  /**
   * It opens a session for later calls: `purpose` when it does nothing else, `besides` when its answer is of use
   * without them. Absent when it opens none.
   */
  readonly session?: 'purpose' | 'besides' | undefined;
  /** Only a person may decide it: models are not offered it, by MCP or as a tool of the agent. */
  readonly forPeople?: boolean;
  /** Inputs that the caller may change while a call works: `run` asks the context for them (`inputNow`). */
  readonly changeable?: readonly string[];
  /** Inputs that the command line takes without an option, in order. */
  readonly positional?: readonly string[];
  /** What people see of an answer in a terminal and models as text; default: the answer as indented JSON. */
  readonly render?: (output: z.output<z.ZodObject<Output>>, say: Saying) => string;
  /** One line on the answer as a whole. The command line prints it apart from the answer, for people. */
  readonly conclude?: (output: z.output<z.ZodObject<Output>>, say: Saying) => string;
  /**
   * Whether what was asked for holds, which a script gets as the exit code: `undefined` when it could not be told.
   * Default: as the answer's `verdict` says, and true when it has none. What is accepted and rests on open statements does not.
   */
  readonly holds?: (output: z.output<z.ZodObject<Output>>) => boolean | undefined;
  /** Most seconds that a call may ask for, where an hour is too little. */
  readonly longestTimeout?: number;
  /** The input is complete: whatever has a default has a value, also `timeout`, in seconds. */
  readonly run: (
    input: z.output<z.ZodObject<Input>> & { readonly timeout: number },
    context: OperationContext,
  ) => Promise<z.output<z.ZodObject<Output>>>;
}

/**
 * How a face says what Quod's own words say: they name operations in backticks, which the command line calls by its
 * commands. What must stand as it is (proofs, what a prover said) is not said this way.
 */
export type Saying = (words: string) => string;

const asItIs: Saying = (words) => words;

/** An answer as a face passes it on: the value, how people read it, and whether what was asked for holds. */
export interface Answer<Value = Record<string, unknown>> {
  readonly value: Value;
  /** All that there is to read: what `body` and `conclusion` say. */
  readonly text: () => string;
  readonly body: (say?: Saying) => string;
  /** One line on the answer as a whole; undefined where there is nothing to add. */
  readonly conclusion: (say?: Saying) => string | undefined;
  /** Undefined when it could not be told. */
  readonly holds: () => boolean | undefined;
}

/** The part of an operation that a caller at the border needs. */
export interface Answering<Value = Record<string, unknown>> {
  readonly name: string;
  /** @throws QuodError `invalid-input` when the input does not parse, `timeout`, and whatever the operation throws. */
  readonly answer: (input: unknown, context: OperationContext) => Promise<Answer<Value>>;
}

/** An operation whose types are forgotten: what a face handles. */
export interface AnyOperation extends Answering {
  readonly area: Area;
  readonly title: string;
  readonly summary: string;
  readonly details: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** As JSON Schemas. */
  readonly inputSchema: () => ObjectSchema;
  readonly outputSchema: () => ObjectSchema;
  readonly annotations: Annotations;
  readonly defaultTimeout: number;
  readonly session: 'purpose' | 'besides' | undefined;
  readonly forPeople: boolean;
  readonly changeable: readonly string[];
  readonly positional: readonly string[];
  /** An answer that was given in another process. */
  readonly readAnswer: (value: unknown) => Answer;
}

export interface Operation<
  Name extends string,
  Input extends z.ZodRawShape,
  Output extends z.ZodRawShape,
> extends AnyOperation {
  readonly name: Name;
  /** What a definition that is made of other ones takes its fields from. */
  readonly fields: z.ZodObject<Input>;
  readonly output: z.ZodObject<Output>;
  readonly render: (output: z.output<z.ZodObject<Output>>, say?: Saying) => string;
  readonly answer: (
    input: unknown,
    context: OperationContext,
  ) => Promise<Answer<z.output<z.ZodObject<Output>>>>;
  /** @throws QuodError `timeout`, and whatever the operation throws. */
  readonly call: (
    input: CallInput<Input>,
    context: OperationContext,
  ) => Promise<z.output<z.ZodObject<Output>>>;
}

/** What a caller in the process gives: whatever has a default may be left out. */
export type CallInput<Input extends z.ZodRawShape> = z.input<z.ZodObject<Input>> & {
  readonly timeout?: number;
};

/** The longest `timeout` that a call may ask for, in seconds. */
export const LONGEST_TIMEOUT = 3600;

/** What running out of time means where an operation says nothing else. */
export const GIVEN_UP = 'Seconds after which the call is given up; what it worked on stays.';

export function defineOperation<
  const Name extends string,
  Input extends z.ZodRawShape,
  Output extends z.ZodRawShape,
>(definition: OperationDefinition<Name, Input, Output>): Operation<Name, Input, Output> {
  type Answered = z.output<z.ZodObject<Output>>;
  const { name, area, title, summary, annotations, defaultTimeout, output } = definition;
  const fields = z.strictObject(definition.input.shape);
  const seconds = z
    .number()
    .positive()
    .max(definition.longestTimeout ?? LONGEST_TIMEOUT);
  const timeoutOnly = z.object({ timeout: seconds.optional() });
  const timeoutField = seconds.default(defaultTimeout).describe(definition.timeoutMeans ?? GIVEN_UP);
  const input = z.strictObject({ ...definition.input.shape, timeout: timeoutField });
  const parameters = Object.keys(input.shape);
  let defaults: ReturnType<typeof defaultsOf> | undefined;
  const render = (value: Answered, say: Saying = asItIs): string =>
    definition.render?.(withSeenNames(value), say) ?? inertJson(value, 2);
  const conclude = (value: Answered, say: Saying = asItIs): string | undefined =>
    definition.conclude?.(withSeenNames(value), say);
  const answered = (value: Answered): Answer<Answered> => ({
    value,
    text: () =>
      [render(value), conclude(value)].filter((part) => part !== undefined && part !== '').join('\n'),
    body: (say) => render(value, say),
    conclusion: (say) => conclude(value, say),
    holds: () => (definition.holds ?? verdictHolds)(value),
  });
  const run = (
    given: z.output<z.ZodObject<Input>>,
    timeout: number,
    context: OperationContext,
  ): Promise<Answered> =>
    withTimeout(timeout, context, (inside) => definition.run({ ...given, timeout }, inside));
  return {
    name,
    area,
    title,
    summary,
    details: orNothing(definition.details),
    input,
    fields: definition.input,
    output,
    inputSchema: lazyConstant(() => objectSchema(input, 'input')),
    outputSchema: lazyConstant(() => objectSchema(output, 'output')),
    annotations,
    defaultTimeout,
    session: definition.session,
    forPeople: definition.forPeople ?? false,
    changeable: definition.changeable ?? [],
    positional: definition.positional ?? [],
    render,
    answer: async (value, context) => {
      const { timeout, ...own } = isRecord(value) ? value : {};
      const limit = parseInput(timeoutOnly, { timeout }, parameters).timeout ?? defaultTimeout;
      const given = parseInput(fields, isRecord(value) ? own : (value ?? {}), parameters);
      // What the definition does not promise does not go out.
      return answered(output.parse(await run(given, limit, context)));
    },
    readAnswer: (value) => answered(output.parse(value)),
    call: ({ timeout, ...own }, context) =>
      run(
        withDefaults<z.ZodObject<Input>>((defaults ??= defaultsOf(fields)), own),
        timeout ?? defaultTimeout,
        context,
      ),
  };
}

function verdictHolds(value: Readonly<Record<string, unknown>>): boolean | undefined {
  switch (value['verdict']) {
    // Null: what was given for a verdict is none.
    case 'rejected':
    case null:
      return false;
    case 'unknown':
      return undefined;
    case 'accepted':
      return !restsOnOpen(value) && typeof value['stops_behind'] !== 'string';
    default:
      return true;
  }
}

/** An answer says of itself what is open, or each of its statements does. */
function restsOnOpen(value: Readonly<Record<string, unknown>>): boolean {
  const statements: unknown = value['statements'];
  const parts: readonly unknown[] = [
    value,
    ...(Array.isArray(statements) ? (statements as readonly unknown[]) : []),
  ];
  return parts
    .filter(isRecord)
    .flatMap((part) => [part['open_statements'], part['rests_on_open']])
    .some((open) => Array.isArray(open) && open.length > 0);
}
