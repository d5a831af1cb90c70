/**
 * The operations on numbers are computed with big integers where they are defined as any version of Lean defines them, and
 * nowhere else. `div` and `mod` are those of Lean 4.29; the others are written here after Lean's sources.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../declaration.ts';
import { constantsOf, declarationName } from '../declaration.ts';
import { TermStore } from '../term-store.ts';
import { declarationsOf, initPrelude } from '../testing/recorded-exports.ts';
import { WrittenEnvironment } from '../testing/written-environment.ts';
import { OPERATIONS } from './natural-operations.ts';

const ACCEPTED = { kind: 'accepted' };
const BINARY = 'Nat → Nat → Nat';
const STORE = new TermStore();
const PRELUDE = declarationsOf(initPrelude(), STORE);

/** Init.Prelude, which other tests check, without some of its declarations. */
function prelude(without: readonly string[] = []): WrittenEnvironment {
  const env = new WrittenEnvironment({ steps: 20_000 }, STORE);
  const isLeftOut = (declaration: Declaration): boolean => {
    const name = declarationName(declaration)?.toString() ?? '';
    return without.some((prefix) => name === prefix || name.startsWith(`${prefix}.`));
  };
  for (const declaration of PRELUDE) {
    if (!isLeftOut(declaration)) constantsOf(declaration).forEach((one) => env.environment.add(one));
  }
  return env;
}

/** Declares what must be accepted. */
function given(env: WrittenEnvironment, ...[name, ...rest]: Parameters<WrittenEnvironment['define']>): void {
  expect({ name, answer: env.define(name, ...rest) }).toEqual({ name, answer: ACCEPTED });
}

function inductive(env: WrittenEnvironment, ...args: Parameters<WrittenEnvironment['inductive']>): void {
  expect(env.inductive(...args)).toEqual(ACCEPTED);
}

let counter = 0;
/** Whether the operation of large numbers is what it should be, within few steps. */
function computes(env: WrittenEnvironment, operation: string, args: readonly bigint[]): boolean {
  const [left = 0n, right = 0n] = args;
  const expected = OPERATIONS[operation]?.compute(left, right);
  const call = `Nat.${operation} ${args.join(' ')}`;
  const isRight = (value: string) =>
    env.theorem(`t${counter++}`, `Eq.{1} Nat (${call}) ${value}`, `Eq.refl.{1} Nat ${value}`).kind ===
    'accepted';
  if (typeof expected !== 'bigint') throw new Error(`${operation} has no number as its value`);
  const others = [expected + 1n, expected === 0n ? 2n : expected - 1n];
  expect(others.filter((other) => isRight(String(other)))).toEqual([]);
  return isRight(String(expected));
}

/** Too large for unfolding with so few steps, also where a step takes half of the number away. */
const TOWER = 1n << 5000n;
const [FIBONACCI, NEXT_FIBONACCI] = ((): [bigint, bigint] => {
  let [one, other] = [0n, 1n];
  for (let count = 0; count < 5000; count++) [one, other] = [other, one + other];
  return [one, other];
})();
const HUGE = 10n ** 40n + 12345678901n;
const LARGE = 987654321987654321n;

const ZERO = '(OfNat.ofNat.{0} Nat 0 (instOfNatNat 0))';
const ONE = '(OfNat.ofNat.{0} Nat 1 (instOfNatNat 1))';
const TWO = '(OfNat.ofNat.{0} Nat 2 (instOfNatNat 2))';
const isZero = (n: string) => `(Eq.{1} Nat ${n} ${ZERO})`;
const plus = (m: string, n: string) =>
  `(HAdd.hAdd.{0, 0, 0} Nat Nat Nat (instHAdd.{0} Nat instAddNat) ${m} ${n})`;
const minus = (m: string, n: string) =>
  `(HSub.hSub.{0, 0, 0} Nat Nat Nat (instHSub.{0} Nat instSubNat) ${m} ${n})`;
