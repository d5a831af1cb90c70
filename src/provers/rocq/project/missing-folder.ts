/** A project file that binds a name to a folder that is not there: Rocq passes over it, and then finds no library. */
import { existsSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { hasProjectFile, type RocqProject } from './project.ts';

export interface MissingFolder {
  readonly message: string;
  readonly remedy: string;
}

/** @param library Only what binds this name; default: any. Undefined where all folders are there. */
export function missingFolder(project: RocqProject, library?: string): MissingFolder | undefined {
  const { root, source, loadPath } = project;
  // Before the first build that of dune is not there yet, and no person wrote what coq_makefile was told.
  if (source === undefined || !hasProjectFile(project)) return undefined;
  const isOf = (logical: string): boolean =>
    library === undefined || logical === '' || library === logical || library.startsWith(`${logical}.`);
  const entry = loadPath.find(({ physical, logical }) => isOf(logical) && !existsSync(physical));
  if (entry === undefined) return undefined;
  const { flag, physical, logical } = entry;
  const folder = relative(root, physical) || '.';
  return {
    message: `\`${basename(source)}\` says \`${flag} ${folder} ${logical}\`, and there is no folder ${folder}.`,
    remedy: `Correct the name of the folder in ${basename(source)}.`,
  };
}
