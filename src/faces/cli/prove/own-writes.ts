/**
 * What a run of `quod prove --write` over several files changes itself. What was compiled of a file that it wrote is of
 * another text from then on, and a file that requires it would be proved on top of that. So it is compiled again before
 * such a file is worked on, where all was as it should be before the run: what was not is built when the user says so.
 */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { foreignName, foreignText } from '../../../core/foreign-text.ts';
import type { Prover, ProverIdentity } from '../../../core/prover.ts';
import { sha256 } from '../../../core/sha256.ts';
import { projectOverview } from '../../../operations/project/project-overview.ts';
import { readSourceFile } from '../../../operations/files/source-file.ts';
import { staleDependencies } from '../../../operations/rocq/session/stale-dependencies.ts';
import { dependenciesOf } from '../../../provers/rocq/build/project-build.ts';
import { requiresAsRead } from '../../../provers/rocq/build/project-sources.ts';
import type { FileOutline } from '../../../provers/rocq/syntax/outline.ts';
import { fromHere } from '../terminal/from-here.ts';
import { buildDependencies } from './build-first.ts';

export interface StaleLibraries {
  /** Sources that are not what was compiled. */
  readonly stale: readonly string[];
  /** Those of them that the run wrote. */
  readonly own: readonly string[];
}

/** A file whose libraries are looked at, and what they can be built with. */
interface Requiring {
  readonly fileName: string;
  readonly path: string;
  readonly outline: FileOutline;
  readonly prover: Prover;
  readonly signal: AbortSignal;
  readonly options: { readonly jobs?: number };
}

export class OwnWrites {
  readonly #files: readonly string[];
  /** By the path of what was written: the digest of its text. */
  readonly #written = new Map<string, string>();
  #staleBefore: ReadonlySet<string> | undefined;
  /** Those of the files that were compiled as they were. */
  #compiledBefore: readonly string[] = [];

  /** @param files Those that the run is about. */
  constructor(files: readonly string[]) {
    this.#files = files;
  }

  /** To be called before a file is written. */
  async begin(identity: ProverIdentity): Promise<void> {
    if (this.#staleBefore !== undefined) return;
    const stale = new Set<string>();
    for (const file of this.#files.filter((one) => one.endsWith('.v'))) {
      const path = resolve(file);
      for (const one of await staleDependencies(path, await requiresAsRead(path), identity)) stale.add(one);
    }
    this.#staleBefore = stale;
    this.#compiledBefore = await this.#compiled(this.#files.map((file) => resolve(file)));
  }

  /** Sources whose compiled files are of older texts by what the run wrote, and were not before. */
  async outdated(signal?: AbortSignal): Promise<readonly string[]> {
    if (this.#written.size === 0 || signal?.aborted === true) return [];
    const compiled = new Set(await this.#compiled(this.#compiledBefore));
    return this.#compiledBefore.filter((path) => !compiled.has(path));
  }

  /** Those of the paths that are compiled as they and what they require are now. */
  async #compiled(paths: readonly string[]): Promise<readonly string[]> {
    // What cannot be looked at is told where it is worked on, and costs no proof that was found.
    const overview = await projectOverview(paths, new AbortController().signal).catch(() => undefined);
    const isCompiled = (path: string): boolean => {
      const state = overview?.states.get(path);
      return state === 'yes' || state === 'not-known';
    };
    return paths.filter(isCompiled);
  }

  /** @param digest Of the text. */
  async wrote(path: string, digest: string): Promise<void> {
    this.#written.set(await realPath(path), digest);
  }

  /** What is stale for a file when that has been compiled again which this run made so. */
  async madeAnew(file: Requiring): Promise<StaleLibraries> {
    const { fileName, path, outline, prover, signal } = file;
    const look = (): Promise<string[]> => staleDependencies(path, outline.requires, prover.identity);
    const stale = await look();
    const own = await this.#ownAmong(stale);
    if (own.length === 0 || !(await this.#isOnlyByRun(stale, own))) return { stale, own };
    const names = namesOf(own);
    try {
      await buildDependencies(fileName, outline, {
        ...file,
        because: `${names} changed in this run and ${own.length === 1 ? 'is' : 'are'} compiled again`,
      });
      return { stale: await look(), own };
    } catch (error) {
      if (signal.aborted || !(error instanceof QuodError)) throw error;
      const why = `this run changed ${names}, and what was compiled could not be made anew: ${error.message}`;
      console.error(foreignText(`${foreignName(fileName)}: warning: ${why}`));
      return { stale, own };
    }
  }

  async #ownAmong(stale: readonly string[]): Promise<string[]> {
    const own: string[] = [];
    for (const path of stale) {
      const digest = this.#written.get(await realPath(path));
      if (digest === undefined) continue;
      const { text } = await readSourceFile(path);
      // Somebody else may have written it since.
      if (sha256(text) === digest) own.push(path);
    }
    return own;
  }

  /** Whether nothing of it was stale before the run, and nothing is that does not rest on what the run wrote. */
  async #isOnlyByRun(stale: readonly string[], own: readonly string[]): Promise<boolean> {
    for (const path of stale) {
      if (this.#staleBefore?.has(path) !== false) return false;
      if (own.includes(path)) continue;
      const { sources } = await dependenciesOf(path, await requiresAsRead(path));
      if (!sources.some((source) => own.includes(source.path))) return false;
    }
    return true;
  }
}

/** Names of sources, for people. */
export function namesOf(paths: readonly string[]): string {
  return paths.map((path) => foreignName(fromHere(path))).join(', ');
}

async function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}