const over = (m: string, n: string) =>
  `(HDiv.hDiv.{0, 0, 0} Nat Nat Nat (instHDiv.{0} Nat Nat.instDiv) ${m} ${n})`;
const rest = (m: string, n: string) =>
  `(HMod.hMod.{0, 0, 0} Nat Nat Nat (instHMod.{0} Nat Nat.instMod) ${m} ${n})`;
const times = (m: string, n: string) =>
  `(HMul.hMul.{0, 0, 0} Nat Nat Nat (instHMul.{0} Nat instMulNat) ${m} ${n})`;
const less = (m: string, n: string) => `(LT.lt.{0} Nat instLTNat ${m} ${n})`;

/** Structural recursion over the second argument, as Lean compiles it. */
function structural(atZero: string, atSuccessor: string): string {
  const motive = '(fun (m : Nat) => Nat → Nat)';
  return `fun (n : Nat) (m : Nat) => Nat.brecOn.{1} ${motive} m (fun (m : Nat) (f : Nat.below.{1} ${motive} m) (n : Nat) =>
    Nat.casesOn.{1} (fun (m : Nat) => Nat.below.{1} ${motive} m → Nat) m
      (fun (f : Nat.below.{1} ${motive} ${ZERO}) => ${atZero})
      (fun (m : Nat) (f : Nat.below.{1} ${motive} (Nat.succ m)) => ${atSuccessor}) f) n`;
}
const SHIFT_LEFT = structural('n', `proj(PProd, 0, f) ${times(TWO, 'n')}`);
const SHIFT_RIGHT = structural('n', over('(proj(PProd, 0, f) n)', TWO));
const LOG2 = `fun (n : Nat) => Nat.rec.{1} (fun (k : Nat) => Nat → Nat) (fun (n : Nat) => 0)
  (fun (k : Nat) (ih : Nat → Nat) (n : Nat) => Bool.rec.{1} (fun (b : Bool) => Nat) 0 (Nat.succ (ih (Nat.div n 2))) (Nat.ble 2 n)) n n`;

/** Pairs of numbers, ordered by their first part. */
const PAIR = '(PSigma.{1, 1} Nat (fun (m : Nat) => Nat))';
const pair = (m: string, n: string): string => `(PSigma.mk.{1, 1} Nat (fun (m : Nat) => Nat) ${m} ${n})`;
const matchPair = (level: string, motive: string, p: string, body: string): string =>
  `(PSigma.rec.{${level}, 1, 1} Nat (fun (m : Nat) => Nat) (fun (p : ${PAIR}) => ${motive}) (fun (m : Nat) (n : Nat) => ${body}) ${p})`;
const FIRST = `(fun (p : ${PAIR}) => ${matchPair('1', 'Nat', 'p', 'm')})`;
const ORDER = `(fun (a : ${PAIR}) (b : ${PAIR}) => Nat.lt (${FIRST} a) (${FIRST} b))`;

/** The body of a function of two numbers, `m` and `n`, which calls itself by `self`. */
type Body = (self: (m: string, n: string) => string) => string;

/** The step that the fixpoint is taken of; that its arguments become smaller is not what is tested. */
function step(body: Body): string {
  const self = (m: string, n: string): string => {
    const argument = pair(m, n);
    return `(self ${argument} (certainly (${ORDER} ${argument} (PSigma.mk.{1, 1} Nat (fun (m : Nat) => Nat) m n))))`;
  };
  const recursion = (p: string): string => `∀ (y : ${PAIR}), ${ORDER} y ${p} → Nat`;
  const inside = `fun (self : ${recursion(pair('m', 'n'))}) => ${body(self)}`;
  return `(fun (p : ${PAIR}) => ${matchPair('1', `(${recursion('p')}) → Nat`, 'p', inside)})`;
}

