/**
 * The sources that are meant by files and folders on the command line, with the number of holes that each shows: of a
 * folder all that a prover takes, those of a Rocq project behind what they require.
 */
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { QuodError } from '../../core/errors.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { isFolder } from '../../process/foreign-folder/is-folder.ts';
import { unreadableFile } from '../../process/foreign-folder/unreadable-file.ts';
import { sourceFilesBelow, sourceLanguageOf, unknownLanguage } from '../files/source-language.ts';
import { readSourceFile } from '../files/source-file.ts';
import { KnownProjects } from '../../provers/rocq/build/known-projects.ts';
import { allSources } from '../../provers/rocq/build/project-build.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';

const TAKEN = 'Quod takes `.v`, `Script.sml`, `.fst`, `.fsti` and `.lean` files.';

export interface NamedFile {
  /** As the user would write it. */
  readonly name: string;
  readonly holes: number;
  /** Why its text cannot be read, or that it has none: what is wrong with one file is no matter of the others. */
  readonly unread?: QuodError;
  readonly isInFolder: boolean;
}

export interface NamedPaths {
  readonly paths: readonly string[];
  /** Files of folders whose text cannot be read, and why. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
}

/**
 * @throws QuodError `not-found` for a folder without sources, `invalid-input` for a file that no prover takes, and as
 * reading a file that was named itself does; the reason of `signal`.
 */
export async function pathsNamed(names: readonly string[], signal: AbortSignal): Promise<NamedPaths> {
  const paths: string[] = [];
  const unreadable: { readonly path: string; readonly why: string }[] = [];
  for (const { name, unread, isInFolder } of await filesNamed(names, signal)) {
    if (unread !== undefined && !isInFolder) throw unread;
    if (sourceLanguageOf(name) === undefined) throw unknownLanguage(name, TAKEN);
    if (unread === undefined) paths.push(name);
    else unreadable.push({ path: name, why: unread.message });
  }
  return { paths, unread: unreadable };
}

/** In answers. */
export const unreadSchema = z
  .array(z.object({ file: z.string(), why: z.string() }))
  .describe('Files of folders whose text cannot be read, and why; nothing else is said of them.');

/** For people, behind the rest; nothing where all were read. */
export function unreadText(unread: z.output<typeof unreadSchema>): readonly string[] {
  return unread.map(({ file, why }) => `${foreignName(file)} was not read: ${why}`);
}

/** Each once, however many of the names lead to it, under the first of them. @throws QuodError `not-found` for a folder without sources. */
export async function filesNamed(
  names: readonly string[],
  signal?: AbortSignal,
): Promise<readonly NamedFile[]> {
  const { visibleHoles } = await import('./visible-holes.ts');
  const files = new Map<string, NamedFile>();
  for (const name of names) {
    const isInFolder = await isFolder(name);
    const inside = isInFolder ? await sourcesIn(name) : [name];
    if (inside.length === 0) {
      throw new QuodError('not-found', 'There is no source of any prover in this folder.', {
        place: { file: name },
        remedy: TAKEN,
      });
    }
    for (const file of inside) {
      signal?.throwIfAborted();
      const real = await realpath(file).catch(() => resolve(file));
      const known = files.get(real);
      if (known !== undefined) {
        files.set(real, { ...known, isInFolder: known.isInFolder && isInFolder });
        continue;
      }
      const language = sourceLanguageOf(file);
      try {
        // Of what no prover takes nothing is read.
        if (language === undefined) await requireThere(file);
        const holes =
          language === undefined ? 0 : visibleHoles(language, (await readSourceFile(file)).text).length;
        files.set(real, { name: file, holes, isInFolder });
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        files.set(real, { name: file, holes: 0, unread: error, isInFolder });
      }
    }
  }
  return [...files.values()];
}

/** @throws QuodError `not-found`. */
async function requireThere(name: string): Promise<void> {
  await stat(name).catch((cause: unknown) => {
    throw unreadableFile(name, cause);
  });
}

/** Each folder below may be of a project of its own, as the theories of dune are. */
async function sourcesIn(folder: string): Promise<readonly string[]> {
  const found = await sourceFilesBelow(folder);
  const known = new KnownProjects();
  const projects = new Set<RocqProject>();
  for (const name of found.filter((one) => one.endsWith('.v')))
    projects.add(await known.ownerOf(resolve(name)));
  const places = new Map<string, number>();
  for (const project of projects)
    for (const { path } of await allSources(project)) if (!places.has(path)) places.set(path, places.size);
  const place = (name: string): number => places.get(resolve(name)) ?? Infinity;
  return found.toSorted((one, other) => {
    const [first, second] = [place(one), place(other)];
    return first === second ? (one < other ? -1 : 1) : first - second;
  });
}
