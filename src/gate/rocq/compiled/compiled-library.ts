/** The library that a compiled file holds, and the libraries that it was made with. */
import type { CompiledFile } from './compiled-file.ts';
import { type KernelLayout, layoutOf } from './kernel-layout.ts';
import { field, misfit, rawText } from './kernel-shape.ts';
import { logicalName } from './module-paths.ts';
import { Block, MalformedValue, type OcamlValue } from './ocaml-values.ts';

/** @throws MalformedValue for a release whose layout is not known. */
export function compiledLibrary(file: CompiledFile): {
  readonly layout: KernelLayout;
  readonly library: OcamlValue;
  /** Of the library: a directory path. */
  readonly name: OcamlValue;
  /** What the prover does when the file is required, beside what the kernel reads. */
  readonly objects: OcamlValue;
} {
  const layout = layoutOf(file.version);
  if (layout === undefined) throw new MalformedValue(`the version ${file.version} is not known`);
  const segment = file.segment('library');
  if (!(segment instanceof Block)) throw misfit('a library');
  const library = field(segment, 0);
  const name = layout.library.of(library, 'name');
  return { layout, library, name, objects: field(segment, segment.fields.length - 1) };
}

/** `Coq.Lists.List` @throws MalformedValue */
export function libraryNameOf(file: CompiledFile): string {
  return logicalName(compiledLibrary(file).name);
}

export interface Dependency {
  /** `Coq.Lists.List` */
  readonly name: string;
  /** What identifies the compiled file. */
  readonly digest: string;
}

/**
 * The libraries that a compiled file was made with: all of them until 8.19, from then on those that no other of them
 * requires (`rootsOnly`).
 */
export function dependencies(file: CompiledFile): {
  readonly libraries: readonly Dependency[];
  readonly rootsOnly: boolean;
} {
  const { layout, library } = compiledLibrary(file);
  return {
    libraries: dependenciesIn(layout.library.of(library, 'dependencies')),
    rootsOnly: layout.release >= 820,
  };
}

/** Whether no library of which both were made was another file for each. */
export function agreeOnLibraries(one: CompiledFile, other: CompiledFile): boolean {
  const digests = new Map(dependencies(one).libraries.map(({ name, digest }) => [name, digest]));
  return dependencies(other).libraries.every(({ name, digest }) => (digests.get(name) ?? digest) === digest);
}

/**
 * Those by the summary, which is much shorter than the library: all that were required by name are among them. It is for
 * files that are trusted, because the kernel does not read it.
 */
export function summarisedDependencies(file: CompiledFile): readonly Dependency[] {
  return dependenciesIn(field(file.segment('summary'), 1));
}

function dependenciesIn(array: OcamlValue): readonly Dependency[] {
  if (!(array instanceof Block)) throw misfit('an array');
  return array.fields.map((dependency) => ({
    name: logicalName(field(dependency, 0)),
    digest: rawText(field(field(dependency, 1), 0)),
  }));
}
