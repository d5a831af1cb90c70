/**
 * The traps in which other checkers of Lean were caught, in the order of the list that they were collected in. Each test has
 * the attack, and an honest twin that must be accepted.
 */
import { entryAt } from '../../../core/entry.ts';
import { describe, expect, it } from 'vitest';
import type { InductiveBlock, RecursorConstant } from '../declaration.ts';
import { CheckedExport, smallExport } from '../testing/recorded-exports.ts';
import { WrittenEnvironment } from '../testing/written-environment.ts';
import type { KernelLimits } from './kernel.ts';

const ACCEPTED = { kind: 'accepted' };
const rejected = (problem: RegExp): unknown =>
  expect.objectContaining({ kind: 'rejected', problem: expect.stringMatching(problem) as unknown });

/** Nat, Bool, Eq, True, False, And: what most tests need. */
function basics(limits?: KernelLimits): WrittenEnvironment {
  const env = new WrittenEnvironment(limits);
  const answers = [
    env.inductive(0, { name: 'Nat', type: 'Type', constructors: { zero: 'Nat', succ: 'Nat → Nat' } }),
    env.inductive(0, { name: 'Bool', type: 'Type', constructors: { false: 'Bool', true: 'Bool' } }),
    env.inductive(
      2,
      {
        name: 'Eq',
        type: '∀ (A : Sort u) (a : A), A → Prop',
        constructors: { refl: '∀ (A : Sort u) (a : A), Eq.{u} A a a' },
      },
      ['u'],
    ),
    env.inductive(0, { name: 'True', type: 'Prop', constructors: { intro: 'True' } }),
    env.inductive(0, { name: 'False', type: 'Prop', constructors: {} }),
    env.inductive(2, {
      name: 'And',
      type: 'Prop → Prop → Prop',
      constructors: { intro: '∀ (a : Prop) (b : Prop), a → b → And a b' },
    }),
    env.inductive(2, {
      name: 'Or',
      type: 'Prop → Prop → Prop',
      constructors: {
        inl: '∀ (a : Prop) (b : Prop), a → Or a b',
        inr: '∀ (a : Prop) (b : Prop), b → Or a b',
      },
    }),
    env.inductive(
      2,
      {
        name: 'Prod',
        type: 'Type u → Type u → Type u',
        constructors: { mk: '∀ (A : Type u) (B : Type u), A → B → Prod.{u} A B' },
      },
      ['u'],
    ),
  ];
  expect(answers).toEqual(answers.map(() => ACCEPTED));
  return env;
}

const ADD =
  'fun (m : Nat) (n : Nat) => Nat.rec.{1} (fun (x : Nat) => Nat) m (fun (x : Nat) (r : Nat) => Nat.succ r) n';
const MUL =
  'fun (m : Nat) (n : Nat) => Nat.rec.{1} (fun (x : Nat) => Nat) Nat.zero (fun (x : Nat) (r : Nat) => Nat.add r m) n';
const POW =
  'fun (m : Nat) (n : Nat) => Nat.rec.{1} (fun (x : Nat) => Nat) (Nat.succ Nat.zero) (fun (x : Nat) (r : Nat) => Nat.mul r m) n';
const BINARY = 'Nat → Nat → Nat';

/** The block with recursors, as an honest file gives it. */
function withRecursors(env: WrittenEnvironment, block: InductiveBlock): InductiveBlock {
  expect(env.add(block)).toEqual(ACCEPTED);
  const recursors = block.types.map(({ name }) => env.environment.find(name.child('rec')));
  return {
    ...block,
    recursors: recursors.filter((one): one is RecursorConstant => one?.kind === 'recursor'),
  };
}

