/**
 * What stands beside the files of a run and has a say in what their statements mean: other sources, what they were compiled
 * to, and what says how the project is compiled. The gate trusts a target's libraries; where somebody works in the project
 * with tools that write files, they have to be those that were there when the run began.
 */
import { lstat, readlink, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { someOf } from '../../core/counted.ts';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { mayHoldSources } from '../../process/foreign-folder/source-folders.ts';

/** By their paths: SHA-256, or where a link leads. */
export type ProjectBeside = Readonly<Record<string, string>>;

/** What provers load or are told by. */
const READ_BY_PROVERS =
  /(?:\.(?:v|vo|vos|ml|mli|mlg|mllib|mlpack|cma|cmxs|sml|sig|fst|fsti|checked|lean|olean|fst\.config\.json)|^(?:_CoqProject|_RocqProject|dune|dune-project|dune-workspace|Makefile\S*|Holmakefile|lakefile\S*|lean-toolchain))$/u;
/** What compiling a source makes beside it. */
const COMPILED = /\.(?:vo|vos|checked|olean)$/u;

/** @param folder with all that is below it. */
export async function readBeside(folder: string): Promise<ProjectBeside> {
  const found: [string, string][] = [];
  const visit = async (at: string): Promise<void> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (mayHoldSources(entry.name)) await visit(path);
      } else if (entry.isSymbolicLink()) found.push([path, `-> ${await readlink(path)}`]);
      else if (entry.isFile() && READ_BY_PROVERS.test(entry.name)) found.push([path, await digest(path)]);
    }
  };
  await visit(folder);
  return Object.fromEntries(found);
}

/** @returns the paths of what is other than it was, but for the run's own files and what was compiled from what stands as it stood. */
export function changedBeside(before: ProjectBeside, now: ProjectBeside, own: readonly string[]): string[] {
  const ours = new Set(own);
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => {
    if (before[path] === now[path] || ours.has(path)) return false;
    if (!COMPILED.test(path)) return true;
    const sources = [
      path.replace(COMPILED, ''),
      path.replace(COMPILED, '.v'),
      path.replace(COMPILED, '.lean'),
    ];
    if (sources.some((source) => ours.has(source))) return false;
    return (
      before[path] !== undefined ||
      !sources.some((source) => source in before && before[source] === now[source])
    );
  });
}

/** @returns nothing where nothing changed, else what to say of it. */
export function besideProblem(changed: readonly string[], folder: string): string | undefined {
  if (changed.length === 0) return undefined;
  const names = someOf(changed.map((path) => relative(folder, path)));
  return `Other files of the project are not what they were when the run began: ${names}. What they say can change what is proved; put them back, then the proofs are judged.`;
}

/** Of what cannot be read, as it is too large, the size and time of its last change. */
async function digest(path: string): Promise<string> {
  try {
    return sha256(await readRegularFile(path, LARGEST_WRITTEN_BYTES));
  } catch {
    const { size, mtimeMs } = await lstat(path);
    return `${size} bytes of ${mtimeMs}`;
  }
}
