/** In which order the sources of a folder are taken, and that each is taken once. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filesNamed } from './named-files.ts';

const HOLE = 'Lemma open : True.\nAdmitted.\n';

it.each([
  ['dune', 'theories/dune', '(coq.theory (name Shop))\n'],
  ['a project file', '_CoqProject', '-Q theories Shop\n'],
])('those of a project of %s come behind what they require', async (_, file, content) => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-named-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    ...{ 'dune-project': '(lang dune 3.0)\n(using coq 0.6)\n', [file]: content },
    'theories/Basket.v': `From Shop Require Import Price.\n${HOLE}`,
    'theories/Price.v': `From Shop Require Import Unit.\n${HOLE}`,
    'theories/Unit.v': HOLE,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const named = await filesNamed([folder]);
  expect(named.map(({ name, holes }) => `${basename(name)} ${holes}`)).toEqual([
    'Unit.v 1',
    'Price.v 1',
    'Basket.v 1',
  ]);
});

it('a file that is named several times is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-named-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['A.v', 'B.v']) writeFileSync(join(folder, name), HOLE);
  symlinkSync('A.v', join(folder, 'Linked.v'));
  const names = ['B.v', 'A.v', 'B.v', './A.v', 'Linked.v'].map((name) => `${folder}/${name}`);
  const named = await filesNamed([...names, folder, `${folder}/C.v`, `${folder}/./C.v`]);
  expect(named.map(({ name, holes, isInFolder }) => [basename(name), holes, isInFolder])).toEqual([
    ['B.v', 1, false],
    ['A.v', 1, false],
    ['C.v', 0, false],
  ]);
  const [first] = await filesNamed([folder, `${folder}/A.v`]);
  expect(first).toMatchObject({ name: join(folder, 'A.v'), isInFolder: false });
});
