/** Where the compiled file of a library is by its full name. None of the files need exist. */
import { delimiter, isAbsolute, join } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';

/** From 9.0 on the prover's own library is called `Corelib`, and `Stdlib` is one like any other. */
const OWN_LIBRARY = new Set(['Coq', 'Corelib']);

/** `folder` is what `coqc -where` prints. */
export function installedFile(folder: string, name: string): string {
  const [first = '', ...others] = name.split('.');
  return OWN_LIBRARY.has(first)
    ? `${join(folder, 'theories', ...others)}.vo`
    : `${join(folder, 'user-contrib', first, ...others)}.vo`;
}

/** Where the project's load path would have a library: first where the compiler looks first, in the entry that comes last. */
export function placesInLoadPath({ loadPath }: RocqProject, name: string): string[] {
  return loadPath
    .filter(({ logical }) => logical === '' || name.startsWith(`${logical}.`))
    .toReversed()
    .map(({ physical, logical }) => {
      const inside = logical === '' ? name : name.slice(logical.length + 1);
      return `${join(physical, ...inside.split('.'))}.vo`;
    });
}

/** Absolute folders that variables of the environment name for libraries: a library stands below them by its name. */
export function foldersOfEnvironment(environment: Readonly<Record<string, string>>): readonly string[] {
  return [environment['COQPATH'], environment['ROCQPATH']]
    .flatMap((paths) => orNothing(paths).split(delimiter))
    .filter((folder) => isAbsolute(folder));
}

export function placesInFolders(folders: readonly string[], name: string): string[] {
  return folders.map((folder) => `${join(folder, ...name.split('.'))}.vo`);
}
