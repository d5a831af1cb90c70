/** The libraries that a compiled file was made with: which, by what files, and whether they are the installed ones. */
import { sha256 } from '../../core/sha256.ts';
import { orNothing, underName } from '../../core/entry.ts';
import type { GatePolicy } from '../policy.ts';
import type { FindLibrary } from './compiled/closed-proofs.ts';
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import type { CompiledUnit } from './provers/judge-backend.ts';
import { MalformedValue } from './compiled/ocaml-values.ts';
import { dependencies, type Dependency, summarisedDependencies } from './compiled/compiled-library.ts';

/**
 * All libraries that a compiled file was made with. Of those that it does not name itself, the files of others tell; a
 * library whose file is gone or another by now is among them, what it requires may not be.
 */
export async function allDependencies(
  file: CompiledFile,
  unit: CompiledUnit,
): Promise<readonly Dependency[]> {
  const { libraries, rootsOnly } = dependencies(file);
  if (!rootsOnly) return libraries;
  const found = new Map(libraries.map((library) => [library.name, library]));
  // What is found while it runs is looked at, too.
  for (const library of found.values()) {
    const itsFile = await fileOf(library, unit);
    if (itsFile === undefined) continue;
    for (const further of summarisedDependencies(readCompiledFile(itsFile)))
      if (!found.has(further.name)) found.set(further.name, further);
  }
  return [...found.values()];
}

async function fileOf({ name, digest }: Dependency, unit: CompiledUnit): Promise<Uint8Array | undefined> {
  for await (const bytes of unit.libraryFiles(name)) if (digestIn(bytes) === digest) return bytes;
  return undefined;
}

/** The files of all libraries that a compiled file was made with, as far as they are there. */
export async function libraryContents(file: CompiledFile, unit: CompiledUnit): Promise<CompiledFile[]> {
  const contents: CompiledFile[] = [];
  for (const library of await allDependencies(file, unit)) {
    const bytes = await fileOf(library, unit);
    if (bytes !== undefined) contents.push(readCompiledFile(bytes));
  }
  return contents;
}

/** Finds the files of the libraries that a compiled file was made with, those very files. */
export async function librariesOf(file: CompiledFile, unit: CompiledUnit): Promise<FindLibrary> {
  const known = new Map((await allDependencies(file, unit)).map((library) => [library.name, library]));
  return async (name) => {
    const library = known.get(name);
    const bytes = library && (await fileOf(library, unit));
    return bytes && readCompiledFile(bytes);
  };
}

/** Libraries that the submission needs and the target does not; `foreign` are those not installed with the prover. */
export async function newDependencies(
  ofTarget: readonly Dependency[],
  submission: CompiledFile,
  unit: CompiledUnit,
): Promise<{ readonly added: readonly string[]; readonly foreign: readonly string[] }> {
  const known = new Map(ofTarget.map(({ name, digest }) => [name, digest]));
  const added = (await allDependencies(submission, unit)).filter(
    ({ name, digest }) => known.get(name) !== digest,
  );
  const foreign: string[] = [];
  for (const { name, digest } of added) {
    if (known.has(name) || (await installedDigest(name, unit)) !== digest) foreign.push(name);
  }
  return { added: added.map(({ name }) => name), foreign };
}

/** The library that declares what has this full name. */
export function declaringLibrary(libraries: readonly Dependency[], fullName: string): Dependency | undefined {
  return libraries
    .filter(({ name }) => fullName.startsWith(`${name}.`))
    .sort((one, other) => other.name.length - one.name.length)[0];
}

/** Of full names, those of what libraries declare that are installed with the prover: not others that are called like them. */
export async function ofInstalled(
  fullNames: readonly string[],
  libraries: readonly Dependency[],
  unit: CompiledUnit,
): Promise<ReadonlySet<string>> {
  const installed = new Set<string>();
  for (const fullName of new Set(fullNames)) {
    const library = declaringLibrary(libraries, fullName);
    if (library !== undefined && (await installedDigest(library.name, unit)) === library.digest)
      installed.add(fullName);
  }
  return installed;
}

async function installedDigest(name: string, unit: CompiledUnit): Promise<string | undefined> {
  const bytes = await unit.installedLibrary(name);
  return bytes && digestIn(bytes);
}

function digestIn(bytes: Uint8Array): string | undefined {
  try {
    return readCompiledFile(bytes).digest('library');
  } catch (error) {
    if (error instanceof MalformedValue) return undefined;
    throw error;
  }
}

export interface LibraryFile {
  readonly name: string;
  readonly sha256: string;
}

/** The files behind dependencies; one that cannot be found, or is another by now, is `undefined`. */
export async function libraryFiles(
  needed: readonly Dependency[],
  unit: CompiledUnit,
): Promise<readonly (LibraryFile | undefined)[]> {
  return Promise.all(
    needed.map(async (library) => {
      const file = await fileOf(library, unit);
      return file && { name: library.name, sha256: sha256(file) };
    }),
  );
}

/** What speaks against the libraries of the target under a policy that pins them; undefined when nothing does. */
export async function unpinned(
  needed: readonly Dependency[],
  unit: CompiledUnit,
  pins: NonNullable<GatePolicy['dependencies']>,
): Promise<string | undefined> {
  const files = await libraryFiles(needed, unit);
  for (const [index, { name, digest }] of needed.entries()) {
    const pin = underName(pins, name);
    const found = files[index];
    if (pin !== undefined && `sha256:${orNothing(found?.sha256)}` !== pin)
      return found === undefined
        ? `The library ${name}, which the policy pins, cannot be found.`
        : `The library ${name} has SHA-256 ${found.sha256}, and the policy pins another.`;
    if (pin === undefined && (await installedDigest(name, unit)) !== digest)
      return `The target needs the library ${name}, which is not installed with the prover, and the policy does not pin it.`;
  }
  return undefined;
}
