/**
 * Small targets for generated attacks: statements over numbers, lists, own types, records, classes, modules, sections,
 * polymorphic ones. Each says by what names its meaning stands, and states itself again in full names.
 */

/** How a name that the statement mentions could be declared anew, so that the statement still has a type. */
export interface Shadow {
  readonly name: string;
  readonly binders: string;
  readonly type: string;
  readonly body: string;
}

export interface GeneratedTarget {
  readonly id: string;
  /** What stands before the statement: the target's own declarations. */
  readonly before: string;
  /** Without the dot's proof: `Theorem t : …`. */
  readonly statement: string;
  /** A tactic that proves it. */
  readonly proof: string;
  /** What closes modules and sections. */
  readonly after: string;
  readonly theorem: string;
  /** Own declarations that the meaning rests on. */
  readonly own: readonly string[];
  /** The statement in full names, where the compiled target is `T.Target`. */
  readonly restated: string;
  readonly shadows: readonly Shadow[];
  /** Other commands that could change how the statement is read. */
  readonly turns: readonly string[];
}

const shadow = (name: string, binders: string, type: string, body: string): Shadow => ({
  name,
  binders,
  type,
  body,
});
const target = (
  parts: Pick<GeneratedTarget, 'id' | 'statement' | 'proof' | 'restated'> & Partial<GeneratedTarget>,
): GeneratedTarget => ({ before: '', after: '', theorem: 't', own: [], shadows: [], turns: [], ...parts });

const NOT = shadow('not', '(P : Prop)', 'Prop', 'True');
const FALSE = shadow('False', '', 'Prop', 'True');
const LENGTH = shadow('length', '{A : Type} (l : list A)', 'nat', '0');
const APP = shadow('app', '{A : Type} (l m : list A)', 'list A', 'l');
const LE = shadow('le', '(n m : nat)', 'Prop', 'True');
const PLUS = 'Notation "x + y" := (Nat.mul x y) : nat_scope.';
const EQUALS = 'Notation "x = y" := (x = x /\\ y = y) (at level 70, no associativity) : type_scope.';
const CONS = 'Notation "x :: y" := (@nil _) (at level 60, right associativity) : list_scope.';

