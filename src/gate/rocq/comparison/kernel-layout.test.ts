/** The layout of each release, on files that the Rocq at hand compiles. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCompiledFile, type CompiledFile } from '../compiled/compiled-file.ts';
import { layoutOf } from '../compiled/kernel-layout.ts';
import { installedRelease } from '../testing/installed-rocq.ts';
import { ComparisonWork } from './comparison-work.ts';
import { compareUnits } from './unit-comparison.ts';
import type { Difference } from './comparison-request.ts';

function compiled(text: string, options: readonly string[] = []): CompiledFile {
  const folder = mkdtempSync(join(tmpdir(), 'quod-layout-test-'));
  try {
    writeFileSync(join(folder, 'Unit.v'), text);
    execFileSync('coqc', ['-q', ...options, '-Q', folder, 'Layout', join(folder, 'Unit.v')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return readCompiledFile(readFileSync(join(folder, 'Unit.vo')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function differences(target: CompiledFile, submission: CompiledFile): Promise<readonly Difference[]> {
  const comparison = await compareUnits({
    target,
    submission,
    work: new ComparisonWork(),
    provable: () => false,
    open: () => false,
    demandsAll: () => false,
  });
  return comparison.differences;
}

interface Pair {
  /** The first release that has it. */
  readonly since?: number;
  readonly options?: readonly string[];
  readonly one: string;
  readonly other: string;
}

