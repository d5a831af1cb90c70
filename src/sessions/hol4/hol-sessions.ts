/**
 * The HOL sessions of a server, by name. A session outlives the client that started it: an agent that hands its work to
 * the next one, or a client that reconnects, attaches to it by its name. While somebody holds it, nobody else can; one
 * that nobody used for a while is closed, and the least recently used makes room for a new one.
 */
import { QuodError } from '../../core/errors.ts';
import type { HolCursor } from './cursor.ts';
import type { FileReplay } from './file-replay.ts';
import type { HolWorkbench } from './workbench.ts';

export interface HolSessionLimits {
  readonly idleMs: number;
  readonly maximum: number;
}

/** What a session has besides its HOL. */
export interface HolEntry {
  readonly name: string;
  readonly workbench: HolWorkbench;
  cursor: OpenCursor | undefined;
  /** For goals at places of files; started when it is first asked for. */
  replay: Promise<FileReplay> | undefined;
}

export interface OpenCursor {
  readonly cursor: HolCursor;
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the file as the cursor knows it. */
  readonly hash: string;
}

export interface HolSessionStatus {
  readonly name: string;
  readonly folder: string;
  readonly held: 'by-you' | 'by-nobody';
  readonly startedAt: Date;
  readonly lastUsedAt: Date;
  readonly busy: boolean;
  readonly generation: number;
  readonly pid: number;
  readonly cursor: string | null;
}

interface Kept {
  readonly entry: HolEntry;
  client: string | null;
  lastUsedAt: Date;
  users: number;
  queue: Promise<unknown>;
}

export class HolSessions {
  readonly #limits: HolSessionLimits;
  readonly #sessions = new Map<string, Kept>();
  readonly #starting = new Map<string, Promise<Kept>>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: HolSessionLimits) {
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#closeIdle(), Math.min(limits.idleMs, 30_000));
    this.#sweeper.unref();
  }

  /**
   * The session of a name in a folder: started, or found again.
   * @throws QuodError `invalid-input` when the name is taken, and what `start` throws.
   */
  async start(
    client: string,
    name: string,
    folder: string,
    start: () => Promise<HolWorkbench>,
  ): Promise<{ readonly entry: HolEntry; readonly found: boolean }> {
    const known = await (this.#starting.get(name) ?? Promise.resolve(this.#sessions.get(name))).catch(
      () => undefined,
    );
    if (known !== undefined) {
      this.#take(client, known);
      if (known.entry.workbench.folder === folder) return { entry: known.entry, found: true };
      throw new QuodError('invalid-input', `The session ${name} works in another folder.`, {
        place: { file: known.entry.workbench.folder },
        remedy: 'Choose another name, or stop that session.',
      });
    }
    const starting = this.#open(client, name, start);
    this.#starting.set(name, starting);
    try {
      return { entry: (await starting).entry, found: false };
    } finally {
      this.#starting.delete(name);
    }
  }

  /** Takes over a session that nobody holds. @throws QuodError `not-found`, `invalid-input`. */
  attach(client: string, name: string): HolEntry {
    const kept = this.#sessions.get(name);
    if (kept === undefined) throw this.#unknown(client, name);
    this.#take(client, kept);
    return kept.entry;
  }

  /** Runs a call on a session, after those that were made before. @throws QuodError `not-found`. */
  async use<Result>(
    client: string,
    name: string,
    call: (entry: HolEntry) => Promise<Result>,
  ): Promise<Result> {
    const kept = this.#held(client, name);
    kept.users += 1;
    kept.lastUsedAt = new Date();
    const result = kept.queue.then(() => call(kept.entry));
    kept.queue = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      kept.users -= 1;
      kept.lastUsedAt = new Date();
    }
  }

  /** The session at once, whatever runs in it. @throws QuodError `not-found`. */
  now(client: string, name: string): HolEntry {
    return this.#held(client, name).entry;
  }

  /** The sessions that a client holds or could attach to. */
  visibleTo(client: string): readonly HolSessionStatus[] {
    return [...this.#sessions.values()]
      .filter((kept) => kept.client === client || kept.client === null)
      .map(({ entry, client: holder, lastUsedAt }) => ({
        name: entry.name,
        folder: entry.workbench.folder,
        held: holder === null ? ('by-nobody' as const) : ('by-you' as const),
        startedAt: entry.workbench.startedAt,
        lastUsedAt,
        busy: entry.workbench.busy,
        generation: entry.workbench.generation,
        pid: entry.workbench.pid,
        cursor: entry.cursor?.path ?? null,
      }));
  }

  /** Ends a session. @throws QuodError `not-found`. */
  async stop(client: string, name: string): Promise<void> {
    const kept = this.#held(client, name);
    await this.#end(kept);
  }

  /** Its sessions stay, for whoever attaches to them. */
  clientGone(client: string): void {
    for (const kept of this.#sessions.values()) if (kept.client === client) kept.client = null;
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#sessions.values()].map((kept) => this.#end(kept)));
  }

  async #open(client: string, name: string, start: () => Promise<HolWorkbench>): Promise<Kept> {
    while (this.#sessions.size >= this.#limits.maximum) {
      const idle = [...this.#sessions.values()].filter(({ users }) => users === 0);
      const [oldest] = idle.sort((left, right) => left.lastUsedAt.getTime() - right.lastUsedAt.getTime());
      if (oldest === undefined) break;
      await this.#end(oldest);
    }
    const workbench = await start();
    const entry: HolEntry = { name, workbench, cursor: undefined, replay: undefined };
    const kept: Kept = { entry, client, lastUsedAt: new Date(), users: 0, queue: Promise.resolve() };
    this.#sessions.set(name, kept);
    return kept;
  }

  #take(client: string, kept: Kept): void {
    if (kept.client !== null && kept.client !== client) {
      throw new QuodError('invalid-input', `The session ${kept.entry.name} belongs to another client.`, {
        remedy: 'Choose another name; it can be attached to when its client has gone.',
      });
    }
    kept.client = client;
    kept.lastUsedAt = new Date();
  }

  #held(client: string, name: string): Kept {
    const kept = this.#sessions.get(name);
    if (kept?.client === client) return kept;
    if (kept?.client === null) {
      throw new QuodError('not-found', `The session ${name} is not yours yet.`, {
        remedy: 'Call hol_attach with its name.',
      });
    }
    throw this.#unknown(client, name);
  }

  #unknown(client: string, name: string): QuodError {
    const names = this.visibleTo(client).map((status) => status.name);
    const known = names.length === 0 ? 'There are none; call hol_start.' : `There are: ${names.join(', ')}.`;
    return new QuodError('not-found', `There is no HOL session ${name}.`, { remedy: known });
  }

  #closeIdle(): void {
    const oldest = Date.now() - this.#limits.idleMs;
    for (const kept of this.#sessions.values())
      if (kept.users === 0 && kept.lastUsedAt.getTime() < oldest) void this.#end(kept);
  }

  async #end({ entry }: Kept): Promise<void> {
    this.#sessions.delete(entry.name);
    await entry.workbench.close();
    const replay = await entry.replay?.catch(() => undefined);
    await replay?.session.close();
  }
}
