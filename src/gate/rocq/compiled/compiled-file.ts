/** The segments of a compiled Rocq file, read as values. The check sums are verified. */
import { hasItsCheckSum, segmentTable, type Segment } from '../../../provers/rocq/segment-table.ts';
import { Block, MalformedValue, readOcamlValue, type OcamlValue } from './ocaml-values.ts';

export interface CompiledFile {
  /** As Rocq writes it: 81601 for 8.16.1. */
  readonly version: number;
  /** The value of a segment. @throws MalformedValue, TooLarge */
  segment(name: string): OcamlValue;
  /** The MD5 of a segment as Latin-1, as dependent files record it. */
  digest(name: string): string;
}

/** @throws MalformedValue */
export function readCompiledFile(bytes: Uint8Array): CompiledFile {
  const table = segmentTable(bytes);
  if (table === 'other-format') throw new MalformedValue('not a compiled Rocq file');
  if (table === 'cut-off') throw new MalformedValue('the compiled file is cut off');
  const segments = new Map(table.segments.map((segment) => [segment.name, segment]));
  const find = (name: string): Segment => {
    const segment = segments.get(name);
    if (segment === undefined) throw new MalformedValue(`no segment ${name}`);
    return segment;
  };
  /** Many ask for the same one, and two of it need twice the memory. */
  const read = new Map<string, WeakRef<Block>>();
  return {
    version: table.version,
    digest: (name) => find(name).digest.toString('latin1'),
    segment: (name) => {
      const known = read.get(name)?.deref();
      if (known !== undefined) return known;
      const segment = find(name);
      if (!hasItsCheckSum(segment)) throw new MalformedValue(`segment ${name} does not have its check sum`);
      const value = readOcamlValue(segment.content);
      if (value instanceof Block) read.set(name, new WeakRef(value));
      return value;
    },
  };
}

/** What identifies the library that a file holds; undefined for one that holds none. */
export function libraryDigest(bytes: Uint8Array): string | undefined {
  try {
    return readCompiledFile(bytes).digest('library');
  } catch (error) {
    if (error instanceof MalformedValue) return undefined;
    throw error;
  }
}
