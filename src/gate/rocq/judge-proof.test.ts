import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orNothing } from '../../core/entry.ts';
import { findExecutable } from '../../process/executable.ts';
import { beginProofs, judgeProof } from '../verify.ts';
import type { Verdict } from '../verdict.ts';
import type { CompileRequest, CompileResult } from './backends/judge-backend.ts';
import { NativeJudge } from './backends/native-judge.ts';
import { sentencesOf } from './testing/sentences-of.ts';

const FILE = `Require Import List.
Definition double (n : nat) := n + n.
Module Own. Ltac finish := reflexivity. End Own.
Lemma first : forall n, double n = n + n.
Admitted.
Section S.
Variable A : Type.
Lemma second : forall l : list A, l ++ nil = l.
Proof.
Admitted.
Lemma third : double 1 = 2.
Proof. Admitted.
End S.
Definition broken_later := nowhere.
`;

const PROJECT = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

const COQC = findExecutable(['coqc']);

/** Knows which whole texts it was asked to compile. */
class CountingJudge extends NativeJudge {
  readonly compiled: string[] = [];

  override compile(request: CompileRequest): Promise<CompileResult> {
    this.compiled.push(request.text);
    return super.compile(request);
  }
}

function judge(text: string, theorems: readonly string[]): Promise<Verdict> {
  return judgeProof(
    { target: { path: 'File.v', text: FILE }, text, statements: sentencesOf(FILE, theorems) },
    { project: PROJECT },
  );
}

const withFirst = (proof: string) => FILE.replace('Admitted.', proof);
const withSecond = (proof: string) => FILE.replace('Proof.\nAdmitted.', proof);
const withThird = (proof: string) => FILE.replace('Proof. Admitted.', proof);

describe('judgeProof', () => {
  it('accepts a proof, without looking at what follows it', async () => {
    const verdict = await judge(withSecond('Proof. intros l. now rewrite app_nil_r. Qed.'), ['second']);
    expect(verdict).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 'second', assumptions: [], openStatements: [] }],
    });
  });

  // Only a compiler that reads while it compiles can begin.
  it.skipIf(COQC === undefined)('takes up what was begun before there was a proof', async () => {
    const backend = new CountingJudge(orNothing(COQC));
    const settings = { backend, project: PROJECT };
    const statements = sentencesOf(FILE, ['first']);
    const asked = { target: { path: 'File.v', text: FILE }, statements, onlyUpToProofs: true };
    const right = withFirst('Proof. reflexivity. Qed.');
    const changed = { ...asked, text: right };
    const begun = await beginProofs(asked, settings);
    if (begun === undefined) throw new Error('Nothing was begun.');
    expect(await judgeProof(changed, { ...settings, begun })).toMatchObject({ kind: 'accepted' });
    expect(backend.compiled.filter((text) => text.includes('reflexivity. Qed.'))).toEqual([]);
    // It serves once, and a text that goes on otherwise is compiled as if nothing had been begun.
    expect(await judgeProof(changed, { ...settings, begun })).toMatchObject({ kind: 'accepted' });
    begun.end();
    const wrong = { ...asked, text: withFirst('Proof. exact I. Qed.') };
    const again = await beginProofs(asked, settings);
    if (again === undefined) throw new Error('Nothing was begun.');
    expect(await judgeProof(wrong, { ...settings, begun: again })).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'does-not-compile', subject: 'first' }],
    });
    again.end();
    // What was begun knows nothing of the workers that the rest has.
    const parallel = { ...asked, text: withFirst('Proof. intro n. assert (n = n). par: reflexivity. Qed.') };
    const third = await beginProofs(asked, settings);
    if (third === undefined) throw new Error('Nothing was begun.');
    expect(await judgeProof(parallel, { ...settings, begun: third })).toMatchObject({ kind: 'accepted' });
    third.end();
  });

  it.skipIf(COQC === undefined)('asks once what holds by default in a section', async () => {
    // While the statement is open it takes all variables, and what follows does not compile.
    const [before, behind] = [
      'Section S. Variable A : Type. Variable x : A.\nLemma early : 1 + 0 = 1.\n',
      '\nEnd S.\nLemma late : 1 + 0 = 1. Proof early.\n',
    ];
    const open = `${before}Admitted.${behind}`;
    const statements = sentencesOf(open, ['early']);
    const changed = { target: { path: 'File.v', text: open }, statements };
    const text = `${before}Proof. reflexivity. Qed.${behind}`;
    const cache = mkdtempSync(join(tmpdir(), 'quod-test-'));
    try {
      for (const times of [1, 0]) {
        const backend = new CountingJudge(orNothing(COQC));
        const settings = { backend, project: PROJECT, cacheDirectory: cache };
        expect(await judgeProof({ ...changed, text }, settings)).toMatchObject({ kind: 'accepted' });
        expect(backend.compiled.filter((compiled) => compiled.includes('quod_probe'))).toHaveLength(times);
      }
    } finally {
      rmSync(cache, { recursive: true });
    }
  });

  it('names the open statements that a proof uses', async () => {
    const verdict = await judge(withThird('Proof. apply first. Qed.'), ['third']);
    expect(verdict).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 'third', openStatements: ['first'] }],
    });
  });

  it('judges several proofs at once', async () => {
    const text = withSecond('Proof. induction l; simpl; congruence. Qed.').replace(
      'Proof. Admitted.',
      'Proof. reflexivity. Qed.',
    );
    const verdict = await judge(text, ['second', 'third']);
    expect(verdict).toMatchObject({ kind: 'accepted', statements: [{ name: 'second' }, { name: 'third' }] });
  });

  it.each([
    ['a tactic of another module', 'Proof. Own.finish. Qed.'],
    ['a command about the proof', 'Proof. shelve. Unshelve. reflexivity. Qed.'],
    ['a proof that can be unfolded', 'Proof. reflexivity. Defined.'],
  ])('accepts %s', async (_, proof) => {
    expect(await judge(withThird(proof), ['third'])).toMatchObject({ kind: 'accepted' });
  });

  it.each([
    ['a wrong proof', withThird('Proof. exact I. Qed.'), 'does-not-compile'],
    ['an open proof', withThird('Proof. idtac. Qed.'), 'unfinished-proof'],
    ['a proof given up', withThird('Proof. admit. Qed.'), 'admitted'],
    ['a proof still admitted', FILE, 'admitted'],
    [
      'a command between the tactics',
      withThird('Proof. Axiom ax : double 1 = 2. exact ax. Qed.'),
      'new-axiom',
    ],
  ])('rejects %s', async (_, text, kind) => {
    expect(await judge(text, ['third'])).toMatchObject({ kind: 'rejected', findings: [{ kind }] });
  });

  it('judges no text that differs from the file in more than proofs', async () => {
    const text = withThird('Proof. reflexivity. Qed.').replace('n + n.', '2.');
    expect(await judge(text, ['third'])).toMatchObject({ kind: 'unknown' });
  });

  it('does not know a statement that is not there', async () => {
    const nothing = { target: { path: 'File.v', text: FILE }, text: FILE, statements: [1] };
    expect(await judgeProof(nothing)).toMatchObject({ kind: 'unknown' });
  });
});
