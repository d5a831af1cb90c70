/** With a real git; skipped without one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test as anyTest } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { changedFiles, commitFiles } from './repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

let folder: string;
const path = (name: string): string => join(folder, name);
const git = (...commandLine: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...commandLine], {
    encoding: 'utf8',
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-repository-'));
  git('init', '--quiet');
  git('config', 'user.name', 'somebody');
  git('config', 'user.email', 'somebody@example.org');
  for (const name of ['a.v', 'b.v']) writeFileSync(path(name), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('only the named files are committed, whatever else is changed or staged', async () => {
  writeFileSync(path('a.v'), 'two\n');
  writeFileSync(path('b.v'), 'the user’s\n');
  writeFileSync(path('c.v'), 'staged\n');
  git('add', 'c.v');
  writeFileSync(path('TASK.md'), 'new\n');
  const { commit, message } = await commitFiles([path('a.v'), path('TASK.md')], 'Prove a');
  expect(message).toBe('Prove a');
  expect(
    git('show', '--name-only', '--format=%H', commit ?? '')
      .trim()
      .split(/\n+/u),
  ).toEqual([commit, 'TASK.md', 'a.v']);
  expect(git('status', '--porcelain')).toBe(' M b.v\nA  c.v\n');
});

test('files with the user’s own changes are noticed, new ones are not among them', async () => {
  writeFileSync(path('b.v'), 'mine\n');
  writeFileSync(path('c.v'), 'new\n');
  expect(await changedFiles([path('a.v'), path('b.v'), path('c.v')])).toEqual([path('b.v')]);
});

test('a commit that cannot be made says why and changes no file', async () => {
  expect(await commitFiles([path('a.v')], 'nothing')).toEqual({
    commit: null,
    message: 'Nothing to commit.',
  });
  writeFileSync(path('a.v'), 'two\n');
  writeFileSync(path('.git/hooks/pre-commit'), '#!/bin/sh\necho refused by the hook >&2\nexit 1\n', {
    mode: 0o755,
  });
  expect(await commitFiles([path('a.v')], 'Prove a')).toMatchObject({
    commit: null,
    message: expect.stringMatching(/Not committed: .*refused by the hook/u) as string,
  });
  const outside = mkdtempSync(join(tmpdir(), 'quod-no-repository-'));
  writeFileSync(join(outside, 'a.v'), 'x');
  expect(await commitFiles([join(outside, 'a.v')], 'Prove a')).toMatchObject({
    commit: null,
    message: expect.stringMatching(/not a git repository/iu) as string,
  });
  expect(await changedFiles([join(outside, 'a.v')])).toEqual([]);
  rmSync(outside, { recursive: true });
});
