/**
 * The source tree as it is: which file imports which, and what each exports. Tests and what only they use are left
 * out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { orZero } from '../../src/core/entry.ts';

export const ROOT = join(import.meta.dirname, '..', '..');
const TEST = /\.test\.ts$|\/(?:testing|conformance)\//u;
const EXPORTED =
  /^export (?:declare |abstract |async )*(?:function\*?|class|const|interface|type|enum) ([A-Za-z_$][\w$]*)/gmu;

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly folder: string;
  readonly text: string;
  /** The files of the tree that it imports, types included. */
  readonly imports: readonly string[];
  readonly exported: readonly string[];
}

/** @param root A checkout; this one if none is named. */
export function sourceFiles(root = ROOT): readonly SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join('src', name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !TEST.test(path))
    .sort()
    .map((path) => readSource(root, path));
}

function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const folder = dirname(path);
  const imports = ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(folder, fileName));
  const exported = [...text.matchAll(EXPORTED)].flatMap(([, name]) => name ?? []);
  return { path, folder, text, imports: [...new Set(imports)], exported };
}

export interface FolderImports {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** How many files of a folder import a file of another one, for each two folders as `folderOf` sees them. */
export function importsBetween(
  files: readonly SourceFile[],
  folderOf: (path: string) => string,
): readonly FolderImports[] {
  const counts = new Map<string, FolderImports>();
  for (const { path, imports } of files) {
    for (const target of imports) {
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from === to) continue;
      const key = `${from} ${to}`;
      counts.set(key, { from, to, count: orZero(counts.get(key)?.count) + 1 });
    }
  }
  return [...counts.values()];
}
