/**
 * The objects of a compiled module as they lie in its files: constructors, arrays, strings and numbers that point
 * to each other by absolute address. Nothing is believed: every pointer must be aligned, point behind a header into
 * one of the module's parts, and backwards, since Lean writes children before parents; so there are no cycles.
 * Every tag, size and count is checked before it is used. An object is named by its address, which is unique over
 * the parts.
 */
import type { FileBytes } from './file-bytes.ts';
import { type OleanHeader, readOleanHeader } from './header.ts';
import { malformed } from './malformed.ts';
import type { QuodError } from '../../../core/errors.ts';
import { at } from '../at.ts';

declare const objectBrand: unique symbol;
declare const slotBrand: unique symbol;

/** Where an object begins; only a pointer that was checked gives one. */
export type ObjectAddress = number & { readonly [objectBrand]: true };
/** Where a word lies that holds a scalar or points to an object. */
export type Slot = number & { readonly [slotBrand]: true };

export const MAX_CONSTRUCTOR_TAG = 243;
const TAGS = {
  array: 246,
  scalarArray: 248,
  string: 249,
  bigNumber: 250,
  thunk: 251,
  task: 252,
  reference: 253,
} as const;

interface Part {
  readonly file: FileBytes;
  readonly header: OleanHeader;
  readonly start: number;
  readonly end: number;
}

