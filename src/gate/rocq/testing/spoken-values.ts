/**
 * Ways in which a declaration speaks of a value `x` that it may hide: modules `A` that come to have a value `v`, and others.
 */

/** `v` is one more than `x`. The signature `: P` hides that, `<: P` does not. */
export const FORMS: Record<string, (x: string, type: string) => string> = {
  'a structure': (x, type) => `Module A ${type}. Definition v := S ${x}. End A.`,
  'a structure with an opaque value': (x, type) =>
    `Module A ${type}. Definition v : nat. Proof. exact (S ${x}). Qed. End A.`,
  'an alias': (x, type) => `${structure('B', x)} Module A ${type} := B.`,
  'an alias of an alias': (x, type) => `${structure('B', x)} Module C ${type} := B. Module A ${type} := C.`,
  'an alias of a sealed module': (x, type) =>
    `Module B : P. Definition v := S ${x}. End B. Module A ${type} := B.`,
  'an application': (x, type) =>
    `Module G (X : P). Definition v := S X.v. End G. ${argument('E', x)} Module A ${type} := G E.`,
  'an application of a sealed functor': (x, type) =>
    `Module G (X : P) : P. Definition v := S X.v. End G. ${argument('E', x)} Module A ${type} := G E.`,
  'an application of a functor that is an alias': (x, type) =>
    `Module G (X : P). Definition v := S X.v. End G. Module H (X : P) : P := G X. ${argument('E', x)} Module A ${type} := H E.`,
  'an application of a functor that applies another': (x, type) =>
    `Module G (X : P). Definition v := S X.v. End G. Module H (X : HasP). Module K : P := G X.I. Definition v := K.v. End H.
Module E. ${argument('I', x)} End E. Module A ${type} := H E.`,
  'an application to a sealed module': (x, type) =>
    `Module G (X : P). Definition v := S X.v. End G. Module E : P. Definition v := ${x}. End E. Module A ${type} := G E.`,
  'an application of a functor with a value of its own': (x, type) =>
    `Module G (X : P). Definition v := S ${x}. End G. Module E. Definition v := 3. End E. Module A ${type} := G E.`,
  'an application of a functor with an opaque value': (x, type) =>
    `Module G (X : P). Definition v : nat. Proof. exact (S X.v). Qed. End G. ${argument('E', x)} Module A ${type} := G E.`,
  'an application of a functor with an opaque value by way of another': (x, type) =>
    `Module G (X : P). Definition w := S X.v. Definition v : nat. Proof. exact w. Qed. End G. ${argument('E', x)} Module A ${type} := G E.`,
  Include: (x, type) => `${structure('B', x)} Module A ${type}. Include B. End A.`,
  'Include of an application': (x, type) =>
    `Module G (X : P). Definition v : nat. Proof. exact (S X.v). Qed. End G. ${argument('E', x)} Module A ${type}. Include G E. End A.`,
  'a sum of modules': (x, type) => `${structure('B', x)} Module A ${type} := B <+ Nothing.`,
  'a definition by with': (x, type) =>
    `${structure('B', x)} Module A ${type === '' ? ': P' : type} with Definition v := S ${x} := B.`,
  'a module by with': (x, type) => `${structure('B', x)} Module Q. Module I := B. End Q.
Module R : HasP with Module I := B := Q. Module A ${type} := R.I.`,
};
const structure = (name: string, x: string): string => `Module ${name}. Definition v := S ${x}. End ${name}.`;
const argument = (name: string, x: string): string => `Module ${name}. Definition v := ${x}. End ${name}.`;

/** Where the module stands: what is around it, and what `A.v` is called from outside. */
export const PLACES: Record<string, (form: string, name: string) => readonly [text: string, path: string]> = {
  'two deep': (form, name) => [`Module ${name}. Module O. ${form} End O. End ${name}.`, `${name}.O.A.v`],
  'behind a signature': (form, name) => [`Module ${name} : HasA. ${form} End ${name}.`, `${name}.A.v`],
  'behind the signature of an alias': (form, name) => [
    `Module ${name}O. ${form} End ${name}O. Module ${name} : HasA := ${name}O.`,
    `${name}.A.v`,
  ],
  'in a functor': (form, name) => [
    `Module ${name}F (Z : Empty). ${form} End ${name}F. Module ${name} := ${name}F Nothing.`,
    `${name}.A.v`,
  ],
};

