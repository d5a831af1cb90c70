/** Casts of the target under a policy that allows none: who may have them, and who says that a proof rests on them. */
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../../process/executable.ts';
import { verify } from '../../verify.ts';

const project = { root: '/', source: undefined, loadPath: [], ocamlPath: [], arguments: [] };
const FAST = '(@eq_refl bool true <: (Nat.leb 2 4 = true))';
const TYPES = `Inductive w : Prop := W : ${FAST} = eq_refl -> w.
Inductive v : nat -> Set := V0 : v (0 <: nat) | V1 : forall n : nat, v (n <: nat) -> v (S n).
Inductive p (A : Set) (x : A) : A -> Prop := P0 : p A x (x <: A) | P1 : forall y : A, p A (y <: A) x -> p A x y.
`;

const judge = (target: string, added: string, proof: string) => {
  const text = `${target}${added}\nLemma t : Nat.leb 2 4 = true.\n`;
  return verify(
    { path: 'T.v', text: `${target}Lemma t : Nat.leb 2 4 = true.\nAdmitted.\n` },
    { path: 'S.v', text: `${text}Proof. ${proof} Qed.\n` },
    { project, policy: { flags: [], recheck: 'never' } },
  );
};

describe.skipIf(findExecutable(['coqc']) === undefined)('a policy that allows no machine', () => {
  it.each([
    'Scheme s := Minimality for w Sort Prop.',
    'Scheme s := Minimality for v Sort Prop.',
    'Scheme s := Induction for v Sort Set.',
    'Scheme s := Case for v Sort Type.',
    'Scheme s := Induction for p Sort Prop.',
    `Definition d := ${FAST}.`,
    'Definition d (A B : Set) (y : B) := (y <: B).',
  ])('allows what has the casts of the target again: %s', async (added) => {
    expect((await judge(TYPES, added, 'exact eq_refl.')).kind).toBe('accepted');
  });

  it.each([
    'Definition d := (@eq_refl bool true <: (Nat.leb 3 4 = true)).',
    'Definition d (b : bool) := (b <: bool).',
    'Definition d (A : Type) (x : A) := (x <: A).',
    'Definition d (n : nat) := match n with 0 => 0 | S m => (m <: nat) end.',
    'Definition d (n := 4) := (n <: nat).',
    `Lemma d : Nat.leb 2 4 = true. Proof. exact ${FAST}. Qed.`,
  ])('allows no others: %s', async (added) => {
    expect(await judge(TYPES, added, 'exact eq_refl.')).toMatchObject({
      kind: 'rejected',
      findings: [{ kind: 'native-code' }],
    });
  });

  it('has the verdict say that a proof rests on such a cast of the target', async () => {
    const target = `Lemma fast : Nat.leb 2 4 = true. Proof. exact ${FAST}. Qed.\n`;
    expect(await judge(target, '', 'exact fast.')).toMatchObject({
      kind: 'accepted',
      restsOn: {
        warnings: expect.arrayContaining([
          expect.objectContaining({
            kind: 'machine-checked',
            message: expect.stringMatching(/t rests on .* virtual machine .*\(fast\)/u) as unknown,
          }),
        ]) as unknown,
      },
    });
    const without = await judge(target, '', 'exact eq_refl.');
    expect(without.kind).toBe('accepted');
    expect(JSON.stringify(without)).not.toContain('machine-checked');
  });

  it.each([
    ['an alias of the target', 'Module A : T := F.', '', 'F'],
    ['an alias of the submission', '', 'Module A : T := F.', 'F'],
    [
      'a functor',
      `Module G (X : E) : T. Lemma fast : Nat.leb 2 4 = true. Proof. exact ${FAST}. Qed. End G.`,
      'Module A := G D.',
      'G',
    ],
  ])('has the verdict say it by way of a signature that hides it: %s', async (_, ofTarget, added, named) => {
    const target = `Module Type E. End E. Module D. End D. Module Type T. Parameter fast : Nat.leb 2 4 = true. End T.
Module F. Lemma fast : Nat.leb 2 4 = true. Proof. exact ${FAST}. Qed. End F. ${ofTarget}\n`;
    const judged = await judge(target, added, 'exact A.fast.');
    expect(judged.kind).toBe('accepted');
    expect(JSON.stringify(judged)).toMatch(
      new RegExp(`t rests on [^"]* checked in the target \\(${named}\\.fast\\)`, 'u'),
    );
  });

  it.each([
    ['opaque', `Lemma fast : Nat.leb 2 4 = true. Proof. exact ${FAST}. Qed.`],
    ['transparent', `Definition fast := ${FAST}.`],
  ])('has the verdict say it of what a functor gives of them, too: %s', async (_, inside) => {
    const functor = `Module Type E. End E.\nModule F (X : E). ${inside} End F.\nModule D. End D.\n`;
    const judged = await judge(functor, 'Module A := F D.', 'exact A.fast.');
    expect(judged.kind).toBe('accepted');
    expect(JSON.stringify(judged)).toMatch(/t rests on [^"]* checked in the submission \(A\.fast\)/u);
  });

  it('says where a cast stands that a proof rests on: in the target, or in the submission that copied it', async () => {
    const copied = await judge(
      `Definition fast := ${FAST}.\n`,
      `Definition other := ${FAST}.`,
      'exact (eq_trans fast (eq_trans eq_refl other)).',
    );
    expect(copied).toMatchObject({
      kind: 'accepted',
      restsOn: {
        warnings: expect.arrayContaining(
          ['target (fast)', 'submission (other)'].map((where): unknown =>
            expect.objectContaining({
              message: expect.stringContaining(`checked in the ${where}`) as unknown,
            }),
          ),
        ) as unknown,
      },
    });
  });
});
