/**
 * A judge that is not waited for without end. It gets five minutes, since libraries may have to be checked again on a busy
 * machine; what takes longer is given so much as the run of the file lets expect, which is known when the proofs before
 * have been watched. A judgement of a text with a sentence that turns out not to end is given up at once: there is another
 * to ask for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration, timerDelay } from '../core/duration.ts';
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Judge, ProofsJudged } from './prove-request.ts';

const LEAST_MS = 300_000;
/** Most judgements are over by then, and have the machine for themselves. */
const WATCHED_AFTER_MS = 15_000;
/** A judge compiles a file twice, looks at all that it declares, and may have little of the machine. */
const TIMES_AS_LONG = 5;

export interface PatientJudgeOptions {
  readonly judge: Judge;
  /** Milliseconds of the file's run up to a theorem; settles when its proofs were run, or never will be. */
  readonly fileMs?: (theorem: TheoremItem) => Promise<number>;
  readonly leastMs?: number;
}

/** What is asked of the judge, with what of the file it concerns. */
export interface Asked {
  readonly filled: Parameters<Judge>[0];
  /** The last of the theorems, as the file has it. */
  readonly last: TheoremItem | undefined;
  /** Of the file, which is run up to there. */
  readonly end: number;
}

export class PatientJudge {
  readonly #options: PatientJudgeOptions;
  #asked: { readonly end: number; readonly anew: () => void } | undefined;

  constructor(options: PatientJudgeOptions) {
    this.#options = options;
  }

  /** A sentence of the file does not end: a judgement that would run it is given up. @param at Where it begins. */
  tellEndless(at: number): void {
    if (this.#asked !== undefined && at < this.#asked.end) this.#asked.anew();
  }

  /** Undefined: given up, since more is known of the file. @throws what the judge fails with. */
  async ask({ filled, last, end }: Asked): Promise<ProofsJudged | undefined> {
    const given = new AbortController();
    const isAnswered = new AbortController();
    const anew = Promise.withResolvers<undefined>();
    this.#asked = { end, anew: () => anew.resolve(undefined) };
    const answer = this.#options.judge({ ...filled, signal: given.signal });
    answer.catch(() => undefined); // Nobody waits for one that was given up.
    try {
      return await Promise.race([answer, this.#timeout(last, isAnswered.signal), anew.promise]);
    } finally {
      this.#asked = undefined;
      isAnswered.abort();
      given.abort();
    }
  }

  /** What is said when it takes too long. Never settles where it is answered before. */
  async #timeout(last: TheoremItem | undefined, isAnswered: AbortSignal): Promise<ProofsJudged> {
    const { leastMs = LEAST_MS, fileMs } = this.#options;
    const begun = performance.now();
    const wait = (milliseconds: number): Promise<unknown> =>
      sleep(timerDelay(milliseconds), undefined, { signal: isAnswered }).catch(() => new Promise(() => {}));
    await wait(Math.min(leastMs, WATCHED_AFTER_MS));
    const expectedMs = last === undefined || fileMs === undefined ? 0 : await fileMs(last);
    await wait(begun + Math.max(leastMs, TIMES_AS_LONG * expectedMs) - performance.now());
    const took = formatDuration(performance.now() - begun);
    return {
      kind: 'unknown',
      reason: 'timeout',
      message: `The gate did not come to an end in ${took}.`,
    };
  }
}
