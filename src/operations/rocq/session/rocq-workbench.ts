/**
 * The live side of the Rocq operations: which Rocq there is, the pool of provers, the sessions of all clients, and the
 * last version of each file that somebody asked for.
 */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import type { Prover } from '../../../core/prover.ts';
import { RecentlyUsed } from '../../../core/recently-used.ts';
import { BACKENDS, findRocq, type BackendChoice } from '../../../sessions/find-rocq.ts';
import { coqArguments, findRocqProject, type RocqProject } from '../../../provers/rocq/project.ts';
import { ProverPool } from '../../../sessions/prover-pool.ts';
import { rocqPoolLimits } from '../../../sessions/session-limits.ts';
import { SessionRegistry } from '../../../sessions/session-registry.ts';
import type { Service, ServiceSettings } from '../../definition/services.ts';
import { readSourceFile } from '../../files/source-file.ts';
import type { Workspace } from '../../definition/workspace.ts';
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
  ): Promise<{ readonly absolute: string; readonly name: string; readonly libraries: string }> {
    const absolute = await rocqPath(workspace, path);
    const libraries = await fingerprint(await findRocqProject(absolute));
    return { absolute, name: workspace.nameOf(absolute), libraries };
  }

  /** The file as it is on disk now. @throws QuodError as reading a source file and its project do. */
  async file(workspace: Workspace, path: string): Promise<RocqFile> {
    const absolute = await rocqPath(workspace, path);
    const source = await readSourceFile(absolute);
    const context = {
      file: source.path,
      libraries: await fingerprint(await findRocqProject(source.path)),
    };
    const known = this.#files.get(absolute);
    const name = workspace.nameOf(absolute);
    const same = known?.source.hash === source.hash && known.context.libraries === context.libraries;
    const file = same ? known : new RocqFile({ ...source, name }, name, context);
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

/**
 * What the load path of a project holds and what Rocq is told, as a hash: a prover that has loaded a library goes on
 * with what it loaded, so one that was compiled anew needs a new prover. Installed libraries are taken not to change.
 */
async function fingerprint(project: RocqProject): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(coqArguments(project)));
  for (const { physical } of project.loadPath) {
    for (const file of await compiledFiles(physical)) hash.update(file);
  }
  return hash.digest('base64url');
}

const MOST_COMPILED_FILES = 20_000;

async function compiledFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.vo'));
  return Promise.all(
    files
      .slice(0, MOST_COMPILED_FILES)
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map(async (path) => {
        const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }));
        return `${path}\0${mtimeMs}\0${size}\n`;
      }),
  );
}

/** @throws QuodError `invalid-input` for a file that no Rocq reads, and as `resolve` does. */
async function rocqPath(workspace: Workspace, path: string): Promise<string> {
  const absolute = await workspace.resolve(path);
  await requireLanguage('rocq', absolute, path);
  return absolute;
}
