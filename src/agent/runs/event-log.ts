/**
 * A run's memory of what it did already. The workflow asks for each effect by its key; what is recorded is answered
 * from the log, what is not is done and recorded. So the workflow is written as if nothing could interrupt it.
 */
import type { EventKind, EventOf, KeyedEvent, RunEvent, RunRecord } from './events.ts';

/** A recorded proof that the gate accepted again after the log was read. */
interface Confirmed {
  readonly proof: string;
  readonly before?: string | undefined;
  readonly restsOnOpen: readonly string[];
  readonly isWritten: boolean;
}

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

/** What is shorter is no key, and may stand anywhere. */
const SHORTEST_KEY = 8;

export class EventLog {
  readonly #log: Appendable;
  readonly #known = new Map<string, KeyedEvent>();
  /** What the user said that no model has heard yet. */
  readonly #unheard: string[] = [];
  /** What the log says that the gate accepted. */
  readonly #accepted = new Map<string, EventOf<'judged'>>();
  readonly #keys = new Set<string>();
  readonly #confirmed: ReadonlyMap<string, Confirmed>;

  /**
   * @param confirmed By theorem. What a log says of the gate is no word of the gate: of that, only this is taken
   * over, and what was not accepted.
   */
  constructor(log: Appendable, confirmed: ReadonlyMap<string, Confirmed> = new Map()) {
    this.#log = log;
    this.#confirmed = confirmed;
    for (const { event } of log.past) {
      if (event.kind === 'user-said') this.#unheard.push(event.text);
      if (event.kind === 'heard') this.#unheard.splice(0);
      if (!('key' in event) || WITHOUT_RESULT.has(event.kind)) continue;
      const name = `${event.kind} ${event.key}`;
      const taken = this.#takenOver(event);
      if (taken === undefined) this.#known.delete(name);
      else this.#known.set(name, taken);
    }
  }

  /** Never records a key: a model may repeat it that was told it by its server. */
  keepOut(key: string): void {
    if (key.length >= SHORTEST_KEY) this.#keys.add(key);
  }

  #without<Event extends RunEvent>(event: Event): Event {
    const text = JSON.stringify(event);
    if (![...this.#keys].some((key) => text.includes(JSON.stringify(key).slice(1, -1)))) return event;
    const clean = (_: string, value: unknown): unknown =>
      typeof value === 'string'
        ? [...this.#keys].reduce((said, key) => said.replaceAll(key, '[key]'), value)
        : value;
    // The same event, with other texts.
    return JSON.parse(text, clean) as Event;
  }

  /** The recorded proof of a theorem, where the gate accepted it again. */
  confirmed(theorem: string): Confirmed | undefined {
    return this.#confirmed.get(theorem);
  }

  /** What is recorded of a theorem's proof, where the gate said so again. */
  judgedAgain(theorem: string, key: string, proof: string): EventOf<'judged'> | undefined {
    const confirmed = this.#confirmed.get(theorem);
    const recorded = this.#accepted.get(key);
    if (confirmed?.proof !== proof || recorded?.proof !== proof) return undefined;
    return { ...recorded, before: confirmed.before, restsOnOpen: [...confirmed.restsOnOpen] };
  }

  /** Undefined for what the gate has to say again. */
  #takenOver(event: KeyedEvent): KeyedEvent | undefined {
    switch (event.kind) {
      case 'theorem-ended': {
        if (event.outcome === 'not-proved' || event.outcome === 'not-judged') return event;
        const confirmed = this.#confirmed.get(event.theorem);
        if (confirmed === undefined || confirmed.proof !== event.proof) return undefined;
        const restsOnOpen = [...confirmed.restsOnOpen];
        return { ...event, outcome: restsOnOpen.length === 0 ? 'proved' : 'proved-but', restsOnOpen };
      }
      case 'judged':
        if (event.verdict !== 'accepted') return event;
        this.#accepted.set(event.key, event);
        return undefined;
      case 'refuted':
        return event.refuted ? undefined : event;
      case 'written':
        return this.#confirmed.get(event.key)?.isWritten === true ? event : undefined;
      case 'compared':
      case 'rechecked':
        return undefined;
      default:
        return event;
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
   * What the user said since the last question: it goes to the model with the question of this key. One that was
   * answered before is not asked again, so that nothing said goes to it; one that was stopped is asked with what
   * was said since.
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
    this.#log.append(this.#without(event));
  }

  #add<Event extends KeyedEvent>(said: Event): Event {
    const event = this.#without(said);
    this.#log.append(event);
    this.#known.set(`${event.kind} ${event.key}`, event);
    return event;
  }
}
