/**
 * COMPUTE against BigInt, and forged tables of equations. The equations are asserted here; in a trace they are
 * proved.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHARACTERISTIC_EQUATIONS, STANDARD_OPERATORS } from './characteristic-equations.ts';
import { NO_HYPOTHESES } from './hypotheses.ts';
import { Kernel, type Compute } from './kernel.ts';
import { Refusal } from './refusal.ts';
import { encodeStatement, printStatement } from './statement.ts';
import type { ConstantId } from './signature.ts';
import type { TermId } from './term.ts';
import type { TheoremId } from './theorems.ts';
import type { TypeId } from './types.ts';

type Expression = string | readonly Expression[];

const foreign = { arity: (): undefined => undefined, typeOf: (): undefined => undefined };

/** A kernel with the constants of the operators at their types, and the equations as theorems. */
class Bench {
  readonly kernel = new Kernel({ ownTheory: undefined, foreign, termLimit: 1_000_000 });
  readonly number: TypeId;
  readonly value: TypeId;
  readonly constants = new Map<string, ConstantId>();

  constructor() {
    const { signature, types } = this.kernel;
    signature.declareOperator('num$num', 0);
    signature.declareOperator('cv$cv', 0);
    this.number = types.apply(signature.operator('num$num', 0), []);
    this.value = types.apply(signature.operator('cv$cv', 0), []);
    for (const [operator, name] of STANDARD_OPERATORS) {
      if (operator !== 'truth' && operator !== 'false')
        signature.declareConstant(name, this.#typeOf(operator));
      this.constants.set(operator, signature.constant(name));
    }
    signature.declareConstant('mine$f', types.fun(this.value, types.fun(this.value, this.value)));
  }

  /** `turned` names an equation whose sides are exchanged. */
  computer(equations: Readonly<Record<string, string>> = CHARACTERISTIC_EQUATIONS, turned?: string): Compute {
    const { logic } = this.kernel;
    const theorems = Object.entries(equations).map(([name, text]): [string, TheoremId] => {
      const term = this.term(text);
      const other = logic.makeEquality(logic.rightSide(term), logic.leftSide(term));
      return [name, this.believe(name === turned ? other : term)];
    });
    const operators = { numberType: this.number, valueType: this.value, constants: this.constants };
    return this.kernel.computer(operators, theorems, () => undefined);
  }

  believe(statement: TermId): TheoremId {
    return this.kernel.postulate(statement, NO_HYPOTHESES, [{ kind: 'unproved', subject: 'for the test' }]);
  }

  constant(operator: string): ConstantId {
    const constant = this.constants.get(operator);
    if (constant === undefined) throw new Error(`There is no operator ${operator}.`);
    return constant;
  }

  /** Reads `(cv_add (cv_num 12) p)`; whole numbers become numerals, `my_f` is a constant of ours. */
  term(text: string): TermId {
    const words = text.match(/[()]|[^\s()]+/g) ?? [];
    let at = 0;
    const parse = (): Expression => {
      const word = words[at++] ?? '';
      if (word !== '(') return word;
      const parts: Expression[] = [];
      while (words[at] !== ')') parts.push(parse());
      at += 1;
      return parts;
    };
    return this.#build(parse());
  }

  print(theorem: TheoremId): string {
    return printStatement(
      encodeStatement(this.kernel, this.kernel.conclusion(theorem), this.kernel.hypothesesOf(theorem)),
    );
  }

  #build(expression: Expression): TermId {
    const { terms, types, logic } = this.kernel;
    if (typeof expression === 'string') return this.#atom(expression);
    const [head, ...rest] = expression;
    const args = rest.map((part) => this.#build(part));
    const [first, second] = args;
    if (head === '=' && first !== undefined && second !== undefined) return logic.makeEquality(first, second);
    if (typeof head !== 'string') throw new Error('A head is an operator.');
    if (head === 'cond' && second !== undefined) {
      const type = terms.typeOf(second);
      const full = types.fun(types.bool, types.fun(type, types.fun(type, type)));
      return args.reduce((f, x) => terms.apply(f, x), terms.constant(this.constant('cond'), full));
    }
    return args.reduce((f, x) => terms.apply(f, x), this.#atom(head));
  }

  #atom(word: string): TermId {
    const { terms, types, signature } = this.kernel;
    if (/^\d+$/.test(word)) return this.#numeral(BigInt(word));
    if (word === 'my_f')
      return terms.constant(signature.constant('mine$f'), this.#type(this.value, this.value, this.value));
    const constant = this.constants.get(word);
    if (constant !== undefined) return terms.constant(constant, this.#typeOf(word));
    const [a, b] = [types.variable("'a"), types.variable("'b")];
    if (word === 'f') return terms.free('f', types.fun(a, b));
    return terms.free(word, 'mn'.includes(word) ? this.number : 'pqrs'.includes(word) ? this.value : a);
  }

  #numeral(value: bigint): TermId {
    if (value === 0n) return this.#atom('zero');
    const digits = (rest: bigint): TermId =>
      rest === 0n
        ? this.#atom('alt_zero')
        : this.kernel.terms.apply(this.#atom(rest % 2n === 0n ? 'bit2' : 'bit1'), digits((rest - 1n) / 2n));
    return this.kernel.terms.apply(this.#atom('numeral'), digits(value));
  }

  #type(...parts: TypeId[]): TypeId {
    return parts.reduceRight((range, domain) => this.kernel.types.fun(domain, range));
  }

  #typeOf(operator: string): TypeId {
    const { types } = this.kernel;
    const [n, v, a, b] = [this.number, this.value, types.variable("'a"), types.variable("'b")];
    if (operator === 'truth' || operator === 'false') return types.bool;
    if (operator === 'cond') return this.#type(types.bool, a, a, a);
    if (operator === 'let') return this.#type(types.fun(a, b), a, b);
    if (operator === 'zero' || operator === 'alt_zero') return n;
    if (['suc', 'numeral', 'bit1', 'bit2'].includes(operator)) return this.#type(n, n);
    if (operator === 'lt') return this.#type(n, n, types.bool);
    if (['add', 'sub', 'mul', 'div', 'mod'].includes(operator)) return this.#type(n, n, n);
    if (operator === 'cv_num') return this.#type(n, v);
    if (['cv_fst', 'cv_snd', 'cv_ispair'].includes(operator)) return this.#type(v, v);
    return operator === 'cv_if' ? this.#type(v, v, v, v) : this.#type(v, v, v);
  }
}

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

test('arithmetic is that of the natural numbers', () => {
  const bench = new Bench();
  const compute = bench.computer();
  const meaning: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
    cv_add: (a, b) => a + b,
    cv_sub: (a, b) => (a > b ? a - b : 0n),
    cv_mul: (a, b) => a * b,
    cv_div: (a, b) => (b === 0n ? 0n : a / b),
    cv_mod: (a, b) => (b === 0n ? a : a % b),
    cv_lt: (a, b) => (a < b ? 1n : 0n),
    cv_eq: (a, b) => (a === b ? 1n : 0n),
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(meaning)),
      fc.bigInt(0n, 10n ** 30n),
      fc.bigInt(0n, 1000n),
      (op, a, b) => {
        const term = bench.term(`(${op} (cv_num ${a}) (cv_num ${b}))`);
        const expected = bench.term(`(cv_num ${meaning[op]?.(a, b) ?? 0n})`);
        const theorem = compute(term, []);
        expect(bench.kernel.conclusion(theorem)).toBe(bench.kernel.logic.makeEquality(term, expected));
      },
    ),
  );
});

