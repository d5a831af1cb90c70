/**
 * A run's memory of what it did already. The workflow asks for each effect by its key; what is recorded is answered
 * from the log, what is not is done and recorded. So the workflow is written as if nothing could interrupt it.
 */
import type { Grounds } from '../target.ts';
import type { EventKind, EventOf, KeyedEvent, RunEvent, RunRecord } from './events.ts';

/** A recorded proof that the gate accepted again after the log was read. */
interface Confirmed {
  readonly proof: string;
  readonly before?: string | undefined;
  readonly restsOnOpen: readonly string[];
  readonly grounds?: Grounds | undefined;
  readonly isWritten: boolean;
}

function restsOf({ restsOnOpen, grounds }: Confirmed) {
  return { restsOnOpen: [...restsOnOpen], grounds };
}

export interface Appendable {
  readonly past: readonly RunRecord[];
  /** @returns what is recorded, which no key is said in. */
  append<Event extends RunEvent>(event: Event): Event;
  /** Never records this key. */
  keepOut(key: string): void;
  /** A value without the keys that are kept out. */
  withoutKeys<Value>(value: Value): Value;
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
  /** What the log says that the gate accepted. */
  readonly #accepted = new Map<string, EventOf<'judged'>>();
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

  /** Never records this key. */
  keepOut(key: string): void {
    this.#log.keepOut(key);
  }

  /** As it may be told to a model. */
  withoutKeys<Value>(value: Value): Value {
    return this.#log.withoutKeys(value);
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
    return { ...recorded, before: confirmed.before, ...restsOf(confirmed) };
  }

  /** Undefined for what the gate has to say again. */
  #takenOver(event: KeyedEvent): KeyedEvent | undefined {
    switch (event.kind) {
      case 'theorem-ended': {
        // What another agent left in the files is judged again when the run goes on.
        if (event.outcome === 'not-judged') return event.found === 'driver' ? undefined : event;
        if (event.outcome === 'not-proved') return event;
        const confirmed = this.#confirmed.get(event.theorem);
        if (confirmed === undefined || confirmed.proof !== event.proof) return undefined;
        const rests = restsOf(confirmed);
        return { ...event, outcome: rests.restsOnOpen.length === 0 ? 'proved' : 'proved-but', ...rests };
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
    this.append({ kind: 'user-said', text });
    this.#unheard.push(text);
  }

  /** Records what is no result. @returns what is recorded. */
  append<Event extends RunEvent>(said: Event): Event {
    return this.#log.append(said);
  }

  #add<Event extends KeyedEvent>(said: Event): Event {
    const event = this.#log.append(said);
    this.#known.set(`${event.kind} ${event.key}`, event);
    return event;
  }
}
