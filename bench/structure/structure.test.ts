import { expect, it } from 'vitest';
import { layersPicture, picturedPage, pictureIn } from './layers-picture.ts';
import { structureProblems } from './problems.ts';
import { sourceFiles, type SourceFile } from './source-tree.ts';

const files = sourceFiles();
const file = (path: string, rest: Partial<SourceFile> = {}): SourceFile => ({
  path,
  folder: path.slice(0, path.lastIndexOf('/')),
  text: '',
  imports: [],
  exported: [],
  ...rest,
});

it('the picture of the layers in the documentation is the one of today', () => {
  expect(pictureIn(picturedPage())).toBe(layersPicture(files));
});

it('the house keeps its rules', () => {
  expect(structureProblems(files)).toEqual([]);
});

it('sees a full folder, a two-way import, a double name and a sandbox elsewhere', () => {
  const many = Array.from({ length: 26 }, (_, index) => file(`src/mining/f${index}.ts`));
  const found = structureProblems([
    ...many,
    file('src/search/a/one.ts', { imports: ['src/search/b/two.ts'], exported: ['Twice'] }),
    file('src/search/b/two.ts', { imports: ['src/search/a/one.ts'], exported: ['Twice'] }),
    file('src/gate/box.ts', { text: "spawn('bwrap')" }),
  ]);
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'src/mining',
    'src/search/a',
    'Twice',
    'src/gate/box.ts',
  ]);
});

it('sees who opens files without the reader, however it is imported', () => {
  const found = structureProblems([
    file('src/gate/a.ts', { text: "import { readFile, stat } from 'node:fs/promises';" }),
    file('src/gate/b.ts', { text: "import {\n  existsSync,\n  openSync as look,\n} from 'node:fs';" }),
    file('src/gate/c.ts', { text: "import * as system from 'fs';" }),
    file('src/gate/d.ts', { text: "import { stat, type Stats } from 'node:fs';" }),
  ]);
  expect(found.map((line) => line.split(':')[0])).toEqual([
    'src/gate/a.ts opens files by readFile',
    'src/gate/b.ts opens files by openSync',
    'src/gate/c.ts opens files by * as system',
  ]);
});

it('lets files beside the rooms of a folder use them and be used by them', () => {
  expect(
    structureProblems([
      file('src/search/prove.ts', { imports: ['src/search/a/one.ts'] }),
      file('src/search/a/one.ts', { imports: ['src/search/prove.ts'] }),
    ]),
  ).toEqual([]);
});
