/**
 * An operation as a tool of the agent's model: described without what is filled in for it, and called with what it
 * wrote.
 */
import type { Check, TargetTool } from '../agent/target.ts';
import { QuodError } from '../core/errors.ts';
import { parseInput } from '../operations/definition/call-operation.ts';
import type { AnyOperation, Answering } from '../operations/definition/operation.ts';
import type { OperationCalls } from './operation-calls.ts';

/** A script that left no goal where it was run. */
export interface Closing {
  /** The state that it starts from; undefined: the start of the session. */
  readonly from: string | undefined;
  readonly script: string;
}

export interface CalledTool {
  readonly text: string;
  readonly check: Check | null;
  readonly closings: readonly Closing[];
}

export interface AgentTool {
  readonly listing: TargetTool;
  readonly operation: AnyOperation;
  /** @param filledIn What is not for the model to say. @throws QuodError, whatever the operation threw. */
  call(
    calls: OperationCalls,
    input: unknown,
    filledIn: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<CalledTool>;
}

export interface ToolUse<Value> {
  /** Later calls can refer to what this one made. */
  readonly leavesState: boolean;
  /** Inputs that are filled in, or not for a model to choose. */
  readonly hidden: ReadonlySet<string>;
  /** What the answer says of a proof; absent: nothing. */
  readonly check?: (value: Value) => Check | null;
  /** Scripts that the answer says to have left no goal, as far as it does not have the whole proof. */
  readonly closed?: (value: Value) => readonly string[];
}

export function agentTool<Value>(
  operation: AnyOperation & Answering<Value>,
  { leavesState, hidden, check, closed }: ToolUse<Value>,
): AgentTool {
  return {
    operation,
    get listing() {
      return { ...description(operation, hidden), leavesState };
    },
    call: async (calls, input, filledIn, signal) => {
      const said = Object.entries(input as object).filter(([name]) => !hidden.has(name));
      const whole = { ...Object.fromEntries(said), ...filledIn };
      // What is wrong is told in the parameters that the model was told of.
      const told = Object.keys(operation.input.shape).filter((field) => !hidden.has(field));
      parseInput(operation.input, whole, told);
      const answer = await calls.answer(operation, whole, signal);
      const { from } = input as { readonly from?: unknown };
      return {
        text: answer.text(),
        check: check?.(answer.value) ?? null,
        closings: (closed?.(answer.value) ?? []).map((script) => ({
          from: typeof from === 'string' ? from : undefined,
          script,
        })),
      };
    },
  };
}

/** The tool of a name, as a model wrote it. @throws QuodError `internal`: it was offered no such tool. */
export function toolNamed(tools: readonly AgentTool[], name: string): AgentTool {
  const found = tools.find(({ operation }) => operation.name === name);
  if (found === undefined) throw new QuodError('internal', `There is no operation ${name}.`);
  return found;
}

function description(operation: AnyOperation, hidden: ReadonlySet<string>): Omit<TargetTool, 'leavesState'> {
  const { name, summary, details } = operation;
  const { properties, required, ...schema } = operation.inputSchema();
  return {
    name,
    description: [summary, details].filter((text) => text !== '').join('\n\n'),
    inputSchema: {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).filter(([field]) => !hidden.has(field))),
      required: required.filter((field) => !hidden.has(field)),
    },
  };
}
