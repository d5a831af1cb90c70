(** A small language: expressions, a stack machine, an optimiser, a type system and a while language.

    The proofs that are complete show the habits of the file: induction on the syntax with the stack generalised,
    then rewriting with the induction hypotheses. *)

From Coq Require Import List Arith Bool Lia.
Import ListNotations.

(** ** Arithmetic expressions and a stack machine *)

Inductive expr : Type :=
  | Const (n : nat)
  | Plus (a b : expr)
  | Times (a b : expr).

Fixpoint eval (e : expr) : nat :=
  match e with
  | Const n => n
  | Plus a b => eval a + eval b
  | Times a b => eval a * eval b
  end.

Inductive instruction : Type :=
  | Push (n : nat)
  | Add
  | Multiply.

Definition execute (i : instruction) (stack : list nat) : list nat :=
  match i, stack with
  | Push n, _ => n :: stack
  | Add, y :: x :: rest => x + y :: rest
  | Multiply, y :: x :: rest => x * y :: rest
  | _, _ => stack
  end.

Fixpoint run (program : list instruction) (stack : list nat) : list nat :=
  match program with
  | [] => stack
  | i :: rest => run rest (execute i stack)
  end.

Fixpoint compile (e : expr) : list instruction :=
  match e with
  | Const n => [Push n]
  | Plus a b => compile a ++ compile b ++ [Add]
  | Times a b => compile a ++ compile b ++ [Multiply]
  end.

Lemma run_app (p q : list instruction) (stack : list nat) : run (p ++ q) stack = run q (run p stack).
Proof.
  revert stack. induction p as [| i p IH]; intros stack; simpl.
  - reflexivity.
  - rewrite IH. reflexivity.
Qed.

Lemma compile_not_nil (e : expr) : compile e <> [].
Proof.
  destruct e; simpl.
  - discriminate.
  - intros H. apply app_eq_nil in H as [_ H]. apply app_eq_nil in H as [_ H]. discriminate.
  - admit.
Admitted.

Theorem compile_correct (e : expr) (stack : list nat) : run (compile e) stack = eval e :: stack.
Proof.
Admitted.

Corollary compile_correct_empty (e : expr) : run (compile e) [] = [eval e].
Proof.
Admitted.

(** ** Optimisation *)

Fixpoint swap (e : expr) : expr :=
  match e with
  | Const n => Const n
  | Plus a b => Plus (swap b) (swap a)
  | Times a b => Times (swap b) (swap a)
  end.

Lemma eval_swap (e : expr) : eval (swap e) = eval e.
Proof.
  induction e as [n | a IHa b IHb | a IHa b IHb]; simpl.
  - reflexivity.
  - rewrite IHa, IHb. lia.
  - rewrite IHa, IHb. lia.
Qed.

Lemma swap_swap (e : expr) : swap (swap e) = e.
Proof.
Admitted.

Definition smart_plus (a b : expr) : expr :=
  match a, b with
  | Const 0, _ => b
  | Const n, Const m => Const (n + m)
  | _, _ => Plus a b
  end.

Fixpoint fold_constants (e : expr) : expr :=
  match e with
  | Const n => Const n
  | Plus a b => smart_plus (fold_constants a) (fold_constants b)
  | Times a b => Times (fold_constants a) (fold_constants b)
  end.

Lemma eval_smart_plus (a b : expr) : eval (smart_plus a b) = eval a + eval b.
Proof.
Admitted.

Theorem eval_fold_constants (e : expr) : eval (fold_constants e) = eval e.
Proof.
  induction e as [n | a IHa b IHb | a IHa b IHb]; simpl.
  - reflexivity.
  - give_up.
  - rewrite IHa, IHb. reflexivity.
Admitted.

(** ** Types: a language that can go wrong *)

Inductive term : Type :=
  | TTrue
  | TFalse
  | TZero
  | TSucc (t : term)
  | TIsZero (t : term)
  | TIf (c t u : term).

Inductive type : Type := Bool | Nat.

Inductive numeric : term -> Prop :=
  | numeric_zero : numeric TZero
  | numeric_succ (t : term) : numeric t -> numeric (TSucc t).

Definition value (t : term) : Prop := t = TTrue \/ t = TFalse \/ numeric t.

Inductive has_type : term -> type -> Prop :=
  | type_true : has_type TTrue Bool
  | type_false : has_type TFalse Bool
  | type_zero : has_type TZero Nat
  | type_succ t : has_type t Nat -> has_type (TSucc t) Nat
  | type_is_zero t : has_type t Nat -> has_type (TIsZero t) Bool
  | type_if c t u T : has_type c Bool -> has_type t T -> has_type u T -> has_type (TIf c t u) T.

Inductive step : term -> term -> Prop :=
  | step_if_true t u : step (TIf TTrue t u) t
  | step_if_false t u : step (TIf TFalse t u) u
  | step_if c c' t u : step c c' -> step (TIf c t u) (TIf c' t u)
  | step_succ t t' : step t t' -> step (TSucc t) (TSucc t')
  | step_is_zero_zero : step (TIsZero TZero) TTrue
  | step_is_zero_succ t : numeric t -> step (TIsZero (TSucc t)) TFalse
  | step_is_zero t t' : step t t' -> step (TIsZero t) (TIsZero t').

Lemma numeric_value (t : term) : numeric t -> value t.
Proof.
Admitted.

Lemma numeric_type (t : term) : numeric t -> has_type t Nat.
Proof.
Admitted.

Lemma bool_canonical (t : term) : has_type t Bool -> value t -> t = TTrue \/ t = TFalse.
Proof.
  intros HT [-> | [-> | H]]; auto. destruct H; inversion HT.
Qed.

Lemma nat_canonical (t : term) : has_type t Nat -> value t -> numeric t.
Proof.
Admitted.

Theorem type_unique (t : term) (T U : type) : has_type t T -> has_type t U -> T = U.
Proof.
  intros HT. revert U. induction HT; intros U HU; inversion HU; subst; auto.
Qed.

Theorem preservation (t t' : term) (T : type) : has_type t T -> step t t' -> has_type t' T.
Proof.
Abort.

(** ** Commands *)

Definition state := nat -> nat.

Definition update (s : state) (x n : nat) : state := fun y => if x =? y then n else s y.

Inductive command : Type :=
  | Skip
  | Assign (x : nat) (f : state -> nat)
  | Seq (c d : command)
  | If (b : state -> bool) (c d : command)
  | While (b : state -> bool) (c : command).

Inductive exec : command -> state -> state -> Prop :=
  | exec_skip s : exec Skip s s
  | exec_assign x f s : exec (Assign x f) s (update s x (f s))
  | exec_seq c d s s' s'' : exec c s s' -> exec d s' s'' -> exec (Seq c d) s s''
  | exec_if_true b c d s s' : b s = true -> exec c s s' -> exec (If b c d) s s'
  | exec_if_false b c d s s' : b s = false -> exec d s s' -> exec (If b c d) s s'
  | exec_while_false b c s : b s = false -> exec (While b c) s s
  | exec_while_true b c s s' s'' :
      b s = true -> exec c s s' -> exec (While b c) s' s'' -> exec (While b c) s s''.

Lemma update_same (s : state) (x n : nat) : update s x n x = n.
Proof.
Admitted.

Lemma skip_left (c : command) (s s' : state) : exec (Seq Skip c) s s' <-> exec c s s'.
Proof.
  split.
  - intros H. inversion H; subst. inversion H2; subst. assumption.
  - admit.
Admitted.

Theorem while_true_diverges (c : command) (s s' : state) : ~ exec (While (fun _ => true) c) s s'.
Proof.
Admitted.
