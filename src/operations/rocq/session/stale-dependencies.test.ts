/** Which of the files that a file requires are told to be stale, and with which Rocq none is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FileDigests } from '../../../process/foreign-folder/file-digests.ts';
import { findRocqProject } from '../../../provers/rocq/project/project.ts';
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

const digests = new FileDigests();

/** A text that stands in `User.v`, as it is read now. */
async function read(text: string): Promise<RocqFile> {
  const path = join(folder, 'User.v');
  const { digest, of } = await compiledLibraries(await findRocqProject(path), digests);
  const source = { path, text, name: 'User.v', hash: '', byteOrderMark: false, lineEnd: '\n' as const };
  return new RocqFile(source, 'User.v', { file: path, libraries: digest }, of);
}

async function nameOf(file: RocqFile): Promise<string> {
  return (await librariesRead(file, { backend: 'petanque', version: '1' })).libraries;
}

const nameFor = async (text: string): Promise<string> => nameOf(await read(text));

test('the name for the libraries is another when a file that is required was compiled anew, and by no other', async () => {
  const name = (): Promise<string> => nameFor(USER);
  const uncompiled = await name();
  await writeFile(join(folder, 'Below.vo'), 'one');
  const compiled = await name();
  expect(compiled).not.toBe(uncompiled);
  await writeFile(join(folder, 'User.vo'), 'its own');
  expect(await name()).toBe(compiled);
  await writeFile(join(folder, 'Below.vo'), 'another');
  expect(await name()).not.toBe(compiled);
});

test('the name for the libraries is that of what they say, as they were when the file was read', async () => {
  await writeFile(join(folder, 'Below.vo'), 'one');
  const early = await read(USER);
  const name = await nameOf(early);
  await writeFile(join(folder, 'Below.vo'), 'two');
  expect(await nameFor(USER)).not.toBe(name);
  expect(await nameOf(early)).not.toBe(await nameFor(USER));
  await writeFile(join(folder, 'Below.vo'), 'one');
  expect(await nameFor(USER)).toBe(name);
});

test.each([
  ['requires nothing', 'Lemma l : 1 = 1.\nProof. reflexivity. Qed.\n'],
  ['requires a file', USER],
])('of a text that %s, it is another when the project tells Rocq something else', async (_, text) => {
  const before = await nameFor(text);
  await writeFile(join(folder, '_CoqProject'), '-Q . P\n-arg -impredicative-set\n');
  try {
    expect(await nameFor(text)).not.toBe(before);
  } finally {
    await writeFile(join(folder, '_CoqProject'), '-Q . P\n');
  }
  expect(await nameFor(text)).toBe(before);
});
