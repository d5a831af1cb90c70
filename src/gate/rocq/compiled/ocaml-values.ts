/**
 * Reads what OCaml's `Marshal` wrote: the format of the segments of a compiled Rocq file.
 *
 * Promise: total on any bytes (a malformed input throws `MalformedValue`, one with too many parts `TooLarge`, it never
 * loops nor reads outside), keeps the sharing of the original, needs no stack. The format is that of OCaml 4.x and 5.x (`runtime/intern.c`), without
 * compression and closures, which compiled files do not have.
 */

/** A block. Strings are kept as Latin-1, one character a byte, so that different bytes stay different. */
export class Block {
  readonly tag: number;
  readonly fields: OcamlValue[];

  constructor(tag: number, fields: OcamlValue[]) {
    this.tag = tag;
    this.fields = fields;
  }
}

/** A float or a custom block (`int64`, …) by its bytes. */
export class Opaque {
  readonly bytes: string;

  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

export type OcamlValue = number | bigint | string | Block | Opaque;

/** Every block in values, once. */
export function* blocksIn(...roots: OcamlValue[]): Generator<Block> {
  const seen = new Set<Block>();
  for (let value = roots.pop(); value !== undefined; value = roots.pop()) {
    if (!(value instanceof Block) || seen.has(value)) continue;
    seen.add(value);
    yield value;
    // One by one: an array can have more elements than a call may have arguments.
    for (const part of value.fields) if (part instanceof Block) roots.push(part);
  }
}

export class MalformedValue extends Error {
  override readonly name = 'MalformedValue';
}

/** What may be right, and is more than may be looked at. */
export class TooLarge extends Error {
  override readonly name: string = 'TooLarge';
}

/** Blocks and strings of a value: a few bytes of a file can be a hundred in memory. Debian's libraries have at most 0.7 million. */
const MOST_OBJECTS = 5_000_000;

const SMALL_MAGIC = 0x8495a6be;
const BIG_MAGIC = 0x8495a6bf;
/** Sizes of the custom blocks that may occur, by identifier. */
const CUSTOM_SIZES = new Map([
  ['_j', 8],
  ['_i', 4],
]);

class Reader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #take(size: number): number {
    const start = this.at;
    if (!(size >= 0) || start + size > this.#bytes.length) throw new MalformedValue('the value is cut off');
    this.at = start + size;
    return start;
  }

  unsigned8 = (): number => this.#view.getUint8(this.#take(1));
  unsigned16 = (): number => this.#view.getUint16(this.#take(2));
  unsigned32 = (): number => this.#view.getUint32(this.#take(4));
  signed8 = (): number => this.#view.getInt8(this.#take(1));
  signed16 = (): number => this.#view.getInt16(this.#take(2));
  signed32 = (): number => this.#view.getInt32(this.#take(4));
  signed64(): number | bigint {
    const value = this.#view.getBigInt64(this.#take(8));
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }
  size64(): number {
    const value = this.signed64();
    if (typeof value !== 'number' || value < 0) throw new MalformedValue('a size is out of range');
    return value;
  }
  get left(): number {
    return this.#bytes.length - this.at;
  }
  latin1(size: number): string {
    const start = this.#take(size);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, size).toString('latin1');
  }
  zeroTerminated(): string {
    let text = '';
    for (let code = this.unsigned8(); code !== 0; code = this.unsigned8()) text += String.fromCharCode(code);
    return text;
  }
}

/** The value at the start of `bytes`. @throws MalformedValue, TooLarge */
export function readOcamlValue(bytes: Uint8Array): OcamlValue {
  const reader = new Reader(bytes);
  const magic = reader.unsigned32();
  if (magic === SMALL_MAGIC) reader.at += 16;
  else if (magic === BIG_MAGIC) reader.at += 28;
  else throw new MalformedValue('not a marshalled OCaml value');

  const objects: OcamlValue[] = [];
  const root: OcamlValue[] = [];
  /** The blocks whose fields are being filled, how many each has, and how many it will have. */
  const open: { readonly fields: OcamlValue[]; filled: number; readonly size: number }[] = [
    { fields: root, filled: 0, size: 1 },
  ];
  /** How many fields are still to be filled, each by a byte at least. */
  let awaited = 1;

  const remember = <Value extends OcamlValue>(value: Value): Value => {
    if (objects.length >= MOST_OBJECTS) throw new TooLarge('A compiled file holds too much to be looked at.');
    objects.push(value);
    return value;
  };
  const shared = (distance: number): OcamlValue => {
    const value = objects[objects.length - distance];
    if (value === undefined) throw new MalformedValue('a shared value points outside');
    return value;
  };
  const block = (tag: number, size: number): Block => {
    awaited += size;
    if (awaited > reader.left + 1) throw new MalformedValue('the value is cut off');
    const value = new Block(tag, new Array<OcamlValue>(size));
    if (size > 0) {
      remember(value);
      open.push({ fields: value.fields, filled: 0, size });
    }
    return value;
  };
  const next = (): OcamlValue => {
    const code = reader.unsigned8();
    if (code >= 0x80) return block(code & 0xf, (code >> 4) & 0x7);
    if (code >= 0x40) return code & 0x3f;
    if (code >= 0x20) return remember(reader.latin1(code & 0x1f));
    switch (code) {
      case 0x00:
        return reader.signed8();
      case 0x01:
        return reader.signed16();
      case 0x02:
        return reader.signed32();
      case 0x03:
        return reader.signed64();
      case 0x04:
        return shared(reader.unsigned8());
      case 0x05:
        return shared(reader.unsigned16());
      case 0x06:
        return shared(reader.unsigned32());
      case 0x14:
        return shared(reader.size64());
      case 0x08: {
        const header = reader.unsigned32();
        return block(header & 0xff, header >>> 10);
      }
      case 0x13: {
        const header = reader.size64();
        return block(header % 256, Math.floor(header / 1024));
      }
      case 0x09:
        return remember(reader.latin1(reader.unsigned8()));
      case 0x0a:
        return remember(reader.latin1(reader.unsigned32()));
      case 0x15:
        return remember(reader.latin1(reader.size64()));
      case 0x0b:
      case 0x0c:
        return remember(new Opaque(`float${String(code)}:${reader.latin1(8)}`));
      case 0x0d:
      case 0x0e:
        return remember(new Opaque(`floats${String(code)}:${reader.latin1(8 * reader.unsigned8())}`));
      case 0x12:
      case 0x19: {
        const identifier = reader.zeroTerminated();
        const size = CUSTOM_SIZES.get(identifier);
        if (size === undefined) throw new MalformedValue(`unknown custom block ${identifier}`);
        return remember(new Opaque(`${identifier}:${reader.latin1(size)}`));
      }
      case 0x18: {
        const identifier = reader.zeroTerminated();
        reader.at += 4;
        return remember(new Opaque(`${identifier}:${reader.latin1(reader.size64())}`));
      }
      default:
        throw new MalformedValue(`unknown code 0x${code.toString(16)}`);
    }
  };

  for (;;) {
    const top = open.at(-1);
    if (top === undefined) break;
    if (top.filled === top.size) open.pop();
    else {
      // The value is stored before its own fields are read: `next` may have opened a block above `top`.
      top.fields[top.filled] = next();
      top.filled += 1;
      awaited -= 1;
    }
  }
  const value = root[0];
  if (value === undefined) throw new MalformedValue('no value');
  return value;
}
