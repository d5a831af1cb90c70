/** Operations as the agent calls and shows them: the same catalogue that MCP and REST offer. */
import { QuodError } from '../../core/errors.ts';
import type { TargetTool } from '../../agent/target.ts';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { nearestNames } from '../../operations/definition/nearest-names.ts';
import type { Operation } from '../../operations/definition/operation.ts';
import type { Host } from '../host.ts';
import { inputSchemaOf } from '../operation-schema.ts';

const CLIENT = 'agent';

export class OperationCalls {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** @throws QuodError, whatever the operation threw. */
  async call(name: string, input: unknown, signal: AbortSignal): Promise<Record<string, unknown>> {
    return this.#host.calls.call(operation(name), input, {
      client: CLIENT,
      signal,
      progress: () => undefined,
    });
  }
}

export function operation(name: string): Operation {
  const found = CATALOGUE.find((one) => one.name === name);
  if (found === undefined) throw new QuodError('internal', `There is no operation ${name}.`);
  return found;
}

/** A model's view of an operation: without what is filled in for it. */
export function describeTool(
  described: Operation,
  hidden: ReadonlySet<string>,
): Omit<TargetTool, 'leavesState'> {
  const { properties, required, ...schema } = inputSchemaOf(described);
  return {
    name: described.name,
    description: [described.summary, described.details].filter((text) => text !== '').join('\n\n'),
    inputSchema: {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
      required: required.filter((name) => !hidden.has(name)),
    },
  };
}

/** What a model wrote, without what is not for it to say. */
export function toldOf(input: unknown, hidden: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input as object).filter(([name]) => !hidden.has(name)));
}

export function noSuchTheorem(theorem: string, names: readonly string[], file: string): QuodError {
  const [near] = nearestNames(theorem, names);
  return new QuodError('not-found', `There is no theorem ${theorem}.`, {
    place: { file },
    remedy:
      near === undefined
        ? `Its theorems: ${names.slice(0, 20).join(', ') || 'none'}.`
        : `Did you mean ${near}?`,
  });
}

/** @param when as it ends the sentence: `since the run` */
export function fileChanged(file: string, when: string): QuodError {
  return new QuodError('file-changed', `The file changed ${when}.`, {
    place: { file },
    remedy: 'Start a new run on the file as it is now; what this one found is shown by `quod show`.',
  });
}
