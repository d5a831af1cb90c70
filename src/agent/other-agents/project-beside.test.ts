import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BesideReader, besideProblem, changedBeside, readBeside, touchedBetween } from './project-beside.ts';

let folder: string;
const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
/** What counts as changed after something was done, for a run that works on `own.v`. */
const changedBy = async (change: () => void): Promise<string[]> => {
  const places = { folder, files: [join(folder, 'own.v')] };
  const before = await readBeside(places);
  change();
  const changed = changedBeside(before, await readBeside(places), [join(folder, 'own.v')]);
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
  ['what make is told', () => put('makefile', 'all:'), ['makefile']],
  ['what make is told before all others', () => put('GNUmakefile', 'all:'), ['GNUmakefile']],
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

test.each<[string, string, () => void, string[]]>([
  ['a source of the project above', 'sub/a.v', () => put('Lib.v', 'other'), ['Lib.v']],
  ['a project file above', 'sub/a.v', () => put('_CoqProject', '-R . X'), ['_CoqProject']],
  [
    'a project file between the file and its project',
    'sub/deep/own.v',
    () => put('sub/_CoqProject', '-Q . Y'),
    ['sub/_CoqProject'],
  ],
  ['what a dune file says above', 'sub/a.v', () => put('dune', '(coq.theory)'), ['dune']],
  ['what the load path names', 'sub/a.v', () => put('elsewhere/E.vo', 'other'), ['elsewhere/E.vo']],
  ['what lies behind a link', 'sub/a.v', () => put('.behind/B.v', 'other'), ['theories/link/B.v']],
  ['what lies behind a link of a file', 'sub/a.v', () => put('C.txt', 'other'), ['theories/C.v']],
  [
    'a folder whose name begins with a line',
    'sub/a.v',
    () => put('theories/_x/X.v', 'n'),
    ['theories/_x/X.v'],
  ],
])('%s counts as changed for a task further down', async (_, file, change, expected) => {
  for (const name of ['sub/deep', 'elsewhere', 'theories/_x', '.behind'])
    mkdirSync(join(folder, name), { recursive: true });
  put('_CoqProject', '-Q theories X\n-Q elsewhere E\n');
  for (const name of ['elsewhere/E.vo', '.behind/B.v', 'C.txt', 'sub/deep/own.v']) put(name, name);
  symlinkSync('../.behind', join(folder, 'theories/link'));
  symlinkSync('../C.txt', join(folder, 'theories/C.v'));
  const places = { folder: join(folder, 'sub'), files: [join(folder, file)] };
  const before = await readBeside(places);
  change();
  const changed = changedBeside(before, await readBeside(places, before), places.files);
  expect(changed.map((path) => relative(folder, path))).toEqual(expected);
});

test('what dune copies and compiles of what stands as it stood does not count', async () => {
  rmSync(join(folder, '_CoqProject'));
  put('dune-project', '(lang dune 3.8)\n(using coq 0.8)\n');
  put('dune', '(coq.theory (name X))\n');
  const built = join(folder, '_build/default');
  mkdirSync(built, { recursive: true });
  const places = { folder, files: [join(folder, 'own.v')] };
  const before = await readBeside(places);
  for (const name of ['Lib.v', 'own.v', 'New.v']) put(`_build/default/${name}`, name);
  put('own.v', 'proved');
  put('_build/default/own.v', 'proved');
  for (const name of ['own.vo', 'New.vo']) put(`_build/default/${name}`, 'compiled');
  expect(changedBeside(before, await readBeside(places), places.files)).toEqual([]);
  put('_build/default/Lib.v', 'other');
  put('_build/default/List.vo', 'other');
  const changed = changedBeside(before, await readBeside(places), places.files);
  expect(changed.map((path) => relative(built, path)).sort()).toEqual(['Lib.v', 'List.vo']);
});

test('a makefile above a project of dune counts: it may say that make builds it', async () => {
  put('_CoqProject', '-Q sub X\n');
  put('sub/dune-project', '(lang dune 3.8)\n(using coq 0.8)\n');
  put('sub/dune', '(coq.theory (name X))\n');
  const places = { folder: join(folder, 'sub'), files: [join(folder, 'sub/a.v')] };
  const before = await readBeside(places);
  put('makefile', 'all:\n');
  expect(changedBeside(before, await readBeside(places), places.files)).toContain(join(folder, 'makefile'));
});

test('what was written and put back between two looks was touched', async () => {
  const own = [join(folder, 'own.v')];
  const reader = new BesideReader({ folder, files: own });
  const before = await reader.read();
  const stamps = reader.stamps();
  for (const name of ['Lib.vo', 'own.v']) {
    put(name, 'other');
    put(name, name);
  }
  expect(changedBeside(before, await reader.read(), own)).toEqual([]);
  expect(touchedBetween(stamps, reader.stamps(), own)).toEqual([join(folder, 'Lib.vo')]);
});

test('of many changes the first are named', () => {
  const changed = Array.from({ length: 8 }, (_, index) => `/p/${index}.v`);
  expect(besideProblem(changed, '/p')).toContain('0.v, 1.v, 2.v, 3.v, 4.v and 3 more');
  expect(besideProblem([], '/p')).toBeUndefined();
});
