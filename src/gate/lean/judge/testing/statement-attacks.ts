/** Attacks that change what is stated, or leave it unproved: TRAPS of SafeVerify and comparator. */
import { type Attack, PROOF, STATEMENT, all, openStatement, proved } from './attack.ts';
import type { Build } from './attack.ts';

const DOUBLE = 'fun (n : Nat) => Nat.add n n';
const openAboutDouble: Build = all(
  (m) => m.definition('double', 'Nat → Nat', DOUBLE),
  (m) => m.open('t', 'Eq.{1} Nat (double 2) 4'),
);
const provedAboutDouble: Build = (m) => m.theorem('t', 'Eq.{1} Nat (double 2) 4', 'Eq.refl.{1} Nat 4');

const SHAPE = { name: 'Shape', type: 'Type', constructors: { circle: 'Shape', square: 'Nat → Shape' } };

/** A type with such constructors. */
function boxed(constructors: Readonly<Record<string, string>>) {
  return { name: 'Boxed', type: 'Type', constructors };
}

/** `False` from a proof that a successor is 0: what is true of 1 is carried over to 0. */
function oneIsZero(proof: string): string {
  const isPositive =
    'fun (k : Nat) => Nat.rec.{1} (fun (j : Nat) => Prop) False (fun (j : Nat) (p : Prop) => True) k';
  return `Eq.rec.{0, 1} Nat 1 (fun (k : Nat) (e : Eq.{1} Nat 1 k) => (${isPositive}) k) True.intro 0 (${proof})`;
}

const ONE_IS_NOT_ZERO = `fun (h : ∀ (n : Nat), Eq.{1} Nat n 0) => ${oneIsZero('h 1')}`;

