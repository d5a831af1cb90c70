/** The libraries that a compiled file was made with: which, by what files, and whether they are the installed ones. */
import { underName } from '../../../core/entry.ts';
import { QuodError } from '../../../core/errors.ts';
import { lazyByKey, lazyConstant } from '../../../core/lazy-constant.ts';
import { sha256 } from '../../../core/sha256.ts';
import type { GatePolicy } from '../../policy.ts';
import type { FindLibrary } from '../compiled/closed-proofs.ts';
import { libraryDigest, readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { dependencies, type Dependency, summarisedDependencies } from '../compiled/compiled-library.ts';
import type { CompiledUnit } from '../backends/judge-backend.ts';

export interface LibraryFile {
  readonly name: string;
  readonly sha256: string;
}

type LibrariesOfUnit = Pick<CompiledUnit, 'libraryFiles' | 'installedDigest'>;

export class RequiredLibraries {
  readonly #file: CompiledFile;
  readonly #unit: LibrariesOfUnit;
  /**
   * All of them. Of those that the file does not name itself, the files of others tell.
   * @throws QuodError as `find`.
   */
  readonly all = lazyConstant(() => this.#all());
  readonly #byName = lazyConstant(
    async () => new Map((await this.all()).map((library) => [library.name, library])),
  );

  /** Many look into the same ones. */
  readonly #opened = lazyByKey(async (library: Dependency) => readCompiledFile(await this.#fileOf(library)));

  constructor(file: CompiledFile, unit: LibrariesOfUnit) {
    this.#file = file;
    this.#unit = unit;
  }

  /**
   * The file of one of them by its name, that very file; undefined for what is none of them.
   * @throws QuodError `library-missing` where it is gone, or another by now: nobody knows what it takes for granted.
   */
  readonly find: FindLibrary = async (name) => {
    const library = (await this.#byName()).get(name);
    return library && this.#opened(library);
  };

  /** As `find`, of those alone that are not installed with the prover. */
  readonly findForeign: FindLibrary = async (name) => {
    const library = (await this.#byName()).get(name);
    return library === undefined || (await this.#isInstalled(library)) ? undefined : await this.find(name);
  };

  /** The files of those that are not installed with the prover. @throws QuodError as `find`. */
  async foreign(): Promise<ReadonlyMap<string, Uint8Array>> {
    const foreign = new Map<string, Uint8Array>();
    for (const library of await this.all())
      if (!(await this.#isInstalled(library))) foreign.set(library.name, await this.#fileOf(library));
    return foreign;
  }

  /** @throws QuodError as `find`. */
  readonly contents = async (): Promise<readonly CompiledFile[]> =>
    Promise.all((await this.all()).map(this.#opened));

  /** @throws QuodError as `find`. */
  async files(): Promise<readonly LibraryFile[]> {
    return Promise.all(
      (await this.all()).map(async (one) => ({ name: one.name, sha256: sha256(await this.#fileOf(one)) })),
    );
  }

  /** What is required besides, or in another version; `foreign` is what is not installed with the prover. */
  async besides(
    ofTarget: readonly Dependency[],
  ): Promise<{ readonly added: readonly string[]; readonly foreign: readonly string[] }> {
    const known = new Map(ofTarget.map(({ name, digest }) => [name, digest]));
    const added = (await this.all()).filter(({ name, digest }) => known.get(name) !== digest);
    const foreign: string[] = [];
    for (const library of added)
      if (known.has(library.name) || !(await this.#isInstalled(library))) foreign.push(library.name);
    return { added: added.map(({ name }) => name), foreign };
  }

  /** What speaks against them under a policy that pins libraries; undefined when nothing does. */
  async unpinned(pins: NonNullable<GatePolicy['dependencies']>): Promise<string | undefined> {
    for (const library of await this.all()) {
      const { name } = library;
      const pin = underName(pins, name);
      if (pin === undefined) {
        if (await this.#isInstalled(library)) continue;
        return `The target needs the library ${name}, which is not installed with the prover, and the policy does not pin it.`;
      }
      const found = sha256(await this.#fileOf(library));
      if (`sha256:${found}` !== pin)
        return `The library ${name} has SHA-256 ${found}, and the policy pins another.`;
    }
    return undefined;
  }

  /**
   * Those that can declare what has this full name, which does not say where the library's own name ends: `A.B.c` is `c` of
   * `A.B`, or `B.c` of `A`. What is said of the name has to hold of all of them. The longest name is the first.
   */
  async mayDeclare(fullName: string): Promise<readonly Dependency[]> {
    const byName = await this.#byName();
    const parts = fullName.split('.');
    return parts.flatMap((_, index) => byName.get(parts.slice(0, -1 - index).join('.')) ?? []);
  }

  /** Of full names, those of what installed ones declare: not others that are called like them. */
  async declaredByInstalled(fullNames: readonly string[]): Promise<ReadonlySet<string>> {
    const installed = new Set<string>();
    for (const fullName of new Set(fullNames)) {
      const those = await this.mayDeclare(fullName);
      const areInstalled = await Promise.all(those.map((library) => this.#isInstalled(library)));
      if (areInstalled.length > 0 && areInstalled.every(Boolean)) installed.add(fullName);
    }
    return installed;
  }

  async #all(): Promise<readonly Dependency[]> {
    const { libraries, rootsOnly } = dependencies(this.#file);
    if (!rootsOnly) return libraries;
    const found = new Map(libraries.map((library) => [library.name, library]));
    // What is found while it runs is looked at, too.
    for (const library of found.values())
      for (const further of summarisedDependencies(readCompiledFile(await this.#fileOf(library))))
        if (!found.has(further.name)) found.set(further.name, further);
    return [...found.values()];
  }

  async #fileOf({ name, digest }: Dependency): Promise<Uint8Array> {
    for await (const bytes of this.#unit.libraryFiles(name))
      if (libraryDigest(bytes) === digest) return bytes;
    throw new QuodError(
      'library-missing',
      `The compiled file of ${name} that is required is not found, or is another by now.`,
      { remedy: 'Compile the project anew, and judge again.' },
    );
  }

  async #isInstalled({ name, digest }: Dependency): Promise<boolean> {
    return (await this.#unit.installedDigest(name)) === digest;
  }
}
