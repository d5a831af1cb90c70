/**
 * Operations as the agent calls them: the same catalogue that MCP and REST offer. An operation reads the file when it is
 * called, and somebody may have put another there for a moment: an answer that rests on another text than the run's is
 * none.
 */
import { QuodError } from '../core/errors.ts';
import { isRecord } from '../core/json.ts';
import { typedOperation, type InputOf, type OperationName, type OutputOf } from '../operations/catalogue.ts';
import { nearestNames } from '../core/names/nearest-names.ts';
import type { Answer, Answering } from '../operations/definition/operation.ts';
import type { TargetCaller } from './target-host.ts';
import type { TargetHost } from './target-host.ts';
import type { RunFile } from './run-file.ts';

const CLIENT = 'agent';

export class OperationCalls {
  readonly #host: TargetHost;
  readonly #file: RunFile | undefined;

  /** @param file What the answers have to rest on; undefined where nobody else has the file. */
  constructor(host: TargetHost, file?: RunFile) {
    this.#host = host;
    this.#file = file;
  }

  /** @throws QuodError `file-changed`, and whatever the operation threw. */
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    signal: AbortSignal,
  ): Promise<OutputOf<Name>> {
    return this.#ofRun(
      this.#host.calls.call(typedOperation(name), input, callerOf(signal)),
      (value) => value,
      signal,
    );
  }

  /** A call with what a model wrote. @throws QuodError `file-changed`, and whatever the operation threw. */
  answer<Value>(operation: Answering<Value>, input: unknown, signal: AbortSignal): Promise<Answer<Value>> {
    return this.#ofRun(
      this.#host.calls.answer(operation, input, callerOf(signal)),
      ({ value }) => value,
      signal,
    );
  }

  async #ofRun<Result>(
    asked: Promise<Result>,
    valueOf: (result: Result) => unknown,
    signal: AbortSignal,
  ): Promise<Result> {
    let result: Result;
    try {
      result = await asked;
    } catch (error) {
      // What another text lacks, or is wrong with it, is nothing of the run.
      if (error instanceof QuodError && !signal.aborted) await this.#file?.read();
      throw error;
    }
    const read = hashRestedOn(valueOf(result));
    if (read !== undefined) await this.#file?.require(read);
    return result;
  }
}

function callerOf(signal: AbortSignal): TargetCaller {
  return { client: CLIENT, signal, progress: () => undefined };
}

/** @param unread What is told of the rest of a file that has no end: the theorem may stand there. */
export function noSuchTheorem(
  theorem: string,
  names: readonly string[],
  file: string,
  unread?: string,
): QuodError {
  const [near] = nearestNames(theorem, names);
  const said =
    near === undefined
      ? `Its theorems: ${names.slice(0, 20).join(', ') || 'none'}.`
      : `Did you mean ${near}?`;
  return new QuodError('not-found', `There is no theorem ${theorem}.`, {
    place: { file },
    remedy: unread === undefined ? said : `${said} ${unread}`,
  });
}

/** Of the file that an answer rests on; undefined where it rests on none. */
function hashRestedOn(value: unknown): string | undefined {
  const rests = isRecord(value) ? value['rests_on'] : undefined;
  const hash = isRecord(rests) ? rests['file_hash'] : undefined;
  return typeof hash === 'string' ? hash : undefined;
}

/**
 * Whether somebody is answered with what was thrown, and the work goes on. It ends with a stop, a defect, and a file that is
 * not the run's any more.
 */
export function goesOnAfter(error: unknown, signal: AbortSignal): error is QuodError {
  return (
    !signal.aborted &&
    error instanceof QuodError &&
    error.reason !== 'internal' &&
    error.reason !== 'file-changed'
  );
}