/** The signatures that these name. */
export const SIGNATURES = `Module Type Empty. End Empty. Module Nothing. End Nothing.
Module Type P. Parameter v : nat. End P.
Module Type HasP. Declare Module I : P. End HasP.
Require Equalities PeanoNat.
Module Type HasDecision. Parameter t : Type. Parameter eq_dec : forall a b : t, {a = b} + {a <> b}. End HasDecision.
Module Type HasProof. Parameter l : True. End HasProof.
Module Type HasA. Declare Module A : P. End HasA.\n`;

export type Written = (x: string, name: string) => readonly [text: string, path: string];

/** Other values that nobody can look into, and speak of `x` all the same. */
export const OPAQUE_VALUES: Record<string, Written> = {
  'an opaque value': (x, name) => [`Definition ${name} : nat. Proof. exact (S ${x}). Qed.`, name],
  'an opaque value by way of three': (x, name) => [
    `Definition ${name}a : nat. Proof. exact ${x}. Qed. Definition ${name}b : nat. Proof. exact ${name}a. Qed.
Definition ${name}c := ${name}b. Definition ${name} : nat. Proof. exact ${name}c. Qed.`,
    name,
  ],
  'an opaque pair': (x, name) => [
    `Definition ${name} : nat * bool. Proof. exact (${x}, true). Qed.`,
    `fst ${name}`,
  ],
  'an opaque witness': (x, name) => [
    `Definition ${name} : {n : nat | True}. Proof. exists ${x}. exact I. Qed.`,
    `proj1_sig ${name}`,
  ],
  'an opaque predicate': (x, name) => [
    `Definition ${name} : Prop. Proof. exact (${x} = 7). Qed.`,
    `(let _ : Prop := ${name} in 9)`,
  ],
  'an opaque instance': (x, name) => [
    `Class C${name} := f${name} : nat. #[global] Instance ${name} : C${name}. Proof. exact ${x}. Qed.`,
    `@f${name} ${name}`,
  ],
  'what abstract makes': (x, name) => [
    `Definition ${name} : nat. Proof. abstract exact (S ${x}). Defined.`,
    name,
  ],
  'an opaque value of a section': (x, name) => [
    `Section S${name}. Variable y : nat. Definition ${name}a := y + ${x}.
Definition ${name} : nat. Proof. exact ${name}a. Qed. End S${name}.`,
    `${name} 0`,
  ],
  'an opaque value of an included module type': (x, name) => [
    `Module Type T${name}. Definition v : nat. Proof. exact ${x}. Qed. End T${name}. Module ${name}. Include T${name}. End ${name}.`,
    `${name}.v`,
  ],
  'what a functor of a library makes': (x, name) => [
    `Module E${name}. Definition t := nat.
Definition eq_dec (a b : t) : {a = b} + {a <> b} := let _ := ${x} in PeanoNat.Nat.eq_dec a b. End E${name}.
Module ${name} : HasDecision := Equalities.Make_UDT E${name}.`,
    `(let _ := ${name}.eq_dec in 9)`,
  ],
};

/** What stands beside `x` and does not speak of it: which proof it is does not matter. */
export const OF_SOMETHING_ELSE: Record<string, Written> = {
  'a proof': (x, name) => [
    `Lemma ${name} : True. Proof. destruct ${x}; exact I. Qed.`,
    `(match ${name} with I => 9 end)`,
  ],
  'a proof in a functor': (x, name) => [
    `Module F${name} (X : Empty). Lemma l : True. Proof. destruct ${x}; exact I. Qed. End F${name}. Module ${name} := F${name} Nothing.`,
    `(match ${name}.l with I => 9 end)`,
  ],
  'a proof behind a signature': (x, name) => [
    `Module ${name} : HasProof. Lemma l : True. Proof. destruct ${x}; exact I. Qed. End ${name}.`,
    `(match ${name}.l with I => 9 end)`,
  ],
  'a value beside one that speaks of it': (x, name) => [
    `Module B${name}. Definition v := 4. Definition w := ${x}. End B${name}. Module ${name} : P := B${name}.`,
    `${name}.v`,
  ],
  'a part that a functor does not use': (x, name) => [
    `Module F${name} (X : P). Definition v : nat. Proof. exact X.v. Qed. End F${name}.
Module E${name}. Definition v := 4. Definition w := ${x}. End E${name}. Module ${name} : P := F${name} E${name}.`,
    `${name}.v`,
  ],
};
