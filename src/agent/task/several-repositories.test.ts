/** Which files a commit has, and what it names. With a real git; skipped without one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test as anyTest } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import { commitRunsOwn } from './repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

let folder: string;
const path = (name: string): string => join(folder, name);
const gitIn = (place: string, ...commandLine: string[]): string =>
  execFileSync('git', ['-C', path(place), '-c', 'user.name=t', '-c', 'user.email=t@t', ...commandLine], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const git = (...commandLine: string[]): string => gitIn('.', ...commandLine);
/** A file with what a run has put there. */
const proved = (name: string): FileVersion => {
  writeFileSync(path(name), 'proved\n');
  return { file: path(name), bytes: Buffer.from('proved\n'), proves: () => [name] };
};
const commit = (files: readonly FileVersion[], usersOwn: ReadonlyMap<string, string> = new Map()) =>
  commitRunsOwn(files, usersOwn, { message: (theorems) => `Prove ${theorems.join(', ')}` });

/** With a file of each of these names that is committed. */
function makeRepository(place: string, names: readonly string[]): void {
  mkdirSync(path(place), { recursive: true });
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'config', 'user.name', 'somebody');
  gitIn(place, 'config', 'user.email', 'somebody@example.org');
  for (const name of names) writeFileSync(path(`${place}/${name}`), 'one\n');
  gitIn(place, 'add', '.');
  gitIn(place, 'commit', '--quiet', '-m', 'first');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-several-'));
  makeRepository('.', ['a.v', 'b.v']);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('files of several repositories', () => {
  test('are committed each in its own, and the message of each names its own theorems', async () => {
    makeRepository('inner', ['c.v']);
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
    makeRepository('origin', ['c.v']);
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', path('origin'), 'sub'];
    git(...add);
    git('commit', '--quiet', '-m', 'submodule');
    gitIn('sub', 'config', 'user.name', 'somebody');
    gitIn('sub', 'config', 'user.email', 'somebody@example.org');
    const { message } = await commit(['sub/c.v', 'a.v'].map(proved));
    const around = git('rev-parse', 'HEAD').slice(0, 10);
    expect(message.split('\n')).toEqual(['Prove sub/c.v', `${around} in ${basename(folder)}: Prove a.v`]);
    expect(gitIn('sub', 'log', '-1', '--format=%s')).toBe('Prove sub/c.v\n');
    expect(git('show', '--name-only', '--format=%s').trim()).toBe('Prove a.v\n\na.v');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe(' M sub\n');
  });

  test('are committed where that can be done, and the others are told with why', async () => {
    for (const name of ['inner', 'beside']) makeRepository(name, ['c.v']);
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
