/**
 * What compiled files say of what a project states: what is open or assumed under it, by hints, instances and notations,
 * too, of which a text shows nothing. Only of files that are compiled as they are now.
 */
import { stat } from 'node:fs/promises';
import { orZero, present } from '../../../core/entry.ts';
import { lastPart, qualified } from '../../../core/qualified-name.ts';
import { RecentlyUsed } from '../../../core/recently-used.ts';
import { readCompiledFile } from '../../../gate/rocq/compiled/compiled-file.ts';
import { mentionsIn, type LibraryMentions } from '../../../gate/rocq/compiled/mentions.ts';
import { inside, insideOf, libraryOf } from '../../../gate/rocq/compiled/module-paths.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import type { ProjectSource } from '../../../provers/rocq/build/project-sources.ts';
import type { Service } from '../../definition/services.ts';
import type { Stated } from './declared.ts';
import { MentionedGrounds } from './mentioned-grounds.ts';
import type { Ground } from './stated.ts';

/** Declarations of all files together. */
const DECLARATIONS_KEPT = 200_000;

interface Read {
  /** Of the file as it was, and of the libraries among which something was looked for. */
  readonly stamp: string;
  readonly mentions: LibraryMentions | undefined;
}

/** What was read of compiled files, as long as they do not change. */
class MentionsRead implements Service {
  readonly #read = new RecentlyUsed<Read>(DECLARATIONS_KEPT);

  /** Undefined where the file cannot be read: not there, or of a release whose files are not known. */
  async of(path: string, among: ReadonlySet<string>): Promise<LibraryMentions | undefined> {
    const stamp = `${await stampOf(path)} ${[...among].join(' ')}`;
    const known = this.#read.get(path);
    if (known?.stamp === stamp) return known.mentions;
    const mentions = await readMentions(path, among);
    this.#read.keep(path, { stamp, mentions }, 1 + orZero(mentions?.declared.size));
    return mentions;
  }

  async close(): Promise<void> {
    this.#read.clear();
    return Promise.resolve();
  }
}

export function mentionsRead(): MentionsRead {
  return new MentionsRead();
}

async function stampOf(path: string): Promise<string> {
  return stat(path, { bigint: true }).then(
    ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
    () => 'gone',
  );
}

async function readMentions(path: string, among: ReadonlySet<string>): Promise<LibraryMentions | undefined> {
  try {
    const file = readCompiledFile(await readRegularFile(path, LARGEST_WRITTEN_BYTES));
    return mentionsIn(file, (library) => among.has(library));
  } catch {
    return undefined;
  }
}

export class CompiledGrounds {
  readonly #library = new Map<string, string>();
  readonly #path = new Map<string, string>();
  readonly #mentions: MentionedGrounds;
  readonly #below = new Map<string, readonly Ground[]>();

  /** @param sources Of one project, those that are compiled as they are now. */
  static async of(sources: readonly ProjectSource[], read: MentionsRead): Promise<CompiledGrounds> {
    const among = new Set(sources.map(({ library }) => library));
    const found: (readonly [ProjectSource, LibraryMentions])[] = [];
    for (const source of sources) {
      const mentions = await read.of(source.compiled, among);
      // Of what rests on a file that cannot be read, not all would be told.
      if (mentions?.library !== source.library) return new CompiledGrounds([]);
      found.push([source, mentions]);
    }
    return new CompiledGrounds(found);
  }

  private constructor(found: readonly (readonly [ProjectSource, LibraryMentions])[]) {
    this.#mentions = new MentionedGrounds(found.map(([, mentions]) => mentions));
    for (const [{ path, library }] of found) {
      this.#library.set(path, library);
      this.#path.set(library, path);
    }
  }

  /** Its full name, `P.base#M.law`; undefined where no compiled file has it: a notation, a tactic, a variable of a section. */
  nameOf({ path, module, name }: Pick<Stated, 'path' | 'module' | 'name'>): string | undefined {
    const library = this.#library.get(path);
    const full = library === undefined ? undefined : inside(library, qualified(module, name));
    return full !== undefined && this.#mentions.has(full) ? full : undefined;
  }

  /** What is open or assumed under it; undefined where no compiled file has it. */
  of(stated: Stated): readonly Ground[] | undefined {
    const full = this.nameOf(stated);
    if (full === undefined) return undefined;
    const known = this.#below.get(full);
    if (known !== undefined) return known;
    const below = this.#mentions.below(full).map((ground) => ({
      path: present(this.#path.get(libraryOf(ground)), 'path of a library'),
      name: lastPart(insideOf(ground)),
    }));
    this.#below.set(full, below);
    return below;
  }

  /** What it mentions of what is stated, through what the texts do not state. @param stated By full names. */
  uses(full: string, stated: ReadonlyMap<string, Stated>): readonly Stated[] {
    return this.#mentions.mentioned(full, stated).map((name) => present(stated.get(name), name));
  }
}

/**
 * @param uses As the texts have it.
 * @returns as the compiled files have it; what those do not have (a tactic, a notation), as before.
 */
export function usesAsCompiled(
  uses: ReadonlyMap<Stated, readonly Stated[]>,
  grounds: ReadonlyMap<string, CompiledGrounds>,
): ReadonlyMap<Stated, readonly Stated[]> {
  const fullName = (stated: Stated): string | undefined => grounds.get(stated.path)?.nameOf(stated);
  const named = new Map(
    [...uses.keys()].flatMap((stated) => {
      const full = fullName(stated);
      return full === undefined ? [] : [[full, stated] as const];
    }),
  );
  return new Map(
    [...uses].map(([stated, used]) => {
      const full = fullName(stated);
      const compiled = full === undefined ? undefined : grounds.get(stated.path)?.uses(full, named);
      return [
        stated,
        compiled === undefined ? used : [...compiled, ...used.filter((one) => fullName(one) === undefined)],
      ];
    }),
  );
}
