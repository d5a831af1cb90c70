/**
 * Compiled files with something else in them than the prover wrote: what somebody makes who can write beside the
 * prover. The format is that which `compiled-file.ts` and `ocaml-values.ts` read.
 */
import { createHash } from 'node:crypto';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { readCompiledFile } from '../compiled/compiled-file.ts';
import type { KernelLayout } from '../compiled/kernel-layout.ts';
import { field } from '../compiled/kernel-shape.ts';
import { Block, MalformedValue, type OcamlValue } from '../compiled/ocaml-values.ts';
import { segmentTable } from '../../../provers/rocq/segment-table.ts';

/** The parts of a compiled library that a forger would change, in place. */
export interface OpenLibrary {
  readonly layout: KernelLayout;
  /** The library's own module. */
  readonly module: Block;
  /** Its declarations: pairs of a label and a declaration, the first in the text first. */
  readonly structure: Block[];
  readonly declaration: (label: string) => Block;
  readonly constant: (label: string, part: 'type' | 'body') => OcamlValue;
  readonly setConstant: (label: string, part: 'type' | 'body', value: OcamlValue) => void;
}

/** @param change changes what it is given. */
export function forged(bytes: Uint8Array, change: (library: OpenLibrary) => void): Buffer {
  const file = readCompiledFile(bytes);
  const segment = file.segment('library');
  const { layout, library } = compiledLibrary(file);
  const module = blockOf(layout.library.of(library, 'module'));
  const signature = blockOf(layout.module.of(module, 'signature'));
  const structure: Block[] = [];
  for (let rest = signature.fields[0]; rest instanceof Block; rest = rest.fields[1])
    structure.push(blockOf(field(rest, 0)));
  const declaration = (label: string): Block => {
    const found = structure.find((entry) => entry.fields[0] === label);
    if (found === undefined) throw new Error(`There is no ${label}.`);
    return blockOf(field(found, 1));
  };
  const place = (part: string) => layout.constant.entries.findIndex(([name]) => name === part);
  change({
    layout,
    module,
    structure,
    declaration,
    constant: (label, part) => layout.constant.of(field(declaration(label), 0), part),
    setConstant: (label, part, value) => {
      blockOf(field(declaration(label), 0)).fields[place(part)] = value;
    },
  });
  signature.fields[0] = structure.reduceRight<OcamlValue>((rest, entry) => new Block(0, [entry, rest]), 0);
  return withSegment(bytes, 'library', marshalled(segment));
}

export function blockOf(value: OcamlValue | undefined): Block {
  if (!(value instanceof Block)) throw new MalformedValue('a block was expected');
  return value;
}

/** The file with other contents in a segment, and a check sum that fits. */
function withSegment(bytes: Uint8Array, name: string, content: Buffer): Buffer {
  const table = segmentTable(bytes);
  if (typeof table === 'string') throw new MalformedValue(`the compiled file: ${table}`);
  const head = Buffer.from(bytes.subarray(0, 16));
  const count = Buffer.alloc(4);
  count.writeUInt32BE(table.segments.length);
  const parts: Buffer[] = [];
  const rows: Buffer[] = [count];
  let end = head.length;
  for (const segment of table.segments) {
    const its = segment.name === name ? content : segment.content;
    const row = Buffer.alloc(4 + segment.name.length + 16);
    row.writeUInt32BE(segment.name.length);
    row.write(segment.name, 4, 'latin1');
    row.writeBigInt64BE(BigInt(end), row.length - 16);
    row.writeBigInt64BE(BigInt(its.length), row.length - 8);
    const digest = createHash('md5').update(its).digest();
    // As the prover does, the check sum stands behind the contents, too.
    parts.push(its, digest);
    rows.push(row, digest);
    end += its.length + digest.length;
  }
  head.writeBigInt64BE(BigInt(end), 8);
  return Buffer.concat([head, ...parts, ...rows]);
}

/** As `Marshal` writes it, with shared blocks. No floats and no numbers of 64 bits: small files have none. */
function marshalled(root: OcamlValue): Buffer {
  const parts: Buffer[] = [];
  const numbers = new Map<Block, number>();
  let [objects, words] = [0, 0];
  const put = (code: number, ...values: readonly (readonly [size: number, value: number])[]): void => {
    const part = Buffer.alloc(1 + values.reduce((sum, [size]) => sum + size, 0));
    part.writeUInt8(code);
    let at = 1;
    for (const [size, value] of values) {
      if (value < 0) part.writeInt32BE(value, at);
      else part.writeUIntBE(value, at, size);
      at += size;
    }
    parts.push(part);
  };
  const pending: OcamlValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'number' && value >= -(2 ** 31) && value < 2 ** 31) put(0x02, [4, value]);
    else if (typeof value === 'number' || typeof value === 'bigint') {
      const part = Buffer.alloc(9);
      part.writeUInt8(0x03);
      part.writeBigInt64BE(BigInt(value), 1);
      parts.push(part);
    } else if (typeof value === 'string') {
      put(0x0a, [4, value.length]);
      parts.push(Buffer.from(value, 'latin1'));
      objects += 1;
      words += 1 + Math.floor(value.length / 8) + 1;
    } else if (!(value instanceof Block)) throw new MalformedValue('a number that is not written here');
    else {
      const known = numbers.get(value);
      if (known !== undefined) {
        put(0x06, [4, objects - known]);
        continue;
      }
      put(0x08, [4, value.fields.length * 1024 + value.tag]);
      if (value.fields.length === 0) continue;
      numbers.set(value, objects);
      objects += 1;
      words += 1 + value.fields.length;
      for (const part of value.fields.toReversed()) pending.push(part);
    }
  }
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(20);
  [0x8495a6be, content.length, objects, words, words].forEach((number, at) =>
    head.writeUInt32BE(number, 4 * at),
  );
  return Buffer.concat([head, content]);
}