/** The two ways in which Lean defines functions that are not structurally recursive. */
const RECURSIONS = {
  /** Since 4.19 the proof is opaque; before, it is one that computes. */
  'over a proof': {
    declare(env: WrittenEnvironment): void {
      const relation = '(A : Sort u) (r : A → A → Prop)';
      inductive(
        env,
        2,
        {
          name: 'Acc',
          type: `∀ ${relation}, A → Prop`,
          constructors: {
            intro: `∀ ${relation} (x : A), (∀ (y : A), r y x → Acc.{u} A r y) → Acc.{u} A r x`,
          },
        },
        ['u'],
      );
      given(
        env,
        'WellFounded.fix',
        `∀ (A : Sort u) (C : A → Sort v) (r : A → A → Prop), (∀ (a : A), Acc.{u} A r a) → (∀ (x : A), (∀ (y : A), r y x → C y) → C x) → ∀ (x : A), C x`,
        `fun (A : Sort u) (C : A → Sort v) (r : A → A → Prop) (w : ∀ (a : A), Acc.{u} A r a) (F : ∀ (x : A), (∀ (y : A), r y x → C y) → C x) (x : A) =>
          Acc.rec.{v, u} A r (fun (x : A) (a : Acc.{u} A r x) => C x)
            (fun (x : A) (h : ∀ (y : A), r y x → Acc.{u} A r y) (ih : ∀ (y : A), r y x → C y) => F x ih) x (w x)`,
        ['u', 'v'],
      );
      expect(env.axiom('wf', `∀ (p : ${PAIR}), Acc.{1} ${PAIR} ${ORDER} p`)).toEqual(ACCEPTED);
    },
    fixpoint: (body: Body) =>
      `WellFounded.fix.{1, 1} ${PAIR} (fun (p : ${PAIR}) => Nat) ${ORDER} wf ${step(body)}`,
  },
  /** Since 4.27, for measures that are numbers. */
  'over a count': {
    declare(env: WrittenEnvironment, count = `WellFounded.Nat.eager ${plus('(h x)', ONE)}`): void {
      const smaller = '(∀ (y : A), Nat.lt (h y) (h x) → M y)';
      const parameters = `(A : Sort u) (M : A → Sort v) (h : A → Nat) (F : ∀ (x : A), ${smaller} → M x)`;
      given(
        env,
        'WellFounded.Nat.eager',
        'Nat → Nat',
        'fun (n : Nat) => ite.{1} Nat (Eq.{1} Bool (Nat.beq n n) Bool.true) (instDecidableEqBool (Nat.beq n n) Bool.true) n n',
      );
      given(
        env,
        'WellFounded.Nat.fix.go',
        `∀ ${parameters} (k : Nat) (x : A), Nat.lt (h x) k → M x`,
        `fun ${parameters} => Nat.rec.{imax u v} (fun (k : Nat) => ∀ (x : A), Nat.lt (h x) k → M x)
          (fun (x : A) (p : Nat.lt (h x) 0) => False.elim.{v} (M x) (Nat.not_succ_le_zero (h x) p))
          (fun (k : Nat) (ih : ∀ (x : A), Nat.lt (h x) k → M x) (x : A) (p : Nat.lt (h x) (Nat.succ k)) =>
            F x (fun (y : A) (q : Nat.lt (h y) (h x)) => ih y (Nat.lt_of_lt_of_le (h y) (h x) k q (Nat.le_of_lt_succ (h x) k p))))`,
        ['u', 'v'],
      );
      given(
        env,
        'WellFounded.Nat.fix',
        `∀ ${parameters} (x : A), M x`,
        `fun ${parameters} (x : A) =>
          let k : Nat := ${count};
          WellFounded.Nat.fix.go.{u, v} A M h F k x (certainly (Nat.lt (h x) k))`,
        ['u', 'v'],
      );
    },
    fixpoint: (body: Body) =>
      `WellFounded.Nat.fix.{1, 1} ${PAIR} (fun (p : ${PAIR}) => Nat) ${FIRST} ${step(body)}`,
  },
} as const;

/** Lean's `if c then a else b` and `if h : c then a else b`. */
const choose = (c: string, decision: string, a: string, b: string): string =>
  `(ite.{1} Nat ${c} ${decision} ${a} ${b})`;