describe('1. accelerated arithmetic belongs to declarations, not to names', () => {
  it('computes with big numbers where the operations are the real ones', () => {
    const env = basics({ steps: 10_000 });
    expect(env.define('Nat.add', BINARY, ADD)).toEqual(ACCEPTED);
    expect(env.define('Nat.mul', BINARY, MUL)).toEqual(ACCEPTED);
    expect(env.define('Nat.pow', BINARY, POW)).toEqual(ACCEPTED);
    const square = (2n ** 200n).toString();
    expect(env.theorem('t', `Eq.{1} Nat (Nat.pow 2 200) ${square}`, `Eq.refl.{1} Nat ${square}`)).toEqual(
      ACCEPTED,
    );
    expect(env.theorem('f', `Eq.{1} Nat (Nat.pow 2 200) ${square}0`, `Eq.refl.{1} Nat ${square}0`)).toEqual(
      rejected(/another type/),
    );
    // Neighbours beyond what a double tells apart.
    expect(
      env.theorem(
        'd',
        'Eq.{1} Nat (Nat.add 9007199254740992 1) 9007199254740992',
        'Eq.refl.{1} Nat 9007199254740992',
      ),
    ).toEqual(rejected(/another type/));
  });

  it.each([
    ['Nat.add', 'fun (m : Nat) (n : Nat) => Nat.zero'],
    ['Nat.mul', 'fun (m : Nat) (n : Nat) => Nat.zero'],
    ['Nat.gcd', 'fun (m : Nat) (n : Nat) => Nat.zero'],
    ['Nat.add', 'fun (m : Nat) (n : Nat) => m'],
  ])('does not accelerate a lying %s', (name, value) => {
    const env = basics();
    expect(env.define(name, BINARY, value)).toEqual(ACCEPTED);
    expect(env.theorem('lie', `Eq.{1} Nat (${name} 1 1) 1`, 'Eq.refl.{1} Nat 1').kind).toBe(
      value.endsWith('=> m') ? 'accepted' : 'rejected',
    );
    expect(env.theorem('lie2', `Eq.{1} Nat (${name} 1 1) 2`, 'Eq.refl.{1} Nat 2').kind).toBe('rejected');
    const value11 = value.endsWith('=> m') ? '1' : '0';
    expect(env.theorem('own', `Eq.{1} Nat (${name} 1 1) ${value11}`, `Eq.refl.{1} Nat ${value11}`)).toEqual(
      ACCEPTED,
    );
  });

  it('does not accelerate a mul that rests on a lying add', () => {
    const env = basics();
    expect(env.define('Nat.add', BINARY, 'fun (m : Nat) (n : Nat) => m')).toEqual(ACCEPTED);
    expect(env.define('Nat.mul', BINARY, MUL)).toEqual(ACCEPTED);
    expect(env.theorem('lie', 'Eq.{1} Nat (Nat.mul 2 3) 6', 'Eq.refl.{1} Nat 6').kind).toBe('rejected');
    expect(env.theorem('own', 'Eq.{1} Nat (Nat.mul 2 3) 0', 'Eq.refl.{1} Nat 0')).toEqual(ACCEPTED);
  });

  it('does not take pow of something that is no literal for a number (lean4#8060)', () => {
    const env = basics();
    expect(env.define('Nat.add', BINARY, ADD)).toEqual(ACCEPTED);
    expect(env.define('Nat.mul', BINARY, MUL)).toEqual(ACCEPTED);
    expect(env.define('Nat.pow', BINARY, POW)).toEqual(ACCEPTED);
    expect(env.axiom('n', 'Nat')).toEqual(ACCEPTED);
    expect(env.theorem('lie', 'Eq.{1} Nat (Nat.pow 0 n) 0', 'Eq.refl.{1} Nat 0').kind).toBe('rejected');
    expect(env.theorem('t', 'Eq.{1} Nat (Nat.pow n 0) 1', 'Eq.refl.{1} Nat 1')).toEqual(ACCEPTED);
  });

  it('declines powers that no memory holds', () => {
    const env = basics();
    for (const [name, value] of [
      ['add', ADD],
      ['mul', MUL],
      ['pow', POW],
    ] as const)
      env.define(`Nat.${name}`, BINARY, value);
    expect(env.theorem('t', 'Eq.{1} Nat (Nat.pow 2 99999999999) 0', 'Eq.refl.{1} Nat 0').kind).toBe(
      'declined',
    );
  });

  it('has no number literals where Nat is something else', () => {
    const env = new WrittenEnvironment();
    expect(env.inductive(0, { name: 'Nat', type: 'Type', constructors: {} })).toEqual(ACCEPTED);
    expect(env.define('n', 'Nat', '0')).toEqual(rejected(/number literal/));
    expect(new WrittenEnvironment().define('n', 'Nat', '0').kind).toBe('rejected');
  });
});

