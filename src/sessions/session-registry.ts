/**
 * Who has which live session. A session belongs to the client that opened it and is invisible to every other one; it is
 * closed when its client goes away, when nobody used it for a while, or when there are too many (least recently used
 * first). What a session is, the registry does not know.
 *
 * Where sessions outlive their clients (`heldMs`), they are held instead: a client that went away holds nothing, and
 * neither does one that has not called for a while, since a client that was killed tells nobody. What nobody holds
 * can be attached to; who held it last goes on with it as long as nobody took it.
 */
import { randomUUID } from 'node:crypto';
import { QuodError } from '../core/errors.ts';
import { InOrder } from '../core/concurrency/in-order.ts';
import type { RegistryLimits } from './session-limits.ts';

export interface LiveSession {
  /** Ends the session and all that it started. Called once. */
  close(): Promise<void>;
}

/** What to do, where the operations of a prover have words of their own for it. */
export interface RegistryRemedies {
  readonly unknown?: (client: string) => string;
  readonly taken?: string;
  readonly attach?: string;
}

export interface RegisteredSession<Session extends LiveSession> {
  readonly id: string;
  readonly client: string;
  readonly session: Session;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

interface Entry<Session extends LiveSession> extends RegisteredSession<Session> {
  client: string;
  lastUsedAt: Date;
  /** Its client has no connection now. */
  isAway: boolean;
  readonly calls: InOrder;
  /** Calls that are using the session now; such a session is not evicted. */
  users: number;
}

export class SessionRegistry<Session extends LiveSession> {
  readonly #kind: string;
  readonly #limits: RegistryLimits;
  readonly #remedies: RegistryRemedies;
  readonly #entries = new Map<string, Entry<Session>>();
  /** Why sessions that are gone went, so that the answer to a late call can say it. */
  readonly #gone = new Map<string, { readonly client: string; readonly why: string }>();
  readonly #sweeper: NodeJS.Timeout;

  /** @param kind How messages call a session: `Rocq session`. */
  constructor(kind: string, limits: RegistryLimits, remedies: RegistryRemedies = {}) {
    this.#kind = kind;
    this.#limits = limits;
    this.#remedies = remedies;
    this.#sweeper = setInterval(
      () => {
        this.#closeIdle();
      },
      Math.min(limits.idleMs, 30_000),
    );
    this.#sweeper.unref();
  }

  /** Registers a session under a new id, unless the caller names one; makes room first. */
  add(client: string, session: Session, id: string = randomUUID()): RegisteredSession<Session> {
    if (this.#entries.has(id)) {
      throw new QuodError('invalid-input', `There is a ${this.#kind} ${id} already.`, {
        remedy: 'Close it first, or choose another name.',
      });
    }
    this.makeRoom();
    const now = new Date();
    const entry: Entry<Session> = {
      id,
      client,
      session,
      createdAt: now,
      lastUsedAt: now,
      isAway: false,
      calls: new InOrder(),
      users: 0,
    };
    this.#entries.set(id, entry);
    this.#gone.delete(id);
    return entry;
  }

  /** Closes sessions, least recently used first, until there is room for one more or every session is in use. */
  makeRoom(): void {
    while (this.#entries.size >= this.#limits.maximum && this.#evictOne()) {
      // One by one.
    }
  }

  /** Runs a call on a session, which is not evicted meanwhile. @throws QuodError `not-found`, `stale-state`. */
  async use<Result>(
    client: string,
    id: string,
    call: (session: Session, entry: RegisteredSession<Session>) => Promise<Result>,
  ): Promise<Result> {
    const entry = this.#find(client, id);
    entry.users += 1;
    entry.lastUsedAt = new Date();
    try {
      return await call(entry.session, entry);
    } finally {
      entry.users -= 1;
      entry.lastUsedAt = new Date();
    }
  }

