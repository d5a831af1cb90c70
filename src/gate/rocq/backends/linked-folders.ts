/**
 * Folders that a project reaches by a link. `coqc` finds a library under both names of its folder; `coqchk` gives a folder one
 * name, which is then the other one. It gets the files of such a folder in a folder of their own, called as the name says that
 * is missing. Only where the load path has one such file, which is the one then that the submission was compiled with.
 */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';
import { placesInLoadPath } from '../compiled/library-files.ts';

/** More is not copied into a sandbox. */
const MOST_BYTES = 256 * 1024 ** 2;

export class LinkedFolders {
  readonly #project: RocqProject;
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set<string>();
  #bytes = 0;

  constructor(project: RocqProject) {
    this.#project = project;
  }

  /** By their places in the working folder. */
  get files(): ReadonlyMap<string, Uint8Array> {
    return this.#files;
  }

  /** They come after the project's, because the last name of a folder counts. */
  get arguments(): readonly string[] {
    return [...this.#folders].flatMap((logical) => ['-Q', placeOf(logical), logical]);
  }

  /** Whether there is now more to look at than before. @param library its full name */
  async add(library: string): Promise<boolean> {
    const logical = library.split('.').slice(0, -1).join('.');
    if (logical === '' || this.#folders.has(logical)) return false;
    const places = placesInLoadPath(this.#project, library).map((path) =>
      realpath(path).catch(() => undefined),
    );
    const [found, another] = new Set((await Promise.all(places)).filter((path) => path !== undefined));
    if (found === undefined || another !== undefined || !(await this.#copy(dirname(found), logical)))
      return false;
    this.#folders.add(logical);
    return true;
  }

  async #copy(folder: string, logical: string): Promise<boolean> {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.vo')) continue;
      const content = await readRegularFile(join(folder, name), LARGEST_WRITTEN_BYTES).catch(() => undefined);
      if (content === undefined) continue;
      this.#bytes += content.length;
      if (this.#bytes > MOST_BYTES) return false;
      this.#files.set(join(placeOf(logical), name), content);
    }
    return true;
  }
}

function placeOf(logical: string): string {
  return join('linked', logical);
}
