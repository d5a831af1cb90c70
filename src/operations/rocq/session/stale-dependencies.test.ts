/** Which of the files that a file requires are told to be stale, and with which Rocq none is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { staleDependencies } from './stale-dependencies.ts';

const USER = 'From P Require Import Below.\nLemma l : one = 1.\nProof. reflexivity. Qed.\n';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quod-stale-'));
  await writeFile(join(folder, '_CoqProject'), '-Q . P\n');
  await writeFile(join(folder, 'Below.v'), 'Definition one := 1.\n');
});
afterAll(() => rm(folder, { recursive: true }));

// The embedded Rocq reads sources: that nothing was compiled from them makes no answer of it doubtful.
test.each([
  ['petanque', ['Below.v']],
  ['embedded', []],
])('what was never compiled, with %s', async (backend, stale) => {
  const paths = await staleDependencies(join(folder, 'User.v'), outlineOf(USER).requires, { backend });
  expect(paths).toEqual(stale.map((name) => join(folder, name)));
});
