import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf, updateOutline, type TheoremItem } from './outline.ts';
import { rocqFile, rocqText } from './testing/random-text.ts';

function only(text: string): TheoremItem {
  const { statements } = outlineOf(text);
  expect(statements).toHaveLength(1);
  const [item] = statements;
  if (item === undefined) throw new Error('no statement');
  return item;
}

describe('an outline', () => {
  it('of a text that was just read is not made again', () => {
    const text = 'Lemma a : True. Proof. exact I. Qed.';
    const outline = outlineOf(text);
    expect(outlineOf(`${text} `).text).toBe(`${text} `);
    expect(outlineOf(text)).toBe(outline);
  });
});

describe('statements', () => {
  it('have name, binders, statement, proof and closing word', () => {
    const text = 'Lemma a@{u} (x : nat) {y} : x = y. (* c *) Proof using x y with auto.\n split. auto. Qed.';
    const item = only(text);
    expect(item).toMatchObject({
      keyword: 'Lemma',
      name: 'a',
      binders: '(x : nat) {y}',
      statement: 'x = y',
      sentence: 0,
      proofSentence: 1,
      using: 'x y',
      body: { first: 2, end: 4 },
      closing: 4,
      closingWord: 'Qed',
      holeSpans: [],
    });
    expect(item).not.toHaveProperty('hole');
    expect(text.slice(item.statementSpan?.start, item.statementSpan?.end)).toBe('x = y');
    expect(text.slice(item.nameSpan?.start, item.nameSpan?.end)).toBe('a');
  });

  it.each([
    ['Definition x : nat. exact 1. Defined.', 'Definition', 'x', 'nat'],
    ['Definition x : let y := 1 in y = 1. auto. Qed.', 'Definition', 'x', 'let y := 1 in y = 1'],
    [
      'Lemma x : forall y, let (a, b) := y in a = b. auto. Qed.',
      'Lemma',
      'x',
      'forall y, let (a, b) := y in a = b',
    ],
    ['#[refine] Instance x : C := { a := _ }. auto. Qed.', 'Instance', 'x', 'C'],
    ['Global Instance x : C | 3. auto. Qed.', 'Instance', 'x', 'C'],
    ['#[export] Instance : C y. auto. Qed.', 'Instance', undefined, 'C y'],
    ['Goal x = x. auto. Qed.', 'Goal', undefined, 'x = x'],
    ['Fixpoint f (x : nat) {struct x} : nat. auto. Defined.', 'Fixpoint', 'f', 'nat'],
    ['Let Fixpoint f (x : nat) : nat. auto. Defined.', 'Let Fixpoint', 'f', 'nat'],
    ['Function f (x : nat) {measure id x} : nat := x. auto. Defined.', 'Function', 'f', 'nat'],
    ['Next Obligation. auto. Qed.', 'Next Obligation', undefined, ''],
    ['Obligation 2 of f. auto. Qed.', 'Obligation 2', 'f', ''],
    [
      'Add Parametric Morphism A : (@f A) with signature eq ==> eq as g. auto. Qed.',
      'Add Parametric Morphism',
      'g',
      'A : (@f A) with signature eq ==> eq',
    ],
    ['Derive x SuchThat (x = 1) As h. auto. Qed.', 'Derive', 'h', '(x = 1)'],
    ['Time Program Lemma x : T. auto. Qed.', 'Lemma', 'x', 'T'],
    ['Definition αβ : ⟦ x ⟧. auto. Qed.', 'Definition', 'αβ', '⟦ x ⟧'],
    ['Fixpoint f : A := x with g : B. auto. Defined.', 'Fixpoint', 'f', 'A := x with g : B'],
    ['CoFixpoint f : A with g : B := x. auto. Defined.', 'CoFixpoint', 'f', 'A with g : B := x'],
  ])('%s', (text, keyword, name, statement) => {
    const item = only(text);
    expect([item.keyword, item.name, item.statement]).toEqual([keyword, name, statement]);
    expect(item.closing).toBe(2);
  });

  it.each([
    'Definition x : nat := 1.',
    'Definition x: [C, D] ⟦ F ⟧:= t.',
    'Instance x : C := {}.',
    'Existing Instance x.',
    'Declare Instance x : C.',
    'Coercion f : A >-> B.',
    'Canonical Structure x := y.',
    'Fixpoint f (x : nat) : nat := x with g (x : nat) : nat := x.',
    'Function f (x : nat) {struct x} : nat := x.',
    'Program Definition x : nat := _.',
    'Add Relation A R reflexivity proved by r as x.',
    'Fail Lemma x : T.',
    'Axiom x : T.',
    'Obligation Tactic := auto.',
    'Derive Inversion x with y.',
    'Proof Mode "Classic".',
  ])('are not opened by %s', (text) => {
    expect(outlineOf(text).statements).toEqual([]);
  });

  it('are seen where a proof follows, whatever stands in them', () => {
    expect(outlineOf('Definition q : def x := 1 end. Admitted. Lemma a : T. Qed.').statements).toMatchObject([
      { name: 'q', statement: 'def x := 1 end', hole: 'admitted' },
      { name: 'a' },
    ]);
    expect(outlineOf('Lemma a : T. Definition x := 1. Proof. auto. Qed.').statements).toMatchObject([
      { name: 'a', proofSentence: 2 },
    ]);
  });

  it('can be mutual', () => {
    expect(only('Lemma a : match x with y => T end with b (z : nat) : U. auto. Qed.').otherNames).toEqual([
      'b',
    ]);
  });

  it('know their prefixes, attributes and the sections and modules around them', () => {
    const { statements, scopes } = outlineOf(
      'Module Type T. End T. Module N := T. Module M (X : T with Definition t := nat) <: T with Definition u := nat.\n' +
        'Section S. #[local, using="All"] Polymorphic Lemma a : T. Proof. auto. Qed. End S. End M. Lemma b : T. Qed.',
    );
    expect(statements).toMatchObject([
      {
        name: 'a',
        path: ['M', 'S'],
        prefixes: ['Polymorphic'],
        attributes: ['local', 'using="All"'],
        using: 'All',
      },
      { name: 'b', path: [] },
    ]);
    expect(scopes).toEqual([
      { kind: 'module-type', name: 'T', path: [], opened: 0, closed: 1 },
      { kind: 'module', name: 'M', path: [], opened: 3, closed: 10 },
      { kind: 'section', name: 'S', path: ['M'], opened: 4, closed: 9 },
    ]);
  });

  it('may be nested where the file allows it', () => {
    const body = 'Lemma a : T. split. Lemma b : U. auto. Qed. auto. Qed.';
    expect(outlineOf(`Set Nested Proofs Allowed. ${body}`).statements).toMatchObject([
      { name: 'a', closing: 7 },
      { name: 'b', closing: 5 },
    ]);
    expect(outlineOf(body).statements).toMatchObject([
      { name: 'a', hole: 'unfinished', closingWord: 'none', body: { first: 1, end: 2 } },
      { name: 'b', closing: 4 },
    ]);
  });
});

