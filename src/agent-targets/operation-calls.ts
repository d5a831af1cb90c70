/** Operations as the agent calls them: the same catalogue that MCP and REST offer. */
import { QuodError } from '../core/errors.ts';
import { RUN_REMEDIES } from '../core/remedies/run-remedies.ts';
import { typedOperation, type InputOf, type OperationName, type OutputOf } from '../operations/catalogue.ts';
import { nearestNames } from '../core/names/nearest-names.ts';
import type { Answer, Answering } from '../operations/definition/operation.ts';
import type { TargetCaller } from './target-host.ts';
import type { TargetHost } from './target-host.ts';

const CLIENT = 'agent';

export class OperationCalls {
  readonly #host: TargetHost;

  constructor(host: TargetHost) {
    this.#host = host;
  }

  /** @throws QuodError, whatever the operation threw. */
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    signal: AbortSignal,
  ): Promise<OutputOf<Name>> {
    return this.#host.calls.call(typedOperation(name), input, callerOf(signal));
  }

  /** A call with what a model wrote. @throws QuodError, whatever the operation threw. */
  answer<Value>(operation: Answering<Value>, input: unknown, signal: AbortSignal): Promise<Answer<Value>> {
    return this.#host.calls.answer(operation, input, callerOf(signal));
  }
}

function callerOf(signal: AbortSignal): TargetCaller {
  return { client: CLIENT, signal, progress: () => undefined };
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
export function fileChangedDuringRun(file: string, when: string): QuodError {
  return new QuodError('file-changed', `The file changed ${when}.`, {
    place: { file },
    remedy: RUN_REMEDIES.startAnew,
  });
}
