/** What a project tells Rocq, in a form that is the same wherever the project lies. */
import { relative } from 'node:path';
import { isInside } from '../../core/inside.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { projectText } from '../../provers/rocq/project/project-text.ts';
import type { ProjectOptions } from '../verdict.ts';

/** What paths are called: by where they are from the project. */
export class ProjectPaths {
  readonly #root: string;
  /** Folders outside that are written as absolute ones. */
  readonly #absolute: readonly string[];

  private constructor(root: string, absolute: readonly string[]) {
    this.#root = root;
    this.#absolute = absolute;
  }

  static async of({ root, source, loadPath, ocamlPath }: RocqProject): Promise<ProjectPaths> {
    const outside = [...loadPath.map(({ physical }) => physical), ...ocamlPath].filter(
      (folder) => !isInside(root, folder),
    );
    const written = source === undefined || outside.length === 0 ? '' : await projectText(source);
    return new ProjectPaths(
      root,
      outside.filter((folder) => written.includes(folder)),
    );
  }

  /** @param isOwn whether the path is one of the project's: others stay absolute. */
  nameOf(path: string, isOwn = true): string {
    if (isInside(this.#root, path)) return relative(this.#root, path) || '.';
    const staysAbsolute = !isOwn || this.#absolute.some((folder) => isInside(folder, path));
    return staysAbsolute ? path : relative(this.#root, path);
  }
}

export function projectOptions(project: RocqProject, paths: ProjectPaths): ProjectOptions {
  return {
    file: project.source === undefined ? null : paths.nameOf(project.source),
    loadPath: project.loadPath.map(({ flag, physical, logical }) => ({
      ...{ flag, folder: paths.nameOf(physical), name: logical },
    })),
    ocamlPath: project.ocamlPath.map((folder) => paths.nameOf(folder)),
    arguments: [...project.arguments],
    unread: [...(project.unread ?? [])],
  };
}

/** As one would write them on a command line. */
export function optionsText({ loadPath, ocamlPath, arguments: others }: ProjectOptions): string {
  const words = [
    ...ocamlPath.flatMap((folder) => ['-I', folder]),
    ...loadPath.flatMap(({ flag, folder, name }) => [flag, folder, name]),
    ...others,
  ];
  return words.length === 0
    ? 'none'
    : words.map((word) => (/^$|\s/u.test(word) ? JSON.stringify(word) : word)).join(' ');
}
