/**
 * The folder in which a client may name files. What is outside is refused by its real path, so that neither `..` nor a
 * symbolic link leads out, and so is what Quod keeps for itself inside (`.quod`: the key that signs verdicts, settings,
 * runs), which clients read and change by operations of its own. The command line, whose user owns the machine, works
 * without such a border.
 */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { unusablePath } from '../../process/foreign-folder/unusable-path.ts';
import { isInside } from '../../core/inside.ts';
import { OWN_FOLDER } from '../../process/own-folder.ts';

export class Workspace {
  /** Absolute, symbolic links resolved. */
  readonly root: string;
  /** No path leads out of this folder; null: any file may be named. */
  readonly #border: string | null;

  private constructor(root: string, border: string | null) {
    this.root = root;
    this.#border = border;
  }

  /** @throws QuodError `not-found` when there is no such folder, `invalid-input` when it is none. */
  static async confinedTo(folder: string): Promise<Workspace> {
    const root = await realFolder(folder);
    return new Workspace(root, root);
  }

  /** Relative paths start at the folder, but any file may be named. */
  static async openFrom(folder: string): Promise<Workspace> {
    return new Workspace(await realFolder(folder), null);
  }

  /** The same files, but relative paths start at a folder of this workspace. @throws QuodError as `resolve` does. */
  async startingAt(folder: string): Promise<Workspace> {
    return new Workspace(await realFolder(await this.resolve(folder)), this.#border);
  }

  /**
   * The absolute path of a file that a client named, relative to the root or absolute, links resolved. The file
   * need not exist; the folder that exists nearest to it must be inside. @throws QuodError `outside-workspace`,
   * `invalid-input`.
   */
  async resolve(path: string): Promise<string> {
    if (path === '' || path.includes('\0')) {
      throw new QuodError('invalid-input', 'The path is empty or has a null character in it.', {
        remedy: 'Name a file relative to the workspace.',
      });
    }
    const real = await realPathOf(resolve(this.root, path));
    await requireUsable(real, path);
    if (this.#border !== null && !isInside(this.#border, real)) {
      throw new QuodError('outside-workspace', 'The path leads out of the workspace.', {
        place: { file: path },
        remedy: 'Name a file inside the workspace, or start Quod with a workspace that holds the file.',
      });
    }
    if (this.#border !== null && (await isKeptByQuod([this.#border, this.root], real))) {
      throw new QuodError('invalid-input', 'What Quod keeps for itself (`.quod`) is no file to work on.', {
        place: { file: path },
        remedy:
          'Read kept verdicts with `gate_kept`, runs with `agent_events`; copy anything else to another folder.',
      });
    }
    return real;
  }

  /** Whether files outside are refused: the caller is a client, not the user who owns the machine. */
  get isConfined(): boolean {
    return this.#border !== null;
  }

  /** How the file is called in answers: relative to the root where it is inside. */
  nameOf(path: string): string {
    return isInside(this.root, path) ? relative(this.root, path) || '.' : path;
  }
}

/**
 * However the folder is spelt, also where the file system takes other spellings for the same, or it is a link
 * itself.
 */
async function isKeptByQuod(roots: readonly string[], real: string): Promise<boolean> {
  for (const root of roots) {
    if (isInside(root, real) && relative(root, real).split(/[\\/]/u).some(isOwnFolder)) return true;
    const own = await realPathOf(join(root, OWN_FOLDER));
    if (!isInside(own, root) && isInside(own, real)) return true;
  }
  return false;
}

function isOwnFolder(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase();
  return folded.replace(/[. ]+$/u, '') === OWN_FOLDER;
}

async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such folder.', {
      place: { file: folder },
      remedy: 'Name a folder that exists as the workspace.',
      cause,
    });
  });
  if (!(await stat(real)).isDirectory())
    throw new QuodError('invalid-input', 'This is a file, not a folder.', {
      place: { file: folder },
      remedy: 'Name its folder as the workspace.',
    });
  return real;
}

/** It need not exist, but the system has to take it. */
async function requireUsable(real: string, named: string): Promise<void> {
  try {
    await lstat(real);
  } catch (error) {
    const unusable = unusablePath(error);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (unusable === undefined || code !== 'ENAMETOOLONG') return;
    throw new QuodError(unusable.reason, unusable.message, {
      place: { file: named.length > 200 ? `${named.slice(0, 200)}…` : named },
      remedy: 'Name a file with a shorter path.',
      cause: error,
    });
  }
}

/** The real path of what exists of a path, with the rest, which does not exist, appended. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPathOf(parent), basename(path));
  }
}
