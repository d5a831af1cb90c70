/** What a hostile file can do to the reader: nothing but make it say what is wrong, and where. */
import { describe, expect, it } from 'vitest';
import { QuodError } from '../../../core/errors.ts';
import { TermStore } from '../term-store.ts';
import { FileBytes } from './file-bytes.ts';
import { CompiledModule } from './module.ts';
import { MODULE_FILES, moduleBytes } from './testing/module-files.ts';
import { ObjectWriter, type Word } from './testing/olean-writer.ts';

/** How many things were read: all that the file has. */
function readAll(bytes: Uint8Array): number {
  const module = new CompiledModule([FileBytes.of(bytes, 'bad.olean')], new TermStore());
  return (
    module.imports.length +
    module.names.size +
    [...module.constants()].length +
    [...module.extensionEntries()].length
  );
}

/** A module with one axiom `a` whose type is what `type` writes. */
function axiomWith(type: (writer: ObjectWriter) => Word, settings = {}): Uint8Array {
  const writer = new ObjectWriter(settings);
  const name = writer.object(1, [writer.boxed(0), writer.string('a')], new Uint8Array(8));
  const base = writer.object(0, [name, writer.boxed(0), type(writer)]);
  const axiom = writer.object(0, [writer.object(0, [base], new Uint8Array(1))]);
  const arrays = [[], [name], [axiom], [], []].map((elements) => writer.array(elements));
  return writer.finish(writer.object(0, arrays, new Uint8Array(1)));
}

const sort = (writer: ObjectWriter, level: Word): Word => writer.object(3, [level], new Uint8Array(8));
const literal = (writer: ObjectWriter, tag: number, value: Word): Word =>
  writer.object(9, [writer.object(tag, [value])], new Uint8Array(8));

it('the well-formed twin of the files below is read', () => {
  expect(readAll(axiomWith((writer) => sort(writer, writer.boxed(0))))).toBe(2);
  expect(readAll(axiomWith((writer) => literal(writer, 0, writer.bigNumber(1n << 64n))))).toBe(2);
  expect(readAll(axiomWith((writer) => literal(writer, 1, writer.string('ℕ'))))).toBe(2);
});

