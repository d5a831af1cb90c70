/** Which files a commit has, and what it names. With a real git; skipped without one. */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test as anyTest } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { inRepository } from './testing/in-repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const { commit, folder, git, gitIn, makeRepository, path, proved } = inRepository('quod-several-');

describe('files of several repositories', () => {
  test('are committed each in its own, and the message of each names its own theorems', async () => {
    makeRepository('inner', { 'c.v': 'one\n' });
    const made = await commit(['a.v', 'inner/c.v'].map(proved));
    expect(git('log', '--format=%s')).toBe('Prove a.v\nfirst\n');
    expect(gitIn('inner', 'log', '--format=%s')).toBe('Prove inner/c.v\nfirst\n');
    const inner = gitIn('inner', 'rev-parse', 'HEAD').slice(0, 10);
    expect(made).toEqual({
      files: [path('a.v'), path('inner/c.v')],
      commit: git('rev-parse', 'HEAD').trim(),
      message: `Prove a.v\n${inner} in inner: Prove inner/c.v`,
    });
  });

  test('in a submodule are committed there, and what the repository around it has of that is left to the user', async () => {
    makeRepository('origin', { 'c.v': 'one\n' });
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', path('origin'), 'sub'];
    git(...add);
    git('commit', '--quiet', '-m', 'submodule');
    gitIn('sub', 'config', 'user.name', 'somebody');
    gitIn('sub', 'config', 'user.email', 'somebody@example.org');
    const { message } = await commit(['sub/c.v', 'a.v'].map(proved));
    const around = git('rev-parse', 'HEAD').slice(0, 10);
    expect(message.split('\n')).toEqual(['Prove sub/c.v', `${around} in ${basename(folder())}: Prove a.v`]);
    expect(gitIn('sub', 'log', '-1', '--format=%s')).toBe('Prove sub/c.v\n');
    expect(git('show', '--name-only', '--format=%s').trim()).toBe('Prove a.v\n\na.v');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe(' M sub\n');
  });

  test('are committed where that can be done, and the others are told with why', async () => {
    for (const name of ['inner', 'beside']) makeRepository(name, { 'c.v': 'one\n' });
    writeFileSync(path('inner/.git/MERGE_HEAD'), gitIn('inner', 'rev-parse', 'HEAD'));
    const made = await commit(
      ['inner/c.v', 'beside/c.v', 'a.v'].map(proved),
      new Map([[path('a.v'), 'had changes of yours when the run began']]),
    );
    expect(made.message.split('\n')).toEqual([
      'Prove beside/c.v',
      expect.stringMatching(/^Not committed \(c\.v\): a merge is under way in .*inner \(MERGE_HEAD\)/u),
      'Not committed, for you to commit: a.v had changes of yours when the run began.',
    ]);
    expect(gitIn('beside', 'log', '--format=%s')).toBe('Prove beside/c.v\nfirst\n');
    expect(gitIn('inner', 'log', '--format=%s')).toBe('first\n');
  });
});

test('a commit names the theorems of the files that are in it, and of no other', async () => {
  writeFileSync(path('.git/info/exclude'), 'c.v\n');
  const files = [proved('a.v'), { ...proved('b.v'), isRunsOwn: () => false }, proved('c.v')];
  const { message } = await commit(files);
  expect(message.split('\n')).toEqual([
    'Prove a.v',
    'Not committed, for you to commit: b.v has changes of yours beside what the run put there.',
    'Not committed, for you to commit: c.v is ignored by git.',
  ]);
  expect(git('log', '-1', '--format=%B').trim()).toBe('Prove a.v');
});
