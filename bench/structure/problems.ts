/** What the house does not allow and no linter of single files can see. `npm run lint` prints it and fails. */
import { dirname } from 'node:path';
import { isInside } from '../../src/core/inside.ts';
import { otherReaders } from './file-readers.ts';
import { importsBetween, type SourceFile } from './source-tree.ts';

const MOST_FILES = 25;

/** Sandboxes are begun in one place, so that what they let through can be read there. */
const BUBBLEWRAP_FILES = new Set(['src/process/sandbox-backends.ts']);

export function structureProblems(files: readonly SourceFile[]): readonly string[] {
  return [
    ...fullFolders(files),
    ...twoWays(files),
    ...doubleNames(files),
    ...bubblewraps(files),
    ...otherReaders(files),
  ];
}

function fullFolders(files: readonly SourceFile[]): readonly string[] {
  const folders = Map.groupBy(files, ({ folder }) => folder);
  return [...folders].flatMap(([folder, { length }]) =>
    length > MOST_FILES
      ? [`${folder} has ${length} files; ${MOST_FILES} are the most: cut it into rooms.`]
      : [],
  );
}

/** The files beside the rooms of a folder may use them and be used by them; other folders import one way. */
function twoWays(files: readonly SourceFile[]): readonly string[] {
  const imports = importsBetween(files, (path) => dirname(path));
  const isBeside = (one: string, other: string): boolean => isInside(other, one) || isInside(one, other);
  return imports.flatMap(({ from, to }) =>
    from < to && !isBeside(from, to) && imports.some((back) => back.from === to && back.to === from)
      ? [`${from} and ${to} import each other: move what both use below them.`]
      : [],
  );
}

/**
 * A name is exported from one file of a part. The parts are the layers, and below provers, gate and operations each
 * prover: these never meet, and each may say `Token` or `Declaration` as its language does. Names of core are
 * everybody's; only a prover may give a type of core a narrower form.
 */
function doubleNames(files: readonly SourceFile[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { path, exported } of files) {
    for (const name of exported) {
      const key = `${partOf(path)} ${name}`;
      places.set(key, [...(places.get(key) ?? []), path]);
    }
  }
  const ofCore = new Map(
    files
      .filter(({ folder }) => folder === 'src/core')
      .flatMap(({ path, exported }) => exported.map((name) => [name, path] as const)),
  );
  return [...places].flatMap(([key, paths]) => {
    const name = key.slice(key.indexOf(' ') + 1);
    const isOfProver = key.startsWith('provers/') && /^[A-Z]/u.test(name);
    const all = [...new Set([...paths, isOfProver ? [] : (ofCore.get(name) ?? [])].flat())];
    return all.length > 1 ? [`${name} is exported from ${all.join(' and ')}: one name, one thing.`] : [];
  });
}

function partOf(path: string): string {
  const [, layer = '', room = '', file] = path.split('/');
  return ['provers', 'gate', 'operations'].includes(layer) && file !== undefined ? `${layer}/${room}` : layer;
}

function bubblewraps(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    /['"`]bwrap['"`]/u.test(text) && !BUBBLEWRAP_FILES.has(path)
      ? [`${path} names bwrap: sandboxes are begun in ${[...BUBBLEWRAP_FILES].join(', ')} only.`]
      : [],
  );
}
