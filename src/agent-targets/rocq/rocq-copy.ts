/** A copy of a file with another text, which has the project's load path and the file's name. */
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeScratchFolder } from '../../process/scratch-folder.ts';
import { coqArguments, findRocqProject } from '../../provers/rocq/project/project.ts';

export interface FileCopy {
  /** Absolute. */
  readonly file: string;
  readonly close: () => Promise<void>;
}

export async function copyOfFile(path: string, text: string, what: string): Promise<FileCopy> {
  const folder = makeScratchFolder(what);
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const words = coqArguments(await findRocqProject(path)).map((word) =>
      /\s/u.test(word) ? `"${word}"` : word,
    );
    await writeFile(join(folder, '_CoqProject'), `${words.join(' ')}\n`);
    const file = join(folder, basename(path));
    await writeFile(file, text);
    return { file, close };
  } catch (error) {
    await close();
    throw error;
  }
}
