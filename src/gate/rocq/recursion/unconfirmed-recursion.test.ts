import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { installedFile } from '../compiled/library-files.ts';
import { installedLibrary, installedRelease } from '../testing/installed-rocq.ts';
import { unconfirmedRecursion } from './unconfirmed-recursion.ts';

function library(name: string): CompiledFile {
  return readCompiledFile(readFileSync(installedFile(installedLibrary, name)));
}

async function unconfirmedIn(name: string): Promise<readonly string[]> {
  const found = await unconfirmedRecursion(library(name), (needed) => Promise.resolve(library(needed)));
  return [...new Set(found.flatMap(({ names }) => names))].sort();
}

describe.skipIf(installedLibrary === '' || installedRelease >= 900)(
  'recursion in the installed library (needs Coq before 9.0)',
  () => {
    it.each([
      ['Coq.Init.Nat'],
      ['Coq.Init.Datatypes'],
      ['Coq.Init.Wf'],
      ['Coq.Lists.List'],
      ['Coq.Lists.Streams'],
      ['Coq.Vectors.VectorDef'],
      ['Coq.PArith.BinPosDef'],
      ['Coq.Sorting.Mergesort'],
      ['Coq.Arith.PeanoNat'],
    ])('%s is confirmed', async (name) => {
      expect(await unconfirmedIn(name)).toEqual([]);
    });

    it.each([
      ['parts out of lemmas that can be looked into', 'Coq.Logic.ConstructiveEpsilon'],
      ["on types of a functor's parameter", 'Coq.MSets.MSetGenTree'],
    ])('is confirmed %s: %s', async (_, name) => {
      expect(await unconfirmedIn(name)).toEqual([]);
    });
  },
);
