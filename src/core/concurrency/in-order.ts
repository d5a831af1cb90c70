/** Runs works one after the other, in the order in which they came. One that fails does not hold up the next. */
import { QuodError } from '../errors.ts';

export class InOrder {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs a work when those before it are done.
   * @param signal Gives the work up while it waits: then it never begins, and the answer is `interrupted`.
   */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const before = this.#last;
    const result = (signal === undefined ? before : unlessAborted(before, signal)).then(work);
    // Whoever comes next waits for the works before this one, also when this one did not.
    this.#last = signal === undefined ? result.catch(() => undefined) : Promise.allSettled([before, result]);
    return result;
  }

  /** Settles when every work that came until now is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

/** Settles when the turn has come, or rejects when the caller gives up before. */
async function unlessAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const givenUp = (): QuodError => new QuodError('interrupted', 'The call was cancelled while it waited.');
  if (signal.aborted) throw givenUp();
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(givenUp());
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
  }
}
