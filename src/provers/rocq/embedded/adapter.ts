/**
 * The prover port over the Rocq that runs inside Node: jsCoq's, one thread for each session. Sessions share what is
 * compiled in this process, and memory images of loaded libraries through the cache folder.
 */
import { join } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import type { ProverCapabilities, ProverIdentity, SessionContext } from '../../../core/prover.ts';
import { cacheDirectory } from '../../../process/cache-directory.ts';
import type { RocqAdapter } from '../driver.ts';
import { findJscoq, shippedLibraries, type JscoqInstallation } from './installation.ts';
import { readArchived } from './package-archive.ts';
import { FailedSentence, ProjectLibrary, type CompileModule } from './project-library.ts';
import { SnapshotStore } from './snapshot-store.ts';
import type { Command } from './thread-protocol.ts';
import { CoqThread } from './thread.ts';
import { EmbeddedDriver } from './driver.ts';

export interface EmbeddedRocqOptions {
  /**
   * Where memory images are kept; false: nowhere, every session loads its libraries. Default {@link
   * cacheDirectory}.
   */
  readonly cache?: string | false;
}

/** The name of the module that a session's sentences are in. */
const TOP = 'Top';
/** Changes when images written by an earlier Quod must not be used. */
const IMAGE_GENERATION = 1;

/** True when {@link createEmbeddedRocq} would find its package. */
export function findEmbeddedRocq(): boolean {
  return findJscoq() !== undefined;
}

/** Starts nothing yet. @throws QuodError `prover-missing` when the package `jscoq` is not installed. */
export function createEmbeddedRocq(options: EmbeddedRocqOptions = {}): Promise<EmbeddedRocq> {
  const installation = findJscoq();
  return installation
    ? Promise.resolve(new EmbeddedRocq(installation, options))
    : Promise.reject(
        new QuodError('prover-missing', 'The npm package `jscoq` (the embedded Rocq) is not installed.', {
          remedy: 'npm install jscoq@0.17.1, or install Rocq itself.',
        }),
      );
}

/** Also makes documents whose module is compiled to a file. */
export class EmbeddedRocq implements RocqAdapter {
  readonly identity: ProverIdentity;
  readonly capabilities: ProverCapabilities = {
    interrupt: 'in-process',
    backgroundGoals: true,
    installedLibraries: false,
  };
  readonly #installation: JscoqInstallation;
  readonly #store: SnapshotStore | undefined;
  readonly #opening: (topName: string) => readonly Command[];
  readonly #modules: string | undefined;
  readonly #cache: string | false;
  #shipped: ReturnType<typeof shippedLibraries> | undefined;

  constructor(installation: JscoqInstallation, options: EmbeddedRocqOptions) {
    const { root, version, rocqVersion } = installation;
    this.#installation = installation;
    this.identity = { prover: 'rocq', backend: 'embedded', version: rocqVersion, location: root };
    const loadPath = shippedLoadPath(root);
    this.#opening = (topName) => [
      ['Init', { implicit_libs: true, lib_path: loadPath }],
      ['NewDoc', { top_name: topName, lib_init: ['Coq.Init.Prelude'] }],
    ];
    const { cache = cacheDirectory() } = options;
    this.#cache = cache;
    const owner = JSON.stringify([IMAGE_GENERATION, version, this.#opening(TOP)]);
    this.#store = cache === false ? undefined : new SnapshotStore(cache, owner);
    this.#modules = cache === false ? undefined : join(cache, `embedded-rocq-modules-${version}`);
  }

  sourceFor(context: SessionContext): ReturnType<RocqAdapter['sourceFor']> {
    const library = this.projectLibrary(context);
    return Promise.resolve({
      start: async ({ signal }) =>
        EmbeddedDriver.start(await this.#thread(context, signal), {
          opening: this.#opening(TOP),
          store: this.#store,
          library,
        }),
    });
  }

  #thread({ memoryLimit }: SessionContext, signal: AbortSignal | undefined): Promise<CoqThread> {
    return CoqThread.start(this.#installation, {
      ...(signal && { signal }),
      ...(memoryLimit !== undefined && { memoryLimit }),
    });
  }

  /** The files of the project that a file is of. */
  projectLibrary(context: SessionContext): ProjectLibrary {
    const compile: CompileModule = async (module, sentences, signal) => {
      const driver = await EmbeddedDriver.start(await this.#thread(context, signal), {
        opening: this.#opening(module.name),
        library,
      });
      const stop = (): void => void driver.kill();
      signal.addEventListener('abort', stop);
      try {
        let tip = driver.root;
        for (const [index, sentence] of sentences.entries()) {
          const answer = await driver.execute(tip, sentence, false);
          if (answer.status === 'failed') throw new FailedSentence(index, answer.error.message);
          if (answer.status === 'interrupted')
            throw new QuodError('interrupted', 'The compilation was stopped.');
          if (answer.status === 'lost') throw new QuodError(answer.reason, answer.message);
          tip = answer.place;
        }
        const compiled = await driver.compiledFile();
        if (!compiled) throw new QuodError('prover-crashed', `${module.name} could not be compiled.`);
        return compiled;
      } finally {
        signal.removeEventListener('abort', stop);
        await driver.kill();
      }
    };
    const library = new ProjectLibrary(context.file, compile, this.#modules);
    return library;
  }

  /**
   * A document of its own, in which the sentences are those of the module `topName`. It shares memory images with other
   * documents opened here only, all of which begin the same way.
   */
  async openDocument(
    topName: string,
    context: SessionContext,
  ): Promise<{ readonly driver: EmbeddedDriver; readonly identity: ProverIdentity }> {
    const opening = this.#opening(topName);
    const driver = await EmbeddedDriver.start(await this.#thread(context, context.signal), {
      opening,
      library: this.projectLibrary(context),
      store: this.#documents(opening),
    });
    return { driver, identity: this.identity };
  }

  #documents(opening: readonly Command[]): SnapshotStore | undefined {
    if (this.#cache === false) return undefined;
    return new SnapshotStore(
      join(this.#cache, 'documents'),
      JSON.stringify([IMAGE_GENERATION, this.identity, opening]),
    );
  }

  /** A file of the libraries that come with it, by its logical name (`Coq.Lists.List`). */
  libraryFile(name: string): Uint8Array | undefined {
    const file = this.#shippedFile(name);
    return file && readArchived(file);
  }

  /** Whether a library comes with it. */
  ships(name: string): boolean {
    return this.#shippedFile(name) !== undefined;
  }

  #shippedFile(name: string) {
    this.#shipped ??= shippedLibraries(this.#installation.root);
    return this.#shipped.get(`${name.replaceAll('.', '/')}.vo`);
  }
}

/** Every folder with libraries under its logical name, visible by short names as Coq's own libraries are. */
function shippedLoadPath(root: string): readonly Command[] {
  const folders = new Set<string>();
  for (const file of shippedLibraries(root).keys()) folders.add(file.slice(0, file.lastIndexOf('/')));
  return [...folders].sort().map((folder) => [folder.split('/'), [`/lib/${folder}`, '.']]);
}
