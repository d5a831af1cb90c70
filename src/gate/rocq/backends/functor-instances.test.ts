import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import type { Verdict } from '../../verdict.ts';
import { judgeProof } from '../../verify.ts';
import { parametersOf } from './functor-instances.ts';
import { sentencesOf } from '../testing/sentences-of.ts';

const FILE = `Module Type Base.
Parameter A : Type. Parameter a : A. Axiom only : forall x : A, x = a.
End Base.
Axiom outer : 1 = 2.
Module Plain. Module F (Import B : Base) (C : Base with Definition A := B.A).
Parameter extra : A.
Lemma helper : C.a = a. Admitted.
Lemma two : forall x y : A, x = y. Proof. Admitted.
Module Inner (D : Base). Lemma deep : D.a = D.a. Proof. Admitted. End Inner.
End F. End Plain.
Module Type T (B : Base). Lemma inType : forall x : B.A, x = B.a. Proof. Admitted. End T.
`;

function judge(name: string, before: string, after: string, theorem: string): Promise<Verdict> {
  const at = FILE.indexOf(`Lemma ${name}`);
  const text = FILE.slice(0, at) + FILE.slice(at).replace(before, after);
  return judgeProof(
    { target: { path: 'File.v', text: FILE }, text, statements: sentencesOf(FILE, [theorem]) },
    { project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] } },
  );
}

it('a parameter in the type of a later one is called by its name', () => {
  const printed =
    'Module F := Functor (A:T) Functor (B:(U A)) Functor (C:(V A FAKETOP1)) Functor (D:(W A FAKETOP1 FAKETOP2)) Struct End';
  expect(parametersOf(printed)).toEqual([
    { name: 'A', type: 'T' },
    { name: 'B', type: '(U A)' },
    { name: 'C', type: '(V A B)' },
    { name: 'D', type: '(W A B C)' },
  ]);
});

// The embedded Rocq, which judges where no other is installed, cannot judge in functors: it says so.
describe.skipIf(findExecutable(['coqc']) === undefined)('a statement inside', () => {
  const two = (proof: string) => judge('two', 'Proof. Admitted.', proof, 'Plain.F.two');

  it('a functor may rest on what its parameters have', async () => {
    const verdict = await two('Proof. intros x y. rewrite (only x). apply eq_sym, only. Qed.');
    expect(verdict).toMatchObject({
      kind: 'accepted',
      statements: [{ name: 'Plain.F.two', assumptions: [], openStatements: [] }],
    });
  });

  it('a functor is said to rest on open statements of the functor and on axioms of the file', async () => {
    const verdict = await two(
      'Proof. intros x y. pose proof helper. pose proof outer. rewrite (only x). apply eq_sym, only. Qed.',
    );
    expect(verdict).toMatchObject({
      kind: 'accepted',
      statements: [{ assumptions: ['outer'], openStatements: ['Plain.F.helper'] }],
    });
  });

  it('a functor cannot bring an axiom along', async () => {
    const verdict = await two('Proof. Admitted. Axiom more : forall x y : A, x = y.');
    expect(verdict.kind).toBe('rejected');
  });

  it('a functor in a functor', async () => {
    const verdict = await judge('deep', 'Proof. Admitted.', 'Proof. reflexivity. Qed.', 'Plain.F.Inner.deep');
    expect(verdict).toMatchObject({ kind: 'accepted', statements: [{ name: 'Plain.F.Inner.deep' }] });
  });

  it('a module type with a parameter', async () => {
    const verdict = await judge('inType', 'Proof. Admitted.', 'Proof. apply B.only. Qed.', 'T.inType');
    expect(verdict).toMatchObject({ kind: 'accepted', statements: [{ name: 'T.inType', assumptions: [] }] });
  });
});

it.each([
  ['Module\nT.F\n:= Functor (B:T.Base)\n     Struct End', [{ name: 'B', type: 'T.Base' }]],
  [
    'Module Q.G := Functor (B:T.Base)\n  Functor (C:T.Base with Definition A := (f\n (B.A))) Struct End',
    [
      { name: 'B', type: 'T.Base' },
      { name: 'C', type: 'T.Base with Definition A := (f (B.A))' },
    ],
  ],
  [
    'Module Type T.M = Funsig (B:T.Base) Sig Parameter inmt : B.a = B.a. End',
    [{ name: 'B', type: 'T.Base' }],
  ],
  ['Module M : Functor (X:S) R := Functor (X:S) Struct End', [{ name: 'X', type: 'S' }]],
  ['Module M := Struct Parameter f : (nat). End', []],
  ['Module M := Functor (B:T.Base', undefined],
  ['nonsense', undefined],
])('the parameters in %j', (printed, parameters) => {
  expect(parametersOf(printed)).toEqual(parameters);
});

describe.skipIf(findExecutable(['coqc']) === undefined)('an admitted proof behind a signature', () => {
  const sealed = 'Module Type E. End E. Module Type S. Axiom u : 0 = 1. End S. Module e. End e.\n';
  it.each([
    ['a functor', 'Module F (X : E) : S. Theorem u : 0 = 1. Admitted. End F. Module M := F e.'],
    ['an alias with a signature', 'Module N : S. Theorem u : 0 = 1. Admitted. End N. Module M : S := N.'],
    ['an inclusion', 'Module N : S. Theorem u : 0 = 1. Admitted. End N. Module M. Include N. End M.'],
  ])('is open, and no axiom, in what is made of it: %s', async (_, made) => {
    const target = `${sealed}${made}\nTheorem t : 0 = 1. Proof. Admitted.\n`;
    const submission = target.replace('Proof. Admitted.', 'Proof. exact M.u. Qed.');
    const verdict = await judgeProof(
      { target: { path: 'File.v', text: target }, text: submission, statements: sentencesOf(target, ['t']) },
      { project: { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] } },
    );
    expect(verdict).toMatchObject({ kind: 'accepted', statements: [{ name: 't', assumptions: [] }] });
    expect(verdict.kind === 'accepted' && verdict.statements[0]?.openStatements).toHaveLength(1);
  });
});
