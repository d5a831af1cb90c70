/** A log that is forgotten, and that can die at any moment as a process does. */
import type { Appendable } from '../runs/event-log.ts';
import type { RunEvent, RunRecord } from '../runs/events.ts';
import { SecretsLeftOut } from '../runs/secrets-left-out.ts';

/** What a run dies of when its process is killed: nothing is recorded behind it. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export class MemoryLog implements Appendable {
  readonly past: readonly RunRecord[];
  readonly records: RunRecord[];
  readonly #room: number;
  readonly #secrets = new SecretsLeftOut();

  /** @param room How many more events are recorded before the process is killed. */
  constructor(past: readonly RunRecord[] = [], room = Number.POSITIVE_INFINITY) {
    this.past = past;
    this.records = [...past];
    this.#room = room;
  }

  append<Event extends RunEvent>(said: Event): Event {
    if (this.records.length - this.past.length >= this.#room) throw new Killed();
    const event = this.#secrets.from(said);
    this.records.push({ seq: this.records.length, at: new Date().toISOString(), event });
    return event;
  }

  keepOut(key: string): void {
    this.#secrets.add(key);
  }

  withoutKeys<Value>(value: Value): Value {
    return this.#secrets.fromAll(value);
  }
}