describe('2. recursors are made again, never believed', () => {
  const honest = (env: WrittenEnvironment) =>
    withRecursors(
      env,
      env.block(0, [{ name: 'T', type: 'Type', constructors: { a: 'T', b: 'T → T', c: 'Nat → T' } }]),
    );
  /** The honest block, changed, in an environment that does not have it yet. */
  const changed = (change: (block: InductiveBlock, rec: RecursorConstant) => Partial<InductiveBlock>) => {
    const env = basics();
    const block = honest(env);
    const [recursor] = block.recursors;
    if (recursor === undefined) throw new Error('The block has no recursor');
    return env.withoutBlock('T').add({ ...block, ...change(block, recursor) });
  };

  it('a recursor that the file leaves out takes the name of nothing in its block', () => {
    const env = basics();
    const withConstructor = (name: string) =>
      env.inductive(0, { name: 'B', type: 'Type', constructors: { mk: 'B', [name]: 'False → B' } });
    // The recursor stood in the place of the constructor, and `B.rec … x` passed for it: `boom x` was false for a variable.
    expect(withConstructor('rec')).toEqual(rejected(/declared twice/));
    expect(withConstructor('other')).toEqual(ACCEPTED);
    const constant = 'B.rec.{1} (fun (y : B) => B) B.mk (fun (y : False) => B.mk)';
    expect(env.define('T', 'B → B', `fun (x : B) => ${constant} x`)).toEqual(ACCEPTED);
    const boom = 'fun (x : B) => B.rec.{1} (fun (y : B) => Prop) True (fun (y : False) => False) (T x)';
    expect(env.define('boom', 'B → Prop', boom)).toEqual(ACCEPTED);
    const never = ['∀ (x : B), Eq.{1} Prop (boom x) False', 'fun (x : B) => Eq.refl.{1} Prop False'] as const;
    expect(env.theorem('never', ...never).kind).toBe('rejected');
    expect(env.theorem('once', 'Eq.{1} Prop (boom B.mk) True', 'Eq.refl.{1} Prop True')).toEqual(ACCEPTED);
  });

  it('nor does one of nested or mutual types', () => {
    const env = basics();
    const list = { name: 'List', type: 'Type → Type', constructors: { one: '∀ (A : Type), A → List A' } };
    expect(env.inductive(1, list)).toEqual(ACCEPTED);
    const nested = (name: string) =>
      env.add(
        env.block(0, [{ name: 'N', type: 'Type', constructors: { mk: 'N', [name]: 'List N → N' } }], [], {
          nestedCount: 1,
        }),
      );
    expect(nested('rec_1')).toEqual(rejected(/declared twice/));
    expect(nested('rec_2')).toEqual(ACCEPTED);
    const mutual = (other: string) =>
      env.block(0, [
        { name: 'M', type: 'Type', constructors: { mk: 'M' } },
        { name: other, type: 'Type', constructors: { mk: other } },
      ]);
    expect(env.add(mutual('M.rec'))).toEqual(rejected(/declared twice/));
    expect(env.add(mutual('M.other'))).toEqual(ACCEPTED);
  });

  it('accepts the honest recursor', () => {
    expect(changed(() => ({}))).toEqual(ACCEPTED);
  });

  const lies: readonly [string, (block: InductiveBlock, rec: RecursorConstant) => Partial<InductiveBlock>][] =
    [
      ['k', (_, rec) => ({ recursors: [{ ...rec, isK: true }] })],
      ['number of parameters', (_, rec) => ({ recursors: [{ ...rec, parameterCount: 1 }] })],
      ['number of motives', (_, rec) => ({ recursors: [{ ...rec, motiveCount: 2 }] })],
      ['number of minor premises', (_, rec) => ({ recursors: [{ ...rec, minorCount: 2 }] })],
      ['number of indices', (_, rec) => ({ recursors: [{ ...rec, indexCount: 1 }] })],
      ['order of rules', (_, rec) => ({ recursors: [{ ...rec, rules: rec.rules.toReversed() }] })],
      ['missing rule', (_, rec) => ({ recursors: [{ ...rec, rules: rec.rules.slice(1) }] })],
      [
        'fields of a rule',
        (_, rec) => ({
          recursors: [{ ...rec, rules: rec.rules.map((rule) => ({ ...rule, fieldCount: 0 })) }],
        }),
      ],
      [
        'value of a rule',
        (_, rec) => ({
          recursors: [
            {
              ...rec,
              rules: rec.rules.map((rule) => ({ ...rule, value: rec.rules[0]?.value ?? rule.value })),
            },
          ],
        }),
      ],
      ['type', (block, rec) => ({ recursors: [{ ...rec, type: block.constructors[1]?.type ?? rec.type }] })],
      ['name', (_, rec) => ({ recursors: [{ ...rec, name: rec.name.child('x') }] })],
      [
        'numFields of a constructor',
        (block) => ({ constructors: block.constructors.map((one) => ({ ...one, fieldCount: 0 })) }),
      ],
      [
        'cidx of a constructor',
        (block) => ({ constructors: block.constructors.map((one) => ({ ...one, index: 0 })) }),
      ],
      [
        'numParams of a constructor',
        (block) => ({ constructors: block.constructors.map((one) => ({ ...one, parameterCount: 1 })) }),
      ],
      ['isRec', (block) => ({ types: block.types.map((one) => ({ ...one, isRecursive: false })) })],
      ['isReflexive', (block) => ({ types: block.types.map((one) => ({ ...one, isReflexive: true })) })],
      ['numIndices', (block) => ({ types: block.types.map((one) => ({ ...one, indexCount: 1 })) })],
      ['numNested', (block) => ({ types: block.types.map((one) => ({ ...one, nestedCount: 1 })) })],
      [
        'order of constructors',
        (block) => ({
          types: block.types.map((one) => ({ ...one, constructors: one.constructors.toReversed() })),
        }),
      ],
      ['all', (block) => ({ types: block.types.map((one) => ({ ...one, all: [] })) })],
    ];
  it.each(lies)('rejects a lie about: %s', (_, lie) => {
    expect(changed(lie).kind).toBe('rejected');
  });
});

describe('3. string literals need the real String, List and Char', () => {
  const strings = (env: WrittenEnvironment, charOfNat: readonly [string, string]) => {
    env.inductive(
      1,
      {
        name: 'List',
        type: 'Type u → Type u',
        constructors: {
          nil: '∀ (A : Type u), List.{u} A',
          cons: '∀ (A : Type u), A → List.{u} A → List.{u} A',
        },
      },
      ['u'],
    );
    env.inductive(0, { name: 'Char', type: 'Type', constructors: { mk: 'Nat → Char' } });
    env.inductive(0, { name: 'Box', type: 'Type', constructors: { mk: 'Nat → Box' } });
    expect(env.define('Char.ofNat', ...charOfNat)).toEqual(ACCEPTED);
    env.inductive(0, { name: 'String', type: 'Type', constructors: { mk: 'List.{0} Char → String' } });
  };
  const theorem = [
    'Eq.{1} String "a" (String.mk (List.cons.{0} Char (Char.mk 97) (List.nil.{0} Char)))',
    'Eq.refl.{1} String "a"',
  ] as const;

  it('takes a literal apart where they are', () => {
    const env = basics();
    strings(env, ['Nat → Char', 'Char.mk']);
    expect(env.theorem('t', ...theorem)).toEqual(ACCEPTED);
    expect(env.theorem('f', 'Eq.{1} String "a" "b"', 'Eq.refl.{1} String "a"').kind).toBe('rejected');
  });

  it('does not where Char.ofNat makes something else', () => {
    const env = basics();
    strings(env, ['Nat → Box', 'Box.mk']);
    expect(env.theorem('t', ...theorem).kind).toBe('rejected');
  });

  it('has no literals of an empty type', () => {
    const env = basics();
    expect(
      env.inductive(0, { name: 'String', type: 'Type', constructors: { mk: 'String → String' } }),
    ).toEqual(ACCEPTED);
    expect(env.define('s', 'String', '"a"')).toEqual(rejected(/string literal/));
  });
});