test('a program with recursion, pairs and a test', () => {
  const bench = new Bench();
  // f p q: q as many times 3 as p says, in pairs.
  const code = bench.believe(
    bench.term('(= (my_f p q) (cv_if p (my_f (cv_sub p (cv_num 1)) (cv_pair (cv_num 3) q)) q))'),
  );
  const result = bench.computer()(bench.term('(cv_fst (my_f (cv_num 2000) (cv_num 0)))'), [code]);
  expect(bench.kernel.conclusion(result)).toBe(
    bench.kernel.logic.makeEquality(
      bench.term('(cv_fst (my_f (cv_num 2000) (cv_num 0)))'),
      bench.term('(cv_num 3)'),
    ),
  );
});

test.each(Object.keys(CHARACTERISTIC_EQUATIONS))('the equation %s is needed, and as it is', (name) => {
  const others = Object.fromEntries(
    Object.entries(CHARACTERISTIC_EQUATIONS).filter(([other]) => other !== name),
  );
  expect(codeOf(() => new Bench().computer(others))).toBe('compute-equations');
  expect(codeOf(() => new Bench().computer(CHARACTERISTIC_EQUATIONS, name))).toBe('compute-equations');
});

test.each([
  ['a sum that loses', 'add1', '(= (add zero n) zero)'],
  ['a product that is none', 'mul2', '(= (mul (suc m) n) (mul m n))'],
  ['a variable of another name', 'add1', '(= (add zero m) m)'],
  ['equality that always holds', 'cv_eq', '(= (cv_eq p q) (cv_num (suc zero)))'],
])('a forged table: %s', (_, name, text) => {
  const bench = new Bench();
  expect(codeOf(() => bench.computer({ ...CHARACTERISTIC_EQUATIONS, [name]: text }))).toBe(
    'compute-equations',
  );
});