describe('objects', () => {
  it.each<[string, (writer: ObjectWriter) => Word, RegExp]>([
    ['a scalar for a term', (writer) => writer.boxed(7), /a scalar where a term should be/],
    ['a null pointer', () => 0n, /pointer out of the file/],
    ['a pointer into the header', () => 0x5a1e_f573_0008n, /pointer out of the file/],
    ['a pointer beyond the end', () => 0x5a1e_f573_0000n + 0x10000n, /pointer out of the file/],
    ['a pointer that is not aligned', (writer) => sort(writer, writer.boxed(0)) + 4n, /not aligned/],
    ['a pointer to itself', (writer) => selfPointer(writer), /pointer forwards/],
    ['a term of an unknown tag', (writer) => writer.object(12, [], new Uint8Array(8)), /tag 12/],
    ['a string for a term', (writer) => writer.string('x'), /tag 249/],
    ['a closure for a term', (writer) => writer.object(245, [], new Uint8Array(8)), /tag 245/],
    ['a free variable', (writer) => writer.object(1, [writer.boxed(0)], new Uint8Array(8)), /free variable/],
    ['a metavariable', (writer) => writer.object(2, [writer.boxed(0)], new Uint8Array(8)), /metavariable/],
    [
      'a term with a field too few',
      (writer) => writer.object(5, [], new Uint8Array(8)),
      /2 fields and 32 bytes/,
    ],
    ['a level that is a string', (writer) => sort(writer, writer.string('u')), /universe level/],
    ['a level 1 as a scalar', (writer) => sort(writer, writer.boxed(1)), /too large for a universe level/],
    [
      'a metavariable of a level',
      (writer) => sort(writer, writer.object(5, [writer.boxed(0)], new Uint8Array(8))),
      /metavariable of a universe level/,
    ],
    ['a negative natural number', (writer) => literal(writer, 0, writer.bigNumber(-(1n << 70n))), /negative/],
    [
      'a small number as a big one',
      (writer) => literal(writer, 0, writer.bigNumber(5n)),
      /should be a small one/,
    ],
    ['an empty big number', (writer) => literal(writer, 0, writer.bigNumber(0n)), /should be a small one/],
    ['a bound variable beyond 2^31', (writer) => boundVariable(writer, writer.boxed(1n << 31n)), /too large/],
    [
      'a bound variable beyond 2^64',
      (writer) => boundVariable(writer, writer.bigNumber(1n << 64n)),
      /too large/,
    ],
    ['binder info 4', (writer) => pi(writer, 4), /unknown binder info 4/],
  ])('%s', (_, type, message) => {
    expect(() => readAll(axiomWith(type))).toThrow(message);
  });

  it.each([
    ['not UTF-8', (bytes: Uint8Array, at: number) => void (bytes[at + 32] = 0xff), /not UTF-8/],
    [
      'without its NUL',
      (bytes: Uint8Array, at: number) => void (bytes[at + 33] = 65),
      /does not end with NUL/,
    ],
    ['of a wrong length', (bytes: Uint8Array, at: number) => void (bytes[at + 24] = 9), /wrong length/],
    ['longer than the file', (bytes: Uint8Array, at: number) => void (bytes[at + 10] = 9), /beyond the end/],
    [
      'of 2^40 bytes',
      (bytes: Uint8Array, at: number) => void (bytes[at + 13] = 1),
      /more elements than a file/,
    ],
    ['with a reference count', (bytes: Uint8Array, at: number) => void (bytes[at] = 1), /reference count/],
  ])('a string %s', (_, spoil, message) => {
    const bytes = axiomWith((writer) => sort(writer, writer.boxed(0)));
    // The first object is the string "a".
    spoil(bytes, 96);
    expect(() => readAll(bytes)).toThrow(message);
  });

  it('a native number that is negative', () => {
    const bytes = axiomWith((writer) => literal(writer, 0, writer.bigNumber(-(1n << 70n))), {
      bigNumbers: 'native',
    });
    expect(() => readAll(bytes)).toThrow(/negative/);
  });
});

describe('headers', () => {
  it.each([
    ['an empty file', new Uint8Array(), /too few for a header/],
    ['text', new TextEncoder().encode('theorem x : True := trivial -- and so on'), /does not begin/],
    ['version 3', withByte(5, 3), /header version 3/],
    ['unknown flags', withByte(6, 2), /unknown flags 2/],
    ['a base that is not aligned', withByte(80, 1), /base address/],
    ['a base beyond any address space', withByte(87, 255), /base address/],
    ['a file that ends in its header', moduleBytes('Base.olean').slice(0, 90), /ends inside its header/],
  ])('%s', (_, bytes, message) => {
    expect(() => readAll(bytes)).toThrow(message);
  });
});

describe('any prefix of a real file is refused', () => {
  it.each(MODULE_FILES.filter((name) => /^(Base|AxeyumProbe)\./.test(name)))('%s', (name) => {
    const bytes = moduleBytes(name);
    for (let length = 0; length < bytes.length; length += 97) {
      expect(() => readAll(bytes.slice(0, length)), `${length} bytes`).toThrow(QuodError);
    }
  });
});

function selfPointer(writer: ObjectWriter): Word {
  const previous = sort(writer, writer.boxed(0));
  // The next object lies behind the sort's 24 bytes.
  return writer.object(5, [previous, previous + 24n], new Uint8Array(8));
}

function boundVariable(writer: ObjectWriter, index: Word): Word {
  return writer.object(0, [index], new Uint8Array(8));
}

function pi(writer: ObjectWriter, info: number): Word {
  const type = sort(writer, writer.boxed(0));
  return writer.object(7, [writer.boxed(0), type, type], Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, info));
}

function withByte(at: number, value: number): Uint8Array {
  const bytes = moduleBytes('Base.olean');
  bytes[at] = value;
  return bytes;
}
