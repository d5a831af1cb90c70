/**
 * Work that was begun before what it is about was there. It serves once, and only what went well is taken: in every other case all
 * is done again, in the usual way.
 */
import type { SandboxRun } from '../../../process/sandbox.ts';

export class BegunWork<Given, Result> {
  readonly #given = Promise.withResolvers<Given>();
  readonly #stop = new AbortController();
  readonly #result: Promise<Result | undefined>;
  #isOver = false;

  /** @param start begins the work, which waits for what it is about; undefined where it did not go well. */
  constructor(start: (given: Promise<Given>, signal: AbortSignal) => Promise<Result | undefined>) {
    // Ended without an answer is what many are.
    this.#given.promise.catch(() => undefined);
    this.#result = start(this.#given.promise, this.#stop.signal).catch(() => undefined);
  }

  /** Undefined where it did not go well. @param signal ends it. */
  async finish(given: Given, signal?: AbortSignal): Promise<Result | undefined> {
    if (this.#isOver || signal?.aborted === true) return undefined;
    this.#isOver = true;
    const end = (): void => this.end();
    signal?.addEventListener('abort', end, { once: true });
    this.#given.resolve(given);
    const result = await this.#result;
    signal?.removeEventListener('abort', end);
    return result;
  }

  end(): void {
    this.#isOver = true;
    this.#given.reject(new Error('Nothing is asked any more.'));
    this.#stop.abort();
  }
}

export interface Ended {
  readonly status: 'ended';
  readonly run: SandboxRun;
}

export type FilesByPath = ReadonlyMap<string, string | Uint8Array>;

/** A run of the prover that was begun before the files were there that it is about. */
export type AwaitingRun = BegunWork<FilesByPath, SandboxRun>;
