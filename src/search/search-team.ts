/**
 * The provers that search the theorems of one file at once. Each goes through the file once, and keeps what it learned; a
 * theorem that is searched again is searched by the one that stood at it before.
 */
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { SearchTask } from './conclusions.ts';
import type { LemmaLists } from './libraries/list-lemmas.ts';
import type { TheoremProver } from './theorem-prover.ts';

export class SearchTeam {
  readonly #size: number;
  readonly #open: () => Promise<TheoremProver>;
  readonly #failed: AbortController;
  readonly #signal: AbortSignal;
  readonly #provers: (TheoremProver | undefined)[] = [];
  readonly #searchedBy = new Map<TheoremItem, number>();

  /**
   * @param failed Aborted with what the first of them fails with: what the others would find is of no use any more.
   * @param signal Ends their work.
   */
  constructor(
    {
      size,
      failed,
      signal,
    }: { readonly size: number; readonly failed: AbortController; readonly signal: AbortSignal },
    open: () => Promise<TheoremProver>,
  ) {
    this.#size = size;
    this.#open = open;
    this.#failed = failed;
    this.#signal = signal;
  }

  /** Ends when all tasks are done or the work is stopped. @throws what the first fails with, when all have ended. */
  async work(
    tasks: readonly SearchTask[],
    search: (prover: TheoremProver, task: SearchTask) => Promise<void>,
  ): Promise<void> {
    const left = [...tasks];
    const workAs = async (index: number): Promise<void> => {
      for (let task = this.#take(left, index); task !== undefined; task = this.#take(left, index)) {
        const prover = (this.#provers[index] ??= await this.#open());
        await search(prover, task);
      }
    };
    const ended = await Promise.allSettled(
      Array.from({ length: this.#size }, (_, index) =>
        workAs(index).catch((error: unknown) => {
          this.#failed.abort(error);
          throw error;
        }),
      ),
    );
    // What the others fail with is that they were ended.
    if (ended.some(({ status }) => status === 'rejected')) throw this.#failed.signal.reason;
  }

  /** For searches from now on. */
  readLemmas(lemmas: LemmaLists): void {
    for (const prover of this.#provers) prover?.readLemmas(lemmas);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#provers.flatMap((prover) => prover?.close() ?? []));
  }

  /** The next of those that nobody else has to do. */
  #take(left: SearchTask[], index: number): SearchTask | undefined {
    if (this.#signal.aborted) return undefined;
    const at = left.findIndex(({ theorem }) => (this.#searchedBy.get(theorem) ?? index) === index);
    const [task] = at < 0 ? [] : left.splice(at, 1);
    if (task !== undefined) this.#searchedBy.set(task.theorem, index);
    return task;
  }
}
