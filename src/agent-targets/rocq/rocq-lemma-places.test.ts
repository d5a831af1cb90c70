/** Lemmas in files: before the first theorem that uses them, each once, in an order that the gate accepts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { readSourceFile } from '../../operations/files/source-file.ts';
import { judgeWithLemmas } from './rocq-judgement.ts';
import { judgeTogether } from './rocq-together.ts';
import { withProof } from './rocq-lemma-places.ts';

const HELPER = `Lemma helper : forall n m : nat, n + S m = S (n + m).
Proof. induction n as [|n IH]; intros m. reflexivity. simpl. rewrite IH. reflexivity. Qed.`;
const ONE = 'Lemma one : forall n m, n + S m = S (n + m).\nProof.\nAdmitted.\n';
const TWO = 'Lemma two : forall a b, S (a + b) = a + S b.\nProof.\nAdmitted.\n';
const BY_HELPER = { proof: 'Proof. intros n m. apply helper. Qed.', before: HELPER };
const BACKWARDS = { proof: 'Proof. intros a b. symmetry. apply helper. Qed.', before: HELPER };

async function fileOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quod-places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.v'), text);
  return readSourceFile(join(folder, 'a.v'));
}

const helpersIn = (text: string): number => text.split('Lemma helper').length - 1;

describe.skipIf(findExecutable(['coqc']) === undefined)('lemmas in a file', () => {
  const { signal } = new AbortController();

  test('one that stands before the theorem is not written again', async () => {
    const source = await fileOf(`${HELPER}\n${ONE}${TWO}`);
    expect(helpersIn(withProof(source, 'two', BACKWARDS))).toBe(1);
    const { judgement } = await judgeWithLemmas(source, 'two', BACKWARDS, signal);
    expect(judgement.verdict).toBe('accepted');
  });

  test('one that stands further down is moved up, and the gate accepts the file', async () => {
    const source = await fileOf(`${ONE}${HELPER}\n${TWO}`);
    const { text, judgement } = await judgeWithLemmas(source, 'one', BY_HELPER, signal);
    expect(judgement).toMatchObject({ verdict: 'accepted', restsOnOpen: [] });
    expect(helpersIn(text)).toBe(1);
    expect(text.indexOf('Lemma helper')).toBeLessThan(text.indexOf('Lemma one'));
  });

  test('one that stands in a section that has ended, or says something else, is no such lemma', async () => {
    const other = HELPER.replace('n + S m = S (n + m)', 'n + m = n + m');
    for (const before of [`Module M.\n${HELPER}\nEnd M.\n`, `${other}\n`]) {
      expect(helpersIn(withProof(await fileOf(`${before}${ONE}`), 'one', BY_HELPER))).toBe(2);
    }
    const { judgement } = await judgeWithLemmas(await fileOf(`${other}\n${ONE}`), 'one', BY_HELPER, signal);
    expect(judgement.verdict).not.toBe('accepted');
  });

  test('several proofs are judged together with a lemma of all of them', async () => {
    const source = await fileOf(`${ONE}${TWO}`);
    const proofs = new Map([
      ['two', BACKWARDS],
      ['one', BY_HELPER],
    ]);
    const judged = await judgeTogether({ source }, ['two', 'one'], proofs, signal);
    expect(judged).toMatchObject({ verdict: 'accepted', restsOnOpen: { one: [], two: [] } });
  });

  test('a lemma stands before the theorem that is meant, and not before another of its name', async () => {
    const finished = ONE.replace('Admitted.', 'exact (fun n m => eq_sym (plus_n_Sm n m)). Qed.');
    const source = await fileOf(`${finished}Module A.\n${ONE}End A.\n`);
    const { text, judgement } = await judgeWithLemmas(source, 'A.one', BY_HELPER, signal);
    expect(judgement).toMatchObject({ verdict: 'accepted', restsOnOpen: [] });
    expect(text.startsWith(`${finished}Module A.\nLemma helper`)).toBe(true);
    const both = new Map([['A.one', BY_HELPER]]);
    const judged = await judgeTogether({ source }, ['A.one'], both, signal);
    expect(judged).toMatchObject({ verdict: 'accepted', restsOnOpen: { 'A.one': [] } });
  });

  test.each([
    ['the statement of a lemma', HELPER.replace('forall', '(* \u001b[8m *) forall'), BY_HELPER.proof],
    ['the proof of a lemma', HELPER.replace('intros m.', 'intros m. (* \u202e *)'), BY_HELPER.proof],
    ['the proof', HELPER, BY_HELPER.proof.replace('intros', '(* \b *) intros')],
  ])('%s that looks like another one is not accepted', async (_, before, proof) => {
    const source = await fileOf(ONE);
    const { judgement } = await judgeWithLemmas(source, 'one', { proof, before }, signal);
    const finding = /forbidden: a c.*another proof than the prover does/u;
    const refused = { verdict: 'rejected', findings: [expect.stringMatching(finding)] };
    expect(judgement).toMatchObject(refused);
    const both = new Map([['one', { proof, before }]]);
    expect(await judgeTogether({ source }, ['one'], both, signal)).toMatchObject(refused);
  });

  // More of it in src/gate/rocq/proofs-with-lemmas.test.ts.
  test.each([
    ['Rocq names what a tactic leaves', '', 'accepted'],
    ['a notation of the file would come to mean it', ' using pred', 'rejected'],
    ['it has a name of its own', ' using zork', 'rejected'],
  ])('a proof that uses a lemma is judged as one that uses none: %s', async (_, using, verdict) => {
    const source = await fileOf('Theorem t : True.\nProof.\nAdmitted.\nNotation p := pred.\n');
    const tactic = `transparent_abstract (exact (fun n : nat => n))${using}`;
    const proof = `pose (x := h). assert (nat -> nat) by (${tactic}). exact x.\nDefined.`;
    const before = 'Local Lemma h : True.\nProof.\nexact I.\nQed.';
    const { judgement } = await judgeWithLemmas(source, 't', { proof, before }, signal);
    expect(judgement.verdict).toBe(verdict);
    const together = await judgeTogether({ source }, ['t'], new Map([['t', { proof, before }]]), signal);
    expect(together.verdict).toBe(verdict);
  });
});
