/**
 * The time that mining may take beside running the file: each millisecond that the file itself takes buys `share`
 * milliseconds for taking chains apart and checking statements.
 */
export class SideBudget {
  readonly #share: number;
  #earned: number;
  #spent = 0;

  /** `start` is lent at the beginning, so that the first small proofs need not wait. */
  constructor(share: number, start = 2000) {
    this.#share = share;
    this.#earned = start;
  }

  /** The file itself took so long. */
  earn(elapsedMs: number): void {
    this.#earned += elapsedMs * this.#share;
  }

  spend(elapsedMs: number): void {
    this.#spent += elapsedMs;
  }

  get left(): number {
    return this.#earned - this.#spent;
  }

  get spent(): number {
    return this.#spent;
  }
}
