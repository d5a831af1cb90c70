/**
 * Saved places of a session, so that a process that was lost, or one that cannot go back, begins near to where it is
 * needed. They only shorten the way: without them everything is executed again from the root.
 */
import type { SavedPlace } from '../core/driver.ts';
import type { SessionState } from './states.ts';

/** Milliseconds of steps after which a place is worth saving. */
const WORTH_SAVING_MS = 1000;

export class Checkpoints<Step> {
  readonly #worthSavingMs: number;
  readonly #saved = new Map<SessionState<Step>, SavedPlace>();
  /** What was executed since the last place that the process could begin at again. */
  #unsavedMs = 0;

  constructor(worthSavingMs: number = WORTH_SAVING_MS) {
    this.#worthSavingMs = worthSavingMs;
  }

  /** True when enough was executed for a place to be worth saving. */
  get isDue(): boolean {
    return this.#unsavedMs >= this.#worthSavingMs;
  }

  executed(elapsedMs: number): void {
    this.#unsavedMs += elapsedMs;
  }

  add(state: SessionState<Step>, saved: SavedPlace): void {
    this.#saved.set(state, saved);
    this.#unsavedMs = 0;
  }

  /** Where a new process that is to come to a state begins. */
  nearest(state: SessionState<Step>): { readonly state: SessionState<Step>; readonly saved?: SavedPlace } {
    this.#unsavedMs = 0;
    let at = state;
    for (;;) {
      const saved = this.#saved.get(at);
      if (saved !== undefined) return { state: at, saved };
      if (at.parent === undefined) return { state: at };
      at = at.parent;
    }
  }
}
