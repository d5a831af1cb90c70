/**
 * The HOL sessions of a server, by name. A session outlives the client that started it: an agent that hands its work to
 * the next one, or a client that reconnects, attaches to it by its name (src/sessions/session-registry.ts).
 */
import { QuodError } from '../../core/errors.ts';
import { HELD_MS, type RegistryLimits } from '../session-limits.ts';
import { type LiveSession, SessionRegistry } from '../session-registry.ts';
import type { HolCursor } from './cursor.ts';
import type { FileReplay } from './file-replay.ts';
import type { HolWorkbench } from './workbench.ts';

/** What a session has besides its HOL. */
export class HolEntry implements LiveSession {
  readonly name: string;
  readonly workbench: HolWorkbench;
  cursor: OpenCursor | undefined;
  /** For goals at places of files; started when it is first asked for. */
  replay: Promise<FileReplay> | undefined;

  constructor(name: string, workbench: HolWorkbench) {
    this.name = name;
    this.workbench = workbench;
  }

  async close(): Promise<void> {
    await this.workbench.close();
    const replay = await this.replay?.catch(() => undefined);
    await replay?.session.close();
  }
}

export interface OpenCursor {
  readonly cursor: HolCursor;
  /** Absolute path. */
  readonly path: string;
  /** SHA-256 of the file as the cursor knows it. */
  readonly hash: string;
}

export class HolSessions extends SessionRegistry<HolEntry> {
  readonly #starting = new Map<string, Promise<unknown>>();

  constructor(limits: RegistryLimits) {
    super(
      'HOL session',
      { heldMs: HELD_MS, ...limits },
      {
        attach: 'Call `hol_attach` with its name.',
        taken:
          'Choose another name. It can be attached to (`hol_attach`) when its client has gone, or has not called for five minutes.',
        unknown: (client) => {
          const names = this.visibleTo(client).map(({ id }) => id);
          return names.length === 0 ? 'There are none; call `hol_start`.' : `There are: ${names.join(', ')}.`;
        },
      },
    );
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
    await this.#starting.get(name)?.catch(() => undefined);
    const known = this.comeBack(client, name);
    if (known !== undefined) {
      if (known.workbench.folder === folder) return { entry: known, found: true };
      throw new QuodError('invalid-input', `The session ${name} works in another folder.`, {
        place: { file: known.workbench.folder },
        remedy: 'Choose another name, or stop that session.',
      });
    }
    this.makeRoom();
    const starting = start();
    this.#starting.set(name, starting);
    try {
      const entry = new HolEntry(name, await starting);
      this.add(client, entry, name);
      return { entry, found: false };
    } finally {
      this.#starting.delete(name);
    }
  }
}
