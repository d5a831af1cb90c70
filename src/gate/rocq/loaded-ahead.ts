/**
 * Has the libraries of a target loaded by those who will be asked about a submission, while there is none yet. Nothing rests on
 * it: what was loaded is taken only where the submission was compiled with the same libraries, and whoever reads a compiled
 * file refuses one that was compiled with others than it has loaded. What does not go well is done again in the usual way.
 */
import { readCompiledFile, type CompiledFile } from './compiled/compiled-file.ts';
import { dependencies, type Dependency } from './compiled/compiled-library.ts';
import { limitsOf, type JudgeSettings } from './judgement.ts';
import type { CompileRequest, LoadedAhead } from './backends/judge-backend.ts';
import { compiledOnce } from './reference-cache.ts';
import type { ReferenceResult } from './reference-result.ts';

/** The name of the library that requires those of a target. */
const LOADER = 'quod_libraries';

export class LibrariesAhead {
  readonly #stop = new AbortController();
  #loaded: { readonly libraries: readonly Dependency[]; readonly ahead: LoadedAhead } | undefined;

  /** @param target what has the libraries, when it is compiled. */
  constructor(
    target: Promise<ReferenceResult | undefined>,
    request: Pick<CompileRequest, 'path' | 'moduleName'>,
    settings: JudgeSettings,
  ) {
    this.#load(target, request, settings).catch(() => undefined);
  }

  /** What was begun for a compiled submission, if it is there by now and the submission has the same libraries. */
  for(submission: CompiledFile): LoadedAhead | undefined {
    if (this.#loaded === undefined) return undefined;
    const digests = new Map(dependencies(submission).libraries.map(({ name, digest }) => [name, digest]));
    const { libraries, ahead } = this.#loaded;
    if (libraries.every(({ name, digest }) => digests.get(name) === digest)) return ahead;
    this.end();
    return undefined;
  }

  end(): void {
    this.#stop.abort();
    this.#loaded?.ahead.end();
  }

  async #load(
    target: Promise<ReferenceResult | undefined>,
    { path, moduleName }: Pick<CompileRequest, 'path' | 'moduleName'>,
    settings: JudgeSettings,
  ): Promise<void> {
    const { backend, project, policy } = settings;
    const loadAhead = backend.loadAhead?.bind(backend);
    const result = await target;
    if (result?.status !== 'compiled' || loadAhead === undefined || moduleName === LOADER) return;
    const wanted = dependencies(result.reference.file).libraries;
    const libraries = wanted.map(({ name }) => name);
    const { signal } = this.#stop;
    const limits = limitsOf({ ...settings, signal, givesWay: true });
    const text = `${libraries.map((name) => `Require ${name}.`).join('\n')}\n`;
    const loader = { path, moduleName: LOADER, project, limits, text };
    const compiled = await compiledOnce(loader, settings, { libraries: JSON.stringify(wanted) });
    if (compiled.status !== 'compiled' || signal.aborted) return;
    const { bytes } = compiled.unit;
    this.#loaded = {
      libraries: dependencies(readCompiledFile(bytes)).libraries,
      ahead: loadAhead({
        ...{ moduleName, project, libraries, limits: limitsOf({ ...settings, signal }) },
        loader: { moduleName: LOADER, bytes },
        isRechecked: policy?.recheck !== 'never' && !project.arguments.includes('-type-in-type'),
      }),
    };
  }
}
