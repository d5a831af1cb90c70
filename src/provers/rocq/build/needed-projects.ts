/**
 * A project may bind folders of another, with a project file and a makefile of its own: what is there is built first, and as
 * that one says, and then is given to those that need it. What dune has in one workspace it builds by itself.
 */
import { relative } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { isDuneProject, type RocqProject } from '../project/project.ts';
import { KnownProjects } from './known-projects.ts';
import type { ProjectSource } from './project-sources.ts';
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
  /** By their paths what speaks against those that a nearer project gives other names. */
  readonly clashes: ReadonlyMap<string, QuodError>;
  /** The projects in front of it that it needs. */
  readonly behind: readonly PlannedBuild[];
}

/**
 * Each project once, with each of its sources once, behind the projects that it needs. Of projects that need each other in a
 * circle one compiles by itself what it needs of the others.
 */
export async function neededFirst(
  wanted: readonly BuildSources[],
  known = new KnownProjects(),
): Promise<readonly PlannedBuild[]> {
  const plan = new Plan(known);
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
  readonly clashes: Map<string, QuodError>;
}

class Plan {
  readonly #known: KnownProjects;
  readonly #parts = new Map<RocqProject, Part>();

  constructor(known: KnownProjects) {
    this.#known = known;
  }

  async add({ project: found, sources }: BuildSources): Promise<Part> {
    const project = this.#known.one(found);
    const part = this.#parts.get(project) ?? {
      project,
      sources: new Map(),
      needs: new Set(),
      compiledBy: new Map(),
      clashes: new Map(),
    };
    this.#parts.set(project, part);
    const foreign = new Map<RocqProject, ProjectSource[]>();
    for (const source of sources.filter(({ path }) => !part.sources.has(path))) {
      part.sources.set(source.path, source);
      const owner = await this.#known.ownerOf(source.path);
      const clash = await this.#clashOf(project, source, owner);
      if (clash !== undefined) part.clashes.set(source.path, clash);
      if (owner.source === undefined || owner.root === project.root) continue;
      const ofOwner = foreign.get(owner) ?? [];
      foreign.set(owner, ofOwner);
      ofOwner.push(source);
    }
    for (const [owner, needed] of foreign) await this.#need(part, owner, needed);
    return part;
  }

  async #need(part: Part, owner: RocqProject, needed: readonly ProjectSource[]): Promise<void> {
    const { sources: all, byPath } = await this.#known.filesOf(owner);
    const there = needed.flatMap(({ path }) => byPath.get(path) ?? []);
    const modules = there.map(({ library }) => library);
    const ordered = await sourcesInDependencyOrder([{ modules }], all);
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

  /**
   * A file belongs to the project that is nearest. Where that and one around it give it other names, one of them alone can have it
   * compiled in its place: the nearer one.
   */
  async #clashOf(
    { root, source: own }: RocqProject,
    { path, library, names }: ProjectSource,
    nearer: RocqProject,
  ): Promise<QuodError | undefined> {
    // Dune compiles elsewhere.
    if (own === undefined || nearer.source === undefined || nearer.source === own || isDuneProject(nearer))
      return undefined;
    const [there] = (await this.#known.filesOf(nearer)).byPath.get(path) ?? [];
    if (there === undefined || there.names.some((name) => names.includes(name))) return undefined;
    const inside = relative(root, nearer.source);
    return new QuodError(
      'invalid-input',
      `It belongs to the project of ${inside}, where it is ${there.library}: as ${library} it cannot be compiled in the same place.`,
      {
        place: { file: path },
        remedy: `Bind its folder in ${relative(root, own)} as that project does, and require it as ${there.library}; or delete ${inside}.`,
      },
    );
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
      const { project, sources, clashes } = part;
      ordered.set(part, {
        ...{ project, sources: [...sources.values()], given: new Set(given) },
        ...{ clashes, behind },
      });
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
