/**
 * The target's own theories and libraries: what lies beside it. A folder that cannot be read, or that is too large
 * to be read whole, is an error: a judge that saw only a part of it would judge something else.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorText, QuodError } from '../../../core/errors.ts';
import { clause } from '../../../core/sentence.ts';
import { readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import type { SourceText } from '../../verdict.ts';

/** More beside a target is no project but a disk. */
export const MOST_FILES = 2000;
const MOST_BYTES = 64 * 1024 ** 2;

/** By name, without `except`. @throws QuodError `file-unreadable`, `too-large` */
export async function theoryProjectFiles(
  target: SourceText,
  except: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = dirname(target.path);
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const name of await theoryProjectNames(target.path, except)) {
    const content = await contentOf(join(folder, name));
    bytes += content.length;
    files.set(name, content);
    if (bytes > MOST_BYTES) throw tooLarge(folder);
  }
  return files;
}

/**
 * The names of the same, without what Holmake generates, and without Holmakefiles.
 *
 * @throws QuodError `file-unreadable`, `too-large`
 */
export async function theoryProjectNames(
  path: string,
  except: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const folder = dirname(path);
  const names = (await namesIn(folder)).filter(
    (name) =>
      /^[\w']+\.(?:sml|sig)$/.test(name) &&
      !/Theory\.(?:sml|sig)$/.test(name) &&
      name !== basename(path) &&
      !except.has(name),
  );
  if (names.length > MOST_FILES) throw tooLarge(folder);
  return names;
}

function tooLarge(folder: string): QuodError {
  return new QuodError(
    'too-large',
    `There are more than ${MOST_FILES} files or 64 MiB of ML beside the target.`,
    {
      place: { file: folder },
      remedy: 'Put the target into a folder with what it needs, and nothing else.',
    },
  );
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    throw new QuodError(
      'file-unreadable',
      `What lies beside the target cannot be listed: ${clause(errorText(error))}.`,
      {
        place: { file: folder },
        cause: error,
      },
    );
  }
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    return await readRegularFile(path, MOST_BYTES);
  } catch (error) {
    if (error instanceof QuodError) throw error;
    throw new QuodError(
      'file-unreadable',
      `A file beside the target cannot be read: ${clause(errorText(error))}.`,
      {
        place: { file: path },
        cause: error,
      },
    );
  }
}
