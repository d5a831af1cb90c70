/**
 * What stands beside the files of a run and has a say in what their statements mean: other sources, what they were compiled
 * to, and what says how the project is compiled. The gate trusts a target's libraries; where somebody works in the project
 * with tools that write files, they have to be those that were there when the run began. All that judging reads counts: the
 * folder of the task, the root of each file's project, the folders of its load path, and what says in any folder above
 * which project that is. What is installed with a prover does not.
 */
import { lstat, readlink, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { someOf } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { isInside } from '../../core/inside.ts';
import { FileDigests } from '../../process/foreign-folder/file-digests.ts';
import { isProjectSaying, PROJECT_SAYINGS } from '../../provers/rocq/project/project-sayings.ts';
import { findRocqProject, isDuneProject, sourceFolderOf } from '../../provers/rocq/project/project.ts';

/** By their paths: SHA-256, or where a link leads. */
export type ProjectBeside = Readonly<Record<string, string>>;

/** Where a run works. Absolute. */
export interface BesidePlaces {
  /** Of the task. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** What provers load or are told by, besides what says of which project they are. */
const READ_BY_PROVERS =
  /(?:\.(?:v|vo|vos|ml|mli|mlg|mllib|mlpack|cma|cmxs|sml|sig|fst|fsti|checked|lean|olean|fst\.config\.json)|^(?:(?:Coq|Rocq)?Makefile\S*|Holmakefile|lakefile\S*|lean-toolchain))$/u;
/** What compiling a source makes beside it. */
const COMPILED = /\.(?:vo|vos|checked|olean)$/u;
/** Where dune has copies of the sources and compiles them. */
const BUILT = /\/_build\/default\//u;

/** Looks at the project again and again: a file that nobody touched since is not read again. */
export class BesideReader {
  readonly #places: BesidePlaces;
  readonly #digests = new FileDigests();

  constructor(places: BesidePlaces) {
    this.#places = places;
  }

  /**
   * @param before What stood there: looked for wherever it was, also where the project is another one now.
   * @returns nothing of a file that is gone while it is looked for.
   */
  async read(before: ProjectBeside = {}): Promise<ProjectBeside> {
    const { folders, leavesBuilt } = await foldersOf(this.#places);
    const found = new Map<string, string>();
    const seen = new Set<string>();
    const visit = async (at: string): Promise<void> => {
      const real = await realpath(at).catch(() => undefined);
      if (real === undefined || seen.has(real)) return;
      seen.add(real);
      for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) {
          if (mayBeLoaded(entry.name, leavesBuilt)) await visit(path);
        } else if (entry.isSymbolicLink()) await follow(path, entry.name);
        else if (entry.isFile() && isReadByProvers(entry.name)) found.set(path, await this.#digest(path));
      }
    };
    const follow = async (path: string, name: string): Promise<void> => {
      const target = await stat(path).catch(() => undefined);
      const leads = `-> ${await readlink(path).catch(() => '')}`;
      const isRead = target?.isFile() === true && isReadByProvers(name);
      found.set(path, isRead ? `${leads} ${await this.#digest(path)}` : leads);
      const real = target?.isDirectory() === true ? await realpath(path).catch(() => undefined) : undefined;
      // Provers look into folders behind links, but one that leads up has no end.
      if (real !== undefined && !isInside(real, path)) await visit(path);
    };
    for (const folder of folders) await visit(folder);
    for (const path of projectFilesAbove(this.#places)) {
      const status = await stat(path).catch(() => undefined);
      if (status?.isFile() === true && !found.has(path)) found.set(path, await this.#digest(path));
    }
    for (const path of Object.keys(before).filter((one) => !found.has(one))) {
      const status = await lstat(path).catch(() => undefined);
      if (status?.isSymbolicLink() === true) await follow(path, basename(path));
      else if (status?.isFile() === true) found.set(path, await this.#digest(path));
    }
    return Object.fromEntries(found);
  }

  /** When each file that was read last was changed last, whatever it says now. */
  stamps(): ReadonlyMap<string, string> {
    return this.#digests.stamps();
  }

  async #digest(path: string): Promise<string> {
    return (await this.#digests.of(path)) ?? 'gone';
  }
}

/** What stands there once. */
export async function readBeside(places: BesidePlaces, before: ProjectBeside = {}): Promise<ProjectBeside> {
  return await new BesideReader(places).read(before);
}

async function foldersOf({ folder, files }: BesidePlaces): Promise<{
  readonly folders: readonly string[];
  readonly leavesBuilt: boolean;
}> {
  const folders = new Set([folder, ...files.map((file) => dirname(file))]);
  let leavesBuilt = false;
  for (const file of files.filter((name) => name.endsWith('.v'))) {
    // A project file that cannot be read is seen as one that changed, where it could be read before.
    const project = await findRocqProject(file).catch(() => undefined);
    if (project === undefined) continue;
    const own = project.loadPath.flatMap((entry) => [entry.physical, sourceFolderOf(project, entry)]);
    for (const one of [project.root, ...own, ...project.ocamlPath]) folders.add(one);
    leavesBuilt ||= isDuneProject(project);
  }
  return { folders: [...folders], leavesBuilt };
}

/**
 * Rocq looks into folders that begin with an underscore, too. A local installation of opam is left out, and what dune built
 * but for what the load path names of it.
 */
function mayBeLoaded(name: string, leavesBuilt: boolean): boolean {
  return !/^\.|^(?:node_modules|_opam)$/u.test(name) && !(leavesBuilt && name === '_build');
}

function isReadByProvers(name: string): boolean {
  return READ_BY_PROVERS.test(name) || isProjectSaying(name);
}

function projectFilesAbove({ folder, files }: BesidePlaces): string[] {
  const above = new Set<string>();
  for (const start of [folder, ...files.map((file) => dirname(file))])
    for (let at = start; !above.has(at); at = dirname(at)) above.add(at);
  return [...above].flatMap((at) => PROJECT_SAYINGS.map((name) => join(at, name)));
}

/** @returns the paths of what is other than it was, but for the run's own files and what was compiled from what stands as it stood. */
export function changedBeside(before: ProjectBeside, now: ProjectBeside, own: readonly string[]): string[] {
  const ours = new Set(own);
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => {
    const source = path.replace(BUILT, '/');
    if (before[path] === now[path] || ours.has(path) || ours.has(source)) return false;
    const stands = (one: string): boolean => one in before && before[one] === now[one];
    // A copy of a source as it stands.
    if (source !== path && now[path] === now[source] && stands(source)) return false;
    if (!COMPILED.test(path)) return true;
    const sources = sourcesOf(source);
    if (sources.some((one) => ours.has(one))) return false;
    return before[path] !== undefined || !sources.some(stands);
  });
}

/** @returns the paths of what somebody wrote between two looks, although it may say the same again. */
export function touchedBetween(
  earlier: ReadonlyMap<string, string>,
  later: ReadonlyMap<string, string>,
  own: readonly string[],
): string[] {
  const ours = new Set(own);
  return [...earlier.keys()].filter((path) => {
    const source = path.replace(BUILT, '/');
    const isOurs = [path, source, ...sourcesOf(source)].some((one) => ours.has(one));
    return later.get(path) !== earlier.get(path) && !isOurs;
  });
}

/** What a compiled file may be compiled from. */
function sourcesOf(compiled: string): string[] {
  return ['', '.v', '.lean'].map((ending) => compiled.replace(COMPILED, ending));
}

/** @returns nothing where nothing changed, else what to say of it. */
export function besideProblem(changed: readonly string[], folder: string): string | undefined {
  if (changed.length === 0) return undefined;
  const names = someOf(changed.map((path) => foreignName(relative(folder, path))));
  return `Other files of the project are not what they were when the run began: ${names}. What they say can change what is proved; put them back, then the proofs are judged.`;
}
