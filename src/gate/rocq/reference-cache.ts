/**
 * Compiled targets, kept in a folder by all that they depend on: text, prover, project, every library file that the
 * prover could find, and every other file that the text could have it read. A submission never writes here: what is kept was compiled from a target, in a sandbox.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../core/sha256.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../process/foreign-folder/regular-file.ts';
import { unsealed, writeSealedFile } from '../../process/whole-file.ts';
import { libraryFingerprint } from './library-fingerprint.ts';
import type { CompiledUnit, CompileRequest, CompileResult, JudgeBackend } from './provers/judge-backend.ts';

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
    const found =
      libraries ??
      (await libraryFingerprint(await this.#backend.libraryPlaces(request.project), request.text));
    return found === undefined ? undefined : this.#pathOf(request, found);
  }

  /** Undefined where there is none, or one that is not whole. */
  async get(request: CompileRequest, path: string): Promise<CompiledUnit | undefined> {
    let content: Buffer;
    try {
      content = await readRegularFile(path, LARGEST_WRITTEN_BYTES);
    } catch {
      return undefined;
    }
    const bytes = unsealed(content);
    if (bytes === undefined) return undefined;
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
    return this.#backend.unitOf(request, bytes);
  }

  /** Failing to keep it (no space, no permission) is no error: it is compiled again the next time. */
  async put(path: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeSealedFile(path, bytes);
      await this.#evict();
    } catch {
      // As said above.
    }
  }

  /** Without a sandbox, code of some submission could have written to the folder before. */
  async #couldBeForged(): Promise<boolean> {
    return (await this.#backend.isolation()) === 'none';
  }

  async #pathOf({ moduleName, project, text }: CompileRequest, libraries: string): Promise<string> {
    const { loadPath, ocamlPath, arguments: options } = project;
    const { name } = this.#backend;
    const version = await this.#backend.version();
    const all = [GENERATION, name, version, moduleName, loadPath, ocamlPath, options, libraries, text];
    const key = sha256(JSON.stringify(all));
    return join(this.#folder, key + SUFFIX);
  }

  async #evict(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(SUFFIX));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= this.#capacity) return;
      await rm(path, { force: true });
      total -= size;
    }
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
  if (result.status === 'compiled') await references.put(place, result.unit.bytes);
  return result;
}