  /**
   * Runs a call on a session after those that were made before. One that is given up while it waits is never made.
   * @throws QuodError `not-found`, `stale-state`, `interrupted`.
   */
  useInTurn<Result>(
    client: string,
    id: string,
    call: (session: Session) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return this.use(client, id, (session) => this.#find(client, id).calls.run(() => call(session), signal));
  }

  /** The session at once, whatever runs in it. @throws QuodError `not-found`, `stale-state`. */
  now(client: string, id: string): Session {
    return this.#find(client, id).session;
  }

  /** Takes over a session that nobody else holds. @throws QuodError `not-found`, `invalid-input`. */
  attach(client: string, id: string): Session {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw this.#unknown(client, id);
    if (entry.client !== client && !this.#isFree(entry)) throw this.#taken(id);
    return this.#take(client, entry);
  }

  /** The session of a name that a client comes back to, if there is one. @throws QuodError `invalid-input`. */
  comeBack(client: string, id: string): Session | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (entry.client !== client && !entry.isAway) throw this.#taken(id);
    return this.#take(client, entry);
  }

  /** The sessions that a client holds or could attach to. */
  visibleTo(client: string): readonly RegisteredSession<Session>[] {
    return [...this.#entries.values()].filter((entry) => entry.client === client || this.#isFree(entry));
  }

  /** The sessions of a client, oldest first. */
  of(client: string): readonly RegisteredSession<Session>[] {
    return [...this.#entries.values()].filter((entry) => entry.client === client);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Closes a session. @throws QuodError `not-found`. */
  async close(client: string, id: string): Promise<void> {
    await this.#end(this.#find(client, id), 'was closed');
  }

  /** Closes its sessions, or leaves them to whoever attaches to them. */
  async clientGone(client: string): Promise<void> {
    if (this.#limits.heldMs !== undefined) {
      for (const entry of this.#entries.values()) if (entry.client === client) entry.isAway = true;
      return;
    }
    await Promise.all(
      this.of(client).map(({ id }) => this.#end(this.#find(client, id), 'was closed with its client')),
    );
    for (const [id, { client: owner }] of this.#gone) if (owner === client) this.#gone.delete(id);
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(
      [...this.#entries.values()].map((entry) => this.#end(entry, 'was closed with the server')),
    );
  }

  #find(client: string, id: string): Entry<Session> {
    const entry = this.#entries.get(id);
    if (entry?.client === client) {
      entry.isAway = false;
      return entry;
    }
    if (entry !== undefined && this.#isFree(entry)) {
      const remedy = this.#remedies.attach ?? 'Attach to it.';
      throw new QuodError('not-found', `The ${this.#kind} ${id} is not yours yet.`, { remedy });
    }
    const gone = this.#gone.get(id);
    if (gone?.client === client) {
      throw new QuodError('stale-state', `The ${this.#kind} ${id} ${gone.why}.`, {
        remedy: 'Open a new one.',
      });
    }
    throw this.#unknown(client, id);
  }

  #unknown(client: string, id: string): QuodError {
    const remedy = this.#remedies.unknown?.(client) ?? 'List your sessions, or open a new one.';
    return new QuodError('not-found', `There is no ${this.#kind} ${id}.`, { remedy });
  }

  #taken(id: string): QuodError {
    const remedy = this.#remedies.taken ?? 'Choose another name.';
    return new QuodError('invalid-input', `The ${this.#kind} ${id} belongs to another client.`, { remedy });
  }

  #take(client: string, entry: Entry<Session>): Session {
    entry.client = client;
    entry.isAway = false;
    entry.lastUsedAt = new Date();
    return entry.session;
  }

  /** Whether anybody may attach to it. */
  #isFree({ isAway, users, lastUsedAt }: Entry<Session>): boolean {
    const { heldMs } = this.#limits;
    if (heldMs === undefined) return false;
    return isAway || (users === 0 && Date.now() - lastUsedAt.getTime() > heldMs);
  }

  #closeIdle(): void {
    const oldest = Date.now() - this.#limits.idleMs;
    for (const entry of this.#entries.values()) {
      if (entry.users === 0 && entry.lastUsedAt.getTime() < oldest)
        this.#endLater(entry, 'was closed because it was idle');
    }
  }

  /** True when a session was closed. */
  #evictOne(): boolean {
    const idle = [...this.#entries.values()].filter(({ users }) => users === 0);
    const [oldest] = idle.sort((left, right) => left.lastUsedAt.getTime() - right.lastUsedAt.getTime());
    if (oldest === undefined) return false;
    this.#endLater(oldest, 'was closed to make room for others');
    return true;
  }

  /**
   * What fails while a session ends in the background has nobody who could hear it: the session is gone all the
   * same.
   */
  #endLater(entry: Entry<Session>, why: string): void {
    this.#end(entry, why).catch(() => undefined);
  }

  async #end(entry: Entry<Session>, why: string): Promise<void> {
    this.#entries.delete(entry.id);
    this.#gone.set(entry.id, { client: entry.client, why });
    const [first] = this.#gone.keys();
    if (this.#gone.size > MAXIMUM_GONE && first !== undefined) this.#gone.delete(first);
    await entry.session.close();
  }
}

/** How many sessions that are gone are remembered. */
const MAXIMUM_GONE = 10_000;
