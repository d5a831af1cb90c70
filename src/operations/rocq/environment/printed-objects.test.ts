import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionedNames, objectsIn } from './printed-objects.ts';

const FILE = [
  'Fixpoint listArep (A:Type) (n:nat) (a:A) : list A := match n with 0 => nil | S m => cons a (listArep A m a) end.',
  'Lemma listArep_len A n a : length (listArep A n a) = n.',
  'Inductive tree (A : Type) : Type := leaf | node (l : tree A) (x : A) (r : tree A).',
  'Variable v : nat.',
  'Let w := 3.',
  'Axiom ax : v = v.',
  'Definition longer (A B C D : Type) (f : A -> B) (g : B -> C) (h : C -> D) : A -> D := fun x => h (g (f x)).',
  'Record r := { f1 : nat; f2 : f1 = f1 }.',
];

/** As Coq 8.16.1 prints it. */
const PRINTED = `listArep : forall A : Type, nat -> A -> list A*** [ listArep_len : 
                                              forall 
                                                (A : Type) 
                                                (n : nat) 
                                                (a : A),
                                              length (listArep A n a) = n ]
Inductive tree (A : Type) : Type :=
    leaf : tree A | node : tree A -> A -> tree A -> tree A.

Arguments tree A%type_scope
Arguments leaf A%type_scope
Arguments node A%type_scope l x rtree_rect : 
                                 forall (A : Type) (P : tree A -> Type),
                                 P (leaf A) -> forall t : tree A, P t
tree_ind : 
forall (A : Type) (P : tree A -> Prop),
P (leaf A) ->
forall t : tree A, P ttree_rec : 
                      forall (A : Type) (P : tree A -> Set),
                      forall t : tree A, P t*** [v : nat]
*** [w := 3 : nat]
*** [ ax : v = v ]longer : 
                  forall A B C D : Type,
                  (A -> B) -> (B -> C) -> (C -> D) -> A -> D
Record r : Set := Build_r { f1 : nat;  f2 : f1 = f1 }.

Arguments Build_r f1%nat_scope f2f1 : r -> natf2 : forall r : r, f1 r = f1 r
Module
M
`;

describe('what Print All prints', () => {
  it('is cut between objects that Rocq runs together', () => {
    expect(objectsIn(PRINTED, mentionedNames(FILE))).toEqual([
      'listArep : forall A : Type, nat -> A -> list A',
      '*** [ listArep_len : forall (A : Type) (n : nat) (a : A), length (listArep A n a) = n ]',
      'Inductive tree (A : Type) : Type := leaf : tree A | node : tree A -> A -> tree A -> tree A.\n' +
        'Arguments tree A%type_scope\nArguments leaf A%type_scope\nArguments node A%type_scope l x r',
      'tree_rect : forall (A : Type) (P : tree A -> Type), P (leaf A) -> forall t : tree A, P t',
      'tree_ind : forall (A : Type) (P : tree A -> Prop), P (leaf A) -> forall t : tree A, P t',
      'tree_rec : forall (A : Type) (P : tree A -> Set), forall t : tree A, P t',
      '*** [v : nat]',
      '*** [w := 3 : nat]',
      '*** [ ax : v = v ]',
      'longer : forall A B C D : Type, (A -> B) -> (B -> C) -> (C -> D) -> A -> D',
      'Record r : Set := Build_r { f1 : nat; f2 : f1 = f1 }.\nArguments Build_r f1%nat_scope f2',
      'f1 : r -> nat',
      'f2 : forall r : r, f1 r = f1 r',
      'Module M',
    ]);
  });

  it('loses nothing but blanks, whatever is printed', () => {
    const piece = fc.constantFrom(
      'a : nat',
      'b : a = a',
      '\n',
      ' ',
      '*** [ x : nat ]',
      'Inductive t := c.',
      'len',
      ')',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const printed = pieces.join('');
        const objects = objectsIn(printed, new Set(['a', 'b', 'len']));
        expect(objects.join('').replace(/\s/gu, '')).toBe(printed.replace(/\s/gu, ''));
      }),
    );
  });

  it('gives back constants that were run together', () => {
    const name = fc.constantFrom('alpha', 'beta', 'gamma_len', 'delta');
    const type = fc.constantFrom('nat', 'forall (n : nat), n = n', 'list (list nat)', 'P x');
    const objects = fc.array(
      fc.tuple(name, type).map((parts) => parts.join(' : ')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(objects, (wanted) => {
        const names = mentionedNames(['alpha beta gamma_len delta nat list n P x.']);
        expect(objectsIn(wanted.join(''), names)).toEqual(wanted);
      }),
    );
  });
});