/** A boxed scalar is at most 63 bits; larger naturals are objects. */
const LARGEST_BOXED = (1n << 63n) - 1n;
const ARRAY_HEADER = 24;
const STRING_HEADER = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class ObjectGraph {
  readonly #parts: readonly Part[];
  #last: Part;
  /** Slot of the last part's root pointer: it sees all parts. */
  readonly rootSlot: Slot;

  /** The files of one module, in the order `.olean`, `.olean.server`, `.olean.private`. */
  constructor(files: readonly FileBytes[]) {
    this.#parts = files.map((file) => {
      const header = readOleanHeader(file);
      return { file, header, start: header.base, end: header.base + file.size };
    });
    this.#parts.forEach((part, index) => {
      const before = this.#parts[index - 1];
      if (before !== undefined && part.start < before.end)
        throw malformed(part.file.path, part.header.rootSlot - 8, 'this part overlaps the part before it.');
    });
    const last = this.#parts.at(-1);
    if (last === undefined) throw new RangeError('a module has at least one file');
    this.#last = last;
    this.rootSlot = slotAt(last.start + last.header.rootSlot);
  }

  get header(): OleanHeader {
    return at(this.#parts, 0, 'part').header;
  }

  /** The slot of the root pointer of part number `index`. */
  rootSlotOf(index: number): Slot {
    const part = this.#parts[index];
    if (part === undefined) throw new RangeError(`no part ${index}`);
    return slotAt(part.start + part.header.rootSlot);
  }

  /** An error about the byte at `address`. */
  error(address: number, message: string): QuodError {
    const part = this.#partOf(address) ?? this.#last;
    return malformed(part.file.path, address - part.start, message);
  }

  // Slots: the words that are fields of constructors, elements of arrays, or the root.

  isBoxed(slot: Slot): boolean {
    return (this.#u32(slot) & 1) === 1;
  }

  /** The boxed scalar in a slot, which must be at most `limit` (below 2^31). */
  smallScalar(slot: Slot, limit: number, what: string): number {
    const low = this.#u32(slot);
    if ((low & 1) === 0) throw this.error(slot, `an object where ${what} should be.`);
    const value = low >>> 1;
    if (this.#u32(slot + 4) !== 0 || value > limit)
      throw this.error(slot, `a scalar that is too large for ${what}.`);
    return value;
  }

  /** The object that a slot points to. `below` is the object that has the slot; the root's is in none. */
  pointer(slot: Slot, below: ObjectAddress | undefined, what: string): ObjectAddress {
    const low = this.#u32(slot);
    const address = this.#u32(slot + 4) * 2 ** 32 + low;
    if ((low & 7) !== 0)
      throw this.error(
        slot,
        (low & 1) === 1 ? `a scalar where ${what} should be.` : `a pointer that is not aligned.`,
      );
    const part = this.#partOf(address);
    if (part === undefined || address < part.start + part.header.rootSlot + 8 || address + 8 > part.end)
      throw this.error(slot, `a pointer out of the file, to 0x${address.toString(16)}.`);
    if (below !== undefined && address >= below)
      throw this.error(slot, 'a pointer forwards; objects may only point to earlier ones.');
    if (this.#u32(address) !== 0) throw this.error(address, 'an object with a reference count.');
    return address as ObjectAddress;
  }

  /** A natural number: boxed, or an object when it has 64 bits or more. */
  natural(slot: Slot, below: ObjectAddress, what: string): bigint {
    if (this.isBoxed(slot)) {
      return ((BigInt(this.#u32(slot + 4)) << 32n) | BigInt(this.#u32(slot))) >> 1n;
    }
    const object = this.pointer(slot, below, what);
    if (this.tag(object) !== TAGS.bigNumber)
      throw this.error(object, `an object of tag ${this.tag(object)} where ${what} should be.`);
    return this.#bigNumber(object);
  }

  // Objects.

  tag(object: ObjectAddress): number {
    return this.#u32(object + 4) >>> 24;
  }

  /** How many pointer fields a constructor has. */
  fieldCount(object: ObjectAddress): number {
    return (this.#u32(object + 4) >>> 16) & 0xff;
  }

  /** Size in bytes of a constructor, from its header. */
  size(object: ObjectAddress): number {
    return this.#u32(object + 4) & 0xffff;
  }

  field(object: ObjectAddress, index: number): Slot {
    return slotAt(object + 8 + 8 * index);
  }

  /** Checks that an object is a constructor, and of this shape; its fields may be read afterwards. */
  constructorOf(object: ObjectAddress, tag: number, fields: number, size: number, what: string): void {
    const word = this.#u32(object + 4);
    if (word !== ((tag << 24) | (fields << 16) | size) >>> 0)
      throw this.error(
        object,
        `${what} should have tag ${tag}, ${fields} fields and ${size} bytes, not ${word >>> 24}, ${(word >>> 16) & 0xff} and ${word & 0xffff}.`,
      );
    this.#has(object, size, what);
  }

  /** The tag of a constructor of any shape whose fields fit. */
  anyConstructor(object: ObjectAddress, what: string): number {
    const tag = this.tag(object);
    if (tag > MAX_CONSTRUCTOR_TAG)
      throw this.error(object, `an object of tag ${tag} where ${what} should be.`);
    if (this.size(object) < 8 + 8 * this.fieldCount(object))
      throw this.error(object, `${what} is smaller than its fields.`);
    this.#has(object, this.size(object), what);
    return tag;
  }

  /** A byte of the scalar area of a constructor, counted from the end of its pointer fields. */
  scalarByte(object: ObjectAddress, fields: number, index: number): number {
    const at = object + 8 + 8 * fields + index;
    const part = this.#within(at, 1);
    return part.file.u8(at - part.start);
  }

  scalarU32(object: ObjectAddress, fields: number, index: number): number {
    return this.#u32(object + 8 + 8 * fields + index);
  }

  /** The number of elements of an array, all of which are in the file. */
  arrayLength(object: ObjectAddress, what: string): number {
    if (this.tag(object) !== TAGS.array)
      throw this.error(object, `an object of tag ${this.tag(object)} where ${what} (an array) should be.`);
    const length = this.#count(object + 8, what);
    this.#has(object, ARRAY_HEADER + 8 * length, what);
    return length;
  }

  element(object: ObjectAddress, index: number): Slot {
    return slotAt(object + ARRAY_HEADER + 8 * index);
  }

  string(object: ObjectAddress, what: string): string {
    if (this.tag(object) !== TAGS.string)
      throw this.error(object, `an object of tag ${this.tag(object)} where ${what} (a string) should be.`);
    const size = this.#count(object + 8, what);
    this.#has(object, STRING_HEADER + size, what);
    const part = this.#within(object, STRING_HEADER);
    const at = object - part.start + STRING_HEADER;
    if (size === 0 || part.file.u8(at + size - 1) !== 0)
      throw this.error(object + 8, `${what} does not end with NUL.`);
    const bytes = part.file.slice(at, size - 1);
    let value: string;
    try {
      value = utf8.decode(bytes);
    } catch {
      throw this.error(object + STRING_HEADER, `${what} is not UTF-8.`);
    }
    if (this.#count(object + 24, what) !== codePoints(bytes))
      throw this.error(object + 24, `${what} has a wrong length.`);
    return value;
  }

  /** The value in a thunk, task or reference. */
  contained(object: ObjectAddress): Slot {
    this.#has(object, 16, 'an indirection');
    return slotAt(object + 8);
  }

  #bigNumber(object: ObjectAddress): bigint {
    this.#has(object, 24, 'a big number');
    const part = this.#within(object, 24);
    const native = part.header.bigNumbers === 'native';
    let count: number;
    let digits: number;
    let digitBytes: number;
    if (native) {
      this.#has(object, 32, 'a big number');
      if (part.file.u8(object + 8 - part.start) !== 0)
        throw this.error(object + 8, 'a negative natural number.');
      count = this.#count(object + 16, 'a big number');
      digits = object + 32;
      digitBytes = 4;
    } else {
      count = this.#u32(object + 12);
      if (count >= 2 ** 31) throw this.error(object + 12, 'a negative natural number.');
      digits = object + 24;
      digitBytes = 8;
    }
    const pointerSlot = digits - 8;
    if (this.#u32(pointerSlot + 4) * 2 ** 32 + this.#u32(pointerSlot) !== digits)
      throw this.error(pointerSlot, 'a big number whose digits are elsewhere.');
    this.#has(object, digits - object + count * digitBytes, 'a big number');
    const bytes = part.file.slice(digits - part.start, count * digitBytes).reverse();
    const value = count === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
    if (value <= LARGEST_BOXED || bytes.subarray(0, digitBytes).every((byte) => byte === 0))
      throw this.error(object, 'a big number that should be a small one, or begins with zeros.');
    return value;
  }

  /** A count of 64 bits, which must be below 2^32: no file holds more. */
  #count(slot: number, what: string): number {
    this.#within(slot, 8);
    if (this.#u32(slot + 4) !== 0)
      throw this.error(slot, `${what} claims to have more elements than a file can hold.`);
    return this.#u32(slot);
  }

  #has(object: ObjectAddress, size: number, what: string): void {
    const part = this.#within(object, 8);
    if (object + size > part.end) throw this.error(object, `${what} reaches beyond the end of the file.`);
  }

  #u32(address: number): number {
    const part = this.#within(address, 4);
    return part.file.u32(address - part.start);
  }

  #within(address: number, size: number): Part {
    const part = this.#partOf(address);
    if (part === undefined || address + size > part.end)
      throw this.error(address, 'the file ends in the middle of an object.');
    return part;
  }

  #partOf(address: number): Part | undefined {
    const last = this.#last;
    if (address >= last.start && address < last.end) return last;
    for (const part of this.#parts) {
      if (address >= part.start && address < part.end) {
        this.#last = part;
        return part;
      }
    }
    return undefined;
  }
}

function slotAt(address: number): Slot {
  return address as Slot;
}

/** Bytes that do not continue a character. */
function codePoints(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += 1;
  return count;
}
