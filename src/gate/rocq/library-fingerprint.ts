/**
 * What stands for all files that a prover could read for a text: their places, sizes and times. While it is the same, the
 * same text requires the same libraries and loads the same files. A library that is added, removed or written again changes
 * it, whether it was required or not; of other files those do that the text names, or one that it names, wherever
 * in it: no command reads a file that is not named.
 */
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { listIn } from '../../core/lists/list-in.ts';
import { Turn } from '../../core/concurrency/turn.ts';
import { readRegularFile } from '../../process/foreign-folder/regular-file.ts';

export interface LibraryPlaces {
  /** Absolute, as all here. Those that do not exist count as empty. */
  readonly folders: readonly string[];
  /** Where beside libraries any file may be read, as `Load` does. */
  readonly loadable: readonly string[];
  /** What the names of library files end with. */
  readonly suffixes: readonly string[];
  /** What else says where libraries are. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Above this many entries nothing is said of the folders. */
const MOST_ENTRIES = 300_000;
/** Above this many bytes of files that are named nothing is said of them. */
const MOST_NAMED_BYTES = 32 * 1024 ** 2;
const WORDS = /[\p{L}\p{N}_]+/gu;

/** Undefined when there is too much to look at, or it cannot be looked at. Others have their turn meanwhile. */
export async function libraryFingerprint(places: LibraryPlaces, text: string): Promise<string | undefined> {
  try {
    return await new Fingerprint(places).of(text);
  } catch (error) {
    if (error instanceof TooMuch || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}

class TooMuch extends Error {}

interface Folder {
  readonly path: string;
  readonly isLoadable: boolean;
}

class Fingerprint {
  readonly #places: LibraryPlaces;
  readonly #hash: Hash;
  readonly #seen = new Set<string>();
  readonly #pending: Folder[];
  /** What is no library, by the word that its name begins with: files, and folders where no library can be. */
  readonly #others = new Map<string, string[]>();
  readonly #turn = new Turn();
  #entries = 0;
  #namedBytes = 0;

  constructor(places: LibraryPlaces) {
    const { folders, loadable, variables } = places;
    this.#places = places;
    this.#hash = createHash('sha256').update(JSON.stringify([folders, loadable, variables]));
    // The last comes first: a folder that can be loaded from counts as one, also where another one leads to it.
    this.#pending = [
      ...folders.map((path) => ({ path, isLoadable: false })),
      ...loadable.map((path) => ({ path, isLoadable: true })),
    ];
  }

  async of(text: string): Promise<string> {
    await this.#walk();
    const texts = [text];
    for (let next = texts.pop(); next !== undefined; next = texts.pop()) {
      for (const [word] of next.matchAll(WORDS)) {
        const named = this.#others.get(word.toLowerCase());
        if (named === undefined) continue;
        this.#others.delete(word.toLowerCase());
        for (const path of named.sort()) texts.push(await this.#contentOf(path));
        await this.#walk();
      }
    }
    return this.#hash.digest('hex');
  }

  async #walk(): Promise<void> {
    for (let folder = this.#pending.pop(); folder !== undefined; folder = this.#pending.pop()) {
      if (this.#turn.isOver) await this.#turn.pass();
      try {
        // Links can lead round in circles.
        const real = realpathSync.native(folder.path);
        if (this.#seen.has(real)) continue;
        this.#seen.add(real);
        for (const name of readdirSync(real).sort()) this.#enter(folder, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  #enter({ path: folder, isLoadable }: Folder, name: string): void {
    this.#entries += 1;
    if (this.#entries > MOST_ENTRIES) throw new TooMuch();
    const isLibrary = this.#places.suffixes.some((suffix) => name.endsWith(suffix));
    const hasDot = name.includes('.');
    if (!isLibrary && hasDot && !isLoadable) return;
    const path = join(folder, name);
    // In a folder with a dot in its name there is no library.
    if (!isLibrary && hasDot) {
      this.#keepForLater(path, name);
      return;
    }
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) this.#pending.push({ path, isLoadable });
    else if (isLibrary) this.#add(path, stat);
    else if (isLoadable) this.#keepForLater(path, name);
  }

  #keepForLater(path: string, name: string): void {
    const [word] = name.toLowerCase().match(WORDS) ?? [];
    // Whether a text names it cannot be told.
    if (word === undefined) {
      this.#add(path, statSync(path, { throwIfNoEntry: false }));
      return;
    }
    listIn(this.#others, word).push(path);
  }

  /** Of a file that is named; a folder is looked into. */
  async #contentOf(path: string): Promise<string> {
    if (this.#turn.isOver) await this.#turn.pass();
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) {
      this.#pending.push({ path, isLoadable: true });
      return '';
    }
    this.#add(path, stat);
    if (stat?.isFile() !== true) return '';
    this.#namedBytes += stat.size;
    if (this.#namedBytes > MOST_NAMED_BYTES) throw new TooMuch();
    return (await readRegularFile(path, MOST_NAMED_BYTES)).toString('utf8');
  }

  #add(path: string, stat: Stats | undefined): void {
    const { size, ctimeMs, ino } = stat ?? { size: -1, ctimeMs: -1, ino: -1 };
    this.#hash.update(`${path}\0${size} ${ctimeMs} ${ino}\n`);
  }
}
