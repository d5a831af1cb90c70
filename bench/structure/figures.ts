/**
 * The size and the shape of the source, for one checkout or for two beside each other:
 * `npx node bench/structure/figures.ts [CHECKOUT…]`. Tests and what only they use are not counted.
 */
import { dirname } from 'node:path';
import { orZero } from '../../src/core/entry.ts';
import { importsBetween, ROOT, sourceFiles, type SourceFile } from './source-tree.ts';

interface FolderFigures {
  readonly files: number;
  readonly imports: number;
}

/** Files that lie in a folder itself, and the imports among them. */
function figuresOf(files: readonly SourceFile[]): ReadonlyMap<string, FolderFigures> {
  const folders = new Map<string, FolderFigures>();
  for (const { folder, imports } of files) {
    const before = folders.get(folder);
    const inside = imports.filter((path) => dirname(path) === folder).length;
    folders.set(folder, { files: orZero(before?.files) + 1, imports: orZero(before?.imports) + inside });
  }
  return folders;
}

const checkouts = process.argv.length > 2 ? process.argv.slice(2) : [ROOT];
const trees = checkouts.map((root) => sourceFiles(root));
const figures = trees.map(figuresOf);
const cells = (of: (files: readonly SourceFile[]) => number | string): string =>
  trees.map((files) => String(of(files))).join(' | ');
const lines = (files: readonly SourceFile[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

console.log(`| | ${checkouts.map((_, index) => `tree ${index + 1}`).join(' | ')} |`);
console.log(`| --- | ${checkouts.map(() => '---').join(' | ')} |`);
console.log(`| lines | ${cells(lines)} |`);
console.log(`| files | ${cells(({ length }) => length)} |`);
console.log(
  `| most files in a folder | ${figures.map((of) => Math.max(...[...of.values()].map(({ files }) => files))).join(' | ')} |`,
);
console.log(
  `| pairs of folders that import each other | ${cells((files) => {
    const between = importsBetween(files, dirname);
    return between.filter(
      ({ from, to }) => from < to && between.some((back) => back.from === to && back.to === from),
    ).length;
  })} |`,
);
const largest = [
  ...new Set(
    figures.flatMap((of) => [...of].filter(([, { imports }]) => imports >= 20).map(([folder]) => folder)),
  ),
];
for (const folder of largest.sort())
  console.log(
    `| ${folder}: files, imports among them | ${figures
      .map((of) => `${orZero(of.get(folder)?.files)}, ${orZero(of.get(folder)?.imports)}`)
      .join(' | ')} |`,
  );
