import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar } from './tar-archive.ts';
import { writeTar } from './tar-writer.ts';

const part = fc.stringMatching(/^[\p{L}\d_-]{1,60}$/u).filter((name) => name.isWellFormed());
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('an archive', () => {
  it('has the files that were put into it, whatever their names and bytes', () => {
    fc.assert(
      fc.property(fc.dictionary(path, fc.uint8Array({ maxLength: 2000 })), (files) => {
        const read = readTar(writeTar(new Map(Object.entries(files))));
        expect([...(read ?? [])].map(([name, bytes]) => [name, [...bytes]])).toEqual(
          Object.entries(files).map(([name, bytes]) => [name, [...bytes]]),
        );
      }),
    );
  });

  it('is read to its end in whole records', () => {
    expect(writeTar(new Map()).length).toBe(10_240);
    expect(writeTar(new Map([['a', 'x'.repeat(20_000)]])).length % 10_240).toBe(0);
  });
});
