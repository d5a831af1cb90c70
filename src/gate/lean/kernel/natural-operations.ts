/**
 * The operations on natural numbers that are computed with big integers, each with the equations that determine it: which must
 * hold of a declaration before it is taken for the operation (recognition.ts).
 *
 * The equations of an operation cover all numbers, and each rests only on smaller arguments (or on none), so that by
 * induction they leave one value for each argument. That this is the value that is computed here is what a reader must check.
 */
import type { Expression } from '../expression.ts';
import { Declined } from './answer.ts';

/** Beyond this size a result is not computed: nothing honest is as large. */
const MOST_BITS = 1n << 26n;

export type Operation = (left: bigint, right: bigint) => bigint | boolean;

/** The value of a comparison that is supposed: of those numbers for which it is another, nothing is said. */
export interface Assumption {
  readonly comparison: 'beq' | 'ble';
  readonly left: Expression;
  readonly right: Expression;
  readonly is: boolean;
}

/** The operation that the equations are about, at other arguments. */
export type Recursion = (...args: readonly Expression[]) => Expression;

/** For all numbers `x` and `y` for which the assumptions hold: the operation of `args` is `value`. */
export interface Equation {
  readonly args: readonly Expression[];
  readonly value: (self: Recursion) => Expression;
  readonly when?: readonly Assumption[];
}

export interface EquationTerms {
  readonly x: Expression;
  readonly y: Expression;
  readonly zero: Expression;
  readonly successor: (of: Expression) => Expression;
  readonly call: (operation: string, ...args: readonly Expression[]) => Expression;
  readonly truth: (value: boolean) => Expression;
}

export interface KnownOperation {
  /** Of an operation with one argument, `right` is 0. */
  readonly compute: Operation;
  readonly arity: 1 | 2;
  /** The operations that its equations are about: they must be right themselves. */
  readonly uses: readonly string[];
  readonly equations: (terms: EquationTerms) => readonly Equation[];
  /** What becomes smaller from call to call, where no argument becomes smaller by one. */
  readonly measure?: (args: readonly Expression[]) => Expression;
  /** An equation for arguments from which no call leads to others, and to which none leads. */
  readonly apart?: (terms: EquationTerms) => Equation;
}

const first = ([argument]: readonly Expression[]): Expression => {
  if (argument === undefined) throw new Error('an operation without arguments');
  return argument;
};

function assume(comparison: 'beq' | 'ble', left: Expression, right: Expression, is: boolean): Assumption {
  return { comparison, left, right, is };
}

function isPositive({ y, zero, successor }: EquationTerms, is: boolean): Assumption {
  return assume('ble', successor(zero), y, is);
}

/** Division by taking away: the quotient and the rest differ in what they count. */
function division(
  compute: Operation,
  atEnd: (terms: EquationTerms) => Expression,
  step: (terms: EquationTerms, rest: Expression) => Expression,
): KnownOperation {
  return {
    compute,
    arity: 2,
    uses: ['sub', 'ble'],
    measure: first,
    apart: (terms) => ({
      args: [terms.x, terms.y],
      value: () => atEnd(terms),
      when: [isPositive(terms, false)],
    }),
    equations: (terms) => {
      const { x, y, call } = terms;
      const when = (fits: boolean) => [isPositive(terms, true), assume('ble', y, x, fits)];
      return [
        { args: [x, y], value: () => atEnd(terms), when: when(false) },
        { args: [x, y], value: (self) => step(terms, self(call('sub', x, y), y)), when: when(true) },
      ];
    },
  };
}

/** An operation on each pair of bits; what it makes of two zeros is zero. */
function bitwise(compute: Operation, bit: (left: boolean, right: boolean) => boolean): KnownOperation {
  return {
    compute,
    arity: 2,
    uses: ['add', 'div', 'mod', 'beq'],
    measure: first,
    equations: ({ x, y, zero, successor, call }) => {
      const [one, two] = [successor(zero), successor(successor(zero))];
      const [left, right] = [successor(x), successor(y)];
      const step = (isLeft: boolean, isRight: boolean): Equation => ({
        args: [left, right],
        value: (self) => {
          const half = self(call('div', left, two), call('div', right, two));
          const double = call('add', half, half);
          return bit(isLeft, isRight) ? successor(double) : double;
        },
        when: [
          assume('beq', call('mod', left, two), one, isLeft),
          assume('beq', call('mod', right, two), one, isRight),
        ],
      });
      return [
        { args: [zero, y], value: () => (bit(false, true) ? y : zero) },
        { args: [left, zero], value: () => (bit(true, false) ? left : zero) },
        step(false, false),
        step(false, true),
        step(true, false),
        step(true, true),
      ];
    },
  };
}

