/** Attacks on the kernel through the environment: what a metaprogram can put into a module without any elaborator. */
import { type Attack, STATEMENT, all, openStatement, proved } from './attack.ts';
import type { Build } from './attack.ts';

const LIE: Build = (m) => m.theorem('lie', 'False', 'True.intro');

const BOX = { name: 'Box', type: 'Type', constructors: { mk: 'Bool → Box' } };
const WEEKDAY = { name: 'Day', type: 'Type', constructors: { sat: 'Day', sun: 'Day' } };

export const KERNEL_ATTACKS: readonly Attack[] = [
  {
    name: 'a theorem of False whose proof proves something else (AddFalse)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.theorem('honest', 'True', 'True.intro')),
    bad: all(LIE, proved),
  },
  {
    name: 'a theorem of False whose proof is False itself',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('honest', 'Prop', 'False')),
    bad: all(proved, (m) => m.theorem('lie', 'False', 'False')),
  },
  {
    name: 'a constructor added to a library type (AddFalseConstr)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.inductive({ name: 'Own', type: 'Prop', constructors: { intro: 'Own' } })),
    bad: all(proved, (m) =>
      m.add({
        kind: 'constructor',
        name: m.name('False.intro'),
        levelParameters: [],
        type: m.term('False'),
        inductive: m.name('False'),
        index: 0,
        parameterCount: 0,
        fieldCount: 0,
        isUnsafe: false,
      }),
    ),
  },
  {
    name: 'an axiom of the library is declared again as False (ReplaceAxiom)',
    expect: 'name-taken',
    target: openStatement,
    good: all(proved, (m) => m.definition('My.propext', 'Prop', 'False')),
    bad: all(
      (m) => m.axiom('propext', 'False'),
      (m) => m.theorem('t', STATEMENT, `False.rec.{0} (fun (h : False) => ${STATEMENT}) propext`),
    ),
  },
  {
    name: 'a definition of the library is declared again',
    expect: 'name-taken',
    target: openStatement,
    good: all(proved, (m) => m.definition('My.Nat.add', 'Nat → Nat → Nat', 'Nat.mul')),
    bad: all(proved, (m) => m.definition('Nat.add', 'Nat → Nat → Nat', 'Nat.mul')),
  },
  {
    name: 'a theorem named like a constant of quotients (quot_mismatch)',
    expect: 'name-taken',
    target: openStatement,
    good: all(proved, (m) => m.theorem('Quot.lifted', 'True', 'True.intro')),
    bad: all(proved, (m) => m.theorem('Quot.lift', 'True', 'True.intro')),
  },
  {
    name: 'a definition that refers to itself',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      proved,
      (m) => m.definition('other', 'Nat', '0'),
      (m) => m.definition('f', 'Nat', 'other'),
    ),
    bad: all(proved, (m) => m.theorem('lie', 'False', 'lie')),
  },
  {
    name: 'two theorems that prove each other',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      proved,
      (m) => m.theorem('a', 'True', 'b'),
      (m) => m.theorem('b', 'True', 'True.intro'),
    ),
    bad: all(
      proved,
      (m) => m.theorem('a', 'False', 'b'),
      (m) => m.theorem('b', 'False', 'a'),
    ),
  },
  {
    name: 'a theorem whose statement is no proposition (nonPropThm)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('n', 'Nat', '3')),
    bad: all(proved, (m) => m.theorem('n', 'Nat', '3')),
  },
  {
    name: 'a safe theorem that rests on an unsafe definition',
    expect: 'unsafe-code',
    target: openStatement,
    good: all(proved, (m) => m.definition('honest', 'Nat', '1')),
    bad: all(
      (m) => m.definition('cast', 'False', 'cast', { safety: 'unsafe' }),
      (m) => m.theorem('t', STATEMENT, `False.rec.{0} (fun (h : False) => ${STATEMENT}) cast`),
    ),
  },
  {
    name: 'a safe theorem that rests on what the compiler left',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('f._unsafe_rec', 'Nat', 'f._unsafe_rec', { safety: 'partial' })),
    bad: all(
      (m) => m.definition('f._unsafe_rec', 'False', 'f._unsafe_rec', { safety: 'unsafe' }),
      (m) => m.theorem('t', STATEMENT, `False.rec.{0} (fun (h : False) => ${STATEMENT}) f._unsafe_rec`),
    ),
  },
  {
    name: 'a safe theorem that rests on a partial definition',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('loop', 'Nat', 'loop', { safety: 'partial' })),
    bad: all(
      (m) => m.definition('loop', 'False', 'loop', { safety: 'partial' }),
      (m) => m.theorem('t', STATEMENT, `False.rec.{0} (fun (h : False) => ${STATEMENT}) loop`),
    ),
  },
  {
    name: 'a definition that says of itself that it is safe, and calls itself',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('loop', 'Nat → Nat', 'fun (n : Nat) => n')),
    bad: all(proved, (m) => m.definition('loop', 'Nat → False', 'fun (n : Nat) => loop n')),
  },
  {
    name: 'another universe parameter than is declared',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) =>
      m.definition('id', '∀ (A : Sort u), A → A', 'fun (A : Sort u) (a : A) => a', { levels: 'u' }),
    ),
    bad: all(proved, (m) =>
      m.definition('id', '∀ (A : Sort v), A → A', 'fun (A : Sort v) (a : A) => a', { levels: 'u' }),
    ),
  },
  {
    name: 'the same universe parameter twice',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('pair', 'Sort ((max u v)+1)', 'Sort (max u v)', { levels: 'u v' })),
    bad: all(proved, (m) => m.definition('pair', 'Sort (u+1)', 'Sort u', { levels: 'u u' })),
  },
  {
    name: 'a constant with too few universe levels (constlevels)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.theorem('r', 'Eq.{1} Nat 1 1', 'Eq.refl.{1} Nat 1')),
    bad: all(proved, (m) => m.theorem('r', 'Eq.{1} Nat 1 1', 'Eq.refl Nat 1')),
  },
  {
    name: 'Type in Type by a lie about levels',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('U', 'Type 1', 'Type')),
    bad: all(proved, (m) => m.definition('U', 'Type', 'Type')),
  },
  {
    name: 'a variable outside its binder',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.definition('k', 'Nat → Nat', 'fun (n : Nat) => #0')),
    bad: all(proved, (m) => m.definition('k', 'Nat → Nat', 'fun (n : Nat) => #1')),
  },
  {
    name: 'the wrong product of large numbers',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) =>
      m.theorem(
        'big',
        `Eq.{1} Nat (Nat.mul ${2n ** 100n} ${2n ** 100n}) ${2n ** 200n}`,
        `Eq.refl.{1} Nat ${2n ** 200n}`,
      ),
    ),
    bad: all(proved, (m) =>
      m.theorem(
        'big',
        `Eq.{1} Nat (Nat.mul ${2n ** 100n} ${2n ** 100n}) ${2n ** 200n + 1n}`,
        `Eq.refl.{1} Nat ${2n ** 200n}`,
      ),
    ),
  },
  {
    name: 'two numbers that are one double (2^53)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) =>
      m.theorem('same', `Eq.{1} Nat ${2n ** 53n} ${2n ** 53n}`, `Eq.refl.{1} Nat ${2n ** 53n}`),
    ),
    bad: all(proved, (m) =>
      m.theorem('same', `Eq.{1} Nat ${2n ** 53n} ${2n ** 53n + 1n}`, `Eq.refl.{1} Nat ${2n ** 53n}`),
    ),
  },
  {
    name: 'two strings that differ',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(proved, (m) => m.theorem('same', 'Eq.{1} String "a" "a"', 'Eq.refl.{1} String "a"')),
    bad: all(proved, (m) => m.theorem('same', 'Eq.{1} String "a" "b"', 'Eq.refl.{1} String "a"')),
  },
  {
    name: 'a recursor whose rules are exchanged (nat-rec-rules)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive(WEEKDAY), proved),
    bad: all(
      (m) => m.inductive(WEEKDAY),
      (m) => {
        const recursor = m.find(m.name('Day.rec'));
        if (recursor?.kind !== 'recursor') throw new Error('no recursor');
        const [first, second] = recursor.rules;
        if (first === undefined || second === undefined) throw new Error('no rules');
        m.change('Day.rec', 'recursor', {
          rules: [
            { ...first, value: second.value },
            { ...second, value: first.value },
          ],
        });
      },
      proved,
    ),
  },
  {
    name: 'a recursor that claims to be K (rec-k-lie)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive(WEEKDAY), proved),
    bad: all(
      (m) => m.inductive(WEEKDAY),
      (m) => m.change('Day.rec', 'recursor', { isK: true }),
      proved,
    ),
  },
  {
    name: 'a recursor of a proposition that eliminates into all types',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.inductive({ name: 'Either', type: 'Prop', constructors: { a: 'Either', b: 'Either' } }),
      proved,
    ),
    bad: all(
      (m) => m.inductive({ name: 'Either', type: 'Prop', constructors: { a: 'Either', b: 'Either' } }),
      (m) =>
        m.change('Either.rec', 'recursor', {
          levelParameters: [m.name('u')],
          type: m.term(
            '∀ {motive : Either → Sort u} (a : motive Either.a) (b : motive Either.b) (t : Either), motive t',
          ),
        }),
      proved,
    ),
  },
  {
    name: 'a recursor with a minor premise too few',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive(WEEKDAY), proved),
    bad: all(
      (m) => m.inductive(WEEKDAY),
      (m) => m.change('Day.rec', 'recursor', { minorCount: 1 }),
      proved,
    ),
  },
  {
    name: 'a second recursor for a type',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive(WEEKDAY), proved),
    bad: all(
      (m) => m.inductive(WEEKDAY),
      (m) => {
        const recursor = m.find(m.name('Day.rec'));
        if (recursor?.kind !== 'recursor') throw new Error('no recursor');
        m.add({ ...recursor, name: m.name('Day.rec_1') });
      },
      proved,
    ),
  },
  {
    name: 'a constructor that lies about its fields: S.mk true = S.mk false (ctor-num-fields)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.inductive(BOX),
      (m) =>
        m.theorem(
          'same',
          'Eq.{1} Box (Box.mk Bool.true) (Box.mk Bool.true)',
          'Eq.refl.{1} Box (Box.mk Bool.true)',
        ),
      proved,
    ),
    bad: all(
      (m) => m.inductive(BOX),
      (m) => m.change('Box.mk', 'constructor', { fieldCount: 0 }),
      (m) =>
        m.theorem(
          'same',
          'Eq.{1} Box (Box.mk Bool.true) (Box.mk Bool.false)',
          'Eq.refl.{1} Box (Box.mk Bool.true)',
        ),
      proved,
    ),
  },
  {
    name: 'a type that lies about its indices',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive(BOX), proved),
    bad: all(
      (m) => m.inductive(BOX),
      (m) => m.change('Box', 'inductive', { indexCount: 1 }),
      proved,
    ),
  },
  {
    name: 'a recursive type that says that it is none',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) =>
        m.inductive({
          name: 'Tree',
          type: 'Type',
          constructors: { leaf: 'Tree', node: 'Tree → Tree → Tree' },
        }),
      proved,
    ),
    bad: all(
      (m) =>
        m.inductive({
          name: 'Tree',
          type: 'Type',
          constructors: { leaf: 'Tree', node: 'Tree → Tree → Tree' },
        }),
      (m) => m.change('Tree', 'inductive', { isRecursive: false }),
      proved,
    ),
  },
  {
    name: 'a type in a negative position of its constructor',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive({ name: 'D', type: 'Type', constructors: { mk: '(Nat → D) → D' } }), proved),
    bad: all(
      (m) => m.inductive({ name: 'D', type: 'Type', constructors: { mk: '(Nat → D) → D' } }),
      (m) => m.change('D.mk', 'constructor', { type: m.term('(D → False) → D') }),
      proved,
    ),
  },
  {
    name: 'a field in a universe above its type',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.inductive({ name: 'W', type: 'Type 1', constructors: { mk: 'Type → W' } }), proved),
    bad: all(
      (m) => m.inductive({ name: 'W', type: 'Type 1', constructors: { mk: 'Type → W' } }),
      (m) => m.change('W', 'inductive', { type: m.term('Type') }),
      proved,
    ),
  },
  {
    name: 'a constructor of another type in the list of constructors',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.inductive(BOX),
      (m) => m.inductive(WEEKDAY),
      proved,
    ),
    bad: all(
      (m) => m.inductive(BOX),
      (m) => m.inductive(WEEKDAY),
      (m) => m.change('Box', 'inductive', { constructors: [m.name('Box.mk'), m.name('Day.sat')] }),
      proved,
    ),
  },
  {
    name: 'False from a projection of a type with two constructors (proj-non-structure)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.theorem('p', 'True → True', 'fun (h : True) => proj(And, 0, And.intro True True h h)'),
      proved,
    ),
    bad: all((m) => m.theorem('p', 'False', 'proj(Or, 0, Or.inr False True True.intro)'), proved),
  },
  {
    name: 'a projection that names another structure (proj-wrong-struct-name)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) =>
        m.definition('p', 'Prod.{0, 0} Nat Bool → Nat', 'fun (x : Prod.{0, 0} Nat Bool) => proj(Prod, 0, x)'),
      proved,
    ),
    bad: all(
      (m) => m.inductive(BOX),
      (m) =>
        m.definition('p', 'Prod.{0, 0} Nat Bool → Bool', 'fun (x : Prod.{0, 0} Nat Bool) => proj(Box, 0, x)'),
      proved,
    ),
  },
  {
    name: 'a projection beyond the fields',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) =>
        m.definition(
          'p',
          'Prod.{0, 0} Nat Bool → Bool',
          'fun (x : Prod.{0, 0} Nat Bool) => proj(Prod, 1, x)',
        ),
      proved,
    ),
    bad: all(
      (m) =>
        m.definition(
          'p',
          'Prod.{0, 0} Nat Bool → Bool',
          'fun (x : Prod.{0, 0} Nat Bool) => proj(Prod, 2, x)',
        ),
      proved,
    ),
  },
  {
    name: 'data out of a proof by a projection (proj-of-prop)',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.theorem('p', 'And True False → False', 'fun (h : And True False) => proj(And, 1, h)'),
      proved,
    ),
    bad: all(
      (m) =>
        m.definition(
          'p',
          'Exists.{1} Nat (fun (n : Nat) => True) → Nat',
          'fun (h : Exists.{1} Nat (fun (n : Nat) => True)) => proj(Exists, 0, h)',
        ),
      proved,
    ),
  },
  {
    name: 'a quotient constant with another type',
    expect: 'kernel-rejected',
    withoutInit: {
      bad: (m) =>
        m.change('Quot.lift', 'quotient', {
          type: m.term('∀ {A : Sort u} {r : A → A → Prop} {B : Sort v} (f : A → B), Quot.{u} A r → B'),
        }),
    },
    target: openStatement,
    good: proved,
    bad: proved,
  },
  {
    name: 'Nat.add redefined where literals are computed (primitive_issue)',
    expect: 'definition-changed',
    withoutInit: {
      bad: (m) => m.remove('Nat.add').definition('Nat.add', 'Nat → Nat → Nat', 'fun (n m : Nat) => 0'),
    },
    target: (m) => m.open('t', 'Eq.{1} Nat (Nat.add 1 1) 2'),
    good: (m) => m.theorem('t', 'Eq.{1} Nat (Nat.add 1 1) 2', 'Eq.refl.{1} Nat 2'),
    bad: all(
      (m) => m.axiom('trust', 'Eq.{1} Nat (Nat.add 1 1) 2'),
      (m) => m.theorem('t', 'Eq.{1} Nat (Nat.add 1 1) 2', 'trust'),
    ),
    policy: { allowedAxioms: ['trust'] },
  },
  {
    name: 'Nat.add redefined, and the computation of literals relied on',
    expect: 'kernel-rejected',
    withoutInit: {
      bad: (m) => m.remove('Nat.add').definition('Nat.add', 'Nat → Nat → Nat', 'fun (n m : Nat) => 0'),
    },
    target: (m) => m.open('t', 'Eq.{1} Nat (Nat.add 1 1) 2'),
    good: (m) => m.theorem('t', 'Eq.{1} Nat (Nat.add 1 1) 2', 'Eq.refl.{1} Nat 2'),
    bad: (m) => m.theorem('t', 'Eq.{1} Nat (Nat.add 1 1) 2', 'Eq.refl.{1} Nat 2'),
  },
  {
    name: 'Char.ofNat that makes something else (char_ofnat_issue)',
    expect: 'kernel-rejected',
    withoutInit: {
      bad: (m) => m.remove('Char.ofNat').definition('Char.ofNat', 'Nat → Nat', 'fun (n : Nat) => n'),
    },
    target: (m) => m.open('t', 'Eq.{1} String "a" "a"'),
    good: (m) =>
      m.theorem(
        't',
        'Eq.{1} String "a" "a"',
        'Eq.refl.{1} String (String.mk (List.cons.{0} Char (Char.ofNat 97) (List.nil.{0} Char)))',
      ),
    bad: (m) =>
      m.theorem(
        't',
        'Eq.{1} String "a" "a"',
        'Eq.refl.{1} String (String.mk (List.cons.{0} Char (Char.ofNat 97) (List.nil.{0} Char)))',
      ),
  },
  {
    name: 'an ill-typed axiom',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.axiom('a', 'True'), proved),
    bad: all((m) => m.axiom('a', 'True.intro'), proved),
  },
  {
    name: 'an ill-typed value behind opaque',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.opaque('o', 'True', 'True.intro'), proved),
    bad: all(
      (m) => m.opaque('o', 'False', 'True.intro'),
      (m) => m.theorem('t', STATEMENT, `False.rec.{0} (fun (h : False) => ${STATEMENT}) o`),
    ),
  },
  {
    name: 'proof irrelevance between proofs of different propositions',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.theorem('p', '∀ (a b : True), Eq.{0} True a b', 'fun (a b : True) => Eq.refl.{0} True a'),
      proved,
    ),
    bad: all(
      (m) => m.theorem('p', '∀ (a b : Nat), Eq.{1} Nat a b', 'fun (a b : Nat) => Eq.refl.{1} Nat a'),
      proved,
    ),
  },
  {
    name: 'structure eta for a type with two constructors',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all(
      (m) => m.inductive(BOX),
      (m) =>
        m.theorem(
          'eta',
          '∀ (b : Box), Eq.{1} Box b (Box.mk (proj(Box, 0, b)))',
          'fun (b : Box) => Eq.refl.{1} Box b',
        ),
      proved,
    ),
    bad: all(
      (m) => m.inductive(WEEKDAY),
      (m) => m.theorem('eta', '∀ (b : Day), Eq.{1} Day b Day.sat', 'fun (b : Day) => Eq.refl.{1} Day b'),
      proved,
    ),
  },
  {
    name: 'a declaration under a name reserved for the kernel',
    expect: 'kernel-rejected',
    target: openStatement,
    good: all((m) => m.definition('nested_1', 'Nat', '0'), proved),
    bad: all((m) => m.definition('_nested.1', 'Nat', '0'), proved),
  },
];
