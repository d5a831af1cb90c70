/**
 * A run's memory of what it did already. The workflow asks for each effect by its key; what is recorded is answered from the
 * log, what is not is done and recorded. So the workflow is written as if nothing could interrupt it.
 */
import type { EventKind, EventOf, KeyedEvent, RunEvent, RunRecord } from './events.ts';

export interface Appendable {
  readonly past: readonly RunRecord[];
  append(event: RunEvent): void;
}

/** Kinds that tell of a try, not of a result: they are never answers to a key. */
const WITHOUT_RESULT: ReadonlySet<EventKind> = new Set([
  'model-called',
  'model-failed',
  'model-waits',
  'context-limited',
]);

export class EventLog {
  readonly #log: Appendable;
  readonly #known = new Map<string, KeyedEvent>();
  /** What the user said that no model has heard yet. */
  readonly #unheard: string[] = [];

  constructor(log: Appendable) {
    this.#log = log;
    for (const { event } of log.past) {
      if (event.kind === 'user-said') this.#unheard.push(event.text);
      if (event.kind === 'heard') this.#unheard.splice(0);
      if ('key' in event && !WITHOUT_RESULT.has(event.kind))
        this.#known.set(`${event.kind} ${event.key}`, event);
    }
  }

  recorded<Kind extends KeyedEvent['kind']>(kind: Kind, key: string): EventOf<Kind> | undefined {
    // Stored under its own kind.
    return this.#known.get(`${kind} ${key}`) as EventOf<Kind> | undefined;
  }

  /** All results of a kind whose keys begin so, in the order in which they were recorded. */
  recordedUnder<Kind extends KeyedEvent['kind']>(kind: Kind, beginning: string): EventOf<Kind>[] {
    const under = `${kind} ${beginning}`;
    return [...this.#known].flatMap(([name, event]) =>
      name.startsWith(under) ? [event as EventOf<Kind>] : [],
    );
  }

  /** The recorded result of a key, or that of doing it now. */
  async once<Kind extends KeyedEvent['kind']>(
    kind: Kind,
    key: string,
    perform: () => Promise<Omit<EventOf<Kind>, 'kind' | 'key'>>,
  ): Promise<EventOf<Kind>> {
    const known = this.recorded(kind, key);
    if (known !== undefined) return known;
    const result = await perform();
    return this.#add({ ...result, kind, key } as unknown as EventOf<Kind> & KeyedEvent);
  }

  /** Records something that the workflow computed; a second time, after a resume, nothing is written. */
  note<Event extends KeyedEvent>(event: Event): Event {
    if (this.recorded(event.kind, event.key) !== undefined) return event;
    return this.#add(event);
  }

  /**
   * What the user said since the last question: it goes to the model with the question of this key. One that was answered
   * before is not asked again, so that nothing said goes to it; one that was stopped is asked with what was said since.
   */
  userMessage(key: string): string | undefined {
    const known = this.recorded('heard', key);
    const isAnswered = (['model-answered', 'driver-ended'] as const).some((kind) => this.recorded(kind, key));
    if (isAnswered || this.#unheard.length === 0) return known?.text;
    const said = [...(known === undefined ? [] : [known.text]), ...this.#unheard.splice(0)];
    return this.#add({ kind: 'heard', key, text: said.join('\n\n') }).text;
  }

  /** What was recorded before this process began, results or not. */
  get past(): readonly RunRecord[] {
    return this.#log.past;
  }

  /** The user said something while the run works: the next question that can be asked with it is. */
  say(text: string): void {
    this.#log.append({ kind: 'user-said', text });
    this.#unheard.push(text);
  }

  /** Records what is no result. */
  append(event: RunEvent): void {
    this.#log.append(event);
  }

  #add<Event extends KeyedEvent>(event: Event): Event {
    this.#log.append(event);
    this.#known.set(`${event.kind} ${event.key}`, event);
    return event;
  }
}
