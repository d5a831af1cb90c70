/**
 * A run of the prover that was begun before the files were there that it is about. It serves once, and only what went well
 * is taken: in every other case all is done again, in the usual way.
 */
import type { SandboxRun } from '../../../process/sandbox.ts';
import type { Unknown } from './judge-backend.ts';

export interface Ended {
  readonly status: 'ended';
  readonly run: SandboxRun;
}

export type FilesByPath = ReadonlyMap<string, string | Uint8Array>;

export class AwaitingRun {
  readonly #files = Promise.withResolvers<FilesByPath>();
  readonly #stop = new AbortController();
  readonly #ended: Promise<Ended | Unknown>;
  #isOver = false;

  /** @param start begins the run, which waits for the files. */
  constructor(start: (files: Promise<FilesByPath>, signal: AbortSignal) => Promise<Ended | Unknown>) {
    // Ended without an answer is what many are.
    this.#files.promise.catch(() => undefined);
    this.#ended = start(this.#files.promise, this.#stop.signal);
    this.#ended.catch(() => undefined);
  }

  /** Undefined where it did not end well: with code 0, and nothing seen. @param signal ends it. */
  async finish(files: FilesByPath, signal: AbortSignal | undefined): Promise<SandboxRun | undefined> {
    if (this.#isOver || signal?.aborted === true) return undefined;
    this.#isOver = true;
    const end = (): void => this.end();
    signal?.addEventListener('abort', end, { once: true });
    this.#files.resolve(files);
    try {
      const ended = await this.#ended;
      if (ended.status === 'unknown' || ended.run.code !== 0 || ended.run.incidents.length > 0)
        return undefined;
      return ended.run;
    } catch {
      return undefined;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#files.reject(new Error('Nothing is asked any more.'));
    this.#stop.abort();
  }
}
