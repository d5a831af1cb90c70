import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { cutAt, originalScript, proofLength, taskText, withProof } from './cut.ts';
import { lightenedBefore } from './lighten.ts';
import { eligibleTheorems } from './theorems.ts';

const FILE = `Require Import List. (* a comment. *)
Module M.
Section S.
Variable A : Type.
Lemma first (x : A) : x = x.
Proof using. secret_first. Qed.
Section Inner.
Hypothesis h : True.
Lemma closed : True.
Proof. secret_closed. Qed.
End Inner.
(** The theorem in question. *)
Theorem target (l : list A) : l ++ nil = l.
Proof using A. (* SECRET idea *)
  SECRET_induction l.
  - SECRET_base.
  - { SECRET_step. }
Qed.
Lemma later : False.
Proof. LATER. Qed.
End S.
End M.
`;

function cutFile(name: string, text = FILE) {
  const outline = outlineOf(text);
  const item = eligibleTheorems(outline).find((candidate) => candidate.name === name);
  if (item === undefined) throw new Error(`no ${name}`);
  return { outline, item, cut: cutAt(outline, item) };
}

describe('the cut', () => {
  it('keeps the text up to the statement, the Proof clause and the open scopes', () => {
    const { cut } = cutFile('target');
    expect(taskText(cut)).toBe(
      `${FILE.slice(0, FILE.indexOf('l ++ nil = l.') + 'l ++ nil = l.'.length)}\nProof using A.\nAdmitted.\nEnd S.\nEnd M.\n`,
    );
  });

  it('leaks neither the proof nor what stands after it', () => {
    const text = taskText(cutFile('target').cut);
    expect(text).not.toMatch(/SECRET|LATER|later/);
    expect(text).toContain('secret_first');
  });

  it('leaks nothing of any theorem of any file', () => {
    const lemma = fc.record({
      inSection: fc.boolean(),
      proof: fc.constantFrom('Proof.', 'Proof using.', 'Proof with auto.', ''),
      length: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(lemma, { minLength: 1, maxLength: 6 }), fc.nat(), (lemmas, pick) => {
        const text = lemmas
          .map(({ inSection, proof, length }, index) => {
            const body = Array.from({ length }, (_, step) => `marker_${index}_${step}.`).join(' (* note *) ');
            const stated = `Lemma name_${index} : True.\n${proof} ${body} Qed.`;
            return inSection ? `Section S${index}.\n${stated}\nEnd S${index}.` : stated;
          })
          .join('\n');
        const chosen = pick % lemmas.length;
        const { outline, item, cut } = cutFile(`name_${chosen}`, text);
        const cutText = taskText(cut);
        const markers = [...cutText.matchAll(/(?:marker|name)_(\d+)/g)].map(([word, index]) => ({
          word,
          index: Number(index),
        }));
        for (const { word, index } of markers)
          expect(word.startsWith('name') ? index <= chosen : index < chosen).toBe(true);
        expect(cutText.startsWith(text.slice(0, cut.before.length))).toBe(true);
        expect(proofLength(outline, item)).toBe(lemmas[chosen]?.length);
      }),
    );
  });

  it('has the author’s proof come back to the same place', () => {
    const { outline, item, cut } = cutFile('target');
    const whole = outlineOf(withProof(cut, originalScript(outline, item)));
    const found = whole.statements.at(-1);
    expect(found?.name).toBe('target');
    expect(found?.closingWord).toBe('Qed');
    expect(found && whole.sentences.slice(found.body.first, found.body.end).map(({ text }) => text)).toEqual([
      'SECRET_induction l.',
      '-',
      'SECRET_base.',
      '-',
      '{',
      'SECRET_step.',
      '}',
    ]);
  });

  it('counts sentences without bullets and braces', () => {
    const { outline, item } = cutFile('target');
    expect(proofLength(outline, item)).toBe(3);
  });
});

describe('eligible theorems', () => {
  it('are named once, stated as theorems and closed by Qed', () => {
    const text = `Lemma twice : True. Proof. exact I. Qed.
Module M. Lemma twice : True. Proof. exact I. Qed. End M.
Definition d : True. Proof. exact I. Qed.
Lemma open : True. Proof. exact I. Defined.
Lemma hole : True. Proof. Admitted.
Lemma term : True. Proof I.
Lemma good : True. Proof. exact I. Qed.`;
    expect(eligibleTheorems(outlineOf(text)).map(({ name }) => name)).toEqual(['good']);
  });
});

describe('the lightened text', () => {
  it('has no earlier proof, all statements, and nothing of the target’s proof', () => {
    const { outline, item } = cutFile('target');
    const light = lightenedBefore(outline, item);
    expect(light).not.toContain('secret');
    expect(light).toContain('Lemma first (x : A) : x = x.\nProof using. Admitted.');
    expect(light).toContain('Lemma closed : True.\nProof. Admitted.');
    expect(light.endsWith('l ++ nil = l.')).toBe(true);
    expect(light).not.toMatch(/SECRET|LATER/);
  });

  it('keeps proofs that act on what follows them', () => {
    const text = `Lemma a : True. Proof. Require Import Lia. easy. Qed.
Lemma b : True. Proof. easy. Qed.
Lemma c : True. Proof. easy. Qed.`;
    const { outline, item } = cutFile('c', text);
    expect(lightenedBefore(outline, item)).toBe(
      text.slice(0, text.indexOf(' Proof. easy. Qed.\nLemma c')) + ' Proof. Admitted.\nLemma c : True.',
    );
  });
});
