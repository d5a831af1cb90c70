/**
 * Vectors and items of an embedded index in two files that only grow: `records.bin`, a record of fixed size for
 * each, and `items.jsonl`. A record has its vector as 8-bit numbers with a scale, the place of its item, and a
 * checksum over all of these and the item, so that damage is an error and never a wrong neighbour.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { QuodError } from '../../core/errors.ts';
import { DIMENSION } from '../model/model-format.ts';
import type { IndexEntry } from './vector-index.ts';

const SCALE_AT = DIMENSION;
const OFFSET_AT = SCALE_AT + 4;
const LENGTH_AT = OFFSET_AT + 8;
const CHECKSUM_AT = LENGTH_AT + 4;
export const RECORD_BYTES = CHECKSUM_AT + 4;

export interface StoredRecord {
  /** Of length one, but for rounding. */
  readonly vector: Float32Array;
  readonly item: unknown;
}

export class RecordFile {
  readonly #folder: string;
  readonly #records: FileHandle;
  readonly #items: FileHandle;
  /** Both only count what is committed or about to be. */
  #count: number;
  #itemBytes: number;

  private constructor(
    folder: string,
    {
      records,
      items,
      count,
      itemBytes,
    }: {
      readonly records: FileHandle;
      readonly items: FileHandle;
      readonly count: number;
      readonly itemBytes: number;
    },
  ) {
    this.#folder = folder;
    this.#records = records;
    this.#items = items;
    this.#count = count;
    this.#itemBytes = itemBytes;
  }

  /** Opens what a manifest says is there. What stands behind it was never committed; a writer cuts it off. */
  static async open(folder: string, count: number, itemBytes: number, write: boolean): Promise<RecordFile> {
    const flags = write ? (count === 0 ? 'w+' : 'r+') : 'r';
    const opened: FileHandle[] = [];
    try {
      for (const [name, bytes] of [
        ['records.bin', count * RECORD_BYTES],
        ['items.jsonl', itemBytes],
      ] as const) {
        const file = await open(join(folder, name), flags);
        opened.push(file);
        if ((await file.stat()).size < bytes) throw new Error(`${name} is shorter than it was`);
        if (write) await file.truncate(bytes);
      }
    } catch (cause) {
      await Promise.all(opened.map((file) => file.close()));
      throw damagedIndex(folder, cause instanceof Error ? cause.message : String(cause), cause);
    }
    const [records, items] = opened;
    if (records === undefined || items === undefined) throw new Error('Two files were opened.');
    return new RecordFile(folder, { records, items, count, itemBytes });
  }

  get count(): number {
    return this.#count;
  }

  get itemBytes(): number {
    return this.#itemBytes;
  }

  /** Appends and forces to the disk. */
  async append(entries: readonly IndexEntry[]): Promise<void> {
    const items = entries.map(({ item }) => Buffer.from(`${JSON.stringify(item)}\n`));
    const records = Buffer.alloc(entries.length * RECORD_BYTES);
    let offset = this.#itemBytes;
    entries.forEach(({ vector }, at) => {
      const item = items[at] ?? Buffer.alloc(0);
      const record = records.subarray(at * RECORD_BYTES, (at + 1) * RECORD_BYTES);
      const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
      for (let place = 0; place < DIMENSION; place += 1)
        record.writeInt8(Math.round(((vector[place] ?? 0) / largest) * 127), place);
      record.writeFloatLE(largest / 127, SCALE_AT);
      record.writeDoubleLE(offset, OFFSET_AT);
      record.writeUInt32LE(item.length, LENGTH_AT);
      record.writeUInt32LE(checksum(record, item), CHECKSUM_AT);
      offset += item.length;
    });
    await this.#items.write(Buffer.concat(items), 0, null, this.#itemBytes);
    await this.#records.write(records, 0, null, this.#count * RECORD_BYTES);
    await Promise.all([this.#items.datasync(), this.#records.datasync()]);
    this.#count += entries.length;
    this.#itemBytes = offset;
  }

  /** Forgets what was appended behind the first `count` records. */
  rewind(count: number, itemBytes: number): void {
    this.#count = count;
    this.#itemBytes = itemBytes;
  }

  /** @throws QuodError `file-unreadable` when it is not what was written. */
  async read(number: number): Promise<StoredRecord> {
    const [record] = await this.readMany(number, 1);
    if (record === undefined) throw this.#damaged(number);
    return record;
  }

  /** Records that stand behind each other. @throws QuodError `file-unreadable` when one is not what was written. */
  async readMany(first: number, count: number): Promise<StoredRecord[]> {
    if (first + count > this.#count) throw this.#damaged(this.#count);
    const records = Buffer.alloc(count * RECORD_BYTES);
    await this.#records.read(records, 0, records.length, first * RECORD_BYTES);
    const at = (place: number): Buffer => records.subarray(place * RECORD_BYTES, (place + 1) * RECORD_BYTES);
    const start = count === 0 ? 0 : at(0).readDoubleLE(OFFSET_AT);
    const end =
      count === 0 ? 0 : at(count - 1).readDoubleLE(OFFSET_AT) + at(count - 1).readUInt32LE(LENGTH_AT);
    // A damaged record may name any place.
    if (!(Number.isSafeInteger(start) && start >= 0 && end >= start && end <= this.#itemBytes))
      throw this.#damaged(first);
    const items = Buffer.alloc(end - start);
    await this.#items.read(items, 0, items.length, start);
    return Array.from({ length: count }, (_, place) => {
      const record = at(place);
      const offset = record.readDoubleLE(OFFSET_AT) - start;
      const item = items.subarray(offset, offset + record.readUInt32LE(LENGTH_AT));
      if (checksum(record, item) !== record.readUInt32LE(CHECKSUM_AT)) throw this.#damaged(first + place);
      return { vector: vectorOf(record), item: JSON.parse(item.toString('utf8')) as unknown };
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#records.close(), this.#items.close()]);
  }

  #damaged(number: number): QuodError {
    return damagedIndex(this.#folder, `record ${number} is not what was written`);
  }
}

function checksum(record: Buffer, item: Buffer): number {
  return crc32(item, crc32(record.subarray(0, CHECKSUM_AT)));
}

function vectorOf(record: Buffer): Float32Array {
  const scale = record.readFloatLE(SCALE_AT);
  const vector = new Float32Array(DIMENSION);
  for (let place = 0; place < DIMENSION; place += 1) vector[place] = record.readInt8(place) * scale;
  return vector;
}

export function damagedIndex(folder: string, what: string, cause?: unknown): QuodError {
  return new QuodError('file-unreadable', `The vector index is damaged: ${what}.`, {
    place: { file: folder },
    remedy: 'Delete the folder and build the index again.',
    cause,
  });
}
