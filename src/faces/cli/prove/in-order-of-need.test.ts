import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesNamed } from '../../../operations/project/named-files.ts';
import { inOrderOfNeed } from './in-order-of-need.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-need-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('_CoqProject', '-Q . P\n');
  write('Base.v', 'Lemma b : True.\nAdmitted.\n');
  write('Middle.v', 'From P Require Import Base.\n');
  write('Top.v', 'From P Require Import Middle.\nLemma t : True.\nAdmitted.\n');
  write('Alone.v', 'Lemma a : True.\nAdmitted.\n');
  mkdirSync(join(folder, 'sub'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function ordered(...names: string[]) {
  const { files, told } = await inOrderOfNeed(await filesNamed(names.map((name) => join(folder, name))));
  return {
    files: files.map(({ name }) => basename(name)),
    told: told.map((line) => line.replaceAll(`${folder}/`, '')),
  };
}

test('a file comes behind those that it requires, and that is told', async () => {
  expect(await ordered('Top.v', 'Alone.v', 'Base.v')).toEqual({
    files: ['Base.v', 'Top.v', 'Alone.v'],
    told: ['Base.v comes before Top.v, which requires it'],
  });
  expect((await ordered('Top.v', 'Middle.v', 'Base.v')).told).toEqual([
    '2 files come before Top.v, which requires them',
  ]);
});

test('an order that does stays, and nothing is told; so of a folder', async () => {
  expect(await ordered('Alone.v', 'Base.v', 'Top.v')).toEqual({
    files: ['Alone.v', 'Base.v', 'Top.v'],
    told: [],
  });
  expect((await ordered('.')).told).toEqual([]);
});

test('what cannot be read, or is of no project, costs no other its place', async () => {
  writeFileSync(join(folder, 'sub', '_CoqProject'), '-Q nowhere\n');
  writeFileSync(join(folder, 'sub', 'S.v'), 'Require Import Base.\n');
  expect((await ordered('sub/S.v', 'missing.v', 'Top.v', 'Base.v')).files).toEqual([
    'S.v',
    'missing.v',
    'Base.v',
    'Top.v',
  ]);
});
