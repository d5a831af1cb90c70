import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { besideProblem, changedBeside, readBeside } from './project-beside.ts';

let folder: string;
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
/** What counts as changed after something was done, for a run that works on `own.v`. */
const changedBy = async (change: () => void): Promise<string[]> => {
  const before = await readBeside(folder);
  change();
  const changed = changedBeside(before, await readBeside(folder), [join(folder, 'own.v')]);
  return changed.map((path) => relative(folder, path));
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-beside-'));
  mkdirSync(join(folder, 'sub'));
  mkdirSync(join(folder, '.git'));
  for (const name of ['own.v', 'Lib.v', 'Lib.vo', 'New.v', 'sub/a.v', '_CoqProject', 'README.md', '.git/x.v'])
    put(name, name);
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['a source', () => put('Lib.v', 'other'), ['Lib.v']],
  ['what it was compiled to', () => put('Lib.vo', 'other'), ['Lib.vo']],
  ['a source further down', () => put('sub/a.v', 'other'), ['sub/a.v']],
  ['how the project is compiled', () => put('_CoqProject', 'other'), ['_CoqProject']],
  ['a file that is gone', () => rmSync(join(folder, 'Lib.v')), ['Lib.v']],
  ['a new source', () => put('List.v', 'new'), ['List.v']],
  ['a new compiled file of no source', () => put('List.vo', 'new'), ['List.vo']],
  ['a link in the place of a source', () => symlinkSync('own.v', join(folder, 'List.v')), ['List.v']],
  [
    'a source with what it was compiled to',
    () => {
      put('New.v', 'other');
      put('New.vo', 'new');
    },
    ['New.v', 'New.vo'],
  ],
])('%s counts as changed', async (_, change, expected) => {
  expect((await changedBy(change)).sort()).toEqual(expected);
});

test.each([
  ['the file of the run', () => put('own.v', 'proved')],
  ['what that is compiled to', () => put('own.vo', 'new')],
  ['what a source that stands as it stood is compiled to', () => put('New.vo', 'new')],
  ['what no prover reads', () => put('README.md', 'other')],
  ['what a tool keeps for itself', () => put('.git/x.v', 'other')],
])('%s does not', async (_, change) => {
  expect(await changedBy(change)).toEqual([]);
});

test('of many changes the first are named', () => {
  const changed = Array.from({ length: 8 }, (_, index) => `/p/${index}.v`);
  expect(besideProblem(changed, '/p')).toContain('0.v, 1.v, 2.v, 3.v, 4.v and 3 more');
  expect(besideProblem([], '/p')).toBeUndefined();
});
