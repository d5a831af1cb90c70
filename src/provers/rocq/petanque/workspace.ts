/**
 * What a petanque server is given as its workspace. It takes load paths from a `_CoqProject` in the root only, and the
 * first state from a file on the disk, which it reads and checks to the end; so each server gets a folder of its
 * own, with the load path that Quod found and an empty file. The file has the name that the session speaks for, and
 * its folder the logical name of that file's, so that Rocq gives everything the same full names as in the file itself.
 */
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { orNothing } from '../../../core/entry.ts';
import { qualifierOf } from '../../../core/qualified-name.ts';
import { type RocqProject, coqArguments, libraryNameIn } from '../project/project.ts';
import { makeScratchFolder } from '../../../process/scratch-folder.ts';

export interface PetanqueWorkspace {
  readonly folder: string;
  /** `file:` address of the empty file. */
  readonly uri: string;
  readonly remove: () => Promise<void>;
}

export async function makeWorkspace(project: RocqProject, file: string): Promise<PetanqueWorkspace> {
  const folder = makeScratchFolder('petanque');
  const empty = join(folder, isModuleFile(file) ? basename(file) : 'Top.v');
  await writeFile(join(folder, '_CoqProject'), projectText(project, file, folder));
  await writeFile(empty, '');
  return {
    folder,
    uri: pathToFileURL(empty).href,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function isModuleFile(file: string): boolean {
  return /(?:^|\/)[\p{L}_][\p{L}\p{N}_']*\.v$/u.test(file);
}

/** The arguments as a project file has them: one a line, flags before what they take, quoted where it is needed. */
function projectText(project: RocqProject, file: string, folder: string): string {
  const own = qualifierOf(orNothing(libraryNameIn(project, file)));
  const load = coqArguments({ ...project, arguments: [] });
  const others = project.arguments.flatMap((argument) => [
    '-arg',
    /\s/.test(argument) ? `'${argument}'` : argument,
  ]);
  const all = [...load, ...(own === '' ? [] : ['-Q', folder, own]), ...others];
  return all.map((word) => `${quoted(word)}\n`).join('');
}

function quoted(word: string): string {
  return /^[\w./+:@%,=-]+$/.test(word) ? word : `"${word}"`;
}
