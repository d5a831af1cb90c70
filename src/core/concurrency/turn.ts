/** For long work on the main thread: after some milliseconds others have their turn. */
import { setImmediate as immediate } from 'node:timers/promises';

const AT_ONCE_MS = 10;

/** `if (turn.isOver) await turn.pass();` in a loop. */
export class Turn {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > AT_ONCE_MS;
  }

  async pass(): Promise<void> {
    await immediate();
    this.#since = performance.now();
  }
}
