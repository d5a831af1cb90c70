/** Which project a file is of, and which sources that has: each folder and each project is looked at once. */
import { dirname } from 'node:path';
import { coqArguments, findRocqProject, type RocqProject } from '../project/project.ts';
import { projectFiles, type ProjectFiles, type ProjectSource } from './project-sources.ts';

interface KnownFiles extends ProjectFiles {
  /** A file has a source for each of its names. */
  readonly byPath: ReadonlyMap<string, readonly ProjectSource[]>;
}

export class KnownProjects {
  readonly #projects = new Map<string, RocqProject>();
  /** Files of one folder are of one project. */
  readonly #ofFolders = new Map<string, RocqProject>();
  readonly #files = new Map<RocqProject, KnownFiles>();

  /** One value for each project. @throws as `findRocqProject` does. */
  async ownerOf(path: string): Promise<RocqProject> {
    const folder = dirname(path);
    const owner = this.#ofFolders.get(folder) ?? this.one(await findRocqProject(path));
    this.#ofFolders.set(folder, owner);
    return owner;
  }

  /** The value that stands for a project. Theories in one file of dune are projects of their own. */
  one(project: RocqProject): RocqProject {
    const key = JSON.stringify([project.source ?? project.root, ...coqArguments(project)]);
    const known = this.#projects.get(key) ?? project;
    this.#projects.set(key, known);
    return known;
  }

  async filesOf(project: RocqProject): Promise<KnownFiles> {
    const known = this.#files.get(project);
    if (known !== undefined) return known;
    const files = await projectFiles(project);
    const found = { ...files, byPath: Map.groupBy(files.sources, ({ path }) => path) };
    this.#files.set(project, found);
    return found;
  }
}
