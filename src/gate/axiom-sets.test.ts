/** The sets have the axioms of the library that is installed, whatever its release calls them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AXIOM_SETS, axiomMatches, axiomsOfSet } from './axiom-sets.ts';
import { readCompiledFile } from './rocq/compiled/compiled-file.ts';
import { libraryNameOf } from './rocq/compiled/compiled-library.ts';
import { declaredConstants } from './rocq/compiled/declarations.ts';
import { installedLibrary } from './rocq/testing/installed-rocq.ts';

/** Rocq's own library: until 8.20 in one folder, from 9.0 on in two. */
const ROOTS = ['theories', 'user-contrib/Stdlib'].map((root) => join(installedLibrary, root));
/**
 * Where it assumes anything in 8.16 and 9.2, but for what nobody has to believe (`Compat.AdmitAxiom` proves everything, what is in
 * `extraction` is for programs): to read all of it takes too long.
 */
const FOLDERS = ['Array', 'Floats', 'Logic', 'Numbers/Cyclic/Int63', 'Reals', 'Sets', 'Strings'];

/** Full names of all that a file declares without a value, but for what a module type asks for. */
function assumedIn(path: string): readonly string[] {
  const file = readCompiledFile(readFileSync(path));
  const own = libraryNameOf(file);
  return declaredConstants(file).flatMap(({ name, body, inModuleType }) =>
    inModuleType || body === 'transparent' || body === 'opaque' ? [] : [`${own}.${name}`],
  );
}

it.skipIf(installedLibrary === '')('each axiom and primitive of Rocq’s own library is in a set', () => {
  const allowed = AXIOM_SETS.flatMap(axiomsOfSet);
  const folders = ROOTS.flatMap((root) => FOLDERS.map((folder) => join(root, folder)));
  const assumed = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.vo'))
    .flatMap(assumedIn);
  expect(assumed.length).toBeGreaterThan(100);
  expect(assumed.filter((name) => !allowed.some((one) => axiomMatches(one, name)))).toEqual([]);
});

it('names of the library before and after 9.0 are in the same sets', () => {
  const allows = (set: (typeof AXIOM_SETS)[number], name: string): boolean =>
    axiomsOfSet(set).some((one) => axiomMatches(one, name));
  expect(allows('primitive-arrays', 'Coq.Array.PArray.get_set_same')).toBe(true);
  expect(allows('primitive-arrays', 'Corelib.Array.ArrayAxioms.get_set_same')).toBe(true);
  expect(allows('primitive-arrays', 'Corelib.Array.PrimArray.array')).toBe(true);
  expect(allows('primitive-integers', 'Corelib.Numbers.Cyclic.Int63.Uint63Axioms.of_to_Z')).toBe(true);
  expect(allows('primitive-strings', 'Corelib.Strings.PrimString.length')).toBe(true);
  expect(allows('choice', 'Stdlib.Logic.ClassicalUniqueChoice.dependent_unique_choice')).toBe(true);
});