export const STATEMENT_ATTACKS: readonly Attack[] = [
  {
    name: 'a weaker statement under the same name',
    expect: 'statement-changed',
    target: openStatement,
    good: proved,
    bad: (m) => m.theorem('t', 'True', 'True.intro'),
  },
  {
    name: 'an extra hypothesis',
    expect: 'statement-changed',
    target: openStatement,
    good: (m) => m.theorem('t', STATEMENT.replace('n :', 'k :').replace('n n', 'k k'), PROOF),
    bad: (m) => m.theorem('t', `False → ${STATEMENT}`, `fun (h : False) => ${PROOF}`),
  },
  {
    name: 'a statement elaborated with another instance (OverwrittenTypeclass)',
    expect: 'statement-changed',
    target: all(
      (m) => m.definition('inst', 'Nat → Nat → Nat', 'Nat.add'),
      (m) => m.open('t', 'Eq.{1} Nat (inst 2 2) 4'),
    ),
    good: all(
      (m) => m.definition('inst', 'Nat → Nat → Nat', 'Nat.add'),
      (m) => m.definition('inst_1', 'Nat → Nat → Nat', 'fun (a b : Nat) => 4'),
      (m) => m.theorem('t', 'Eq.{1} Nat (inst 2 2) 4', 'Eq.refl.{1} Nat 4'),
    ),
    bad: all(
      (m) => m.definition('inst', 'Nat → Nat → Nat', 'Nat.add'),
      (m) => m.definition('inst_1', 'Nat → Nat → Nat', 'fun (a b : Nat) => 4'),
      (m) => m.theorem('t', 'Eq.{1} Nat (inst_1 2 2) 4', 'Eq.refl.{1} Nat 4'),
    ),
  },
  {
    name: 'an axiom that speaks of an open statement says something else',
    expect: 'definition-changed',
    target: all(openStatement, (m) => m.axiom('a', `Eq.{0} (${STATEMENT}) t t`)),
    good: all(proved, (m) => m.axiom('a', `Eq.{0} (${STATEMENT}) t t`)),
    bad: all(proved, (m) => m.axiom('a', 'False')),
  },
  {
    name: 'a type that speaks of an open statement has another constructor',
    expect: 'definition-changed',
    target: all(openStatement, (m) => m.inductive(boxed({ box: `Eq.{0} (${STATEMENT}) t t → Boxed` }))),
    good: all(proved, (m) => m.inductive(boxed({ box: `Eq.{0} (${STATEMENT}) t t → Boxed` }))),
    bad: all(proved, (m) => m.inductive(boxed({ box: 'Boxed' }))),
  },
  {
    name: 'the theorem is not there',
    expect: 'missing',
    target: openStatement,
    good: proved,
    bad: (m) => m.theorem('t2', STATEMENT, PROOF),
  },
  {
    name: 'the theorem is there under a name that only prints like it',
    expect: 'missing',
    target: (m) => m.open('a.t', STATEMENT),
    good: (m) => m.theorem('a.t', STATEMENT, PROOF),
    bad: (m) => m.theorem('«a.t»', STATEMENT, PROOF),
  },
  {
    name: 'a numeric component becomes a string (numeric_namespace)',
    expect: 'missing',
    target: (m) => m.open('a.123.foo', STATEMENT),
    good: (m) => m.theorem('a.123.foo', STATEMENT, PROOF),
    bad: (m) => m.theorem('a.«123».foo', STATEMENT, PROOF),
  },
  {
    name: 'the theorem becomes an axiom',
    expect: 'statement-changed',
    target: openStatement,
    good: proved,
    bad: (m) => m.axiom('t', STATEMENT),
  },
  {
    name: 'the theorem becomes a definition',
    expect: 'statement-changed',
    target: openStatement,
    good: proved,
    bad: (m) => m.definition('t', STATEMENT, PROOF),
  },
  {
    name: 'a universe parameter is fixed',
    expect: 'statement-changed',
    target: (m) => m.open('t', '∀ (A : Sort u) (a : A), Eq.{u} A a a', 'u'),
    good: (m) =>
      m.theorem(
        't',
        '∀ (A : Sort u) (a : A), Eq.{u} A a a',
        'fun (A : Sort u) (a : A) => Eq.refl.{u} A a',
        'u',
      ),
    bad: (m) =>
      m.theorem('t', '∀ (A : Type) (a : A), Eq.{1} A a a', 'fun (A : Type) (a : A) => Eq.refl.{1} A a'),
  },
  {
    name: 'sorry is left',
    expect: 'admitted',
    target: openStatement,
    good: proved,
    bad: openStatement,
  },
  {
    name: 'sorry is left in a helper',
    expect: 'admitted',
    target: openStatement,
    good: all(
      (m) => m.theorem('helper', STATEMENT, PROOF),
      (m) => m.theorem('t', STATEMENT, 'helper'),
    ),
    bad: all(
      (m) => m.open('helper', STATEMENT),
      (m) => m.theorem('t', STATEMENT, 'helper'),
    ),
  },
  {
    name: 'sorry is left in a helper that nobody uses',
    expect: 'admitted',
    target: openStatement,
    good: all(proved, (m) => m.theorem('helper', STATEMENT, PROOF)),
    bad: all(proved, (m) => m.open('helper', STATEMENT)),
  },
  {
    name: 'a definition behind the statement is replaced',
    expect: 'definition-changed',
    target: openAboutDouble,
    good: all((m) => m.definition('double', 'Nat → Nat', DOUBLE), provedAboutDouble),
    bad: all((m) => m.definition('double', 'Nat → Nat', 'fun (n : Nat) => 4'), provedAboutDouble),
  },
  {
    name: 'a definition two steps behind the statement is replaced',
    expect: 'definition-changed',
    target: all(
      (m) => m.definition('four', 'Nat', '4'),
      (m) => m.definition('isFour', 'Nat → Prop', 'fun (n : Nat) => Eq.{1} Nat n four'),
      (m) => m.open('t', 'isFour 5'),
      (m) => m.open('s', 'isFour 4'),
    ),
    good: all(
      (m) => m.definition('four', 'Nat', '4'),
      (m) => m.definition('isFour', 'Nat → Prop', 'fun (k : Nat) => Eq.{1} Nat k four'),
      (m) => m.theorem('s', 'isFour 4', 'Eq.refl.{1} Nat 4'),
      // Nobody can prove t; the twin shows what is wrong with the cheat, and is judged without t.
      (m) => m.axiom('unprovable', 'isFour 5'),
      (m) => m.theorem('t', 'isFour 5', 'unprovable'),
    ),
    policy: { allowedAxioms: ['unprovable'] },
    bad: all(
      (m) => m.definition('four', 'Nat', '5'),
      (m) => m.definition('isFour', 'Nat → Prop', 'fun (n : Nat) => Eq.{1} Nat n four'),
      (m) => m.theorem('t', 'isFour 5', 'Eq.refl.{1} Nat 5'),
      (m) => m.axiom('unprovable', 'isFour 4'),
      (m) => m.theorem('s', 'isFour 4', 'unprovable'),
    ),
  },
  {
    name: 'a definition becomes opaque',
    expect: 'definition-changed',
    target: openAboutDouble,
    good: all((m) => m.definition('double', 'Nat → Nat', 'fun (k : Nat) => Nat.add k k'), provedAboutDouble),
    bad: all(
      (m) => m.opaque('double', 'Nat → Nat', DOUBLE),
      (m) => m.theorem('t', 'Eq.{1} Nat (double 2) 4', 'believe'),
      (m) => m.axiom('believe', 'Eq.{1} Nat (double 2) 4'),
    ),
    policy: { allowedAxioms: ['believe'] },
  },
  {
    name: 'the value of an opaque constant is replaced',
    expect: 'definition-changed',
    target: all((m) => m.opaque('secret', 'Nat', '7'), openStatement),
    good: all((m) => m.opaque('secret', 'Nat', '7'), proved),
    bad: all((m) => m.opaque('secret', 'Nat', '8'), proved),
  },
  {
    name: 'an inductive type gets another constructor',
    expect: 'definition-changed',
    target: all((m) => m.inductive(SHAPE), openStatement),
    good: all((m) => m.inductive(SHAPE), proved),
    bad: all(
      (m) => m.inductive({ ...SHAPE, constructors: { ...SHAPE.constructors, none: 'Shape' } }),
      proved,
    ),
  },
  {
    name: 'a constructor gets another field',
    expect: 'definition-changed',
    target: all((m) => m.inductive(SHAPE), openStatement),
    good: all((m) => m.inductive(SHAPE), proved),
    bad: all(
      (m) => m.inductive({ ...SHAPE, constructors: { circle: 'Shape', square: 'Bool → Shape' } }),
      proved,
    ),
  },
  {
    name: 'constructors change places',
    expect: 'definition-changed',
    target: all((m) => m.inductive(SHAPE), openStatement),
    good: all((m) => m.inductive(SHAPE), proved),
    bad: all(
      (m) => m.inductive({ ...SHAPE, constructors: { square: 'Nat → Shape', circle: 'Shape' } }),
      proved,
    ),
  },
  {
    name: 'a structure that the statement reaches only by a projection is replaced (proj_trick)',
    expect: 'definition-changed',
    target: all(
      (m) => m.inductive({ name: 'S', type: 'Type', constructors: { mk: 'Nat → Nat → S' } }),
      (m) => m.open('t', '∀ (s : S), Eq.{1} Nat (proj(S, 0, s)) (proj(S, 0, s))'),
    ),
    good: all(
      (m) => m.inductive({ name: 'S', type: 'Type', constructors: { mk: 'Nat → Nat → S' } }),
      (m) =>
        m.theorem(
          't',
          '∀ (s : S), Eq.{1} Nat (proj(S, 0, s)) (proj(S, 0, s))',
          'fun (s : S) => Eq.refl.{1} Nat (proj(S, 0, s))',
        ),
    ),
    bad: all(
      (m) => m.inductive({ name: 'S', type: 'Type', constructors: { mk: 'Nat → Bool → S' } }),
      (m) =>
        m.theorem(
          't',
          '∀ (s : S), Eq.{1} Nat (proj(S, 0, s)) (proj(S, 0, s))',
          'fun (s : S) => Eq.refl.{1} Nat (proj(S, 0, s))',
        ),
    ),
  },
  {
    name: 'a hole is filled with an axiom (def_hole_kind_mismatch)',
    expect: 'definition-changed',
    target: all((m) => m.hole('f', 'Nat → Nat'), openStatement),
    good: all((m) => m.definition('f', 'Nat → Nat', DOUBLE), proved),
    bad: all((m) => m.axiom('f', 'Nat → Nat'), proved),
  },
  {
    name: 'a hole is filled at another type (def_hole_type_mismatch)',
    expect: 'definition-changed',
    target: all((m) => m.hole('f', 'Nat → Nat'), openStatement),
    good: all((m) => m.definition('f', 'Nat → Nat', DOUBLE), proved),
    bad: all((m) => m.definition('f', 'Bool → Nat', 'fun (b : Bool) => 0'), proved),
  },
  {
    name: 'a hole is filled with a body that hides sorry where computation drops it (def_hole_axiom_issue)',
    expect: 'admitted',
    target: all(
      (m) => m.hole('f', 'Nat'),
      (m) => m.open('t', 'Eq.{1} Nat f 4'),
    ),
    good: all(
      (m) => m.definition('f', 'Nat', '(fun (x : Nat) => 4) 5'),
      (m) => m.theorem('t', 'Eq.{1} Nat f 4', 'Eq.refl.{1} Nat 4'),
    ),
    bad: all(
      (m) => m.definition('f', 'Nat', '(fun (x : Nat) => 4) (sorryAx.{1} Nat Bool.false)'),
      (m) => m.theorem('t', 'Eq.{1} Nat f 4', 'Eq.refl.{1} Nat 4'),
    ),
  },
  {
    name: 'a complete definition that only rests on a hole is replaced, where the policy is strict',
    expect: 'definition-changed',
    policy: { strictHoles: true },
    target: all(
      (m) => m.hole('f', 'Nat'),
      (m) => m.definition('g', 'Nat', 'Nat.succ f'),
      (m) => m.open('t', 'Ne.{1} Nat g 0'),
    ),
    good: all(
      (m) => m.definition('f', 'Nat', '0'),
      (m) => m.definition('g', 'Nat', 'Nat.succ f'),
      (m) => m.theorem('t', 'Ne.{1} Nat g 0', `fun (h : Eq.{1} Nat g 0) => ${oneIsZero('h')}`),
    ),
    bad: all(
      (m) => m.definition('f', 'Nat', '0'),
      (m) => m.definition('g', 'Nat', 'Nat.succ 0'),
      (m) => m.theorem('t', 'Ne.{1} Nat g 0', `fun (h : Eq.{1} Nat g 0) => ${oneIsZero('h')}`),
    ),
  },
  {
    name: 'a disproof of something else',
    expect: 'statement-changed',
    policy: { disproofs: true },
    target: (m) => m.open('t', '∀ (n : Nat), Eq.{1} Nat n 0'),
    good: (m) => m.theorem('t.disproof', 'Not (∀ (n : Nat), Eq.{1} Nat n 0)', ONE_IS_NOT_ZERO),
    bad: (m) => m.theorem('t.disproof', 'Not False', 'fun (h : False) => h'),
  },
  {
    name: 'a disproof where none was asked for',
    expect: 'missing',
    target: (m) => m.open('t', 'Not False'),
    good: (m) => m.theorem('t', 'Not False', 'fun (h : False) => h'),
    bad: (m) => m.theorem('t.disproof', 'Not (∀ (n : Nat), Eq.{1} Nat n 0)', ONE_IS_NOT_ZERO),
  },
  {
    name: 'a disproof that rests on an axiom',
    expect: 'new-axiom',
    policy: { disproofs: true },
    target: (m) => m.open('t', '∀ (n : Nat), Eq.{1} Nat n 0'),
    good: (m) =>
      m.theorem(
        't.disproof',
        'Exists.{1} Nat (fun (n : Nat) => Not (Eq.{1} Nat n 0))',
        `Exists.intro.{1} Nat (fun (n : Nat) => Not (Eq.{1} Nat n 0)) 1 (fun (h : Eq.{1} Nat 1 0) => ${oneIsZero('h')})`,
      ),
    bad: all(
      (m) => m.axiom('wish', 'Not (∀ (n : Nat), Eq.{1} Nat n 0)'),
      (m) => m.theorem('t.disproof', 'Not (∀ (n : Nat), Eq.{1} Nat n 0)', 'wish'),
    ),
  },
];
