/** The sources that a command is given, as paths of files and folders, and the logical names of what is in them. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { counted } from '../../core/counted.ts';
import { QuodError } from '../../core/errors.ts';
import { findRocqProject, libraryNameIn } from '../../provers/rocq/project/project.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { stoppedText, type Stopped } from '../definition/cut-off.ts';
import { sourceLanguageOf } from '../files/source-language.ts';
import { installedLibraryName } from '../../search/libraries/index-library.ts';

export interface SourcePlace {
  /** Absolute. */
  readonly path: string;
  /** The folder itself, or the one that the file is in. */
  readonly folder: string;
  readonly project: RocqProject;
}

/** @param path Absolute. @throws QuodError `not-found`, `invalid-input` for a file that is no source of Rocq. */
export async function openPlace(name: string, path: string): Promise<SourcePlace> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such file or directory.', { place: { file: name }, cause });
  });
  if (status.isFile() && sourceLanguageOf(path) !== 'rocq')
    throw new QuodError('invalid-input', 'This is no Rocq source.', {
      place: { file: name },
      remedy: 'Name files that end in `.v`, or folders of such files.',
    });
  const folder = status.isDirectory() ? path : dirname(path);
  return { path, folder, project: await findRocqProject(join(folder, 'any.v')) };
}

/** As the load path says; outside of it the path below the indexed folder, with the folder's own name as the root. */
export function libraryName({ folder, project }: SourcePlace, file: string): string {
  const parts = relative(folder, file).replace(/\.v$/u, '').split(sep);
  return libraryNameIn(project, file) ?? installedLibraryName(file) ?? [basename(folder), ...parts].join('.');
}

/** That in all that was named nothing is to be run. */
export function noSources(paths: readonly string[]): QuodError {
  return new QuodError('not-found', 'There are no Rocq sources (.v) there.', {
    place: { file: paths.join(' ') },
  });
}

/** For people: what is still to be run. Nothing where nothing stopped the call. */
export function leftText(left: number, stopped: Stopped): string {
  return stopped === null
    ? ''
    : `. ${stoppedText(stopped)} ${counted(left, 'file')} still to be run [${stopped}]`;
}
