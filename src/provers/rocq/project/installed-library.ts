/**
 * How the sources of an installed library must be run, which their folder does not say: packages install the sources
 * but not the `_CoqProject` that they were built with. As those of the libraries' own repositories.
 */
import { sep } from 'node:path';
import type { LoadPathEntry } from './load-path.ts';

/** Those whose files name each other without the library's own name, as `-R` lets them. */
const SHORT_NAMES = new Set(
  (
    'Bignums CoRN CoqEAL Coqprime Coquelicot Flocq HoTT MathClasses MenhirLib QuickChick RelationAlgebra ' +
    'SsrMultinomials elpi extructures mathcomp'
  ).split(' '),
);

/** Those that are built in another theory than Rocq's usual one. */
const ARGUMENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['HoTT', ['-noinit', '-indices-matter']],
  ['UniMath', ['-noinit', '-indices-matter', '-type-in-type']],
]);

export interface InstalledLibrary {
  readonly loadPath: readonly LoadPathEntry[];
  readonly arguments: readonly string[];
}

/** Of a file below `user-contrib`; undefined elsewhere. */
export function installedLibraryOf(file: string): InstalledLibrary | undefined {
  const mark = `${sep}user-contrib${sep}`;
  const at = file.lastIndexOf(mark);
  if (at < 0) return undefined;
  const [name = '', rest] = file.slice(at + mark.length).split(sep);
  if (rest === undefined) return undefined;
  const folder = file.slice(0, at + mark.length) + name;
  return {
    loadPath: SHORT_NAMES.has(name) ? [{ flag: '-R', physical: folder, logical: name }] : [],
    arguments: ARGUMENTS.get(name) ?? [],
  };
}
