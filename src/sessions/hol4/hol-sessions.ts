/**
 * The HOL sessions of a server, by name. A session outlives the client that started it: an agent that hands its work to
 * the next one, or a client that reconnects, attaches to it by its name. While somebody holds it, nobody else can: a client
 * that went away holds nothing, and neither does one that has not called for a while, since a client that was killed tells
 * nobody. Who held it last goes on with it as long as nobody took it. A session that nobody used for long is closed, and the
 * least recently used makes room for a new one.
 */
import { QuodError } from '../../core/errors.ts';
import type { HolCursor } from './cursor.ts';
import type { FileReplay } from './file-replay.ts';
import type { HolWorkbench } from './workbench.ts';

export interface HolSessionLimits {
  readonly idleMs: number;
  readonly maximum: number;
  /** Milliseconds without a call after which a session can be attached to. */
  readonly heldMs?: number;
}

const HELD_MS = 5 * 60_000;

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
  client: string;
  /** Its client has no connection now. */
  isAway: boolean;
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
      if (known.client !== client && !known.isAway) throw this.#taken(known);
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
    if (kept.client !== client && !this.#isFree(kept)) throw this.#taken(kept);
    this.#take(client, kept);
    return kept.entry;
  }

  /**
   * Runs a call on a session, after those that were made before. A call that is given up while it waits is never made.
   *
   * @throws QuodError `not-found`, `interrupted`.
   */
  async use<Result>(
    client: string,
    name: string,
    call: (entry: HolEntry) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const kept = this.#held(client, name);
    kept.users += 1;
    kept.lastUsedAt = new Date();
    const turn = kept.queue;
    const result = unlessAborted(turn, signal).then(() => call(kept.entry));
    // Whoever comes next waits for the calls before this one, also when this one did not.
    kept.queue = Promise.allSettled([turn, result]);
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
      .filter((kept) => kept.client === client || this.#isFree(kept))
      .map(({ entry, client: holder, lastUsedAt }) => ({
        name: entry.name,
        folder: entry.workbench.folder,
        held: holder === client ? ('by-you' as const) : ('by-nobody' as const),
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
    for (const kept of this.#sessions.values()) if (kept.client === client) kept.isAway = true;
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
    const kept: Kept = {
      entry,
      client,
      isAway: false,
      lastUsedAt: new Date(),
      users: 0,
      queue: Promise.resolve(),
    };
    this.#sessions.set(name, kept);
    return kept;
  }

  #take(client: string, kept: Kept): void {
    kept.client = client;
    kept.isAway = false;
    kept.lastUsedAt = new Date();
  }

  /** Whether anybody may attach to it. */
  #isFree({ isAway, users, lastUsedAt }: Kept): boolean {
    const heldMs = this.#limits.heldMs ?? HELD_MS;
    return isAway || (users === 0 && Date.now() - lastUsedAt.getTime() > heldMs);
  }

  #taken({ entry }: Kept): QuodError {
    return new QuodError('invalid-input', `The session ${entry.name} belongs to another client.`, {
      remedy:
        'Choose another name. It can be attached to (hol_attach) when its client has gone, or has not called for five minutes.',
    });
  }

  #held(client: string, name: string): Kept {
    const kept = this.#sessions.get(name);
    if (kept?.client === client) {
      kept.isAway = false;
      return kept;
    }
    if (kept !== undefined && this.#isFree(kept)) {
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

/** Settles when the turn has come, or rejects when the caller gives up before. */
async function unlessAborted(turn: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const givenUp = (): QuodError => new QuodError('interrupted', 'The call was cancelled while it waited.');
  if (signal.aborted) throw givenUp();
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(givenUp());
    signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    await Promise.race([turn, aborted]);
  } finally {
    if (giveUp !== undefined) signal.removeEventListener('abort', giveUp);
  }
}
