/** The live side of the F* operations: the sessions of all clients, one for each file that a client works on. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProverIdentity } from '../../core/prover.ts';
import { type PreparedFile, prepareFile, type PrepareOptions } from '../../provers/fstar/installation.ts';
import { FstarSession } from '../../sessions/fstar/fstar-session.ts';
import { parseDeclarations } from '../../provers/fstar/syntax/declarations.ts';
import { fstarSessionMemory } from '../../sessions/session-limits.ts';
import { type LiveSession, SessionRegistry } from '../../sessions/session-registry.ts';
import type { OperationContext } from '../definition/operation.ts';
import type { Service, ServiceSettings } from '../definition/services.ts';
import { makeScratchFolder } from '../../process/scratch-folder.ts';

export class FstarWorkbench implements Service {
  readonly sessions: SessionRegistry<OpenFile>;
  readonly settings: ServiceSettings;

  constructor(settings: ServiceSettings) {
    this.settings = settings;
    this.sessions = new SessionRegistry('F* session', {
      idleMs: settings.sessionIdleMs,
      maximum: settings.maximumSessions,
    });
  }

  get memoryLimit(): number {
    return fstarSessionMemory(this.settings.proverMemory);
  }

  /** Opens a session; one that the client has on the same file is closed. */
  async open(
    client: string,
    file: string | null,
    options: PrepareOptions,
    signal: AbortSignal,
  ): Promise<{ id: string; open: OpenFile }> {
    const settings = { ...options, memoryLimit: this.memoryLimit };
    const open =
      file === null ? await OpenFile.scratch(settings, signal) : await OpenFile.of(file, settings, signal);
    const replaced = this.sessions.of(client).filter(({ session }) => file !== null && session.file === file);
    const { id } = this.sessions.add(client, open);
    for (const { id: old } of replaced) await this.sessions.close(client, old);
    return { id, open };
  }

  clientGone(client: string): Promise<void> {
    return this.sessions.clientGone(client);
  }

  close(): Promise<void> {
    return this.sessions.closeAll();
  }
}

/** How F* is started for a file outside of every session. */
export async function launchOf(
  file: string,
  context: OperationContext,
  extraOptions: readonly string[] = [],
): Promise<PreparedFile['launch']> {
  const { root } = context.workspace;
  const { memoryLimit } = fstarWorkbenchOf(context);
  const { launch } = await prepareFile(file, { root, memoryLimit, extraOptions });
  return launch;
}

function fstarWorkbench(settings: ServiceSettings): FstarWorkbench {
  return new FstarWorkbench(settings);
}

export function fstarWorkbenchOf(context: OperationContext): FstarWorkbench {
  return context.services.get(fstarWorkbench);
}

/** A file with its F*. A scratch file is renamed with the module that it is given, since F* wants both to agree. */
export class OpenFile implements LiveSession {
  #prepared: PreparedFile;
  #session: FstarSession;
  readonly #options: PrepareOptions;
  /** A folder that goes when the session does. */
  readonly #scratch: string | null;

  static async of(file: string, options: PrepareOptions, signal: AbortSignal): Promise<OpenFile> {
    const prepared = await prepareFile(file, options);
    return new OpenFile(prepared, await FstarSession.open(file, prepared.launch, { signal }), options, null);
  }

  static async scratch(options: PrepareOptions, signal: AbortSignal): Promise<OpenFile> {
    const folder = makeScratchFolder('fstar');
    try {
      const file = join(folder, 'Scratch.fst');
      await writeFile(file, 'module Scratch\n');
      const prepared = await prepareFile(file, { ...options, folder: options.folder ?? folder });
      return new OpenFile(
        prepared,
        await FstarSession.open(file, prepared.launch, { signal }),
        options,
        folder,
      );
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(
    prepared: PreparedFile,
    session: FstarSession,
    options: PrepareOptions,
    scratch: string | null,
  ) {
    this.#prepared = prepared;
    this.#session = session;
    this.#options = options;
    this.#scratch = scratch;
  }

  get file(): string {
    return this.#prepared.file;
  }

  get session(): FstarSession {
    return this.#session;
  }

  get prepared(): PreparedFile {
    return this.#prepared;
  }

  get identity(): ProverIdentity {
    const { version, location } = this.#prepared.installation;
    return { prover: 'fstar', backend: `ide-${this.#session.protocolVersion}`, version, location };
  }

  /** The session for a buffer: that of the file, after a scratch file has taken the name of the buffer's module. */
  async sessionFor(code: string, signal: AbortSignal): Promise<FstarSession> {
    const folder = this.#scratch;
    if (folder === null) return this.#session;
    const [first] = parseDeclarations(code);
    const module = first?.kind === 'module' ? first.names[0] : undefined;
    if (module === undefined || `${module}.fst` === basename(this.file)) return this.#session;
    const file = join(folder, `${module}.fst`);
    if (dirname(file) !== folder) return this.#session;
    if (!existsSync(file)) await writeFile(file, `module ${module}\n`);
    const prepared = await prepareFile(file, { ...this.#options, folder: this.#options.folder ?? folder });
    const session = await FstarSession.open(file, prepared.launch, { signal });
    await this.#session.close();
    this.#prepared = prepared;
    this.#session = session;
    return session;
  }

  async close(): Promise<void> {
    await this.#session.close();
    if (this.#scratch !== null) await rm(this.#scratch, { recursive: true, force: true });
  }
}
