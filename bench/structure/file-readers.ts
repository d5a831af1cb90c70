/**
 * Who may open files by himself. A folder may come from somebody else, with a pipe, a device or a huge file in the place
 * of any file: what reads such folders does it by `src/process/foreign-folder/regular-file.ts`.
 */
import { orNothing } from '../../src/core/entry.ts';
import type { SourceFile } from './source-tree.ts';

const READER = 'src/process/foreign-folder/regular-file.ts';

/** Files that open others themselves, and why no stranger has put those there. */
const OPEN_THEMSELVES: ReadonlyMap<string, string> = new Map([
  [READER, 'the reader itself'],
  ['src/core/installed-package.ts', 'of the package'],
  ['src/retrieval/model/runtime.ts', 'of a package'],
  ['src/retrieval/model/ship-runtime.ts', 'of a package'],
  ['src/provers/rocq/embedded/installation.ts', 'of a package'],
  ['src/provers/rocq/embedded/package-archive.ts', 'of a package'],
  ['src/provers/rocq/embedded/worker.ts', 'of a package'],
  ['src/faces/server/workbench-page.ts', 'of the package'],
  ['src/process/kept-answer.ts', 'kept in the cache of the user; programs of the system'],
  ['src/provers/rocq/embedded/snapshot-store.ts', 'kept in the cache of the user'],
  ['src/retrieval/index/record-file.ts', 'an index that is written as it is read'],
  ['src/retrieval/index/embedded-index.ts', 'an index that is written as it is read'],
  ['src/process/inherited-files.ts', '/proc and /dev/null'],
  ['src/process/marked-processes.ts', '/proc'],
  ['src/process/process-table.ts', '/proc'],
  ['src/process/foreign-folder/index-lock.ts', '/proc'],
  ['src/process/sandbox-backends.ts', '/proc'],
  ['src/process/sandbox-limits.ts', '/proc'],
  ['src/process/sandbox-traces.ts', '/proc'],
  ['src/process/sandbox-watch.ts', '/proc'],
  [
    'src/operations/files/replace-file.ts',
    'opens what it has just made, a folder, to have it on the disk, and a regular file for what it has beside its bytes',
  ],
  [
    'src/faces/install/settings-change.ts',
    'opens what it has just made, and what it has read by the reader for what that has beside its bytes',
  ],
  ['src/process/foreign-folder/file-lock.ts', '/proc, and makes its own mark'],
  ['src/agent/runs/run-log.ts', 'opens what it has read by the reader, to write to it'],
  ['src/agent/runs/folder-lock.ts', 'copies its own mark, where there are no links'],
  ['src/provers/rocq/build/system-error.ts', 'opens to learn why it may not be written, and reads nothing'],
  ['src/faces/cli/from-operations/operation-commands.ts', 'standard input'],
  ['src/agent-targets/hol4/hol4-tool-session.ts', 'copies regular files and links only'],
  ['src/faces/cli/judge/verdict-report.ts', 'the key that the user names, which may come by a pipe'],
]);

const OPENING = new Set(
  ['readFile', 'createReadStream', 'open', 'openAsBlob', 'copyFile', 'cp'].flatMap((name) => [
    name,
    `${name}Sync`,
  ]),
);

const FROM_SYSTEM = /^import (?:type )?(?<what>[^;]*?) from '(?:node:)?fs(?:\/promises)?';$/gmu;

export function otherReaders(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    if (OPEN_THEMSELVES.has(path)) return [];
    const names = [...text.matchAll(FROM_SYSTEM)].flatMap(({ groups }) =>
      opening(orNothing(groups?.['what'])),
    );
    return names.length === 0
      ? []
      : [
          `${path} opens files by ${names.join(', ')}: read them by ${READER}, or say why not in file-readers.ts.`,
        ];
  });
}

/** What of an import opens files; all of a module that is imported whole. */
function opening(imported: string): readonly string[] {
  if (!imported.startsWith('{')) return [imported];
  const names = imported
    .replace(/[{}]/gu, '')
    .split(',')
    .map((name) => name.trim().replace(/ as .*/su, ''));
  return names.filter((name) => OPENING.has(name) || name === 'promises');
}
