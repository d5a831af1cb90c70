/**
 * Where compiled modules lie. A root is a folder in which `A.B` is `A/B.olean`. Roots are tried in the order in
 * which they stand here: those that the user names, `LEAN_PATH`, the Lake project around the file and its packages,
 * a toolchain's library, and last the folder of the file itself. Nothing is executed to find them.
 */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { readRegularFileSync } from '../../../process/foreign-folder/regular-file.ts';
import type { Name } from '../name.ts';

export type RootOrigin = 'option' | 'environment' | 'project' | 'package' | 'toolchain' | 'beside';

export interface SearchRoot {
  readonly folder: string;
  readonly origin: RootOrigin;
}

export interface SearchSettings {
  /** Folders named by the user (`--search-path`), which come first. */
  readonly searchPath?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

export interface FoundModule {
  readonly path: string;
  readonly root: SearchRoot;
}

/** The roots for the modules that the file at `path` imports. */
export function searchRoots(path: string, settings: SearchSettings = {}): SearchRoot[] {
  const environment = settings.environment ?? process.env;
  const project = findLakeProject(dirname(resolve(path)));
  const roots: SearchRoot[] = [
    ...(settings.searchPath ?? []).map((folder) => ({ folder: resolve(folder), origin: 'option' as const })),
    ...orNothing(environment['LEAN_PATH'])
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => ({ folder: resolve(folder), origin: 'environment' as const })),
    ...(project === undefined ? [] : projectRoots(project)),
    ...toolchainFolders(project, environment).map((folder) => ({ folder, origin: 'toolchain' as const })),
    { folder: dirname(resolve(path)), origin: 'beside' },
  ];
  const seen = new Set<string>();
  return roots.flatMap((root) => {
    if (!isFolder(root.folder) || seen.has(root.folder)) return [];
    seen.add(root.folder);
    return [{ folder: root.folder, origin: actualOrigin(root) }];
  });
}

/** The file of a module. A name that is no path inside a root has none. */
export function findModule(roots: readonly SearchRoot[], module: Name): FoundModule | undefined {
  const parts: string[] = [];
  for (const component of module.components) {
    // The name comes from a file that may be hostile: it must not lead out of the root.
    if (typeof component !== 'string' || !/^[^/\\\0]+$/.test(component) || /^\.+$/.test(component))
      return undefined;
    parts.push(component);
  }
  if (parts.length === 0) return undefined;
  for (const root of roots) {
    const path = `${join(root.folder, ...parts)}.olean`;
    if (existsSync(path)) return { path, root };
  }
  return undefined;
}

/** What `LEAN_PATH` and options name may be a package's or a toolchain's folder; then it counts as that. */
function actualOrigin({ folder, origin }: SearchRoot): RootOrigin {
  if (origin === 'beside' || origin === 'package' || origin === 'toolchain') return origin;
  const real = realpathSync(folder);
  if (real.includes('/.lake/packages/')) return 'package';
  return isToolchainLibrary(real) ? 'toolchain' : origin;
}

/** A toolchain's `lib/lean` has Lean's own modules in it and the compiler beside it. */
function isToolchainLibrary(folder: string): boolean {
  return (
    basename(folder) === 'lean' &&
    existsSync(join(folder, 'Init.olean')) &&
    existsSync(join(folder, '..', '..', 'bin', 'lean'))
  );
}

/** The nearest folder from `start` upwards that has a Lake project in it. */
function findLakeProject(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (['lakefile.lean', 'lakefile.toml', '.lake'].some((name) => existsSync(join(folder, name))))
      return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function projectRoots(project: string): SearchRoot[] {
  const libraries = (folder: string): string[] =>
    ['.lake/build/lib/lean', '.lake/build/lib', 'build/lib'].map((path) => join(folder, path));
  const packages = ['.lake/packages', 'lake-packages'].flatMap((folder) => subfolders(join(project, folder)));
  return [
    ...libraries(project).map((folder) => ({ folder, origin: 'project' as const })),
    ...packages.flatMap(libraries).map((folder) => ({ folder, origin: 'package' as const })),
  ];
}

/** `lib/lean` of the toolchains that may be meant, the likeliest first. */
function toolchainFolders(project: string | undefined, environment: NodeJS.ProcessEnv): string[] {
  const wanted = project === undefined ? undefined : readToolchain(join(project, 'lean-toolchain'));
  const elan = join(environment['ELAN_HOME'] ?? join(homedir(), '.elan'), 'toolchains');
  const installed = subfolders(elan);
  const prefixes = [
    ...(environment['LEAN_SYSROOT'] ? [environment['LEAN_SYSROOT']] : []),
    ...installed.filter((folder) => wanted !== undefined && basename(folder) === toolchainFolderName(wanted)),
    ...orNothing(environment['PATH'])
      .split(delimiter)
      .filter((folder) => existsSync(join(folder, 'lean')))
      .map((folder) => dirname(dirname(realpathSync(join(folder, 'lean'))))),
    // Without a pin, a single toolchain is the one that is meant.
    ...(wanted === undefined && installed.length === 1 ? installed : []),
  ];
  return prefixes
    .map((prefix) => join(prefix, 'lib', 'lean'))
    .filter((folder) => existsSync(join(folder, 'Init.olean')))
    .slice(0, 1);
}

function readToolchain(path: string): string | undefined {
  try {
    return readRegularFileSync(path).toString('utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** elan keeps `leanprover/lean4:v4.29.1` in the folder `leanprover--lean4---v4.29.1`. */
function toolchainFolderName(toolchain: string): string {
  const full = toolchain.includes('/') ? toolchain : `leanprover/lean4:${toolchain}`;
  return full.replace('/', '--').replace(':', '---');
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
      .filter(isFolder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