const choosing = (c: string, decision: string, a: string, b: string): string =>
  `(dite.{1} Nat ${c} ${decision} (fun (h : ${c}) => ${a}) (fun (h : Not ${c}) => ${b}))`;

const gcd: Body = (self) =>
  choosing(isZero('m'), `(instDecidableEqNat m ${ZERO})`, 'n', self(rest('n', 'm'), 'm'));
const division =
  (atEnd: string, made: (call: string) => string): Body =>
  (self) => {
    const [positive, fits] = [less(ZERO, 'n'), '(LE.le.{0} Nat instLENat n m)'];
    const decision = `(instDecidableAnd ${positive} ${fits} (Nat.decLt ${ZERO} n) (Nat.decLe n m))`;
    return choosing(`(And ${positive} ${fits})`, decision, made(self(minus('m', 'n'), 'n')), atEnd);
  };
/** Lean's `Nat.bitwise f`. */
const bitwise =
  (f: string): Body =>
  (self) => {
    const isTrue = (b: string) =>
      [`(Eq.{1} Bool ${b} Bool.true)`, `(instDecidableEqBool ${b} Bool.true)`] as const;
    const bit = (of: string) =>
      `(Decidable.decide (Eq.{1} Nat ${rest(of, TWO)} ${ONE}) (instDecidableEqNat ${rest(of, TWO)} ${ONE}))`;
    const inside = `(let b : Bool := ${bit('m')}; let c : Bool := ${bit('n')}; let r : Nat := ${self(over('m', TWO), over('n', TWO))};
      ${choose(...isTrue(`(${f} b c)`), plus(plus('r', 'r'), ONE), plus('r', 'r'))})`;
    return choosing(
      isZero('m'),
      `(instDecidableEqNat m ${ZERO})`,
      choose(...isTrue(`(${f} Bool.false Bool.true)`), 'n', ZERO),
      choosing(
        isZero('n'),
        `(instDecidableEqNat n ${ZERO})`,
        choose(...isTrue(`(${f} Bool.true Bool.false)`), 'm', ZERO),
        inside,
      ),
    );
  };
const matchBool = (atFalse: string, atTrue: string): string =>
  `(fun (a : Bool) (b : Bool) => Bool.rec.{1} (fun (a : Bool) => Bool) ${atFalse} ${atTrue} a)`;
const AND = matchBool('Bool.false', 'b');
const OR = matchBool('b', 'Bool.true');
const XOR = matchBool('b', '(Bool.rec.{1} (fun (b : Bool) => Bool) Bool.true Bool.false b)');

type Way = keyof typeof RECURSIONS;
const WAYS = ['over a proof', 'over a count'] as const satisfies readonly Way[];

function withRecursion(way: Way, without: readonly string[] = [], count?: string): WrittenEnvironment {
  const env = prelude(without);
  expect(env.axiom('certainly', '∀ (P : Prop), P')).toEqual(ACCEPTED);
  const fields = '(A : Sort u) (B : A → Sort v)';
  inductive(
    env,
    2,
    {
      name: 'PSigma',
      type: `∀ ${fields}, Sort (max 1 (max u v))`,
      constructors: { mk: `∀ ${fields} (a : A), B a → PSigma.{u, v} A B` },
    },
    ['u', 'v'],
  );
  if (way === 'over a count') RECURSIONS[way].declare(env, count);
  else RECURSIONS[way].declare(env);
  return env;
}

function defineBy(env: WrittenEnvironment, way: Way, name: string, body: Body): void {
  given(env, `${name}._unary`, `${PAIR} → Nat`, RECURSIONS[way].fixpoint(body));
  given(env, name, BINARY, `fun (m : Nat) (n : Nat) => ${name}._unary ${pair('m', 'n')}`);
}

