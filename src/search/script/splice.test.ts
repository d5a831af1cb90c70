import { describe, expect, it } from 'vitest';
import { present } from '../../core/entry.ts';
import { replaced } from '../../core/replacement.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { filledProof, wholeProof } from './splice.ts';

const SCRIPT: ScriptTree = {
  sentences: ['split'],
  children: [
    { sentences: ['auto'], children: [] },
    { sentences: ['lia'], children: [] },
  ],
};

function withWholeProof(text: string, name: string): string {
  const outline = outlineOf(text);
  const theorem = outline.statements.find((statement) => statement.name === name);
  if (theorem === undefined) throw new Error(`There is no ${name}.`);
  return replaced(text, [wholeProof(outline, theorem, SCRIPT)]);
}

it('takes the indentation of the file, and keeps comments', () => {
  const other = 'Lemma a : True.\nProof.\n\tidtac.\n\texact I.\nQed.\n';
  expect(withWholeProof(`${other}Lemma b : True.\nProof.\n\t(* FILL\tIN *)\nAdmitted.\n`, 'b')).toBe(
    `${other}Lemma b : True.\nProof.\n\t(* FILL\tIN *)\n\tsplit.\n\t- auto.\n\t- lia.\nQed.\n`,
  );
});

describe('filledProof behind the last step', () => {
  const behind = (text: string): string => {
    const outline = outlineOf(text);
    const theorem = present(outline.statements[0], 'statement');
    const end = present(outline.sentences[theorem.body.end - 1], 'sentence').span.end;
    const script = { sentences: ['simpl', 'lia'], children: [] };
    const place = { span: { start: end, end }, braces: false };
    return replaced(text, [filledProof(outline, theorem, [{ place, script }])]);
  };

  it.each([
    ['Proof. split. { auto. }\nAdmitted.', 'Proof. split. { auto. }\n  simpl.\n  lia.\nQed.'],
    ['Proof. split. Admitted.', 'Proof. split.\n  simpl.\n  lia.\nQed.'],
    [
      'Proof.\n  split.\n  - auto.\n  -\nLemma next : True.',
      'Proof.\n  split.\n  - auto.\n  -\n    simpl.\n    lia.\nQed.\nLemma next : True.',
    ],
    [
      'Proof.\n\tsplit.\n\t- auto.\n\t- idtac.\nAdmitted.',
      'Proof.\n\tsplit.\n\t- auto.\n\t- idtac.\n\t  simpl.\n\t  lia.\nQed.',
    ],
    [
      'Proof.\n  split.\n  - auto.\n  - (* step *) simpl. rewrite IH.\nAdmitted.',
      'Proof.\n  split.\n  - auto.\n  - (* step *) simpl. rewrite IH.\n    simpl.\n    lia.\nQed.',
    ],
    [
      'Proof.\n    split.\n    { idtac. { auto. } }\nAdmitted.',
      'Proof.\n    split.\n    { idtac. { auto. } }\n    simpl.\n    lia.\nQed.',
    ],
  ])('is aligned with the branch that it goes on in: %j', (before, after) => {
    expect(behind(`Lemma t : A.\n${before}\n`)).toBe(`Lemma t : A.\n${after}\n`);
  });
});

describe('wholeProof', () => {
  it.each([
    ['Proof. Admitted', ''],
    ['Admitted', ''],
    ['Proof.\n  admit', ''],
    ['Proof', ''],
    ['Proof. Abort (* later *)\n', ' (* later *)\n'],
    // What may begin something else stays.
    ['Proof.\nLemma other : A', '\nLemma other : A'],
    ['Proof. Admitted (* later', ' Admitted (* later'],
  ])('takes the place of what ends the file without a dot: %j', (end, left) => {
    expect(withWholeProof(`Lemma two : A /\\ B.\n${end}`, 'two')).toBe(
      `Lemma two : A /\\ B.\nProof.\n  split.\n  - auto.\n  - lia.\nQed.${left}`,
    );
  });

  it('stands in the place of the old proof, with its header and the indentation of the file', () => {
    const text = `Lemma one : A.
Proof.
    auto.
Qed.
Section S.
  Lemma two : A /\\ B.
  Proof using x.
  Admitted.
End S.
`;
    expect(withWholeProof(text, 'two')).toBe(
      text.replace('  Admitted.', '      split.\n      -   auto.\n      -   lia.\n  Qed.'),
    );
  });

  it('has the comments of the open proof in front of its steps', () => {
    const text =
      'Lemma two : A /\\ B.\r\n(* 0 *)\r\nProof. (* 1 *)\r\n  split. (* 2 *)\r\nAdmitted. (* 3 *)\r\n';
    expect(withWholeProof(text, 'two')).toBe(
      'Lemma two : A /\\ B.\r\n(* 0 *)\r\nProof.\r\n  (* 1 *)\r\n  (* 2 *)\r\n  split.\r\n  - auto.\r\n  - lia.\r\nQed. (* 3 *)\r\n',
    );
  });

  it('is put behind a statement with nothing behind it, with the line ends of the file', () => {
    const text = 'Require Import Lia.\r\nLemma two : A /\\ B.';
    expect(withWholeProof(text, 'two')).toBe(
      `${text}\r\nProof.\r\n  split.\r\n  - auto.\r\n  - lia.\r\nQed.`,
    );
  });

  it.each([
    ['Definition two : A /\\ B.\nAdmitted.', 'Defined.'],
    ['Example two : A /\\ B.\nAdmitted.', 'Qed.'],
    ['Lemma two : A /\\ B.\nProof.\n  admit.\nDefined.', 'Defined.'],
  ])('ends %j with %s', (text, closing) => {
    expect(withWholeProof(text, 'two').split('\n').at(-1)).toBe(closing);
  });
});

it('fills the places that were left open, and keeps the rest to the letter', () => {
  const text = `Lemma two : A /\\ B.
Proof.
  split. (* both *)
  { admit. }
  auto.
Admitted.
(* after *)
`;
  const outline = outlineOf(text);
  const [theorem] = outline.statements;
  const at = text.indexOf('admit.');
  if (theorem === undefined) throw new Error('There is no theorem.');
  const place = { span: { start: at, end: at + 'admit.'.length }, braces: false };
  const script: ScriptTree = { sentences: ['intros', 'lia'], children: [] };
  expect(replaced(text, [filledProof(outline, theorem, [{ place, script }])])).toBe(
    text.replace('admit.', 'intros.\n    lia.').replace('Admitted.', 'Qed.'),
  );
});