describe('holes', () => {
  it.each([
    ['Lemma a : T. Admitted.', 'admitted', 'Admitted'],
    ['Lemma a : T. Proof. split. - auto. Admitted.', 'admitted', 'Admitted'],
    ['Lemma a : T. Proof. split. Abort.', 'aborted', 'Abort'],
    ['Lemma a : T. Proof. Qed.', 'empty', 'Qed'],
    ['Lemma a : T. Defined.', 'empty', 'Defined'],
    ['Lemma a : T.', 'empty', 'none'],
    ['Lemma a : T. Proof. split.', 'unfinished', 'none'],
    ['Lemma a : T. split; [admit|]. all: give_up. Qed.', 'admit', 'Qed'],
    ['Lemma a : T. { give_up. } Qed.', 'give_up', 'Qed'],
    ['Lemma a : T. Time admit. Qed.', 'admit', 'Qed'],
    ['Lemma a : T. (* admit *) idtac "admit". apply admitted. Qed.', undefined, 'Qed'],
    ['Lemma a : T. Proof (fun x => x).', undefined, 'Proof term'],
    ['Lemma a : T. Proof. auto. Save b.', undefined, 'Save'],
  ])('%s', (text, hole, closingWord) => {
    const item = only(text);
    expect([item.hole, item.closingWord]).toEqual([hole, closingWord]);
  });

  it('have places', () => {
    const text = 'Lemma a : T.\nsplit; [admit|].\nall: give_up. Qed.';
    expect(only(text).holeSpans.map(({ start, end }) => text.slice(start, end))).toEqual([
      'admit',
      'give_up',
    ]);
  });
});

it('`Abort All` ends every open proof', () => {
  const text = 'Set Nested Proofs Allowed. Lemma a : T. Lemma b : T. Abort All. Lemma c : T. auto. Qed.';
  expect(outlineOf(text).statements).toMatchObject([
    { hole: 'aborted' },
    { hole: 'aborted' },
    { closing: 6 },
  ]);
});

describe('requires', () => {
  it.each([
    ['Require A.B C.', { mode: 'require', modules: ['A.B', 'C'] }],
    ['Require Import A.', { mode: 'import', modules: ['A'] }],
    [
      'From X.Y Require Export -(notations) A (f, g) B.',
      { from: 'X.Y', mode: 'export', modules: ['A', 'B'] },
    ],
    ['#[local] From X Require A.', { from: 'X', mode: 'require', modules: ['A'] }],
  ])('%s', (text, expected) => {
    expect(outlineOf(text).requires).toEqual([
      { sentence: 0, span: { start: 0, end: text.length }, ...expected },
    ]);
  });
});

describe('after an edit', () => {
  const edits = fc.record({ from: fc.nat(), length: fc.nat({ max: 12 }), replacement: rocqText });

  it('the outline is the one of the new text', () => {
    fc.assert(
      fc.property(fc.oneof(rocqFile, rocqText), fc.array(edits, { maxLength: 4 }), (text, changes) => {
        let outline = outlineOf(text);
        for (const { from, length, replacement } of changes) {
          const start = from % (outline.text.length + 1);
          const end = Math.min(outline.text.length, start + length);
          outline = updateOutline(outline, { span: { start, end }, replacement });
          expect(outline).toEqual(outlineOf(outline.text));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the sentences before it and moves the ones behind it', () => {
    const text = 'Lemma a : T. auto. Qed. Lemma b : T. split. Qed. Lemma c : T. auto. Qed.';
    const before = outlineOf(text);
    const start = text.indexOf('split');
    const after = updateOutline(before, { span: { start, end: start + 5 }, replacement: 'split. - auto' });
    expect(after).toEqual(outlineOf(after.text));
    expect(after.sentences[0]).toBe(before.sentences[0]);
    expect(after.heads.at(-3)).toBe(before.heads.at(-3));
  });
});
