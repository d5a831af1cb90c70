/**
 * A project may bind folders of another, with a project file and a makefile of its own: what is there is built first, and as
 * that one says, and then is given to those that need it. What dune has in one workspace it builds by itself.
 */
import { dirname } from 'node:path';
import type { QuodError } from '../../../core/errors.ts';
import { coqArguments, findRocqProject, isDuneProject, type RocqProject } from '../project.ts';
import { projectSources, type ProjectSource } from './project-sources.ts';
import { sourcesInDependencyOrder } from './required-sources.ts';

export interface BuildSources {
  readonly project: RocqProject;
  /** Each behind what it requires. */
  readonly sources: readonly ProjectSource[];
}

/** What one project has to do in a build. */
export interface PlannedBuild extends BuildSources {
  /** The paths of those sources that projects in front of it compile, in the same place and under the same name. */
  readonly given: ReadonlySet<string>;
  /** The projects in front of it that it needs. */
  readonly behind: readonly PlannedBuild[];
}

/**
 * Each project once, with each of its sources once, behind the projects that it needs. Of projects that need each other in a
 * circle one compiles by itself what it needs of the others. Theories in one file of dune are projects of their own.
 */
export async function neededFirst(wanted: readonly BuildSources[]): Promise<readonly PlannedBuild[]> {
  const plan = new Plan();
  for (const one of wanted) await plan.add(one);
  return plan.inOrder();
}

interface Part {
  readonly project: RocqProject;
  /** By their paths. Each stays where it is met first, so that all that it requires is in front of it. */
  readonly sources: Map<string, ProjectSource>;
  readonly needs: Set<Part>;
  /** Who has its sources compiled where it looks for them. */
  readonly compiledBy: Map<string, Part>;
}

class Plan {
  readonly #parts = new Map<string, Part>();
  /** Files of one folder are of one project. */
  readonly #owners = new Map<string, RocqProject>();
  readonly #sources = new Map<RocqProject, readonly ProjectSource[]>();

  async add({ project, sources }: BuildSources): Promise<Part> {
    const key = JSON.stringify([project.source ?? project.root, ...coqArguments(project)]);
    const known = this.#parts.get(key);
    const part = known ?? { project, sources: new Map(), needs: new Set(), compiledBy: new Map() };
    this.#parts.set(key, part);
    const foreign = new Map<string, { readonly owner: RocqProject; readonly sources: ProjectSource[] }>();
    for (const source of sources.filter(({ path }) => !part.sources.has(path))) {
      part.sources.set(source.path, source);
      const owner = await this.#ownerOf(source);
      if (owner.source === undefined || owner.root === project.root) continue;
      const ofOwner = foreign.get(owner.source) ?? { owner, sources: [] };
      foreign.set(owner.source, ofOwner);
      ofOwner.sources.push(source);
    }
    for (const { owner, sources: needed } of foreign.values()) await this.#need(part, owner, needed);
    return part;
  }

  async #need(part: Part, owner: RocqProject, needed: readonly ProjectSource[]): Promise<void> {
    const all = this.#sources.get(owner) ?? (await projectSources(owner));
    this.#sources.set(owner, all);
    const byPath = Map.groupBy(all, ({ path }) => path);
    const there = needed.flatMap(({ path }) => byPath.get(path) ?? []);
    const modules = there.map(({ library }) => library);
    const ordered = await sourcesInDependencyOrder([{ modules }], all, '');
    if (ordered.length === 0) return;
    const builder = await this.add({ project: owner, sources: ordered });
    part.needs.add(builder);
    // Dune compiles elsewhere, also where that folder is not there yet.
    if (isDuneProject(owner)) return;
    for (const source of needed) {
      const isSame = ({ compiled, names }: ProjectSource): boolean =>
        compiled === source.compiled && names.some((name) => source.names.includes(name));
      if (byPath.get(source.path)?.some(isSame) === true) part.compiledBy.set(source.path, builder);
    }
  }

  async #ownerOf({ path }: ProjectSource): Promise<RocqProject> {
    const folder = dirname(path);
    const owner = this.#owners.get(folder) ?? (await findRocqProject(path));
    this.#owners.set(folder, owner);
    return owner;
  }

  inOrder(): readonly PlannedBuild[] {
    const ordered = new Map<Part, PlannedBuild>();
    const begun = new Set<Part>();
    const visit = (part: Part): void => {
      if (begun.has(part)) return;
      begun.add(part);
      for (const needed of part.needs) visit(needed);
      const behind = [...part.needs].flatMap((needed) => ordered.get(needed) ?? []);
      const given = [...part.compiledBy].flatMap(([path, builder]) => (ordered.has(builder) ? [path] : []));
      const { project, sources } = part;
      ordered.set(part, { project, sources: [...sources.values()], given: new Set(given), behind });
    };
    for (const part of this.#parts.values()) visit(part);
    return [...ordered.values()];
  }
}

/** What a tool that builds by itself stopped at. */
export interface FailedTool {
  readonly file: string;
  readonly error: QuodError;
}

/**
 * Of a project that make builds only its makefile knows what it needs of the others: one whose tool fails is tried again when
 * another was built since, and those that are known to need it wait for that. Answers whether everything is compiled.
 */
export async function buildEach(
  planned: readonly PlannedBuild[],
  build: (one: PlannedBuild) => Promise<boolean | FailedTool>,
  onFailed: (failed: FailedTool) => void,
): Promise<boolean> {
  let complete = true;
  let mayWait = true;
  const failed = new Map<PlannedBuild, FailedTool>();
  for (let pending = planned; pending.length > 0;) {
    for (const one of pending) failed.delete(one);
    const waiting = new Set<PlannedBuild>();
    let isAnotherBuilt = false;
    for (const one of pending) {
      if (mayWait && one.behind.some((needed) => failed.has(needed) || waiting.has(needed))) {
        waiting.add(one);
        continue;
      }
      const built = await build(one);
      if (typeof built !== 'boolean') failed.set(one, built);
      else if (built) isAnotherBuilt ||= failed.size > 0;
      else complete = false;
    }
    if (isAnotherBuilt) pending = planned.filter((one) => failed.has(one) || waiting.has(one));
    else {
      // Nothing more can help what they wait for: what they have without it is told.
      mayWait = false;
      pending = [...waiting];
    }
  }
  for (const one of failed.values()) onFailed(one);
  return complete && failed.size === 0;
}
