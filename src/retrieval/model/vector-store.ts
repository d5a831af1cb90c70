/**
 * Vectors that were made once are not made again: in memory by the text of the goal, and for a collection as a whole on
 * disk, named by the model and the texts. A stored file that is cut short or was changed reads as absent.
 */
import { join } from 'node:path';
import { sha256 } from '../../core/sha256.ts';
import { entryAt } from '../../core/entry.ts';
import type { Goal } from '../../core/proof-state.ts';
import { readSealedFile, writeSealedFile } from '../../process/whole-file.ts';
import type { Encoder } from './encoder.ts';
import { DIMENSION } from './model-format.ts';
import { encoderText } from './tokenizer.ts';
import type { VectorSource } from './vector-source.ts';

/** A kilobyte each. */
const KEPT = 20_000;
/** Smaller collections are made again faster than they are read. */
const STORED_FROM = 8;
const VECTOR_BYTES = DIMENSION * Float32Array.BYTES_PER_ELEMENT;

export class VectorStore implements VectorSource {
  readonly #encoder: Pick<Encoder, 'card' | 'encode'>;
  readonly #folder: string | undefined;
  readonly #kept = new Map<string, Float32Array>();

  /** @param cacheDirectory Where to store; undefined: nowhere. */
  constructor(encoder: Pick<Encoder, 'card' | 'encode'>, cacheDirectory: string | undefined) {
    this.#encoder = encoder;
    this.#folder =
      cacheDirectory === undefined ? undefined : join(cacheDirectory, 'vectors-1', this.model.slice(0, 16));
  }

  /** `model_sha256` of the model whose vectors these are. */
  get model(): string {
    return this.#encoder.card.model_sha256;
  }

  async vectors(goals: readonly Goal[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    const texts = goals.map(encoderText);
    const missing = goals.filter((_, at) => !this.#kept.has(entryAt(texts, at, 'text')));
    if (missing.length === 0) return this.#known(texts);
    const path = goals.length < STORED_FROM ? undefined : this.#pathOf(texts);
    const stored = path === undefined ? undefined : await readStored(path, goals.length);
    if (stored !== undefined) {
      this.#keep(texts, stored);
      return stored;
    }
    const made = await this.#encoder.encode(missing, signal);
    const fresh = new Map(missing.map((goal, at) => [encoderText(goal), made[at] ?? NOTHING] as const));
    const all = texts.map((text) => fresh.get(text) ?? this.#kept.get(text) ?? NOTHING);
    this.#keep(texts, all);
    // What cannot be stored is made again next time.
    if (path !== undefined) await writeStored(path, all).catch(() => undefined);
    return all;
  }

  #known(texts: readonly string[]): Float32Array[] {
    return texts.map((text) => this.#kept.get(text) ?? NOTHING);
  }

  #keep(texts: readonly string[], vectors: readonly Float32Array[]): void {
    if (this.#kept.size + texts.length > KEPT) this.#kept.clear();
    texts.slice(0, KEPT).forEach((text, at) => this.#kept.set(text, vectors[at] ?? NOTHING));
  }

  #pathOf(texts: readonly string[]): string | undefined {
    if (this.#folder === undefined) return undefined;
    const name = sha256(texts.join('\0')).slice(0, 40);
    return join(this.#folder, `${name}.f32`);
  }
}

const NOTHING = new Float32Array(DIMENSION);

async function readStored(path: string, count: number): Promise<Float32Array[] | undefined> {
  const vectors = await readSealedFile(path);
  if (vectors?.length !== count * VECTOR_BYTES) return undefined;
  const numbers = new Float32Array(
    vectors.buffer.slice(vectors.byteOffset, vectors.byteOffset + vectors.length),
  );
  return Array.from({ length: count }, (_, at) => numbers.slice(at * DIMENSION, (at + 1) * DIMENSION));
}

async function writeStored(path: string, vectors: readonly Float32Array[]): Promise<void> {
  const parts = vectors.map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  await writeSealedFile(path, ...parts);
}
