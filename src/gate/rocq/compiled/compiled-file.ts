/**
 * The envelope of a compiled Rocq file (`.vo`, since 8.14): a header, segments with an MD5 each, and a table of segments
 * at the end. The check sums are verified.
 */
import { createHash } from 'node:crypto';
import { Block, MalformedValue, readOcamlValue, type OcamlValue } from './ocaml-values.ts';

export interface CompiledFile {
  /** As Rocq writes it: 81601 for 8.16.1. */
  readonly version: number;
  /** The value of a segment. @throws MalformedValue, TooLarge */
  segment(name: string): OcamlValue;
  /** The MD5 of a segment as Latin-1, as dependent files record it. */
  digest(name: string): string;
}

const MAGIC = 0x436f7121;

/** @throws MalformedValue */
export function readCompiledFile(bytes: Uint8Array): CompiledFile {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments = new Map<string, { readonly content: Buffer; readonly digest: Buffer }>();
  try {
    if (view.readUInt32BE(0) !== MAGIC) throw new MalformedValue('not a compiled Rocq file');
    const version = view.readUInt32BE(4);
    let at = Number(view.readBigInt64BE(8));
    const count = view.readUInt32BE(at);
    at += 4;
    for (let index = 0; index < count; index += 1) {
      const nameLength = view.readUInt32BE(at);
      const name = view.toString('latin1', at + 4, at + 4 + nameLength);
      at += 4 + nameLength;
      const start = Number(view.readBigInt64BE(at));
      const length = Number(view.readBigInt64BE(at + 8));
      segments.set(name, {
        content: view.subarray(start, start + length),
        digest: view.subarray(at + 16, at + 32),
      });
      at += 32;
      if (at > view.length) throw new MalformedValue('the compiled file is cut off');
    }
    const find = (name: string) => {
      const segment = segments.get(name);
      if (segment === undefined) throw new MalformedValue(`no segment ${name}`);
      return segment;
    };
    /** Many ask for the same one, and two of it need twice the memory. */
    const read = new Map<string, WeakRef<Block>>();
    return {
      version,
      digest: (name) => find(name).digest.toString('latin1'),
      segment: (name) => {
        const known = read.get(name)?.deref();
        if (known !== undefined) return known;
        const { content, digest } = find(name);
        if (!createHash('md5').update(content).digest().equals(digest)) {
          throw new MalformedValue(`segment ${name} does not have its check sum`);
        }
        const value = readOcamlValue(content);
        if (value instanceof Block) read.set(name, new WeakRef(value));
        return value;
      },
    };
  } catch (error) {
    if (error instanceof RangeError) throw new MalformedValue('the compiled file is cut off');
    throw error;
  }
}