describe('operations that are defined as Lean does', () => {
  it('computes those of Lean 4.29', () => {
    const env = prelude();
    expect(computes(env, 'pred', [HUGE])).toBe(true);
    for (const operation of ['add', 'sub', 'mul', 'div', 'modCore', 'mod']) {
      expect({ operation, right: computes(env, operation, [HUGE, LARGE]) }).toEqual({
        operation,
        right: true,
      });
    }
  });

  it('computes pow, shifts and logarithms, which are structural', () => {
    const env = prelude();
    given(env, 'Nat.shiftLeft', BINARY, SHIFT_LEFT);
    given(env, 'Nat.shiftRight', BINARY, SHIFT_RIGHT);
    given(env, 'Nat.log2', 'Nat → Nat', LOG2);
    expect(computes(env, 'pow', [3n, 500n])).toBe(true);
    expect(computes(env, 'shiftLeft', [HUGE, 1000n])).toBe(true);
    expect(computes(env, 'shiftRight', [HUGE, 100n])).toBe(true);
    expect(computes(env, 'shiftRight', [HUGE, HUGE])).toBe(true);
    expect(computes(env, 'log2', [TOWER])).toBe(true);
  });

  it.each(WAYS)('computes what is recursive %s', (way) => {
    const env = withRecursion(way);
    defineBy(env, way, 'Nat.gcd', gcd);
    defineBy(env, way, 'Nat.land', bitwise(AND));
    defineBy(env, way, 'Nat.lor', bitwise(OR));
    defineBy(env, way, 'Nat.xor', bitwise(XOR));
    expect(computes(env, 'gcd', [FIBONACCI * 12n, NEXT_FIBONACCI * 18n])).toBe(true);
    for (const operation of ['land', 'lor', 'xor'])
      expect(computes(env, operation, [HUGE, LARGE])).toBe(true);
  });

  it.each(WAYS)('computes division that is recursive %s', (way) => {
    const env = withRecursion(way, ['Nat.div', 'Nat.modCore', 'Nat.mod']);
    defineBy(
      env,
      way,
      'Nat.div',
      division(ZERO, (call) => plus(call, ONE)),
    );
    defineBy(
      env,
      way,
      'Nat.modCore',
      division('m', (call) => call),
    );
    expect(computes(env, 'div', [HUGE, LARGE])).toBe(true);
    expect(computes(env, 'modCore', [HUGE, LARGE])).toBe(true);
  });
});