export const GENERATED_TARGETS: readonly GeneratedTarget[] = [
  target({
    id: 'not',
    statement: 'Theorem t : not False.',
    proof: 'intros []',
    restated: 'Coq.Init.Logic.False -> Coq.Init.Logic.False',
    shadows: [NOT, FALSE],
  }),
  target({
    id: 'false',
    statement: 'Theorem t : False -> 0 = 1.',
    proof: 'intros []',
    restated: 'Coq.Init.Logic.False -> Coq.Init.Logic.eq 0 1',
    shadows: [FALSE],
    turns: [EQUALS, 'Notation "0" := 1 : nat_scope.'],
  }),
  target({
    id: 'add-zero',
    statement: 'Theorem t : forall n : nat, n + 0 = n.',
    proof: 'induction n; simpl; congruence',
    restated: 'forall n : Coq.Init.Datatypes.nat, Coq.Init.Logic.eq (Coq.Init.Nat.add n O) n',
    shadows: [shadow('nat', '', 'Set', 'unit'), shadow('add', '(n m : nat)', 'nat', 'n')],
    turns: [PLUS, EQUALS, 'Open Scope type_scope.'],
  }),
  target({
    id: 'le',
    statement: 'Theorem t : forall n, le n (S n).',
    proof: 'intros; repeat constructor',
    restated: 'forall n : nat, Coq.Init.Peano.le n (S n)',
    shadows: [LE, shadow('S', '(n : nat)', 'nat', 'n')],
  }),
  target({
    id: 'exists',
    statement: 'Theorem t : exists n, n * n = 4.',
    proof: 'exists 2; reflexivity',
    restated: 'exists n : nat, Nat.mul n n = 4',
    shadows: [shadow('ex', '{A : Type} (P : A -> Prop)', 'Prop', 'True')],
    turns: ['Notation "x * y" := (Nat.add x y) : nat_scope.', 'Notation "4" := 0 : nat_scope.'],
  }),
  target({
    id: 'length',
    before: 'Require Import List.\n',
    statement: 'Theorem t : forall l : list nat, length (l ++ nil) = length l.',
    proof: 'intros l; rewrite app_nil_r; reflexivity',
    restated:
      'forall l : list nat, @Coq.Init.Datatypes.length nat (@Coq.Init.Datatypes.app nat l nil) = @Coq.Init.Datatypes.length nat l',
    shadows: [LENGTH, APP],
    turns: ['Notation "x ++ y" := x (at level 60) : list_scope.', EQUALS],
  }),
  target({
    id: 'rev',
    before: 'Require Import List.\nImport ListNotations.\n',
    statement: 'Theorem t : forall n : nat, rev [n] = n :: nil.',
    proof: 'reflexivity',
    restated: 'forall n : nat, @Coq.Lists.List.rev nat (cons n nil) = cons n nil',
    shadows: [
      shadow('rev', '{A : Type} (l : list A)', 'list A', 'l'),
      shadow('cons', '{A : Type} (x : A) (l : list A)', 'list A', 'l'),
    ],
    turns: [CONS, 'Notation "[ x ]" := (@nil _) : list_scope.'],
  }),
  target({
    id: 'double',
    before: 'Definition double (n : nat) := n + n.\n',
    statement: 'Theorem t : forall n, double n = n + n.',
    proof: 'reflexivity',
    own: ['double'],
    restated: 'forall n : nat, T.Target.double n = Nat.add n n',
    shadows: [shadow('double', '(n : nat)', 'nat', '0')],
    turns: [PLUS, 'Arguments double n : simpl never.'],
  }),
  target({
    id: 'half',
    before: 'Fixpoint half (n : nat) : nat := match n with S (S k) => S (half k) | _ => 0 end.\n',
    statement: 'Theorem t : half 10 = 5.',
    proof: 'reflexivity',
    own: ['half'],
    restated: 'T.Target.half 10 = 5',
    shadows: [shadow('half', '(n : nat)', 'nat', '5')],
    turns: ['Notation "10" := 11 : nat_scope.', 'Opaque half.'],
  }),
  target({
    id: 'color',
    before:
      'Inductive color := Red | Green.\nDefinition flip (c : color) := match c with Red => Green | Green => Red end.\n',
    statement: 'Theorem t : forall c : color, flip (flip c) = c.',
    proof: 'intros []; reflexivity',
    own: ['color', 'flip'],
    restated: 'forall c : T.Target.color, T.Target.flip (T.Target.flip c) = c',
    shadows: [shadow('flip', '(c : color)', 'color', 'c'), shadow('color', '', 'Set', 'unit')],
  }),
  target({
    id: 'tree',
    before:
      'Inductive tree (A : Type) := Leaf | Node (l : tree A) (x : A) (r : tree A).\nArguments Leaf {A}.\nArguments Node {A}.\nFixpoint size {A} (t : tree A) := match t with Leaf => 0 | Node l _ r => S (size l + size r) end.\n',
    statement: 'Theorem t : forall (A : Type) (x : A), size (Node Leaf x Leaf) = 1.',
    proof: 'reflexivity',
    own: ['tree', 'size'],
    restated:
      'forall (A : Type) (x : A), @T.Target.size A (@T.Target.Node A (@T.Target.Leaf A) x (@T.Target.Leaf A)) = 1',
    shadows: [
      shadow('size', '{A : Type} (t : tree A)', 'nat', '1'),
      shadow('Leaf', '{A : Type}', 'tree A', 'Leaf'),
    ],
  }),
  target({
    id: 'even',
    before:
      'Inductive even : nat -> Prop := E0 : even 0 | ES : forall n, odd n -> even (S n)\nwith odd : nat -> Prop := OS : forall n, even n -> odd (S n).\n',
    statement: 'Theorem t : even 2.',
    proof: 'repeat constructor',
    own: ['even'],
    restated: 'T.Target.even 2',
    shadows: [shadow('even', '(n : nat)', 'Prop', 'True'), shadow('odd', '(n : nat)', 'Prop', 'True')],
    turns: ['Notation "2" := 0 : nat_scope.'],
  }),
  target({
    id: 'record',
    before: 'Record point := Point { first : nat; second : nat }.\n',
    statement: 'Theorem t : forall p, p = Point (first p) (second p).',
    proof: 'intros []; reflexivity',
    own: ['point', 'first', 'second'],
    restated: 'forall p : T.Target.point, p = T.Target.Point (T.Target.first p) (T.Target.second p)',
    shadows: [
      shadow('first', '(p : point)', 'nat', '0'),
      shadow('Point', '(a b : nat)', 'point', 'Point b a'),
    ],
    turns: ['Set Primitive Projections.'],
  }),
  target({
    id: 'class',
    before: 'Class Default (A : Type) := default : A.\n#[export] Instance zero : Default nat := 0.\n',
    statement: 'Theorem t : exists n : nat, n = default.',
    proof: 'exists zero; reflexivity',
    own: ['Default', 'zero'],
    restated: 'exists n : nat, n = @T.Target.default nat T.Target.zero',
    shadows: [
      shadow('default', '{A : Type} {d : Default A}', 'A', 'd'),
      shadow('zero', '', 'Default nat', '1'),
    ],
    turns: [
      '#[local] Instance any : Default nat := 1.',
      '#[local] Hint Extern 0 (Default nat) => exact (id 0) : typeclass_instances.',
    ],
  }),
  target({
    id: 'coercion',
    before:
      'Definition one (b : bool) : nat := if b then 1 else 0.\nDefinition none (b : bool) : nat := 0.\nCoercion one : bool >-> nat.\n',
    statement: 'Theorem t : forall b : bool, Nat.add b 0 = b.',
    proof: 'intros []; reflexivity',
    own: ['one'],
    restated: 'forall b : bool, Nat.add (T.Target.one b) 0 = T.Target.one b',
    shadows: [shadow('one', '(b : bool)', 'nat', '0')],
    turns: ['Coercion none : bool >-> nat.', '#[local] Coercion none : bool >-> nat.'],
  }),
  target({
    id: 'canonical',
    before:
      'Structure pointed := Pointed { base : Type; origin : base }.\nDefinition zero := Pointed nat 0.\nDefinition other := Pointed nat (0 + 0).\nCanonical zero.\n',
    statement: 'Theorem t : origin _ = 0.',
    proof: 'reflexivity',
    own: ['pointed', 'zero', 'origin'],
    restated: 'T.Target.origin T.Target.zero = 0',
    shadows: [shadow('origin', '(p : pointed)', 'base p', 'Pointed.origin p')],
    turns: ['Canonical other.', '#[local] Canonical Structure third := Pointed nat 0.'],
  }),
  target({
    id: 'module',
    before: 'Module M.\nDefinition n := 3.\n',
    statement: 'Theorem t : n = 3.',
    proof: 'reflexivity',
    after: 'End M.\n',
    theorem: 'M.t',
    own: ['M.n'],
    restated: 'T.Target.M.n = 3',
    shadows: [shadow('n', '', 'nat', '2 + 1')],
    turns: ['Notation "3" := 4 : nat_scope.', 'End M. Module N.', 'Notation n := 3.'],
  }),
  target({
    id: 'qualified',
    before: 'Module M. Definition n := 3. End M.\n',
    statement: 'Theorem t : M.n = Nat.succ 2.',
    proof: 'reflexivity',
    own: ['M.n'],
    restated: 'T.Target.M.n = Coq.Init.Nat.succ 2',
    turns: [
      'Module Nat. Definition succ (n : nat) := 3. End Nat.',
      'Module N. Module M. Definition n := 3. End M. End N. Import N.',
      'Module N. Module Nat. Definition succ (n : nat) := 3. End Nat. End N. Import N.',
    ],
  }),
  target({
    id: 'section',
    before: 'Section S.\nVariables (A : Type) (f : A -> A).\n',
    statement: 'Theorem t : forall x : A, f x = f x.',
    proof: 'reflexivity',
    after: 'End S.\n',
    restated: 'forall (A : Type) (f : A -> A) (x : A), f x = f x',
    shadows: [shadow('f', '(x : A)', 'A', 'x'), shadow('A', '', 'Type', 'nat')],
    turns: [
      'Hypothesis bad : False.',
      'Variable g : A -> A.',
      'Context (bad : False).',
      'Let g := f.',
      'End S. Section S.',
    ],
  }),
  target({
    id: 'section-hypothesis',
    before: 'Section S.\nVariable n : nat.\nHypothesis positive : 0 < n.\n',
    statement: 'Theorem t : n <> 0.',
    proof: 'destruct n; [inversion positive | discriminate]',
    after: 'End S.\n',
    restated: 'forall n : nat, 0 < n -> n <> 0',
    shadows: [shadow('n', '', 'nat', '1'), NOT],
    turns: [
      'Hypothesis bad : False.',
      'Let m := n.',
      'Notation "x <> y" := (x = x) (at level 70, no associativity) : type_scope.',
    ],
  }),
  target({
    id: 'polymorphic',
    before: 'Set Universe Polymorphism.\nDefinition same@{u} (A : Type@{u}) : Type@{u} := A -> A.\n',
    statement: 'Theorem t@{u} : forall A : Type@{u}, same@{u} A.',
    proof: 'exact (fun A a => a)',
    own: ['same'],
    restated: 'forall A : Type, T.Target.same A',
    shadows: [shadow('same', '(A : Type)', 'Type', 'unit')],
    turns: ['Unset Universe Polymorphism.', 'Set Polymorphic Inductive Cumulativity.'],
  }),
  target({
    id: 'type',
    statement: 'Theorem t : forall A B : Type, A * B -> B * A.',
    proof: 'intros A B [a b]; exact (b, a)',
    restated: 'forall A B : Type, prod A B -> prod B A',
    shadows: [shadow('prod', '(A B : Type)', 'Type', 'unit')],
    turns: [
      'Notation "x * y" := unit : type_scope.',
      'Set Universe Polymorphism.',
      'Implicit Types A : Set.',
    ],
  }),
  target({
    id: 'opaque',
    before:
      'Definition secret : Prop. Proof. exact False. Qed.\nLemma witness : {n : nat | n > 2}. Proof. exists 3. auto. Qed.\n',
    statement: 'Theorem t : secret -> proj1_sig witness = 3 \\/ True.',
    proof: 'auto',
    own: ['secret', 'witness'],
    restated: 'T.Target.secret -> @proj1_sig nat _ T.Target.witness = 3 \\/ True',
    shadows: [
      shadow('secret', '', 'Prop', 'True'),
      shadow('proj1_sig', '(x : {n : nat | n > 2})', 'nat', '3'),
    ],
  }),
  target({
    id: 'sealed',
    before: 'Module Type K. Parameter n : nat. End K.\nModule M : K. Definition n := 3. End M.\n',
    statement: 'Theorem t : M.n = M.n.',
    proof: 'reflexivity',
    own: ['M.n'],
    restated: 'T.Target.M.n = T.Target.M.n',
    turns: ['Module N. Module M. Definition n := 4. End M. End N. Import N.', EQUALS],
  }),
];
