/**
 * The calls of all faces, while they run: each is begun, told of and ended here, so that somebody who watches a client
 * sees everything that is done for it, and so that a face knows who is still at work. When the process is told to end,
 * every running call is interrupted here and gets its answer.
 */
import { randomUUID } from 'node:crypto';
import { countOf } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import type { ReasonCode } from '../core/reason.ts';
import type { TypedOperation } from '../operations/catalogue.ts';
import type { Answer, Answering, OperationContext, Progress } from '../operations/definition/operation.ts';
import type { Services } from '../operations/definition/services.ts';
import type { Workspace } from '../operations/definition/workspace.ts';
import { asQuodError } from './error-object.ts';

export type CallEvent =
  | { readonly kind: 'began'; readonly call: string; readonly operation: string }
  | {
      readonly kind: 'progress';
      readonly call: string;
      readonly operation: string;
      readonly progress: Progress;
    }
  | {
      readonly kind: 'ended';
      readonly call: string;
      readonly operation: string;
      readonly elapsedMs: number;
      /** Null when the call answered. */
      readonly reason: ReasonCode | null;
    };

export interface Caller {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  readonly watch?: OperationContext['watch'];
  readonly inputNow?: OperationContext['inputNow'];
  /** Where relative paths start; the host's workspace when nothing is said. */
  readonly workspace?: Workspace;
}

/** Milliseconds that running calls have to stop by themselves when the process is told to end. */
export const CALLS_GRACE_MS = 3000;

/** How often the end of the process looks whether calls still run. */
const SETTLING_MS = 10;

type Named = Pick<Answering, 'name'>;

export class Calls {
  readonly #workspace: Workspace;
  readonly #services: Services;
  readonly #running = new Map<string, number>();
  readonly #watchers = new Map<string, Set<(event: CallEvent) => void>>();
  /** Aborted when the process begins to end: running calls should stop, new ones are refused. */
  readonly #ending = new AbortController();
  /** Aborted when the calls had their time to stop: those that still run are answered for. */
  readonly #over = new AbortController();

  constructor(workspace: Workspace, services: Services) {
    this.#workspace = workspace;
    this.#services = services;
  }

  /** How many calls of a client are running. */
  runningOf(client: string): number {
    return countOf(this.#running, client);
  }

  /** Aborted when the process begins to end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /**
   * Interrupts every running call and refuses new ones. A call may stop by itself and answer what it has; one that has
   * not done so after `graceMs` fails with `interrupted`. Resolves when no call is waited for any more.
   */
  async end(graceMs: number): Promise<void> {
    this.#ending.abort();
    const timer = setTimeout(() => {
      this.#over.abort();
    }, graceMs);
    while (this.#running.size > 0) await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    clearTimeout(timer);
  }

  /** Tells of every call of a client from now on. Answers how to stop that. */
  watch(client: string, watcher: (event: CallEvent) => void): () => void {
    const watchers = this.#watchers.get(client) ?? new Set();
    this.#watchers.set(client, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(client);
    };
  }

  /** The border: a call with what came from outside. @throws QuodError, whatever the operation threw. */
  answer<Value>(operation: Answering<Value>, input: unknown, caller: Caller): Promise<Answer<Value>> {
    return this.#make(operation, caller, (context) => operation.answer(input, context));
  }

  /** A call from this process. @throws QuodError, whatever the operation threw. */
  call<Input, Output>(
    operation: TypedOperation<Input, Output>,
    input: Input,
    caller: Caller,
  ): Promise<Output> {
    return this.#make(operation, caller, (context) => operation.call(input, context));
  }

  async #make<Result>(
    operation: Named,
    caller: Caller,
    run: (context: OperationContext) => Promise<Result>,
  ): Promise<Result> {
    const { client } = caller;
    if (this.#isEnding()) throw endedBefore();
    const signal = AbortSignal.any([caller.signal, this.#ending.signal]);
    const call = randomUUID();
    const begunAt = performance.now();
    const named = { call, operation: operation.name };
    const settle = (reason: ReasonCode | null): void => {
      const left = this.runningOf(client) - 1;
      if (left === 0) this.#running.delete(client);
      else this.#running.set(client, left);
      this.#tell(client, { kind: 'ended', ...named, elapsedMs: performance.now() - begunAt, reason });
    };
    this.#running.set(client, this.runningOf(client) + 1);
    this.#tell(client, { kind: 'began', ...named });
    const context: OperationContext = {
      workspace: caller.workspace ?? this.#workspace,
      services: this.#services,
      client,
      signal,
      watch: caller.watch,
      inputNow: caller.inputNow,
      progress: (progress) => {
        caller.progress(progress);
        this.#tell(client, { kind: 'progress', ...named, progress });
      },
    };
    try {
      const answer = await this.#unlessOver(run(context));
      settle(null);
      return answer;
    } catch (thrown) {
      const ours = this.#isEnding() && !caller.signal.aborted && isInterruption(thrown);
      const error = ours ? endedBefore(thrown) : asQuodError(thrown);
      settle(error.reason);
      throw error;
    }
  }

  /** The answer of an operation, or a failure when it does not stop in the time that the end of the process leaves. */
  #unlessOver<Result>(answer: Promise<Result>): Promise<Result> {
    const { signal } = this.#over;
    return new Promise<Result>((resolve, reject) => {
      const giveUp = (): void => {
        reject(endedBefore());
      };
      signal.addEventListener('abort', giveUp, { once: true });
      answer.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', giveUp);
      });
    });
  }

  #tell(client: string, event: CallEvent): void {
    for (const watcher of this.#watchers.get(client) ?? []) watcher(event);
  }
}

function isInterruption(thrown: unknown): boolean {
  if (thrown instanceof QuodError) return thrown.reason === 'interrupted';
  return thrown instanceof Error && thrown.name === 'AbortError';
}

function endedBefore(cause?: unknown): QuodError {
  return new QuodError('interrupted', 'Quod was told to end before it had answered.', {
    remedy: 'Start it again, and make the call once more.',
    cause,
  });
}
