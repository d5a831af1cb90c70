/** What is told of a declaration that is not the one of the target: both texts, or that they are the same. */
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import type { RocqProject } from '../../provers/rocq/project/project.ts';
import { verify } from '../verify.ts';
import { Script } from './text/script.ts';
import { DeclaredTexts } from './text/declared-texts.ts';

const NO_PROJECT: RocqProject = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };

/** By the names: the message without the name, and the line. */
async function told(target: string, submission: string) {
  const open = '\nTheorem t : True.\n';
  const verdict = await verify(
    { path: 'T.v', text: `${target}${open}Admitted.\n` },
    { path: 'S.v', text: `${submission}${open}Proof. exact I. Qed.\n` },
    { project: NO_PROJECT },
  );
  if (verdict.kind !== 'rejected') throw new Error(verdict.kind);
  return Object.fromEntries(
    verdict.findings.map(({ subject = '', message, position }) => [
      subject,
      `${position?.line ?? 0}: ${message.slice(subject.length + 2)}`,
    ]),
  );
}

const below = (target: string, submission: string): string =>
  `\ntarget: ${target}\nsubmission: ${submission}`;

describe.skipIf(findExecutable(['coqc']) === undefined)('a declaration that is not the target’s', () => {
  it.each([
    ['M.d', 'Definition d := 1.', 'Definition d := 2.', 'Its body is'],
    [
      'M.r',
      'Record r := { a : nat; b : nat }.',
      'Record r := { a : nat; b : bool }.',
      'The inductive type is',
    ],
    [
      'M.C',
      'Class C (A : Type) := { c : A; d : A }.',
      'Class C (A : Type) := { c : A }.',
      'The inductive type is',
    ],
    ['M.x', 'Axiom x : 1 = 1.', 'Axiom x : 2 = 2.', 'Its type is'],
    [
      'M.g',
      'Fixpoint f n := match n with 0 => 1 | S m => g m end with g n := match n with 0 => 2 | S m => f m end.',
      'Fixpoint f n := match n with 0 => 1 | S m => g m end with g n := match n with 0 => 3 | S m => f m end.',
      'Its body is',
    ],
  ])('is shown below it: %s', async (name, target, submission, what) => {
    const found = await told(`Module M.\n${target}\nEnd M.`, `Module M.\n${submission}\nEnd M.`);
    expect(found[name]).toBe(`2: ${what} not the one of the target.${below(target, submission)}`);
  });

  it('is told to have its constructors or fields in another order', async () => {
    const types = 'Inductive c := R | G | B. Record r := { a : nat; b : bool }.';
    const found = await told(types, 'Inductive c := G | R | B. Record r := { b : bool; a : nat }.');
    expect(found['c']).toContain(
      'The constructors of c stand in another order than in the target.\ntarget: ',
    );
    expect(found['r']).toContain('The fields of r stand in another order than in the target.\ntarget: ');
  });

  it('is shown with its proof where that is what differs', async () => {
    const by = (value: number): string => `Definition q : nat. Proof. exact ${value}. Defined.`;
    expect((await told(by(3), by(4)))['q']).toBe(
      `1: Its body is not the one of the target. It is stated as in the target.${below(by(3), by(4))}`,
    );
  });

  it('and is written alike is said to be', async () => {
    const definition = 'Definition s := 1 + 1.';
    const found = await told(definition, `Notation "x + y" := (Nat.mul x y) : nat_scope.\n${definition}`);
    expect(found['s']).toMatch(
      /^2: Its body is not the one of the target\.\nIt is written as in the target/u,
    );
  });
});

