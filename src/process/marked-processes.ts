/**
 * Processes that a program left in sessions of their own, found by a variable of the environment that it was started with
 * and handed on. One that was started with another environment is not found, and where there is no /proc, none is.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processNumbers, signalQuietly } from './process-table.ts';

const NAME = 'QUOD_STARTED_BY';

/** How often it is looked again, since what is ended may have started more a moment before. */
const LOOKS = 100;
const PAUSE_MS = 10;

/** Marks what is started with an environment. */
export class ProcessMark {
  readonly #entry = `${NAME}=${randomUUID()}`;

  in(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...environment, [NAME]: this.#entry.slice(NAME.length + 1) };
  }

  /** Ends all that has the mark, and waits until it is gone, as far as it can be. */
  async end(): Promise<void> {
    for (let look = 0; look < LOOKS; look += 1) {
      const found = this.processes();
      if (found.length === 0) return;
      for (const pid of found) signalQuietly(pid, 'SIGKILL');
      await delay(PAUSE_MS);
    }
  }

  /** The numbers of those that are there. */
  processes(): readonly number[] {
    return processNumbers().filter((pid) => pid !== process.pid && this.#isIn(pid));
  }

  #isIn(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(this.#entry);
    } catch {
      // Of somebody else, or gone.
      return false;
    }
  }
}
