import { expect, test } from 'vitest';
import { installedLibraryOf } from './installed-library.ts';
import { coqArguments, findRocqProject } from './project.ts';

test('installed sources are run as their library was built', async () => {
  const below = '/nowhere/coq/user-contrib';
  expect(coqArguments(await findRocqProject(`${below}/Flocq/Core/FLX.v`))).toEqual([
    '-R',
    `${below}/Flocq`,
    'Flocq',
  ]);
  expect(coqArguments(await findRocqProject(`${below}/UniMath/All.v`))).toContain('-type-in-type');
  expect(coqArguments(await findRocqProject(`${below}/stdpp/list.v`))).toEqual([]);
});

test('a file beside the libraries belongs to none', () => {
  expect(installedLibraryOf('/nowhere/coq/user-contrib/any.v')).toBeUndefined();
  expect(installedLibraryOf('/nowhere/coq/theories/Lists/List.v')).toBeUndefined();
});
