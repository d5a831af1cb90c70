/**
 * How much may be done to compare one submission. Terms are compared up to functions that are applied, and what comes of
 * applying a short one can be larger than anything: the prover need not apply it, because it looks no further than it has
 * to. The steps are counted, so that the same files are judged alike everywhere.
 */

import { TooLarge } from '../compiled/ocaml-values.ts';

/** Above this many steps nothing is concluded. The file of Debian's libraries that takes most of them takes a sixth. */
const MOST_STEPS = 100_000_000;

export class TooMuchWork extends TooLarge {
  override readonly name = 'TooMuchWork';

  constructor() {
    super('Its terms take too many steps to be compared with those of the target.');
  }
}

export class ComparisonWork {
  #left: number;

  constructor(steps = MOST_STEPS) {
    this.#left = steps;
  }

  /** @throws TooMuchWork */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork();
  }
}
