/**
 * Compiled targets, kept in a folder by all that they depend on: text, prover, project, every library file that the
 * prover could find, and every other file that the text could have it read. A submission never writes here: what is kept was compiled from a target, in a sandbox.
 * So is what the prover's checker says of a target's libraries.
 */
import { join } from 'node:path';
import { sha256 } from '../../core/sha256.ts';
import { markUsed, readSealedFile, removeUnused, writeSealedFile } from '../../process/whole-file.ts';
import { libraryFingerprint } from './library-fingerprint.ts';
import type { CompiledUnit, CompileRequest, CompileResult, JudgeBackend } from './backends/judge-backend.ts';

/** Changes when what was kept by an earlier Quod must not be used. */
const GENERATION = 3;
const CAPACITY_BYTES = 256 * 1024 ** 2;
const SUFFIX = '.vo';

export class ReferenceCache {
  readonly #folder: string;
  readonly #backend: JudgeBackend;
  readonly #capacity: number;

  constructor(folder: string, backend: JudgeBackend, capacityBytes = CAPACITY_BYTES) {
    this.#folder = folder;
    this.#backend = backend;
    this.#capacity = capacityBytes;
  }

  /**
   * Where a target is kept, as the libraries are now: asked before it is compiled. Undefined where none is kept.
   * @param libraries what stands for them; default: all files that the prover could read for the text
   */
  async placeOf(request: CompileRequest, libraries?: string): Promise<string | undefined> {
    if (await this.#couldBeForged()) return undefined;
    const { moduleName, project, text } = request;
    const { loadPath, ocamlPath, arguments: options } = project;
    const found = libraries ?? (await libraryFingerprint(await this.#backend.libraryPlaces(project), text));
    if (found === undefined) return undefined;
    return this.#placeBy(moduleName, loadPath, ocamlPath, options, found, text);
  }

  /** Where an answer of the prover about files of the target is kept, by all that it depends on. Undefined where none is kept. */
  async placeOfAnswer(on: readonly string[]): Promise<string | undefined> {
    return (await this.#couldBeForged()) ? undefined : this.#placeBy('answer', ...on);
  }

  /** Undefined where there is none, or one that is not whole. */
  async get(request: CompileRequest, path: string): Promise<CompiledUnit | undefined> {
    const bytes = await this.read(path);
    return bytes && this.#backend.unitOf(request, bytes);
  }

  /** As `get`, of whatever is kept. */
  async read(path: string): Promise<Uint8Array | undefined> {
    const bytes = await readSealedFile(path);
    if (bytes !== undefined) await markUsed(path);
    return bytes;
  }

  /**
   * Failing to keep it (no space, no permission) is no error: it is compiled again the next time. Who puts something makes
   * room afterwards ({@link makeRoom}).
   */
  async put(path: string, bytes: Uint8Array): Promise<void> {
    await writeSealedFile(path, bytes).catch(() => undefined);
  }

  /** It looks at all that is kept: once behind many that are put, and so not behind each that is `put` alone. */
  async makeRoom(put?: { readonly path: string; readonly size: number }): Promise<void> {
    await removeUnused(this.#folder, SUFFIX, this.#capacity, put).catch(() => undefined);
  }

  /** Without a sandbox, code of some submission could have written to the folder before. */
  async #couldBeForged(): Promise<boolean> {
    return (await this.#backend.isolation()) === 'none';
  }

  async #placeBy(...on: readonly unknown[]): Promise<string> {
    const all = [GENERATION, this.#backend.name, await this.#backend.version(), ...on];
    return join(this.#folder, sha256(JSON.stringify(all)) + SUFFIX);
  }
}

/**
 * What was kept of an earlier compilation of the request, else what one comes to now, which is kept.
 * @param libraries as of {@link ReferenceCache.placeOf}
 */
export async function compiledOnce(
  request: CompileRequest,
  { backend, references }: { readonly backend: JudgeBackend; readonly references?: ReferenceCache },
  { libraries, useKept = true }: { readonly libraries?: string; readonly useKept?: boolean } = {},
): Promise<CompileResult> {
  const place = await references?.placeOf(request, libraries);
  if (references === undefined || place === undefined) return backend.compile(request);
  const kept = useKept ? await references.get(request, place) : undefined;
  if (kept !== undefined) return { status: 'compiled', unit: kept };
  const result = await backend.compile(request);
  if (result.status !== 'compiled') return result;
  await references.put(place, result.unit.bytes);
  await references.makeRoom({ path: place, size: result.unit.bytes.length });
  return result;
}
