/** No commit is made in the middle of what the user has begun. With a real git; skipped without one. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test as anyTest } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { inRepository } from './testing/in-repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const { commit, folder, git, path, proved } = inRepository('quod-begun-');

describe.each([
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisection'],
])('in the middle of %s', (name, what) => {
  test('nothing is committed, and the message says what is under way', async () => {
    writeFileSync(path(`.git/${name}`), git('rev-parse', 'HEAD'));
    const made = await commit([proved('a.v')]);
    expect(made.commit).toBeNull();
    expect(made.message).toContain(`Not committed (a.v): ${what} is under way in ${folder()} (${name})`);
    rmSync(path(`.git/${name}`));
    expect(await commit([proved('a.v')])).toMatchObject({ message: 'Prove a.v' });
  });
});

describe('in the middle of what git itself stopped in', () => {
  /** Fails where git stops at a conflict. */
  const stops = (...words: string[]) => expect(() => git(...words)).toThrow();
  const commitOf = (text: string): string => {
    writeFileSync(path('a.v'), text);
    git('commit', '--quiet', '-am', text);
    return git('rev-parse', 'HEAD').trim();
  };

  test.for<[string, (first: string, second: string) => void, string]>([
    ['a merge', () => stops('merge', 'other'), 'a merge is under way'],
    ['a rebase', () => stops('rebase', 'other'), 'a rebase is under way'],
    ['a rebase by patches', () => stops('rebase', '--apply', 'other'), 'a rebase is under way'],
    ['a cherry-pick', (first) => stops('cherry-pick', first), 'a cherry-pick is under way'],
    [
      'a series of them, one committed by hand',
      (first, second) => {
        stops('cherry-pick', first, second);
        git('commit', '--quiet', '-am', 'by hand');
      },
      'a cherry-pick or revert of several commits is under way',
    ],
    ['a revert', () => stops('revert', '--no-edit', 'HEAD~1'), 'a revert is under way'],
    [
      'patches',
      () => {
        writeFileSync(path('patch'), git('format-patch', '--stdout', '-1', 'other'));
        stops('am', path('patch'));
      },
      'patches are being applied (git am)',
    ],
    [
      'a bisection',
      () => {
        git('bisect', 'start');
        git('bisect', 'bad');
      },
      'a bisection is under way',
    ],
  ])('%s', async ([, begin, what]) => {
    git('checkout', '--quiet', '-b', 'other');
    const first = commitOf('other one\n');
    const second = commitOf('other two\n');
    git('checkout', '--quiet', '-');
    commitOf('mine\n');
    commitOf('mine again\n');
    begin(first, second);
    const before = git('rev-parse', 'HEAD');
    const made = await commit([proved('b.v')]);
    expect(made.message).toContain(`Not committed (b.v): ${what} in `);
    expect(made.commit).toBeNull();
    expect(git('rev-parse', 'HEAD')).toBe(before);
    expect(readFileSync(path('b.v'), 'utf8')).toBe('proved\n');
  });
});
