import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { splitSentences } from '../../../provers/rocq/syntax/sentences.ts';
import { findRocq } from '../../find-rocq.ts';
import { importHint } from './import-hint.ts';

/** What the hint is for the first sentence of a text that is refused. */
async function hintFor(text: string): Promise<string | undefined> {
  const prover = await findRocq('auto');
  const session = await prover.openSession({ file: join(tmpdir(), 'hinted.v') });
  try {
    let at = session.root;
    for (const sentence of splitSentences(text).sentences) {
      const result = await session.run(at, sentence);
      if (result.status === 'failed') {
        const { signal } = new AbortController();
        return await importHint({ session, at, sentence, error: result.error, signal });
      }
      if (result.status === 'done') at = result.state;
    }
    throw new Error('Nothing is refused.');
  } finally {
    await session.close();
  }
}

test.each([
  ['Definition a : list nat := [].', 'List. Import ListNotations.'],
  ['Require Import List. Definition a : list nat := [1; 2].', 'List. Import ListNotations.'],
  ['Lemma a : forall n, n <= n + 1. Proof. intros. lia.', 'Lia.'],
  ['Definition a (l : list nat) := Permutation l l.', 'Permutation.'],
  ['Definition a (l : list nat) := Sorted le l.', 'Sorted.'],
  ['Definition a : string := "abc".', 'String.'],
  ['Definition a := "abc".', 'String. Open Scope string_scope.'],
  ['Definition a := Z.add.', 'ZArith.'],
  ['Definition a := In 1 (1 :: nil).', 'List.'],
])('of what the libraries have that are installed it says which: %s', async (text, required) => {
  const hint = await hintFor(text);
  expect(hint).toMatch(/^Rocq takes this where `(?:From \w+ Require )?Import /u);
  expect(hint?.replace(/^.*?Import /u, '').replace(/`.*$/u, '')).toBe(required);
});

test.each([
  ['Definition a (x : nat) xs := x :: xs.', 'list_scope'],
  ['Definition a := negb true && false.', 'bool_scope'],
  ['Require Import ZArith. Definition a (x : Z) := 1 + x.', 'Z_scope'],
])('what a scope has that is not open is read in it: %s', async (text, scope) => {
  expect(await hintFor(text)).toBe(`Rocq takes this where \`Open Scope ${scope}.\` stands before it.`);
});

test('several imports that one sentence lacks are told together', async () => {
  const hint = await hintFor('Definition a (l : list nat) := Permutation l [1; 2].');
  expect(hint).toMatch(/Import List\. Import ListNotations\. .*Import Permutation\.` stands before it\.$/u);
});

test.each(['Lemma a : no_such_name.', 'Definition a := true + 1.', 'Definition a := S + .'])(
  'nothing is told where no import helps: %s',
  async (text) => {
    expect(await hintFor(text)).toBeUndefined();
  },
);