test('an equation with a hypothesis, one too many, and two operators that are one constant', () => {
  const bench = new Bench();
  const operators = { numberType: bench.number, valueType: bench.value, constants: bench.constants };
  const theorems = Object.entries(CHARACTERISTIC_EQUATIONS).map(([name, text]): [string, TheoremId] => [
    name,
    bench.believe(bench.term(text)),
  ]);
  const make = (equations: typeof theorems, constants = bench.constants) =>
    codeOf(() => bench.kernel.computer({ ...operators, constants }, equations, () => undefined));
  expect(make(theorems)).toBe('accepted');
  const [first, ...rest] = theorems;
  if (first === undefined) throw new Error('There are no equations.');
  const assumed = bench.kernel.propositional.assume(bench.kernel.conclusion(first[1]));
  expect(make([[first[0], assumed], ...rest])).toBe('compute-equations');
  expect(make([...theorems, ['toString', assumed]])).toBe('compute-equations');
  const merged = new Map(bench.constants).set('cv_add', bench.constant('cv_mul'));
  expect(make(theorems, merged)).toBe('compute-equations');
});

test.each([
  ['a free variable', '(= (my_f p q) (cv_add p r))', 'compute-equations'],
  ['a variable twice on the left', '(= (my_f p p) p)', 'compute-equations'],
  ['a number on the left', '(= (my_f (cv_num 1) q) q)', 'compute-equations'],
  ['no equation', '(= (= p q) (= p q))', 'compute-equations'],
  ['innocent', '(= (my_f p q) (cv_add p q))', 'accepted'],
])('code equations: %s', (_, text, outcome) => {
  const bench = new Bench();
  const compute = bench.computer();
  const term = bench.term('(my_f (cv_num 1) (cv_num 2))');
  expect(codeOf(() => compute(term, [bench.believe(bench.term(text))]))).toBe(outcome);
});

test('a code equation with a hypothesis, and a term with a variable', () => {
  const bench = new Bench();
  const compute = bench.computer();
  const assumed = bench.kernel.propositional.assume(bench.term('(= (my_f p q) q)'));
  expect(codeOf(() => compute(bench.term('(my_f (cv_num 1) (cv_num 2))'), [assumed]))).toBe(
    'compute-equations',
  );
  expect(codeOf(() => compute(bench.term('(cv_add p (cv_num 2))'), []))).toBe('compute-equations');
});
