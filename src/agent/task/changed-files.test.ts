/** What is said of a file of which `git status` says nothing: changes of the user's own are none there. */
import { chmodSync, writeFileSync } from 'node:fs';
import { expect, test as anyTest } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { changedFiles } from './changed-files.ts';
import { inRepository } from './testing/in-repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const { path, git, commit, proved } = inRepository('quod-changed-');

const why = async (): Promise<readonly string[]> => [...(await changedFiles([path('a.v')])).values()];

test('line ends of the work tree that core.autocrlf of the repository has written are no changes', async () => {
  git('config', 'core.autocrlf', 'true');
  writeFileSync(path('a.v'), 'one\r\n');
  git('add', 'a.v');
  expect(git('status', '--porcelain')).toBe('');
  expect(await why()).toEqual([]);
  // The bytes that were judged are not those that git would keep.
  writeFileSync(path('a.v'), 'two\r\n');
  const { message } = await commit([{ file: path('a.v'), bytes: Buffer.from('two\r\n') }]);
  expect(message).toMatch(
    /a\.v would be kept by git with other bytes than were judged \(.*core\.autocrlf\)/u,
  );
});

test('a mode that core.fileMode of the repository has git overlook is no change', async () => {
  git('config', 'core.fileMode', 'false');
  chmodSync(path('a.v'), 0o755);
  expect(git('status', '--porcelain')).toBe('');
  expect(await why()).toEqual([]);
  expect((await commit([proved('a.v')])).message).toBe('Prove a.v');
  expect(git('ls-tree', 'HEAD', 'a.v')).toMatch(/^100644 /u);
});

test('of a file with a filter nobody can tell, and that is said', async () => {
  git('config', 'filter.x.clean', 'tr t o');
  writeFileSync(path('.gitattributes'), '*.v filter=x\n');
  writeFileSync(path('a.v'), 'tne\n');
  git('add', 'a.v');
  expect(git('status', '--porcelain', 'a.v')).toBe('');
  expect(await why()).toEqual([
    expect.stringMatching(/^has a filter for it in .*, which Quod does not run$/u),
  ]);
});

test.each([[], ['core.safecrlf', 'false'], ['core.autocrlf', 'false']])(
  'line ends that nothing has git overlook are changes (%s %s)',
  async (...setting) => {
    if (setting.length > 0) git('config', ...setting);
    writeFileSync(path('a.v'), 'one\r\n');
    expect(await why()).toEqual(['had changes of yours when the run began']);
  },
);
