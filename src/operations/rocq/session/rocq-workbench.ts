/**
 * The live side of the Rocq operations: which Rocq there is, the pool of provers, the sessions of all clients, and the
 * last version of each file that somebody asked for.
 */
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { RecentlyUsed } from '../../../core/recently-used.ts';
import { BACKENDS, findRocq, type BackendChoice } from '../../../sessions/find-rocq.ts';
import { FileDigests } from '../../../process/foreign-folder/file-digests.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
import { ProverPool } from '../../../sessions/prover-pool.ts';
import { rocqPoolLimits } from '../../../sessions/session-limits.ts';
import { SessionRegistry } from '../../../sessions/session-registry.ts';
import type { Service, ServiceSettings } from '../../definition/services.ts';
import { readSourceFile } from '../../files/source-file.ts';
import type { Workspace } from '../../definition/workspace.ts';
import { compiledLibraries, type CompiledLibraries } from './compiled-libraries.ts';
import { RocqFile } from './rocq-file.ts';
import type { RocqSession } from './rocq-session.ts';
import { requireLanguage } from '../../files/required-source.ts';

/** Characters of the files that are kept; an outline takes about twenty bytes for each. */
const FILES_KEPT = 8_000_000;

/** Hashes of texts that the gate accepted. */
const ACCEPTED_KEPT = 1_000;

export class RocqWorkbench implements Service {
  readonly sessions: SessionRegistry<RocqSession>;
  readonly settings: ServiceSettings;
  readonly #files = new RecentlyUsed<RocqFile>(FILES_KEPT);
  readonly #accepted = new RecentlyUsed<true>(ACCEPTED_KEPT);
  /** What stood compiled when it was looked last, by the root of the project: many files have one record of it. */
  readonly #libraries = new Map<string, CompiledLibraries>();
  readonly #digests = new FileDigests();
  #prover: Promise<Prover> | undefined;
  #pool: Promise<ProverPool> | undefined;

  constructor(settings: ServiceSettings) {
    this.settings = settings;
    this.sessions = new SessionRegistry('Rocq session', {
      idleMs: settings.sessionIdleMs,
      maximum: settings.maximumSessions,
    });
  }

  /** The Rocq that was asked for. */
  get backend(): BackendChoice {
    return backendWanted();
  }

  /** The Rocq that all sessions use. @throws QuodError `prover-missing`. */
  prover(): Promise<Prover> {
    this.#prover ??= findRocq(backendWanted(), { errorPlaces: true }).catch((error: unknown) => {
      // One that is installed meanwhile is found by the next call.
      this.#prover = undefined;
      throw error;
    });
    return this.#prover;
  }

  pool(): Promise<ProverPool> {
    this.#pool ??= this.prover().then(
      (prover) => new ProverPool(prover, rocqPoolLimits(this.settings.proverMemory)),
      (error: unknown) => {
        this.#pool = undefined;
        throw error;
      },
    );
    return this.#pool;
  }

  /** How many provers live; zero when none was needed yet. */
  async proversAlive(): Promise<number> {
    return this.#pool === undefined ? 0 : (await this.#pool).size;
  }

  /** What a text of a file would be run with; the file need not exist. */
  async placeOf(
    workspace: Workspace,
    path: string,
  ): Promise<{ readonly absolute: string; readonly name: string; readonly libraries: CompiledLibraries }> {
    const absolute = await rocqPath(workspace, path);
    const libraries = await this.#librariesOf(absolute);
    return { absolute, name: workspace.nameOf(absolute), libraries };
  }

  async #librariesOf(absolute: string): Promise<CompiledLibraries> {
    const project = await findRocqProject(absolute);
    const found = await compiledLibraries(project, this.#digests);
    const last = this.#libraries.get(project.root);
    if (last?.digest === found.digest) return last;
    this.#libraries.set(project.root, found);
    return found;
  }

  /** The file as it is on disk now. @throws QuodError as reading a source file and its project do. */
  async file(workspace: Workspace, path: string): Promise<RocqFile> {
    const absolute = await rocqPath(workspace, path);
    const source = await readSourceFile(absolute);
    const libraries = await this.#librariesOf(source.path);
    const known = this.#files.get(absolute);
    const name = workspace.nameOf(absolute);
    const same = known?.source.hash === source.hash && known.context.libraries === libraries.digest;
    const context = { file: source.path, libraries: libraries.digest };
    const file = same ? known : new RocqFile({ ...source, name }, name, context, libraries.of);
    this.#files.keep(absolute, file, file.source.text.length);
    return file;
  }

  /** The gate accepted these bytes as this file, whoever asked. */
  noteAccepted({ source }: RocqFile, hash: string): void {
    this.#accepted.keep(`${source.path}\0${hash}`, true);
  }

  /** Whether the gate of this process accepted these bytes as this file. */
  wasAccepted({ source }: RocqFile, hash: string): boolean {
    return this.#accepted.get(`${source.path}\0${hash}`) === true;
  }

  clientGone(client: string): Promise<void> {
    return this.sessions.clientGone(client);
  }

  async close(): Promise<void> {
    await this.sessions.closeAll();
    const pool = await this.#pool?.catch(() => undefined);
    await pool?.close();
  }
}

/** The factory under which the services hold the one workbench. */
export function rocqWorkbench(settings: ServiceSettings): RocqWorkbench {
  return new RocqWorkbench(settings);
}

/** @throws QuodError `invalid-input` for a backend that there is not. */
function backendWanted(): BackendChoice {
  const wanted = orNothing(process.env['QUOD_ROCQ_BACKEND']);
  if (wanted === '' || wanted === 'auto') return 'auto';
  const known = BACKENDS.find((backend) => backend === wanted);
  if (known !== undefined) return known;
  throw new QuodError('invalid-input', `QUOD_ROCQ_BACKEND names no way to reach a Rocq: ${wanted}.`, {
    remedy: `Set it to auto, ${BACKENDS.join(', ')}, or to nothing.`,
  });
}

/** @throws QuodError `invalid-input` for a file that no Rocq reads, and as `resolve` does. */
async function rocqPath(workspace: Workspace, path: string): Promise<string> {
  const absolute = await workspace.resolve(path);
  await requireLanguage('rocq', absolute, path);
  return absolute;
}
