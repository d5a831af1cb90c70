import { expect, test } from 'vitest';
import { sha256 } from '../../core/sha256.ts';
import type { TargetFile } from '../target.ts';
import { toyFile, toyTarget } from '../testing/toy-target.ts';
import { JudgedFiles } from './judged-files.ts';
import type { ProofsInFiles } from './judged-files.ts';

const NONE: ProofsInFiles = { proofs: new Map(), isOfOthers: false };

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

function fileOnDisk(): { readonly disk: { text: string | undefined }; readonly file: TargetFile } {
  const disk: { text: string | undefined } = { text: 'judged' };
  const bytes = (): Promise<Uint8Array> =>
    disk.text === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(bytesOf(disk.text));
  return { disk, file: { ...toyFile(toyTarget()), bytes } };
}

test('what was judged is had in the bytes that were judged, whatever the file is by then', async () => {
  const { disk, file } = fileOnDisk();
  const judgedFiles = new JudgedFiles([file]);
  expect(judgedFiles.versionsOf([file.file], NONE)).toEqual([]);
  judgedFiles.judged(file.file, bytesOf('judged'));
  expect(await judgedFiles.replaced()).toEqual([]);
  disk.text = 'exchanged';
  expect(judgedFiles.versionsOf([file.file], NONE)).toMatchObject([
    { file: file.file, bytes: bytesOf('judged') },
  ]);
  expect(await judgedFiles.replaced()).toEqual([file.file]);
  disk.text = undefined;
  expect(await judgedFiles.replaced()).toEqual([file.file]);
  disk.text = 'other';
  judgedFiles.seen(file.file, sha256(bytesOf('other')));
  expect(judgedFiles.versionsOf([file.file], NONE)).toEqual([]);
  expect(await judgedFiles.replaced()).toEqual([]);
});

test('what was written is asked of the file that it is in, and of one that cannot be read nothing is there', async () => {
  const first: TargetFile = {
    ...toyFile(toyTarget('one'), toyTarget('two')),
    openNow: (names) => Promise.resolve(names.filter((name) => name === 'two')),
  };
  const gone: TargetFile = {
    ...toyFile(toyTarget('three')),
    ...{ file: '/gone.v', openNow: () => Promise.reject(new Error('gone')) },
  };
  const judgedFiles = new JudgedFiles([first, gone]);
  expect(await judgedFiles.takenOut(['one', 'two', 'three'])).toEqual(['two', 'three']);
  expect(await judgedFiles.takenOut(['one'])).toEqual([]);
});

test('of what was written only the version that was judged counts', async () => {
  const { disk, file } = fileOnDisk();
  const [target] = file.targets;
  const judgedFiles = new JudgedFiles([file]);
  if (target !== undefined) await judgedFiles.writtenFor(target, sha256(bytesOf('judged')));
  expect(judgedFiles.versionsOf([file.file], NONE)).toMatchObject([
    { file: file.file, bytes: bytesOf('judged') },
  ]);
  disk.text = 'exchanged';
  await judgedFiles.written(file.file, sha256(bytesOf('judged')));
  expect(judgedFiles.versionsOf([file.file], NONE)).toEqual([]);
  expect(await judgedFiles.replaced()).toEqual([file.file]);
});

test('of the proofs of a run those are told that a version adds to what is committed', () => {
  const file: TargetFile = {
    ...toyFile(toyTarget('one'), toyTarget('two'), toyTarget('three')),
    // A name in the text stands for its proof.
    otherProofs: (from, to) =>
      ['one', 'two', 'three'].filter(
        (name) => Buffer.from(to).includes(name) && !Buffer.from(from).includes(name),
      ),
  };
  const judgedFiles = new JudgedFiles([file]);
  judgedFiles.judged(file.file, bytesOf('one two three'));
  const proofs = new Map(['one', 'two', 'elsewhere'].map((name) => [name, { proof: name }]));
  const [version] = judgedFiles.versionsOf([file.file], { proofs, isOfOthers: false });
  expect(version?.proves?.(bytesOf('one'))).toEqual(['two']);
  expect(version?.proves?.(undefined)).toEqual(['one', 'two']);
});
