/** Reasons for which git commits nothing that lie outside of the repository: each names what mends it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test as anyTest, vi } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { commitRunsOwn } from './repository.ts';
import { inRepository } from './testing/in-repository.ts';

const test = anyTest.skipIf(findExecutable(['git']) === undefined);

const { path, git, commit, proved } = inRepository('quod-why-not-');
afterEach(() => vi.unstubAllEnvs());

test('a user whom git does not know is told how to say the name', async () => {
  for (const name of ['name', 'email']) git('config', '--unset', `user.${name}`);
  git('config', 'user.useConfigOnly', 'true');
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null');
  const { message } = await commit([proved('a.v')]);
  expect(message).toMatch(/^Not committed \(a\.v\): git does not know by whose name to commit \(.+\)\. /u);
  expect(message).toMatch(/git config user\.name and git config user\.email$/u);
});

test.each([
  [['GIT_DIR'], 'GIT_DIR of the environment is not heeded'],
  [['GIT_DIR', 'GIT_WORK_TREE'], 'GIT_DIR and GIT_WORK_TREE of the environment are not heeded'],
  [[], undefined],
])('where %j say where a repository is, that they are not heeded is said', async (variables, said) => {
  const outside = mkdtempSync(join(tmpdir(), 'quod-outside-'));
  for (const name of variables) vi.stubEnv(name, path(name === 'GIT_DIR' ? '.git' : '.'));
  const file = join(outside, 'a.v');
  writeFileSync(file, 'one\n');
  const { message } = await commitRunsOwn([{ file, bytes: Buffer.from('one\n') }], new Map(), {
    message: () => '',
  });
  rmSync(outside, { recursive: true });
  expect(message).toBe(
    `Not committed: there is no git repository around a.v${said === undefined ? '' : ` (${said})`}.`,
  );
});
