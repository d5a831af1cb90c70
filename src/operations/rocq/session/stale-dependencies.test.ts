/** Which of the files that a file requires are told to be stale, and with which Rocq none is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRocqProject } from '../../../provers/rocq/project.ts';
import { outlineOf } from '../../../provers/rocq/syntax/outline.ts';
import { compiledLibraries } from './compiled-libraries.ts';
import { RocqFile } from './rocq-file.ts';
import { librariesRead, staleDependencies } from './stale-dependencies.ts';

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

test('the name for the libraries is another when a file that is required was compiled anew, and by no other', async () => {
  const [source, identity] = [
    { path: join(folder, 'User.v'), text: USER },
    { backend: 'petanque', version: '1' },
  ];
  const hash = { hash: '', byteOrderMark: false, lineEnd: '\n' as const };
  const name = async (): Promise<string> => {
    const { digest, stamps } = await compiledLibraries(await findRocqProject(source.path));
    const context = { file: source.path, libraries: digest };
    const file = new RocqFile({ ...source, ...hash, name: 'User.v' }, 'User.v', context, stamps);
    return (await librariesRead(file, identity)).libraries;
  };
  const uncompiled = await name();
  await writeFile(join(folder, 'Below.vo'), 'one');
  const compiled = await name();
  expect(compiled).not.toBe(uncompiled);
  await writeFile(join(folder, 'User.vo'), 'its own');
  expect(await name()).toBe(compiled);
  await writeFile(join(folder, 'Below.vo'), 'another');
  expect(await name()).not.toBe(compiled);
});
