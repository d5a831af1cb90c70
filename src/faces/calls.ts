/**
 * The calls of all faces, while they run: each is begun, told of and ended here, so that somebody who watches a client
 * sees everything that is done for it, and so that a face knows who is still at work.
 */
import { randomUUID } from 'node:crypto';
import type { ReasonCode } from '../core/reason.ts';
import type { Operation, OperationContext, Progress } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import type { Workspace } from '../operations/workspace.ts';
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
  /** Where relative paths start; the host's workspace when nothing is said. */
  readonly workspace?: Workspace;
}

export class Calls {
  readonly #workspace: Workspace;
  readonly #services: Services;
  readonly #running = new Map<string, number>();
  readonly #watchers = new Map<string, Set<(event: CallEvent) => void>>();

  constructor(workspace: Workspace, services: Services) {
    this.#workspace = workspace;
    this.#services = services;
  }

  /** How many calls of a client are running. */
  runningOf(client: string): number {
    return this.#running.get(client) ?? 0;
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

  /** @throws QuodError, whatever the operation threw. */
  async call(operation: Operation, input: unknown, caller: Caller): Promise<Record<string, unknown>> {
    const { client, signal } = caller;
    const call = randomUUID();
    const begunAt = performance.now();
    const named = { call, operation: operation.name };
    const ended = (reason: ReasonCode | null): void => {
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
      progress: (progress) => {
        caller.progress(progress);
        this.#tell(client, { kind: 'progress', ...named, progress });
      },
    };
    try {
      const answer = await operation.call(input, context);
      ended(null);
      return answer;
    } catch (thrown) {
      const error = asQuodError(thrown);
      ended(error.reason);
      throw error;
    }
  }

  #tell(client: string, event: CallEvent): void {
    for (const watcher of this.#watchers.get(client) ?? []) watcher(event);
  }
}
