import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { type Lemma, LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { StoredLemmas } from './stored-lemmas.ts';

const LISTED: readonly Lemma[] = [
  { name: 'Nat.add_comm', statement: 'forall n m : nat, n + m = m + n' },
  { name: 'Nat.mul_comm', statement: 'forall n m : nat, n * m = m * n' },
  { name: 'app_assoc', statement: 'forall (A : Type) (l m n : list A), l ++ m ++ n = (l ++ m) ++ n' },
];

test('what is listed once is found again, by the same goals and with the same parts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-test-'));
  try {
    let asked = 0;
    const lemmas = async (): Promise<LemmaMemory> => {
      const stored = new StoredLemmas(folder);
      const outline = outlineOf('Require Import Arith.\nLemma open : True.\nAdmitted.\n');
      const memory = new LemmaMemory();
      const list = (): Promise<readonly Lemma[]> => {
        asked += 1;
        return Promise.resolve(LISTED);
      };
      for (const lemma of await stored.behindRequires(outline, 1, 'rocq', list)) memory.add(lemma);
      return memory;
    };
    const told = (memory: LemmaMemory): unknown =>
      LISTED.map(({ name }) => {
        const lemma = memory.find(name);
        if (lemma === undefined) throw new Error(`${name} is lost.`);
        const near = memory.similarTo(lemma, 2).map(({ lemma: other, score }) => [other.name, score]);
        return { near, conclusion: lemma.conclusion, bound: [...lemma.bound], patterns: lemma.patterns() };
      });
    const read = new LemmaMemory();
    for (const lemma of LISTED) read.add(lemma);
    expect(told(await lemmas())).toEqual(told(read));
    expect(told(await lemmas())).toEqual(told(read));
    expect(asked).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
