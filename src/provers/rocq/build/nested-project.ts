/**
 * A file belongs to the project that is nearest. A project around it may bind its folder, too, and where the two give it other
 * names one of them alone can have it compiled in its place: the nearer one.
 */
import { dirname, relative } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { findRocqProject, isDuneProject, type RocqProject } from '../project.ts';
import { projectSources, type ProjectSource } from './project-sources.ts';

/** Looks at each project once, however many files it has. */
export class NearerProjects {
  readonly #around: RocqProject;
  /** Files of one folder are of one project. */
  readonly #ofFolders = new Map<string, Promise<RocqProject>>();
  readonly #sources = new Map<string, Promise<ReadonlyMap<string, ProjectSource>>>();

  constructor(around: RocqProject) {
    this.#around = around;
  }

  /** @throws QuodError `invalid-input` where a nearer project gives the source other names. */
  async reject({ path, library, names }: ProjectSource): Promise<void> {
    const { root, source: own } = this.#around;
    if (own === undefined) return;
    const folder = dirname(path);
    const found = this.#ofFolders.get(folder) ?? findRocqProject(path);
    this.#ofFolders.set(folder, found);
    const nearer = await found;
    // Dune compiles elsewhere.
    if (nearer.source === undefined || nearer.source === own || isDuneProject(nearer)) return;
    const sources = this.#sources.get(nearer.source) ?? sourcesByPath(nearer);
    this.#sources.set(nearer.source, sources);
    const there = (await sources).get(path);
    if (there === undefined || there.names.some((name) => names.includes(name))) return;
    const inside = relative(root, nearer.source);
    throw new QuodError(
      'invalid-input',
      `It belongs to the project of ${inside}, where it is ${there.library}: as ${library} it cannot be compiled in the same place.`,
      {
        place: { file: path },
        remedy: `Bind its folder in ${relative(root, own)} as that project does, and require it as ${there.library}; or delete ${inside}.`,
      },
    );
  }
}

async function sourcesByPath(project: RocqProject): Promise<ReadonlyMap<string, ProjectSource>> {
  const sources = await projectSources(project);
  // Of several names of one file the first counts.
  return new Map(sources.toReversed().map((source) => [source.path, source]));
}