describe('4. projections are checked', () => {
  const withStructure = () => {
    const env = basics();
    env.inductive(0, { name: 'S', type: 'Type', constructors: { mk: 'Nat → Bool → S' } });
    env.inductive(0, { name: 'R', type: 'Type', constructors: { mk: 'Nat → Bool → R' } });
    env.inductive(0, {
      name: 'P',
      type: 'Prop',
      constructors: { mk: '∀ (n : Nat), True → Eq.{1} Nat n n → P' },
    });
    return env;
  };

  it('accepts honest ones', () => {
    const env = withStructure();
    expect(env.define('f', 'S → Bool', 'fun (s : S) => proj(S, 1, s)')).toEqual(ACCEPTED);
    expect(
      env.theorem('t', 'Eq.{1} Bool (f (S.mk 0 Bool.true)) Bool.true', 'Eq.refl.{1} Bool Bool.true'),
    ).toEqual(ACCEPTED);
    expect(
      env.theorem('l', '∀ (h : And True False), False', 'fun (h : And True False) => proj(And, 1, h)'),
    ).toEqual(ACCEPTED);
  });

  it.each([
    ['of a type with two constructors', 'Or True False → False', 'fun (h : Or True False) => proj(Or, 0, h)'],
    ['of a type without constructors', 'False → True', 'fun (h : False) => proj(False, 0, h)'],
    ['under another structure’s name', 'R → Nat', 'fun (r : R) => proj(S, 0, r)'],
    ['beyond the last field', 'S → Nat', 'fun (s : S) => proj(S, 2, s)'],
    ['with an index that 32 bits cannot hold', 'S → Nat', 'fun (s : S) => proj(S, 4294967296, s)'],
    ['of a function type', 'S → Nat', 'fun (s : S) => proj(S, 0, fun (x : Nat) => s)'],
    ['of an ill-typed value', 'Nat', 'proj(S, 0, S.mk Bool.true Bool.true)'],
    ['of data out of a proof', 'P → Nat', 'fun (p : P) => proj(P, 0, p)'],
    ['of a proof after data', '∀ (p : P), True', 'fun (p : P) => proj(P, 2, p)'],
    ['as the constructor of something that is none', 'Nat', 'proj(Nat, 0, 3)'],
  ])('rejects one %s', (_, type, value) => {
    expect(withStructure().define('f', type, value).kind).toBe('rejected');
  });

  it('knows that a proposition can be at level imax 1 0 (lean4#14613)', () => {
    const env = basics();
    expect(
      env.inductive(0, { name: 'Q', type: 'Sort (imax 1 0)', constructors: { mk: 'Bool → Q' } }),
    ).toEqual(ACCEPTED);
    expect(env.define('f', 'Q → Bool', 'fun (q : Q) => proj(Q, 0, q)').kind).toBe('rejected');
    expect(
      env.define('g', 'Q → Bool', 'fun (q : Q) => Q.rec.{1} (fun (x : Q) => Bool) (fun (b : Bool) => b) q')
        .kind,
    ).toBe('rejected');
    expect(
      env.theorem('h', 'Eq.{0} Q (Q.mk Bool.true) (Q.mk Bool.false)', 'Eq.refl.{0} Q (Q.mk Bool.true)'),
    ).toEqual(ACCEPTED);
  });
});

