/**
 * Keeps memory images of Coq with libraries loaded, so that the next start need not load them again. One file per
 * image, written to a temporary name and renamed, so that concurrent processes and crashes leave whole files or
 * none. A file that is not what it says counts as absent. The least recently used images go when the folder is full.
 *
 * A file is: a magic line; the length of the header as a 32-bit number; the header in JSON; the image, compressed.
 */
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { z } from 'zod';
import { sha256 } from '../../../core/sha256.ts';
import { markUsed, removeUnused, writeWholeFile } from '../../../process/whole-file.ts';

const DiagnosticSchema = z.object({
  severity: z.enum(['error', 'warning', 'notice', 'info', 'debug']),
  message: z.string(),
  span: z.object({ start: z.number(), end: z.number() }).exactOptional(),
});

const HeaderSchema = z.object({
  fingerprint: z.string(),
  sentences: z.array(z.object({ id: z.number(), text: z.string(), messages: z.array(DiagnosticSchema) })),
  imageBytes: z.number(),
  packedBytes: z.number(),
  packing: z.enum(['none', 'zstd']),
  crc: z.number(),
});

type Header = z.infer<typeof HeaderSchema>;

export type SnapshotSentence = Header['sentences'][number];

/** An image on disk: `sentences` are what was executed, in order, with the ids that Coq knows them by. */
export type Snapshot = Readonly<Header> & {
  readonly file: string;
  /** Where the packed image begins in the file. */
  readonly start: number;
};

const MAGIC = Buffer.from('QUOD-ROCQ-IMAGE 1\n');
const SUFFIX = '.image';
const LONGEST_HEADER = 1 << 24;
const STALE_TEMPORARY_MS = 3_600_000;

/** zstd came with Node 22.15; images are kept as they are before. */
const canPack = typeof (zlib as Partial<typeof zlib>).zstdCompress === 'function';

async function pack(image: Uint8Array): Promise<Uint8Array> {
  if (!canPack) return image;
  const fastest = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } };
  return promisify<Uint8Array, zlib.ZstdOptions, Buffer>(zlib.zstdCompress)(image, fastest);
}

export class SnapshotStore {
  readonly #folder: string;
  readonly #capacity: number;

  /** `owner` names everything that decides what the images mean: two owners share none. */
  constructor(root: string, owner: string, capacityBytes = 1 << 30) {
    this.#folder = join(root, `embedded-rocq-${sha256(owner).slice(0, 16)}`);
    this.#capacity = capacityBytes;
  }

  /** The most recently used image whose sentences begin with these, or undefined. */
  async find(sentences: readonly string[]): Promise<Snapshot | undefined> {
    let best: { readonly snapshot: Snapshot; readonly used: number } | undefined;
    for (const { file, used } of await this.#files()) {
      if (best && best.used >= used) continue;
      const snapshot = await this.#open(file);
      if (snapshot && sentences.every((text, index) => snapshot.sentences[index]?.text === text))
        best = { used, snapshot };
    }
    return best?.snapshot;
  }

  /** The image of exactly these sentences, or undefined. */
  async findExact(sentences: readonly string[]): Promise<Snapshot | undefined> {
    const snapshot = await this.#open(this.#fileFor(sentences));
    return snapshot?.sentences.length === sentences.length ? snapshot : undefined;
  }

  /** Says that an image was of use, which keeps it from being the next to go. */
  async touch(snapshot: Snapshot): Promise<void> {
    await markUsed(snapshot.file);
  }

  async discard(snapshot: Snapshot): Promise<void> {
    await rm(snapshot.file, { force: true }).catch(() => undefined);
  }

  /** Keeps an image. Failing to (no space, no permission) is no error: the next start is slower. */
  async write(fingerprint: string, sentences: readonly SnapshotSentence[], image: Uint8Array): Promise<void> {
    try {
      const packed = await pack(image);
      const header: Header = {
        fingerprint,
        sentences: [...sentences],
        imageBytes: image.length,
        packedBytes: packed.length,
        packing: canPack ? 'zstd' : 'none',
        crc: zlib.crc32(packed),
      };
      const text = Buffer.from(JSON.stringify(header));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      const file = this.#fileFor(sentences.map((sentence) => sentence.text));
      await writeWholeFile(file, [MAGIC, length, text, packed]);
      await removeUnused(this.#folder, SUFFIX, this.#capacity);
    } catch {
      // As said above.
    }
  }

  #fileFor(sentences: readonly string[]): string {
    const name = sha256(JSON.stringify(sentences)).slice(0, 32);
    return join(this.#folder, name + SUFFIX);
  }

  async #open(file: string): Promise<Snapshot | undefined> {
    try {
      const opened = await open(file);
      try {
        const header = await readHeader(opened);
        return header && { ...header.fields, file, start: header.end };
      } finally {
        await opened.close();
      }
    } catch {
      return undefined;
    }
  }

  async #files(): Promise<readonly { readonly file: string; readonly used: number }[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const files: { readonly file: string; readonly used: number }[] = [];
    for (const name of names) {
      const file = join(this.#folder, name);
      const status = await stat(file).catch(() => undefined);
      if (!status) continue;
      if (name.endsWith(SUFFIX)) files.push({ file, used: status.mtimeMs });
      else if (Date.now() - status.mtimeMs > STALE_TEMPORARY_MS) await rm(file, { force: true });
    }
    return files;
  }
}

async function readHeader(
  file: Awaited<ReturnType<typeof open>>,
): Promise<{ readonly fields: Header; readonly end: number } | undefined> {
  const start = Buffer.alloc(MAGIC.length + 4);
  await file.read(start, 0, start.length, 0);
  if (!start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const length = start.readUInt32LE(MAGIC.length);
  if (length > LONGEST_HEADER) return undefined;
  const text = Buffer.alloc(length);
  await file.read(text, 0, length, start.length);
  let content: unknown;
  try {
    content = JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
  const parsed = HeaderSchema.safeParse(content);
  return parsed.success ? { fields: parsed.data, end: start.length + length } : undefined;
}