/** The two of a pair differ in one thing that the kernel holds. */
const PAIRS: Readonly<Record<string, Pair>> = {
  type: { one: 'Parameter x : nat.', other: 'Parameter x : bool.' },
  body: { one: 'Definition x := 1.', other: 'Definition x := 2.' },
  sort: { one: 'Parameter x : Set.', other: 'Parameter x : Prop.' },
  'strict propositions': { one: 'Parameter x : Prop.', other: 'Parameter x : SProp.' },
  'relevance of a binder': {
    one: 'Definition x := fun A : SProp => fun a : A => 0.',
    other: 'Definition x := fun A : Prop => fun a : A => 0.',
  },
  'type of a match': {
    one: 'Definition x (n : nat) := match n as m return nat with 0 => 0 | S _ => 0 end.',
    other: 'Definition x (n : nat) := match n as m return (let k := m in nat) with 0 => 0 | S _ => 0 end.',
  },
  'branch of a match': {
    one: 'Definition x (n : nat) := match n with 0 => 0 | S m => m end.',
    other: 'Definition x (n : nat) := match n with 0 => 0 | S m => S m end.',
  },
  'decreasing argument': {
    one: 'Definition x := fix f (n m : nat) {struct n} := match n, m with S n, S m => f n m | _, _ => 0 end.',
    other:
      'Definition x := fix f (n m : nat) {struct m} := match n, m with S n, S m => f n m | _, _ => 0 end.',
  },
  projection: {
    one: 'Record r := { a : nat; b : nat }. Definition x (y : r) := y.(a).',
    other: 'Record r := { a : nat; b : nat }. Definition x (y : r) := y.(b).',
  },
  'primitive projection': {
    one: '#[projections(primitive)] Record r := { a : nat; b : nat }. Definition x (y : r) := y.(a).',
    other: '#[projections(primitive)] Record r := { a : nat; b : nat }. Definition x (y : r) := y.(b).',
  },
  'primitive record': {
    one: '#[projections(primitive)] Record x := { a : nat }.',
    other: '#[projections(primitive=no)] Record x := { a : nat }.',
  },
  constructor: { one: 'Inductive x := c (n : nat).', other: 'Inductive x := c (n : bool).' },
  'name of a constructor': { one: 'Inductive x := c.', other: 'Inductive x := d.' },
  recursion: {
    one: 'CoInductive x := c (y : x).',
    other: 'Inductive x := c (y : x).',
  },
  nesting: {
    one: 'Inductive x := c (y : list x).',
    other: 'Inductive x := c (y : option x).',
  },
  elimination: {
    one: 'Inductive x : Prop := c (n : nat).',
    other: 'Inductive x : Prop := c (n : True).',
  },
  'template polymorphism': {
    one: '#[universes(template)] Inductive x (A : Type) := c (a : A).',
    other: '#[universes(template=no)] Inductive x (A : Type) := c (a : A).',
  },
  polymorphism: {
    one: '#[universes(polymorphic)] Definition x@{u} := Type@{u}.',
    other: 'Definition x@{u} := Type@{u}.',
  },
  'number of universes': {
    one: '#[universes(polymorphic)] Definition x@{u} (A : Type@{u}) := A.',
    other: '#[universes(polymorphic)] Definition x@{u v} (A : Type@{u}) := A.',
  },
  'order of universes': {
    one: '#[universes(polymorphic)] Definition x@{u v} (A : Type@{u}) (B : Type@{v}) := A.',
    other: '#[universes(polymorphic)] Definition x@{u v | u < v} (A : Type@{u}) (B : Type@{v}) := A.',
  },
  'instance of universes': {
    one: '#[universes(polymorphic)] Definition i@{u} (A : Type@{u}) := A. #[universes(polymorphic)] Definition x@{u v} (A : Set) := i@{u} A.',
    other:
      '#[universes(polymorphic)] Definition i@{u} (A : Type@{u}) := A. #[universes(polymorphic)] Definition x@{u v} (A : Set) := i@{v} A.',
  },
  variance: {
    one: '#[universes(polymorphic, cumulative)] Inductive x@{u} (A : Type@{u}) := c (a : A).',
    other: '#[universes(polymorphic)] Inductive x@{u} (A : Type@{u}) := c (a : A).',
  },
  'private type': { one: '#[private(matching)] Inductive x := c.', other: 'Inductive x := c.' },
  'functor applied': {
    one: 'Module Type T. Parameter n : nat. End T. Module A <: T. Definition n := 1. End A. Module B <: T. Definition n := 1. End B. Module F (X : T). Definition m := X.n. End F. Module x := F A.',
    other:
      'Module Type T. Parameter n : nat. End T. Module A <: T. Definition n := 1. End A. Module B <: T. Definition n := 1. End B. Module F (X : T). Definition m := X.n. End F. Module x := F B.',
  },
  'functor parameter': {
    one: 'Module Type T. Parameter n : nat. End T. Module Type U. Parameter n : nat. End U. Module x (X : T). Definition m := X.n. End x.',
    other:
      'Module Type T. Parameter n : nat. End T. Module Type U. Parameter n : nat. End U. Module x (X : U). Definition m := X.n. End x.',
  },
  'with definition': {
    one: 'Module Type T. Parameter n : nat. End T. Declare Module x : T with Definition n := 1.',
    other: 'Module Type T. Parameter n : nat. End T. Declare Module x : T with Definition n := 2.',
  },
  'inside of a sealed module': {
    one: 'Module Type T. Parameter n : nat. End T. Module x : T. Definition n := 1. End x.',
    other: 'Module Type T. Parameter n : nat. End T. Module x : T. Definition n := 2. End x.',
  },
  'inside of a sealed functor': {
    one: 'Module Type T. Parameter n : nat. End T. Module x (X : T) : T. Definition n := X.n. End x.',
    other: 'Module Type T. Parameter n : nat. End T. Module x (X : T) : T. Definition n := S X.n. End x.',
  },
  'module type': {
    one: 'Module Type x. Parameter n : nat. End x.',
    other: 'Module Type x. Parameter n : bool. End x.',
  },
  'kernel check': {
    one: 'Fixpoint x (n : nat) : nat := match n with 0 => 0 | S m => x m end.',
    other: '#[bypass_check(guard)] Fixpoint x (n : nat) : nat := match n with 0 => 0 | S m => x m end.',
  },
  'sort quality': {
    since: 819,
    one: '#[universes(polymorphic)] Definition x@{s|u|} := fun A : Type@{s|u} => A.',
    other: '#[universes(polymorphic)] Definition x@{s|u|} := fun A : Type@{u} => A.',
  },
  'number of qualities': {
    since: 819,
    one: '#[universes(polymorphic)] Definition x@{s|u|} := fun A : Type@{s|u} => A.',
    other: '#[universes(polymorphic)] Definition x@{s t|u|} := fun A : Type@{s|u} => A.',
  },
  'which quality': {
    since: 819,
    one: '#[universes(polymorphic)] Definition x@{s t|u|} := fun A : Type@{s|u} => fun a : A => a.',
    other: '#[universes(polymorphic)] Definition x@{s t|u|} := fun A : Type@{t|u} => fun a : A => a.',
  },
  'declared sort': {
    since: 901,
    one: 'Sorts s t. Definition x := fun A : Type@{s|Set} => A.',
    other: 'Sorts s t. Definition x := fun A : Type@{t|Set} => A.',
  },
  'number of declared sorts': { since: 901, one: 'Sort p.', other: 'Sorts p q.' },
  'elimination of a declared sort': { since: 902, one: 'Sort r.', other: 'Sort r. Constraint r -> Type.' },
  'elimination of a bound quality': {
    since: 902,
    one: '#[universes(polymorphic)] Definition x@{s;u|} := fun A : Type@{s;u} => A.',
    other: '#[universes(polymorphic)] Definition x@{s;u|s -> Type} := fun A : Type@{s;u} => A.',
  },
  symbol: {
    since: 820,
    options: ['-allow-rewrite-rules'],
    one: 'Parameter x : nat.',
    other: 'Symbol x : nat.',
  },
  'right side of a rule': {
    since: 820,
    options: ['-allow-rewrite-rules'],
    one: 'Symbol f : nat -> nat. Rewrite Rule x := f 0 => 0.',
    other: 'Symbol f : nat -> nat. Rewrite Rule x := f 0 => 1.',
  },
  'left side of a rule': {
    since: 820,
    options: ['-allow-rewrite-rules'],
    one: 'Symbol f : nat -> nat -> nat. Rewrite Rule x := f 0 ?n => ?n.',
    other: 'Symbol f : nat -> nat -> nat. Rewrite Rule x := f ?n 0 => ?n.',
  },
};