describe.skipIf(findExecutable(['coqc']) === undefined)(
  'a statement that is written as in the target',
  () => {
    it('is told to be about what its proof may use, where the target says that', async () => {
      const using = (clause: string, end: string): string =>
        `Section s. Variables (A : Type) (B : nat).\nTheorem u : True.\nProof${clause}. ${end}\nEnd s.`;
      const target = using(' using A', 'Admitted.');
      const said =
        'It is about the variables of its section that its proof may use: the target says `Proof using A`';
      expect((await told(target, using(' using B A', 'exact I. Qed.')))['u']).toContain(
        `${said}, the submission \`Proof using A B\`.`,
      );
      expect((await told(target, using('', 'pose B. exact I. Qed.')))['u']).toContain(
        `${said}, the submission says nothing of it.`,
      );
      const added = 'Notation "\'True\'" := False.\n';
      expect((await told(target, added + using(' using A', 'Admitted.')))['u']).not.toContain('Proof using');
    });

    it('is told that its proof may be what demands another order of levels', async () => {
      const section = (proof: string): string =>
        `Set Universe Polymorphism. Section S. Universes u v. Variable A : Type@{u}.\nTheorem u : (forall B : Type@{v}, B -> B) -> A -> A.\nProof. ${proof}\nEnd S.`;
      const found = await told(section('Admitted.'), section('intros f. exact (f A). Qed.'));
      expect(found['u']).toContain('It is written as in the target: its proof demands something else of the');
    });
  },
);

describe.skipIf(findExecutable(['coqc']) === undefined)('types that are declared together', () => {
  const even = 'even : nat -> Prop := e0 : even 0 | eS : forall n, odd n -> even (S n)';
  const odd = 'odd : nat -> Prop := oS : forall n, even n -> odd (S n)';

  it('in another order are not said to be missing alone', async () => {
    const found = await told(`Inductive ${even} with ${odd}.`, `Inductive ${odd} with ${even}.`);
    expect(found['even']).toContain(
      'is missing. A type of this name is there, but not declared so. The target declares even, odd together in this order, the submission odd, even together in this order.',
    );
  });

  it('and were to be declared apart are told, and the other way round', async () => {
    const [apart, joined] = ['Inductive a := A. Inductive b := B.', 'Inductive a := A with b := B.'];
    expect((await told(apart, joined))['b']).toContain(
      'The target declares b alone, the submission a, b together in this order.',
    );
    expect((await told(joined, apart))['a']).toContain(
      'The target declares a, b together in this order, the submission a alone.',
    );
    expect((await told('Inductive b := B.', 'Inductive c := C.'))['b']).toBe(
      '0: The declaration of the target is missing.',
    );
  });
});

describe('texts of declarations', () => {
  const both = (target: string, submission: string): string => {
    const [here, there] = [target, submission].map((text) => new Script({ path: 'T.v', text }));
    return here === undefined || there === undefined ? '' : new DeclaredTexts(here, there).both('d', 'whole');
  };

  it('that are long are cut, and what differs is seen', () => {
    const list = (middle: string): string =>
      `Definition d := [${'1; '.repeat(400)}${middle}; ${'2; '.repeat(400)}3].`;
    const said = both(list('wanted'), list('found'));
    expect(said).toMatch(/target: … .*wanted[^]*submission: … .*found/u);
    expect(said.length).toBeLessThan(1200);
  });

  it('are not shown where it is not known which declares the name', () => {
    expect(both('Definition d := 1.', 'Fail Definition d := 1. Definition d := 2.')).toContain('target: ');
    expect(both('Definition d := 1.', 'Definition d := 2. Definition d := 3.')).toBe('');
    expect(both('Definition d := 1.', 'Module M. Definition d := 2. End M.')).toBe('');
    expect(both('Definition d := 1.', 'Section S. Let d := 3. End S. Definition d := 2.')).toContain(
      'target: ',
    );
    expect(both('Lemma d : P. Abort. Lemma d : P. Qed.', 'Lemma d : Q. Qed.')).toContain(
      'target: Lemma d : P.',
    );
  });

  it('have no order of constructors where a bar may be of something else', () => {
    const type = (...branches: string[]): string =>
      `Inductive d := c : (match b with ${branches.join(' | ')} end) -> d.`;
    expect(both(type('0 => A', 'S _ => B'), type('S _ => B', '0 => A'))).not.toContain('order');
  });
});
