/** The progress of a project over its commits, with the real git. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { operations } from '../catalogue.ts';
import { openCaller, type Caller } from '../testing/caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await openCaller();
});
afterAll(() => caller.close());

it('is empty where there is no git', async () => {
  expect(await operations.proof_history.call({}, caller.context())).toEqual({ commits: [] });
});

it.skipIf(findExecutable(['git']) === undefined)('counts holes and statements at each commit', async () => {
  const git = (...words: string[]): Buffer =>
    execFileSync('git', ['-C', caller.folder, '-c', 'user.name=n', '-c', 'user.email=e', ...words]);
  git('init', '-q');
  const commit = async (text: string, subject: string): Promise<void> => {
    await caller.write('a.v', text);
    git('add', '.');
    git('commit', '-qm', subject);
  };
  await commit('Lemma a : True. Admitted.\nLemma b : True. Admitted.\n', 'state');
  await commit('Lemma a : True. Proof. exact I. Qed.\nLemma b : True. Admitted.\n', 'prove one');
  await caller.write('program.sh', `#!/bin/sh\ntouch ${caller.folder}/ran\n`);
  await chmod(join(caller.folder, 'program.sh'), 0o755);
  for (const name of ['core.fsmonitor', 'core.pager', 'gpg.program', 'diff.external'])
    git('config', name, join(caller.folder, 'program.sh'));
  const { commits } = await operations.proof_history.call({}, caller.context());
  expect(commits.map(({ subject, holes, statements }) => [subject, holes, statements])).toEqual([
    ['state', 2, 2],
    ['prove one', 1, 2],
  ]);
  expect(existsSync(join(caller.folder, 'ran'))).toBe(false);
});