/** Without coqc, or with one whose layout is not known, there is nothing to compare. */
const judged = installedRelease > 0 && layoutOf(compiled('').version) !== undefined;

describe.skipIf(!judged)('a difference is found in', () => {
  for (const [what, { since = 0, options, one, other }] of Object.entries(PAIRS)) {
    it.skipIf(installedRelease < since)(what, async () => {
      expect(await differences(compiled(one, options), compiled(other, options))).not.toEqual([]);
    });
  }
});

it.skipIf(!judged).each(['one', 'other'] as const)(
  'what was compiled twice has no difference: %s',
  async (which) => {
    const possible = Object.values(PAIRS).filter(({ since = 0 }) => since <= installedRelease);
    const text = possible
      .map((pair, index) => `Module M${index}.\n${pair[which]}\nEnd M${index}.\n`)
      .join('');
    const options = new Set(possible.flatMap(({ options: each = [] }) => each));
    expect(await differences(compiled(text, [...options]), compiled(text, [...options]))).toEqual([]);
  },
);

it.each([
  [81601, 816],
  [81700, 816],
  [81800, 818],
  [81999, 819],
  [82000, 820],
  [90001, 900],
  [90100, 901],
  [90299, 902],
])('the version %i is read as %i', (version, release) => {
  expect(layoutOf(version)?.release).toBe(release);
});

// 8.15, candidates of 8.18, 9.0, 9.1 and 9.2, and what nobody has seen.
it.each([81500, 81799, 82099, 90099, 90199, 90300, 0, Number.NaN])(
  'the version %d is not read',
  (version) => {
    expect(layoutOf(version)).toBeUndefined();
  },
);
