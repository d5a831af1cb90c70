/**
 * Where the optional npm package `jscoq` lies and what is in it. jsCoq is a separate program under the AGPL: Quod finds
 * it as it finds an executable, runs it unmodified in a thread of its own and talks to it by messages
 * (docs/decisions/embedded-rocq.md). Nothing of it is imported.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { listArchive, type ArchivedFile } from './package-archive.ts';

export interface JscoqInstallation {
  /** Absolute path of the package. */
  readonly root: string;
  readonly version: string;
  /** The Coq inside, as Coq prints it; `unknown` for a jsCoq that this Quod has not met. */
  readonly rocqVersion: string;
  /** The program itself: a script for a web worker. */
  readonly script: string;
}

const ROCQ_INSIDE: Readonly<Record<string, string>> = { '0.17.1': '8.17.1', '0.17.0': '8.17.0' };

/** Files without which the package is not usable: published versions differ in what they ship. */
const NEEDED = ['dist/wacoq_worker.js', 'backend/wasm/wacoq_worker.bc', 'coq-pkgs/init.coq-pkg'];

function versionIn(packageFile: string): string | undefined {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  return typeof parsed === 'object' &&
    parsed !== null &&
    'version' in parsed &&
    typeof parsed.version === 'string'
    ? parsed.version
    : undefined;
}

/** The installed jsCoq, or undefined when there is none that can be used. */
export function findJscoq(from: string = import.meta.url): JscoqInstallation | undefined {
  let packageFile: string;
  let version: string | undefined;
  try {
    packageFile = createRequire(from).resolve('jscoq/package.json');
    version = versionIn(packageFile);
  } catch {
    return undefined;
  }
  const root = dirname(packageFile);
  if (version === undefined || !NEEDED.every((file) => existsSync(join(root, file)))) return undefined;
  return {
    root,
    version,
    rocqVersion: ROCQ_INSIDE[version] ?? 'unknown',
    script: join(root, 'dist/wacoq_worker.js'),
  };
}

/**
 * The file behind an address that the program asks for. It names its npm dependencies by a path through `node_modules`
 * that is only right in its own source tree; npm may have put them elsewhere.
 */
export function resourceFile(root: string, address: string): string {
  const inDependency = /(?:^|\/)node_modules\/(.+)$/.exec(address)?.[1];
  if (inDependency === undefined) return join(root, 'dist', address);
  for (let directory = root; ; directory = dirname(directory)) {
    const file = join(directory, 'node_modules', inDependency);
    if (existsSync(file) || dirname(directory) === directory) return file;
  }
}

/**
 * The compiled libraries and plugins of all packages, by the path at which Coq looks for them:
 * `Coq/Init/Prelude.vo`.
 */
export function shippedLibraries(root: string): ReadonlyMap<string, ArchivedFile> {
  const packages = join(root, 'coq-pkgs');
  const libraries = new Map<string, ArchivedFile>();
  for (const archive of readdirSync(packages).filter((name) => name.endsWith('.coq-pkg')))
    for (const file of listArchive(join(packages, archive)))
      if (/\.(?:vo|cma)$/.test(file.name)) libraries.set(file.name, file);
  return libraries;
}
