/**
 * Live events in the order in which they happened, kept for a while, so that a stream that broke goes on where it
 * was.
 */
import { randomBytes } from 'node:crypto';
import type { LiveEvent } from './live-event.ts';

export interface BufferedEvent {
  readonly id: string;
  readonly event: LiveEvent;
}

/** What follows `last`; `missed` when the feed does not know any more what that was. */
export interface Following {
  readonly missed: boolean;
  readonly events: readonly BufferedEvent[];
}

export const EVENTS_KEPT = 5000;

export class LiveFeed {
  /** Another process does not continue the numbers of this one. */
  readonly #epoch = randomBytes(6).toString('hex');
  readonly #kept: BufferedEvent[] = [];
  readonly #listeners = new Set<(kept: BufferedEvent) => void>();
  #next = 1;

  publish(event: LiveEvent): void {
    const kept = { id: `${this.#epoch}-${this.#next}`, event };
    this.#next += 1;
    this.#kept.push(kept);
    if (this.#kept.length > EVENTS_KEPT) this.#kept.splice(0, this.#kept.length - EVENTS_KEPT);
    for (const listener of this.#listeners) listener(kept);
  }

  /** The id of the latest event, from which a reader that has just asked for everything goes on. */
  get latest(): string {
    return `${this.#epoch}-${this.#next - 1}`;
  }

  /** Nothing was missed by somebody who names no event: such a reader begins now. */
  after(last: string | undefined): Following {
    if (last === undefined) return { missed: false, events: [] };
    const [, epoch, text] = /^([0-9a-f]+)-(\d+)$/.exec(last) ?? [];
    const number = Number(text);
    const first = this.#next - this.#kept.length;
    if (epoch !== this.#epoch || number >= this.#next || number + 1 < first)
      return { missed: true, events: [] };
    return { missed: false, events: this.#kept.slice(number + 1 - first) };
  }

  /** Answers how to stop. */
  listen(listener: (kept: BufferedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
