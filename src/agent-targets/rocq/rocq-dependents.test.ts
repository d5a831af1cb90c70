import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { suppositionsElsewhere } from './rocq-dependents.ts';

let folder: string;
const path = (name: string): string => join(folder, name);
const OPEN = 'Definition f : nat -> nat.\nProof.\nAdmitted.\nLemma g : nat.\nProof.\nAdmitted.\n';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-dependents-'));
  writeFileSync(path('_CoqProject'), '-Q . Lib\n');
  writeFileSync(path('A.v'), OPEN);
});
afterEach(() => rmSync(folder, { recursive: true }));

const told = (proofs: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const statements = outlineOf(OPEN).statements.map((item) => ({ theorem: item.name ?? '', item }));
  const found = Object.entries(proofs).map(([name, proof]) => [name, { proof }] as const);
  return suppositionsElsewhere(path('A.v'), statements, new Map(found));
};
const VALUE = { f: 'Proof. exact S. Defined.' };
const AXIOM = 'From Lib Require Import A.\nAxiom ax : f 0 = 0.\n';

test('what files that require it suppose is told, also by way of others', async () => {
  writeFileSync(path('B.v'), AXIOM);
  writeFileSync(path('C.v'), 'Require Import Lib.B.\nLemma two : f 1 = 1.\nProof.\nAdmitted.\n');
  writeFileSync(path('D.v'), 'Axiom alone : 0 = 1.\n');
  expect(await told(VALUE)).toEqual([
    'values-chosen: this run gave a value to f (A.v). What other files that require this one state without a proof may speak of it, and be false with it: B.v (ax), C.v (two).',
  ]);
});

test.each([
  ['nothing has a value', { g: 'Proof. exact 0. Qed.' }, AXIOM],
  ['nobody requires it', VALUE, 'Axiom ax : 0 = 1.\n'],
  [
    'what requires it proves all that it states',
    VALUE,
    'From Lib Require A.\nLemma l : 1 = 1.\nProof. reflexivity. Qed.\n',
  ],
  [
    'what requires it supposes only in sections and types of modules',
    VALUE,
    'From Lib Require A.\nSection S.\nVariable v : nat.\nEnd S.\nModule Type T.\nAxiom a : 0 = 1.\nEnd T.\n',
  ],
])('nothing is told where %s', async (_, proofs, text) => {
  writeFileSync(path('B.v'), text);
  expect(await told(proofs)).toEqual([]);
});

test('a lemma whose proof others can look into is a value; that the project cannot be read is told', async () => {
  writeFileSync(path('B.v'), AXIOM);
  expect(await told({ g: 'Proof. exact 0. Defined.' })).toEqual([expect.stringContaining('to g (A.v)')]);
  writeFileSync(path('_CoqProject'), '-Q . Lib "\n');
  expect(await told(VALUE)).toEqual([expect.stringContaining('is not known')]);
});
