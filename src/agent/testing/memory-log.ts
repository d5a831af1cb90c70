/** A log that is forgotten, and that can die at any moment as a process does. */
import type { Appendable } from '../runs/event-log.ts';
import type { RunEvent, RunRecord } from '../runs/events.ts';

/** What a run dies of when its process is killed: nothing is recorded behind it. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export class MemoryLog implements Appendable {
  readonly past: readonly RunRecord[];
  readonly records: RunRecord[];
  readonly #room: number;

  /** @param room How many more events are recorded before the process is killed. */
  constructor(past: readonly RunRecord[] = [], room = Number.POSITIVE_INFINITY) {
    this.past = past;
    this.records = [...past];
    this.#room = room;
  }

  append(event: RunEvent): void {
    if (this.records.length - this.past.length >= this.#room) throw new Killed();
    this.records.push({ seq: this.records.length, at: new Date().toISOString(), event });
  }
}
