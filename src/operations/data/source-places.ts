/** The sources that a command is given, as paths of files and folders, and the logical names of what is in them. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { QuodError } from '../../core/errors.ts';
import { findRocqProject, libraryNameIn } from '../../provers/rocq/project.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';
import { installedLibraryName } from '../../search/libraries/index-library.ts';

export interface SourcePlace {
  /** Absolute. */
  readonly path: string;
  /** The folder itself, or the one that the file is in. */
  readonly folder: string;
  readonly project: RocqProject;
}

/** @param path Absolute. @throws QuodError `not-found`. */
export async function openPlace(name: string, path: string): Promise<SourcePlace> {
  const status = await stat(path).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There is no such file or directory.', { place: { file: name }, cause });
  });
  const folder = status.isDirectory() ? path : dirname(path);
  return { path, folder, project: await findRocqProject(join(folder, 'any.v')) };
}

/** As the load path says; outside of it the path below the indexed folder, with the folder's own name as the root. */
export function libraryName({ folder, project }: SourcePlace, file: string): string {
  const parts = relative(folder, file).replace(/\.v$/u, '').split(sep);
  return libraryNameIn(project, file) ?? installedLibraryName(file) ?? [basename(folder), ...parts].join('.');
}