/** `Nat.modCore` is what Lean defines `Nat.mod` with. */
export const OPERATIONS: Readonly<Record<string, KnownOperation>> = {
  pred: {
    compute: (of) => (of > 0n ? of - 1n : 0n),
    arity: 1,
    uses: [],
    equations: ({ x, zero, successor }) => [
      { args: [zero], value: () => zero },
      { args: [successor(x)], value: () => x },
    ],
  },
  add: {
    compute: (left, right) => left + right,
    arity: 2,
    uses: [],
    equations: ({ x, y, zero, successor }) => [
      { args: [x, zero], value: () => x },
      { args: [x, successor(y)], value: (self) => successor(self(x, y)) },
    ],
  },
  sub: {
    compute: (left, right) => (left > right ? left - right : 0n),
    arity: 2,
    uses: ['pred'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [x, zero], value: () => x },
      { args: [x, successor(y)], value: (self) => call('pred', self(x, y)) },
    ],
  },
  mul: {
    compute: (left, right) => left * right,
    arity: 2,
    uses: ['add'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [x, zero], value: () => zero },
      { args: [x, successor(y)], value: (self) => call('add', self(x, y), x) },
    ],
  },
  pow: {
    compute: (base, exponent) => {
      if (base > 1n) limitBits(bitsOf(base) * exponent);
      return base ** exponent;
    },
    arity: 2,
    uses: ['mul'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [x, zero], value: () => successor(zero) },
      { args: [x, successor(y)], value: (self) => call('mul', self(x, y), x) },
    ],
  },
  beq: {
    compute: (left, right) => left === right,
    arity: 2,
    uses: [],
    equations: ({ x, y, zero, successor, truth }) => [
      { args: [zero, zero], value: () => truth(true) },
      { args: [zero, successor(y)], value: () => truth(false) },
      { args: [successor(x), zero], value: () => truth(false) },
      { args: [successor(x), successor(y)], value: (self) => self(x, y) },
    ],
  },
  ble: {
    compute: (left, right) => left <= right,
    arity: 2,
    uses: [],
    equations: ({ x, y, zero, successor, truth }) => [
      { args: [zero, zero], value: () => truth(true) },
      { args: [zero, successor(y)], value: () => truth(true) },
      { args: [successor(x), zero], value: () => truth(false) },
      { args: [successor(x), successor(y)], value: (self) => self(x, y) },
    ],
  },
  div: division(
    (left, right) => (right === 0n ? 0n : left / right),
    ({ zero }) => zero,
    ({ successor }, quotient) => successor(quotient),
  ),
  modCore: division(
    (left, right) => (right === 0n ? left : left % right),
    ({ x }) => x,
    (_terms, rest) => rest,
  ),
  mod: {
    compute: (left, right) => (right === 0n ? left : left % right),
    arity: 2,
    uses: ['ble', 'modCore'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [zero, y], value: () => zero },
      {
        args: [successor(x), y],
        value: () => successor(x),
        when: [assume('ble', y, successor(x), false)],
      },
      {
        args: [successor(x), y],
        value: () => call('modCore', successor(x), y),
        when: [assume('ble', y, successor(x), true)],
      },
    ],
  },
  gcd: {
    compute: greatestCommonDivisor,
    arity: 2,
    uses: ['mod', 'beq'],
    measure: first,
    equations: ({ x, y, zero, successor, call }) => [
      { args: [zero, y], value: () => y },
      {
        args: [successor(x), y],
        value: (self) => self(call('mod', y, successor(x)), successor(x)),
      },
    ],
  },
  log2: {
    compute: (of) => (of === 0n ? 0n : BigInt(of.toString(2).length - 1)),
    arity: 1,
    uses: ['div', 'ble'],
    measure: first,
    equations: ({ x, zero, successor, call }) => {
      const two = successor(successor(zero));
      const large = successor(successor(x));
      return [
        { args: [zero], value: () => zero },
        { args: [successor(zero)], value: () => zero },
        {
          args: [large],
          value: (self) => successor(self(call('div', large, two))),
          when: [assume('ble', two, large, true)],
        },
      ];
    },
  },
  land: bitwise(
    (left, right) => left & right,
    (left, right) => left && right,
  ),
  lor: bitwise(
    (left, right) => left | right,
    (left, right) => left || right,
  ),
  xor: bitwise(
    (left, right) => left ^ right,
    (left, right) => left !== right,
  ),
  shiftLeft: {
    compute: (left, right) => {
      if (left === 0n) return 0n;
      limitBits(right);
      return left << right;
    },
    arity: 2,
    uses: ['mul'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [x, zero], value: () => x },
      {
        args: [x, successor(y)],
        value: (self) => self(call('mul', successor(successor(zero)), x), y),
      },
    ],
  },
  shiftRight: {
    compute: (left, right) => (right >= bitsOf(left) ? 0n : left >> right),
    arity: 2,
    uses: ['div'],
    equations: ({ x, y, zero, successor, call }) => [
      { args: [x, zero], value: () => x },
      {
        args: [x, successor(y)],
        value: (self) => call('div', self(x, y), successor(successor(zero))),
      },
    ],
  },
};

/** Not less than the number of binary digits, and at most 4 more. */
function bitsOf(natural: bigint): bigint {
  return BigInt(natural.toString(16).length * 4);
}

function limitBits(bits: bigint): void {
  if (bits > MOST_BITS) throw new Declined('a power of natural numbers is too large');
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [one, other] = [left, right];
  while (one !== 0n) [one, other] = [other % one, one];
  return other;
}
