/** What a call of an operation may use, and whom it can tell how far it is. */
import type { Services } from './services.ts';
import type { Workspace } from './workspace.ts';

export interface Progress {
  readonly message: string;
  /** How much is done, and of how much when that is known. */
  readonly done?: number;
  readonly total?: number;
}

/** What a call may use. Made by the face that received the call. */
export interface OperationContext {
  readonly workspace: Workspace;
  /** Who calls: sessions belong to the client that opened them. */
  readonly client: string;
  /** Aborted when the caller cancels, goes away, or the call's `timeout` is over. */
  readonly signal: AbortSignal;
  /** The live things (session registries, provers) that outlast a call. */
  readonly services: Services;
  /** Tells how far a long call is. May be called as often as it changes; faces slow it down. */
  readonly progress: (progress: Progress) => void;
  /** Whoever watches the call closely gets what else happens in it; absent: nobody does. */
  readonly watch?: ((detail: Readonly<Record<string, unknown>>) => void) | undefined;
  /** The input as the caller has changed it since, in what the operation calls changeable; absent: nobody can. */
  readonly inputNow?: (() => Readonly<Record<string, unknown>>) | undefined;
}
