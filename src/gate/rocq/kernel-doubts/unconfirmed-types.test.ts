import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ComparisonWork } from '../comparison/comparison-work.ts';
import { readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { installedFile } from '../compiled/library-files.ts';
import { installedLibrary, installedRelease } from '../testing/installed-rocq.ts';
import { unconfirmedTypes } from './unconfirmed-types.ts';

function library(name: string): CompiledFile {
  return readCompiledFile(readFileSync(installedFile(installedLibrary, name)));
}

function required(...libraries: readonly string[]) {
  return {
    contents: () => Promise.resolve(libraries.map(library)),
    find: (name: string) => Promise.resolve(library(name)),
  };
}

async function unconfirmedIn(name: string, ...libraries: readonly string[]): Promise<Record<string, string>> {
  const work = new ComparisonWork();
  const files = { target: library('Coq.Init.Datatypes'), submission: library(name), work };
  return Object.fromEntries(await unconfirmedTypes(files, required(...libraries)));
}

describe.skipIf(installedLibrary === '' || installedRelease >= 900)(
  'types of the installed library (needs Coq before 9.0)',
  () => {
    it('those of a module type are not confirmed, unless the target has them', async () => {
      expect(await unconfirmedIn('Coq.MSets.MSetGenTree')).toMatchObject({
        'Ops.tree': 'in-module-type',
        'Props.bst': 'in-module-type',
      });
      const file = library('Coq.MSets.MSetGenTree');
      const itself = await unconfirmedTypes(
        { target: file, submission: file, work: new ComparisonWork() },
        required(),
      );
      expect(itself.size).toBe(0);
    });

    it('those with a `let` are, unless a module type requires one of their name', async () => {
      // `Raw.Proofs.R_bal` has one, which `Function` wrote.
      expect(await unconfirmedIn('Coq.FSets.FMapAVL', 'Coq.MSets.MSetGenTree')).toEqual({});
    });

    it('those of files without modules are', async () => {
      for (const name of ['Coq.Init.Datatypes', 'Coq.Init.Specif', 'Coq.Lists.List', 'Coq.Setoids.Setoid'])
        expect(await unconfirmedIn(name)).toEqual({});
    });
  },
);