describe('operations that only look like it', () => {
  it.each<[string, Way, string, Body]>([
    ['another value at the end', 'over a count', 'gcd', (self) => gcd(self).replace('=> n)', '=> m)')],
    ['another step', 'over a count', 'gcd', (self) => gcd((m, n) => self(n, m))],
    ['another step', 'over a proof', 'gcd', (self) => gcd((m, n) => self(n, m))],
    ['a false decision', 'over a count', 'gcd', (self) => lyingDecision(gcd(self))],
    ['a false decision', 'over a proof', 'gcd', (self) => lyingDecision(gcd(self))],
    ['one quotient for nothing', 'over a proof', 'div', division(ONE, (call) => plus(call, ONE))],
    ['steps of two', 'over a count', 'div', division(ZERO, (call) => plus(call, TWO))],
    ['no rest', 'over a count', 'modCore', division(ZERO, (call) => call)],
    ['the bits of another', 'over a count', 'land', bitwise(OR)],
    ['the bits of another', 'over a proof', 'lor', bitwise(XOR)],
  ])('does not compute one with %s, %s: %s', (_what, way, operation, body) => {
    const env = withRecursion(way, [`Nat.${operation}`]);
    defineBy(env, way, `Nat.${operation}`, body);
    const args = operation === 'gcd' ? [FIBONACCI, NEXT_FIBONACCI] : [HUGE, LARGE];
    expect(computes(env, operation, args)).toBe(false);
  });

  it('does not compute one that is right from the beginning only', () => {
    const end = '(fun (m : Nat) => 7)';
    const again = choosing(
      '(LE.le.{0} Nat instLENat n m)',
      '(Nat.decLe n m)',
      `(Nat.succ (f ${minus('m', 'n')}))`,
      '0',
    );
    const go = `Nat.rec.{1} (fun (k : Nat) => Nat → Nat) ${end} (fun (k : Nat) (f : Nat → Nat) (m : Nat) => ${again})`;
    const wrong = (count: string) =>
      `fun (m : Nat) (n : Nat) => ${choosing(less(ZERO, 'n'), `(Nat.decLt ${ZERO} n)`, `(${go} ${count} m)`, ZERO)}`;
    const env = prelude(['Nat.div']);
    given(env, 'Nat.div', BINARY, wrong('m'));
    expect(env.theorem('lie', 'Eq.{1} Nat (Nat.div 0 5) 0', 'Eq.refl.{1} Nat 0').kind).toBe('rejected');
    expect(env.theorem('own', 'Eq.{1} Nat (Nat.div 0 5) 7', 'Eq.refl.{1} Nat 7')).toEqual(ACCEPTED);
  });

  it('does not compute what begins with too few calls', () => {
    const env = withRecursion('over a count', [], '(Nat.succ (Nat.pred (h x)))');
    defineBy(env, 'over a count', 'Nat.gcd', gcd);
    expect(computes(env, 'gcd', [FIBONACCI, NEXT_FIBONACCI])).toBe(false);
  });

  it.each([
    ['shiftLeft', BINARY, SHIFT_LEFT.replace(TWO, ONE)],
    ['shiftRight', BINARY, SHIFT_RIGHT.replace(TWO, ONE)],
    ['log2', 'Nat → Nat', LOG2.replace('Nat.ble 2', 'Nat.ble 3')],
    ['log2', 'Nat → Nat', LOG2.replace('(n : Nat) => 0)', '(n : Nat) => 1)')],
    ['log2', 'Nat → Nat', LOG2.replace(/n n$/, '100 n')],
    ['log2', 'Nat → Nat', LOG2.replace(/n n$/, '(Nat.pred n) n')],
  ])('does not compute a wrong %s', (operation, type, value) => {
    const env = prelude();
    given(env, `Nat.${operation}`, type, value);
    expect(computes(env, operation, type === BINARY ? [HUGE, 200n] : [TOWER])).toBe(false);
  });
});

/** A decision that is made without looking. */
function lyingDecision(body: string): string {
  return body.replaceAll(
    `(instDecidableEqNat m ${ZERO})`,
    `(Decidable.isTrue ${isZero('m')} (certainly ${isZero('m')}))`,
  );
}

describe('what is computed', () => {
  it('is what unfolding gives', () => {
    const env = withRecursion('over a count');
    const value = (name: string): string => {
      const constant = env.environment.find(env.name(name));
      if (constant?.kind !== 'definition') throw new Error(`${name} is no definition`);
      const copy = `slow.${name}`;
      expect(env.add({ ...constant, name: env.name(copy) })).toEqual(ACCEPTED);
      return copy;
    };
    for (const prefix of ['Nat', 'slow.Nat']) {
      defineBy(env, 'over a count', `${prefix}.gcd`, gcd);
      defineBy(env, 'over a count', `${prefix}.land`, bitwise(AND));
      defineBy(env, 'over a count', `${prefix}.lor`, bitwise(OR));
      defineBy(env, 'over a count', `${prefix}.xor`, bitwise(XOR));
      given(env, `${prefix}.shiftLeft`, BINARY, SHIFT_LEFT);
      given(env, `${prefix}.shiftRight`, BINARY, SHIFT_RIGHT);
      given(env, `${prefix}.log2`, 'Nat → Nat', LOG2);
    }
    for (const name of ['pred', 'add', 'sub', 'mul', 'pow', 'beq', 'ble', 'div', 'modCore', 'mod'])
      value(`Nat.${name}`);
    const small = fc.nat({ max: 40 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.entries(OPERATIONS)),
        small,
        small,
        ([name, { arity }], left, right) => {
          const args = arity === 1 ? `${left}` : `${left} ${name === 'pow' ? right % 5 : right}`;
          return env.kernel.areEqual(env.term(`Nat.${name} ${args}`), env.term(`slow.Nat.${name} ${args}`));
        },
      ),
      { numRuns: 400 },
    );
  });
});