describe('5. structure eta and unit eta only where they hold', () => {
  it('holds for structures and units', () => {
    const env = basics();
    env.inductive(0, { name: 'Unit', type: 'Type', constructors: { mk: 'Unit' } });
    expect(
      env.theorem(
        'e',
        '∀ (p : Prod.{0} Nat Bool), Eq.{1} (Prod.{0} Nat Bool) p (Prod.mk.{0} Nat Bool proj(Prod, 0, p) proj(Prod, 1, p))',
        'fun (p : Prod.{0} Nat Bool) => Eq.refl.{1} (Prod.{0} Nat Bool) p',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.theorem(
        'u',
        '∀ (a : Unit) (b : Unit), Eq.{1} Unit a b',
        'fun (a : Unit) (b : Unit) => Eq.refl.{1} Unit a',
      ),
    ).toEqual(ACCEPTED);
  });

  it('does not hold for recursive types, for types with indices, and with forged field counts', () => {
    const env = basics();
    env.inductive(0, { name: 'R', type: 'Type', constructors: { mk: 'R → R' } });
    expect(
      env.theorem('r', '∀ (a : R) (b : R), Eq.{1} R a b', 'fun (a : R) (b : R) => Eq.refl.{1} R a').kind,
    ).toBe('rejected');
    expect(
      env.theorem('e', '∀ (a : R), Eq.{1} R a (R.mk proj(R, 0, a))', 'fun (a : R) => Eq.refl.{1} R a').kind,
    ).toBe('rejected');
    env.inductive(0, { name: 'I', type: 'Nat → Type', constructors: { mk: 'I 0' } });
    expect(
      env.theorem(
        'i',
        '∀ (a : I 0) (b : I 0), Eq.{1} (I 0) a b',
        'fun (a : I 0) (b : I 0) => Eq.refl.{1} (I 0) a',
      ).kind,
    ).toBe('rejected');
    const block = env.block(0, [{ name: 'S', type: 'Type', constructors: { mk: 'Bool → S' } }]);
    expect(
      env.add({ ...block, constructors: block.constructors.map((one) => ({ ...one, fieldCount: 0 })) }),
    ).toEqual(rejected(/number of fields/));
    expect(env.add(block)).toEqual(ACCEPTED);
    expect(
      env.theorem('s', 'Eq.{1} S (S.mk Bool.true) (S.mk Bool.false)', 'Eq.refl.{1} S (S.mk Bool.true)').kind,
    ).toBe('rejected');
  });
});

describe('6. K needs equal types, proof irrelevance needs proofs of the same', () => {
  it('computes on any proof that an index equals itself', () => {
    const env = basics();
    const cast = 'Eq.rec.{1, 1} Nat 0 (fun (b : Nat) (h : Eq.{1} Nat 0 b) => Nat) 7';
    expect(
      env.theorem(
        'k',
        `∀ (h : Eq.{1} Nat 0 0), Eq.{1} Nat (${cast} 0 h) 7`,
        'fun (h : Eq.{1} Nat 0 0) => Eq.refl.{1} Nat 7',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.theorem(
        'f',
        `∀ (n : Nat) (h : Eq.{1} Nat 0 n), Eq.{1} Nat (${cast} n h) 7`,
        'fun (n : Nat) (h : Eq.{1} Nat 0 n) => Eq.refl.{1} Nat 7',
      ).kind,
    ).toBe('rejected');
  });

  it('tells proofs of different propositions and terms of types apart', () => {
    const env = basics();
    expect(
      env.theorem(
        'p',
        '∀ (a : True) (b : True), Eq.{0} True a b',
        'fun (a : True) (b : True) => Eq.refl.{0} True a',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.theorem(
        'q',
        '∀ (a : Nat) (b : Nat), Eq.{1} Nat a b',
        'fun (a : Nat) (b : Nat) => Eq.refl.{1} Nat a',
      ).kind,
    ).toBe('rejected');
    expect(env.axiom('X', 'True → Prop')).toEqual(ACCEPTED);
    expect(
      env.define(
        'y',
        '∀ (h : And True True), X proj(And, 0, h) → X proj(And, 1, h)',
        'fun (h : And True True) (x : X proj(And, 0, h)) => x',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.define(
        'z',
        '(And True True → Prop) → True → Prop',
        'fun (P : And True True → Prop) (t : True) => P t',
      ).kind,
    ).toBe('rejected');
  });
});

describe('7. universes: a complete order, and large elimination only where it is safe', () => {
  it.each([
    ['Sort (imax u v)', 'Sort (imax u v)', true],
    ['Sort (max u (imax u v))', 'Sort (max u v)', true],
    ['Sort (imax u v)', 'Sort (max u v)', false],
    ['Sort (imax u (imax u v))', 'Sort (imax u v)', true],
    ['Sort (imax 1 u)', 'Sort u', true],
    ['Sort (imax u u)', 'Sort u', true],
    ['Sort (max (u+1) (max v 1))', 'Sort (max (u+1) v)', true],
    ['Sort (u+1)', 'Sort (max u 1)', false],
    ['Sort (imax (u+1) (v+1))', 'Sort (max (u+1) (v+1))', true],
  ])('%s is %s: %s', (left, right, equal) => {
    const env = basics();
    // The identity from one sort to the other has that type exactly when the sorts are equal.
    const answer = env.define('f', `${left} → ${right}`, `fun (x : ${left}) => x`, ['u', 'v']);
    expect(answer.kind).toBe(equal ? 'accepted' : 'rejected');
  });

  it('gives no large elimination where the sort may be that of propositions', () => {
    const env = basics();
    env.inductive(0, { name: 'T', type: 'Sort u', constructors: { a: 'T.{u}', b: 'T.{u}' } }, ['u']);
    expect(env.environment.find(env.name('T.rec'))?.levelParameters.length).toBe(1);
    env.inductive(0, { name: 'V', type: 'Sort (max 1 u)', constructors: { a: 'V.{u}', b: 'V.{u}' } }, ['u']);
    expect(env.environment.find(env.name('V.rec'))?.levelParameters.length).toBe(2);
  });

  it('keeps fields below the universe of the type', () => {
    const env = basics();
    expect(env.inductive(0, { name: 'B', type: 'Type', constructors: { mk: 'Type → B' } }).kind).toBe(
      'rejected',
    );
    expect(env.inductive(0, { name: 'B', type: 'Type 1', constructors: { mk: 'Type → B' } })).toEqual(
      ACCEPTED,
    );
    expect(
      env.inductive(0, { name: 'W', type: 'Sort u', constructors: { mk: 'Nat → W.{u}' } }, ['u']).kind,
    ).toBe('rejected');
  });

  it('wants the number of universe arguments that is declared, and declared parameters', () => {
    const env = basics();
    expect(env.define('f', 'Prop', 'Eq.{1, 1} Nat 0 0').kind).toBe('rejected');
    expect(env.define('f', 'Prop', 'Eq Nat 0 0').kind).toBe('rejected');
    expect(env.define('f', 'Type v', 'Sort v', ['u'])).toEqual(rejected(/universe parameter v/));
    expect(env.define('f', 'Type u', 'Sort u', ['u', 'u'])).toEqual(rejected(/twice/));
    expect(env.define('f', 'Type u', 'Sort u', ['u'])).toEqual(ACCEPTED);
  });
});

describe('8. positivity, nested types and what they drop', () => {
  const withBox = () => {
    const env = basics();
    env.inductive(1, { name: 'Box', type: 'Type → Type', constructors: { mk: '∀ (A : Type), A → Box A' } });
    // A parameter that no constructor uses.
    env.inductive(2, {
      name: 'Const',
      type: 'Type → Type → Type',
      constructors: { mk: '∀ (A : Type) (B : Type), A → Const A B' },
    });
    env.inductive(1, {
      name: 'Neg',
      type: 'Type → Type',
      constructors: { mk: '∀ (A : Type), (A → False) → Neg A' },
    });
    return env;
  };
  const nested = (env: WrittenEnvironment, field: string) =>
    env.add(
      env.block(0, [{ name: 'T', type: 'Type', constructors: { leaf: 'T', node: `${field} → T` } }], [], {
        nestedCount: 1,
      }),
    );

  it('accepts nested types and makes their recursors', () => {
    const env = withBox();
    expect(nested(env, 'Box T')).toEqual(ACCEPTED);
    expect(env.environment.find(env.name('T.rec_1'))?.kind).toBe('recursor');
    expect(env.environment.find(env.name('T.rec_2'))).toBeUndefined();
  });

  it('rejects occurrences that are not positive, also through nested types', () => {
    expect(nested(withBox(), '(T → Nat)').kind).toBe('rejected');
    expect(nested(withBox(), 'Neg T').kind).toBe('rejected');
    expect(nested(withBox(), '(Nat → Box (T → Nat))').kind).toBe('rejected');
  });

  it('checks what nested types drop (lean4#14576)', () => {
    expect(nested(withBox(), 'Const T (Nat Nat)').kind).toBe('rejected');
    expect(nested(withBox(), 'Const T Bool')).toEqual(ACCEPTED);
  });

  it('rejects parameters of nested types that depend on fields, and reserved names', () => {
    const env = withBox();
    const block = env.block(
      0,
      [
        {
          name: 'T',
          type: 'Type',
          constructors: {
            node: '∀ (n : Nat), Const T (Eq.rec.{1, 1} Nat n (fun (m : Nat) (h : Eq.{1} Nat n m) => Type) Nat n (Eq.refl.{1} Nat n)) → T',
          },
        },
      ],
      [],
      { nestedCount: 1 },
    );
    expect(env.add(block).kind).toBe('rejected');
    expect(env.axiom('_nested.T._1', 'Type')).toEqual(rejected(/reserved/));
  });

  it('refuses free variables anywhere (lean4#14498)', () => {
    const env = basics();
    const x = env.store.free(0, env.term('False'));
    const name = env.name('o');
    const opaque = {
      kind: 'opaque',
      name,
      levelParameters: [],
      type: env.term('False'),
      all: [name],
      isUnsafe: false,
    } as const;
    expect(env.add({ ...opaque, value: x })).toEqual(rejected(/free variable/));
    expect(env.add({ ...opaque, value: env.store.bound(0) })).toEqual(rejected(/bound variable/));
  });
});

describe('9. what was found equal is not carried on to other pairs or contexts', () => {
  it('keeps apart variables of the same name and place', () => {
    const env = basics();
    expect(
      env.define(
        'f',
        '(Nat → Nat) → (Bool → Bool) → Bool',
        'fun (f : Nat → Nat) (g : Bool → Bool) => g ((fun (h : (Nat → Nat) → Bool) => h (fun (x : Nat) => x)) (fun (k : Nat → Nat) => Bool.true))',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.define('w', 'Nat → Bool → Nat', 'fun (x : Nat) (y : Bool) => (fun (z : Nat) => z) y').kind,
    ).toBe('rejected');
    expect(
      env.theorem(
        'e',
        'Eq.{1} (Nat → Bool → Nat) (fun (x : Nat) (y : Bool) => x) (fun (y : Nat) (x : Bool) => y)',
        'Eq.refl.{1} (Nat → Bool → Nat) (fun (x : Nat) (y : Bool) => x)',
      ),
    ).toEqual(ACCEPTED);
    expect(
      env.theorem(
        'n',
        'Eq.{1} (Nat → Nat → Nat) (fun (x : Nat) (y : Nat) => x) (fun (x : Nat) (y : Nat) => y)',
        'Eq.refl.{1} (Nat → Nat → Nat) (fun (x : Nat) (y : Nat) => x)',
      ).kind,
    ).toBe('rejected');
  });

  it('does not conclude from equalities by K that hold for one type only (alg-conv-trans)', () => {
    const env = basics();
    // a is equal to a proof by irrelevance, and so is b: that does not make Nat and Bool equal.
    expect(env.axiom('h', 'Eq.{2} Type Nat Bool')).toEqual(ACCEPTED);
    const cast = (value: string) =>
      `Eq.rec.{1, 2} Type Nat (fun (B : Type) (e : Eq.{2} Type Nat B) => B) ${value} Bool h`;
    expect(
      env.theorem('t', `Eq.{1} Bool (${cast('0')}) (${cast('1')})`, `Eq.refl.{1} Bool (${cast('0')})`).kind,
    ).toBe('rejected');
    expect(
      env.theorem('r', `Eq.{1} Bool (${cast('0')}) (${cast('0')})`, `Eq.refl.{1} Bool (${cast('0')})`),
    ).toEqual(ACCEPTED);
  });
});

describe('10. what is known about terms is computed, not read', () => {
  it('sees loose variables and parameters under binders', () => {
    const env = basics();
    const { store } = env;
    const x = store.names.of('x');
    const open = store.lambda(x, env.term('Nat'), store.bound(1));
    expect([open.looseBound, store.lambda(x, env.term('Nat'), open).looseBound]).toEqual([1, 0]);
    expect(store.let(x, env.term('Type'), env.term('Nat'), store.bound(3)).looseBound).toBe(3);
    expect(store.apply(env.term('Nat'), env.term('Sort u')).hasParameters).toBe(true);
  });

  it('interns by structure, so that equal hashes do not make terms equal', () => {
    const { store } = basics();
    const terms = Array.from({ length: 20_000 }, (_, index) => store.natural(BigInt(index) << 64n));
    expect(new Set(terms).size).toBe(20_000);
    expect(terms.every((term, index) => store.natural(BigInt(index) << 64n) === term)).toBe(true);
  });
});

describe('11. unsafe, partial and opaque constants', () => {
  it('lets nothing safe rest on unsafe and partial definitions', () => {
    const env = basics();
    for (const safety of ['unsafe', 'partial'] as const) {
      const loop = env.definition(`loop.${safety}`, 'False', `loop.${safety}`);
      expect(env.add({ ...loop, safety })).toEqual(ACCEPTED);
      expect(env.theorem('f', 'False', `loop.${safety}`)).toEqual(rejected(/nothing safe may rest on it/));
    }
    expect(env.kernel.unchecked.map(String)).toEqual(['loop.unsafe', 'loop.partial']);
    expect(env.define('loop', 'False', 'loop')).toEqual(rejected(/not declared/));
  });

  it('does not let a block be unsafe in part', () => {
    const env = basics();
    const block = env.block(0, [{ name: 'Bad', type: 'Type', constructors: { mk: '(Bad → False) → Bad' } }]);
    expect(
      env.add({ ...block, constructors: block.constructors.map((one) => ({ ...one, isUnsafe: true })) }),
    ).toEqual(rejected(/part of the block/));
  });

  it('checks the value of an opaque constant and never unfolds it', () => {
    const env = basics();
    expect(env.opaque('bad', 'False', 'True.intro').kind).toBe('rejected');
    expect(env.opaque('seven', 'Nat', '7')).toEqual(ACCEPTED);
    expect(env.theorem('t', 'Eq.{1} Nat seven 7', 'Eq.refl.{1} Nat 7').kind).toBe('rejected');
    expect(env.define('eight', 'Nat', '8')).toEqual(ACCEPTED);
    expect(env.theorem('e', 'Eq.{1} Nat eight 8', 'Eq.refl.{1} Nat 8')).toEqual(ACCEPTED);
  });
});

describe('12. quotients need the real Eq, and names that are free', () => {
  const quotients = (change: (text: string) => string) =>
    new CheckedExport(change(smallExport('115_quotIndType').text)).answer.kind;

  it('accepts the real ones', () => {
    expect(quotients((text) => text)).toBe('accepted');
  });

  it('rejects them under other names, in other roles and over another Eq', () => {
    expect(quotients((text) => text.replace('"kind":"lift"', '"kind":"ind"'))).toBe('rejected');
    expect(quotients((text) => text.replace('"str":"lift"', '"str":"left"'))).toBe('rejected');
    expect(quotients((text) => text.replaceAll('"str":"Eq"', '"str":"Equal"'))).toBe('rejected');
  });

  it('lets the names of all four mean nothing else where it has one of them', () => {
    const lines = smallExport('115_quotIndType').text.trimEnd().split('\n');
    const asAxiom = (kind: string) => {
      const at = lines.findIndex((line) => line.includes('"quot"') && line.includes(`"kind":"${kind}"`));
      const { quot } = JSON.parse(entryAt(lines, at, 'line')) as { readonly quot: object };
      const other = JSON.stringify({ axiom: { ...quot, isUnsafe: false, kind: undefined } });
      return new CheckedExport(lines.with(at, other).join('\n')).answer;
    };
    for (const kind of ['type', 'ctor', 'lift', 'ind'])
      expect(asAxiom(kind)).toMatchObject({
        kind: 'rejected',
        problem: expect.stringContaining('name of quotients') as unknown,
      });
  });

  it('rejects a name that is taken, of whatever kind', () => {
    const env = basics();
    for (const name of ['Nat', 'Nat.succ', 'Nat.rec']) {
      expect(env.axiom(name, 'False')).toEqual(rejected(/already/));
      expect(env.define(name, 'Prop', 'True')).toEqual(rejected(/already/));
    }
    expect(env.axiom('T.rec', 'Prop')).toEqual(ACCEPTED);
    expect(env.inductive(0, { name: 'T', type: 'Type', constructors: { mk: 'T' } })).toEqual(
      rejected(/already/),
    );
    expect(env.axiom('', 'Prop')).toEqual(rejected(/no name/));
  });
});

describe('13. mutual blocks: the same parameters, universes and safety throughout', () => {
  const types = [
    {
      name: 'E',
      type: 'Nat → Type',
      constructors: { zero: 'E 0', succ: '∀ (n : Nat), O n → E (Nat.succ n)' },
    },
    { name: 'O', type: 'Nat → Type', constructors: { succ: '∀ (n : Nat), E n → O (Nat.succ n)' } },
  ];

  it('accepts a block and makes a recursor for each type', () => {
    const env = basics();
    expect(env.add(env.block(0, types))).toEqual(ACCEPTED);
    const recursor = env.environment.find(env.name('O.rec'));
    expect(recursor).toMatchObject({ motiveCount: 2, minorCount: 3, indexCount: 1 });
  });

  it('rejects other parameters, universes and level parameters in one of the types', () => {
    const env = basics();
    const block = env.block(0, types);
    expect(
      env.add({ ...block, types: block.types.map((one, at) => ({ ...one, parameterCount: at })) }).kind,
    ).toBe('rejected');
    expect(
      env.add({
        ...block,
        types: block.types.map((one, at) => ({ ...one, levelParameters: at === 0 ? [] : [env.name('u')] })),
      }).kind,
    ).toBe('rejected');
    expect(
      env.add(
        env.block(
          0,
          types.map((one, at) => ({ ...one, type: at === 0 ? one.type : 'Nat → Type 1' })),
        ),
      ).kind,
    ).toBe('rejected');
    expect(env.add({ ...block, constructors: block.constructors.slice(1) }).kind).toBe('rejected');
    expect(env.add({ ...block, types: block.types.slice(1) }).kind).toBe('rejected');
  });
});

describe('14. deep terms and long computations', () => {
  it('declines what would take too many steps, and accepts nothing after that by mistake', () => {
    const env = basics({ steps: 2_000 });
    expect(env.define('Nat.plus', BINARY, ADD)).toEqual(ACCEPTED);
    expect(env.theorem('t', 'Eq.{1} Nat (Nat.plus 5000 5000) 10000', 'Eq.refl.{1} Nat 10000').kind).toBe(
      'declined',
    );
    expect(env.environment.find(env.name('t'))).toBeUndefined();
    expect(env.theorem('s', 'Eq.{1} Nat (Nat.plus 3 4) 7', 'Eq.refl.{1} Nat 7')).toEqual(ACCEPTED);
  });

  it('declines terms that are too deep for the stack', () => {
    const env = basics();
    let deep = env.term('Nat.zero');
    for (let count = 0; count < 200_000; count++) deep = env.store.apply(env.term('Nat.succ'), deep);
    const answer = env.add({ ...env.definition('deep', 'Nat', 'Nat.zero'), value: deep });
    expect(answer.kind).toBe('declined');
    expect(env.define('after', 'Nat', '1')).toEqual(ACCEPTED);
  });

  it('takes hints of any size: they only steer', () => {
    const env = basics();
    for (const [index, height] of [0, 65_536, 4_294_967_295].entries()) {
      const definition = env.definition(`d${index}`, 'Nat', '7');
      expect(env.add({ ...definition, hints: { kind: 'regular', height } })).toEqual(ACCEPTED);
    }
    expect(env.theorem('t', 'Eq.{1} Nat d0 d2', 'Eq.refl.{1} Nat d1')).toEqual(ACCEPTED);
  });
});

describe('15. statements are propositions; binder names and infos mean nothing', () => {
  it('rejects a theorem that is no proposition', () => {
    const env = basics();
    expect(env.theorem('t', 'Nat', '0')).toEqual(rejected(/no proposition/));
    expect(env.theorem('t', 'Sort (imax 1 0) → True', 'fun (p : Prop) => True.intro')).toEqual(ACCEPTED);
  });

  it('compares terms up to names of bound variables', () => {
    const { store } = basics();
    const [x, y] = [store.names.of('x'), store.names.of('y')];
    const nat = store.constant(store.names.of('Nat'), []);
    const one = store.lambda(x, nat, store.bound(0), 'implicit');
    const other = store.lambda(y, nat, store.bound(0));
    expect(one).not.toBe(other);
    expect(one.plain).toBe(other.plain);
    expect(store.let(x, nat, one, nat, true).plain).toBe(store.let(y, nat, other, nat).plain);
  });
});

describe('16. statements rest on constants, also through projections', () => {
  it('finds structures that are only named by raw projections', async () => {
    const { constantsIn } = await import('../expression.ts');
    const env = basics();
    const names = constantsIn(env.term('fun (x : Nat) => proj(S, 0, x)'));
    expect([...names].map(String).sort()).toEqual(['Nat', 'S']);
  });
});

describe('17. code is never run', () => {
  it('does not compute Lean.reduceBool, whatever its name', () => {
    const env = basics();
    expect(env.opaque('Lean.reduceBool', 'Bool → Bool', 'fun (b : Bool) => b')).toEqual(ACCEPTED);
    expect(
      env.theorem('t', 'Eq.{1} Bool (Lean.reduceBool Bool.true) Bool.true', 'Eq.refl.{1} Bool Bool.true')
        .kind,
    ).toBe('rejected');
    expect(env.define('Lean.reduceNat', 'Nat → Nat', 'fun (n : Nat) => n')).toEqual(ACCEPTED);
    expect(env.theorem('u', 'Eq.{1} Nat (Lean.reduceNat 3) 3', 'Eq.refl.{1} Nat 3')).toEqual(ACCEPTED);
  });
});
