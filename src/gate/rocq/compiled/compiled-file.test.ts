import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { type CompiledFile, readCompiledFile } from './compiled-file.ts';
import { Block, MalformedValue, readOcamlValue, TooLarge } from './ocaml-values.ts';
import { dependencies, summarisedDependencies } from './compiled-library.ts';
import { ComparisonWork } from '../comparison/comparison-work.ts';
import { compareUnits } from '../comparison/unit-comparison.ts';

const compared = (target: CompiledFile, submission: CompiledFile) =>
  compareUnits({
    target,
    submission,
    work: new ComparisonWork(),
    provable: () => false,
    open: () => false,
    demandsAll: () => false,
  });

// Without coqc there is no compiled file to read.
describe.skipIf(findExecutable(['coqc']) === undefined)('a compiled file', () => {
  let bytes: Buffer;
  beforeAll(() => {
    const library = execFileSync('coqc', ['-where'], { encoding: 'utf8' }).trim();
    bytes = readFileSync(join(library, 'theories', 'Init', 'Peano.vo'));
  });

  it('is read with its dependencies, and equals itself', async () => {
    const file = readCompiledFile(bytes);
    // From 8.20 on a file names only what no other of its libraries requires; 9.0 changed the library's name.
    const { libraries, rootsOnly } = dependencies(file);
    expect(rootsOnly).toBe(file.version >= 82_000);
    expect(libraries.map(({ name }) => name)).toContain(
      !rootsOnly ? 'Coq.Init.Logic' : file.version < 90_000 ? 'Coq.Init.Nat' : 'Corelib.Init.Nat',
    );
    expect(summarisedDependencies(file)).toEqual(expect.arrayContaining([...libraries]));
    const comparison = await compared(file, readCompiledFile(bytes));
    expect(comparison.differences).toEqual([]);
    expect(comparison.otherBodies).toEqual([]);
    expect(comparison.lostOrders([])).toEqual([]);
  });

  it('is refused when a byte of its kernel part was changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2000, max: 10_000 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = (damaged[at] ?? 0) ^ change;
          await expect(
            (async () => compared(readCompiledFile(bytes), readCompiledFile(damaged)))(),
          ).rejects.toThrow(MalformedValue);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('is refused when it is cut off or something else', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(() => readCompiledFile(bytes.subarray(0, length)).segment('library')).toThrow(MalformedValue);
      }),
      { numRuns: 50 },
    );
  });
});

describe('marshalled OCaml values', () => {
  const header = (body: number[]) =>
    Uint8Array.from([0x84, 0x95, 0xa6, 0xbe, ...new Array<number>(16).fill(0), ...body]);

  it('keep their sharing', () => {
    // (("ab", 5), the same pair)
    const value = readOcamlValue(header([0xa0, 0xa0, 0x22, 0x61, 0x62, 0x45, 0x04, 0x02]));
    expect(value).toEqual(new Block(0, [new Block(0, ['ab', 5]), new Block(0, ['ab', 5])]));
    const [first, second] = value instanceof Block ? value.fields : [];
    expect(first).toBe(second);
  });

  it('are numbers of all sizes', () => {
    expect(readOcamlValue(header([0x00, 0xff]))).toBe(-1);
    expect(readOcamlValue(header([0x01, 0xff, 0x00]))).toBe(-256);
    expect(readOcamlValue(header([0x02, 0x00, 0x01, 0x00, 0x00]))).toBe(65536);
    expect(readOcamlValue(header([0x03, 0x40, 0, 0, 0, 0, 0, 0, 1]))).toBe(2n ** 62n + 1n);
  });

  it('are refused where they have more parts than bytes, before there is room for these', () => {
    const claimed = [0x08, 0xff, 0xff, 0xff, 0x00];
    expect(() => readOcamlValue(header([...claimed, ...claimed, 0x41]))).toThrow(MalformedValue);
  });

  it('are refused where they are too large to be held', () => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(5_000_000n << 10n);
    const strings = Buffer.alloc(5_000_000, 0x20);
    expect(() => readOcamlValue(Buffer.concat([header([0x13]), size, strings]))).toThrow(TooLarge);
  });

  it('are read or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (body) => {
        try {
          readOcamlValue(header([...body]));
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedValue);
        }
      }),
    );
  });
});
