/**
 * COMPUTE: `⊢ t = v`, where v is the value of a first-order program over pairs and natural numbers, found by running it
 * with BigInt instead of by rewriting. What runs is justified by theorems: the code equations of the program, and the
 * characteristic equations (characteristic-equations.ts), which say that HOL's constants are the operations that
 * run here. All are checked.
 */
import { CHARACTERISTIC_EQUATIONS, parsePattern, type Pattern } from './characteristic-equations.ts';
import { NO_HYPOTHESES } from './hypotheses.ts';
import { LimitReached, Refusal } from './refusal.ts';
import type { ConstantId } from './signature.ts';
import { noSuch } from './tables.ts';
import { ABSTRACTION, APPLICATION, BOUND, CONSTANT, FREE, type TermId } from './term.ts';
import type { KernelView, TheoremId } from './theorems.ts';
import type { TypeId } from './types.ts';

export interface ComputeOperators {
  readonly numberType: TypeId;
  readonly valueType: TypeId;
  /** Operator to constant. */
  readonly constants: ReadonlyMap<string, ConstantId>;
}

type Value = bigint | Pair;

interface Pair {
  readonly first: Value;
  readonly second: Value;
}

type Expression =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'variable'; readonly slot: number }
  | { readonly kind: 'call'; readonly code: Code; readonly args: readonly Expression[] }
  | { readonly kind: 'unary'; readonly run: Unary; readonly argument: Expression }
  | { readonly kind: 'binary'; readonly run: Binary; readonly one: Expression; readonly other: Expression }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    }
  | { readonly kind: 'let'; readonly value: Expression; readonly body: Expression };

interface Code {
  readonly parameters: readonly TermId[];
  readonly right: TermId;
  body: Expression | undefined;
}

type Unary = (value: Value) => Value;
type Binary = (one: Value, other: Value) => Value;

const NUMBER_LIMIT = 1n << 4_000_000n;

const UNARY: ReadonlyMap<string, Unary> = new Map<string, Unary>([
  ['cv_fst', (value) => (typeof value === 'bigint' ? 0n : value.first)],
  ['cv_snd', (value) => (typeof value === 'bigint' ? 0n : value.second)],
  ['cv_ispair', (value) => truth(typeof value !== 'bigint')],
]);

const BINARY: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['cv_pair', (first, second) => ({ first, second })],
  ['cv_add', (a, b) => number(a) + number(b)],
  ['cv_sub', (a, b) => (number(a) > number(b) ? number(a) - number(b) : 0n)],
  ['cv_mul', (a, b) => number(a) * number(b)],
  ['cv_div', (a, b) => (number(b) === 0n ? 0n : number(a) / number(b))],
  ['cv_mod', (a, b) => (number(b) === 0n ? number(a) : number(a) % number(b))],
  ['cv_lt', (a, b) => truth(typeof a === 'bigint' && typeof b === 'bigint' && a < b)],
  ['cv_eq', (a, b) => truth(equal(a, b))],
]);

function number(value: Value): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

function truth(condition: boolean): bigint {
  return condition ? 1n : 0n;
}

function equal(a: Value, b: Value): boolean {
  if (a === b || typeof a === 'bigint' || typeof b === 'bigint') return a === b;
  return equal(a.first, b.first) && equal(a.second, b.second);
}

/** Evaluates terms under operators whose characteristic equations were proved. */
export class Computer {
  readonly #kernel: KernelView;
  readonly #operators: ComputeOperators;
  readonly #operatorOf: ReadonlyMap<ConstantId, string>;
  readonly #checkTime: () => void;
  #steps = 0;

  constructor(
    kernel: KernelView,
    operators: ComputeOperators,
    equations: readonly (readonly [string, TheoremId])[],
    checkTime: () => void,
  ) {
    this.#kernel = kernel;
    this.#operators = operators;
    this.#operatorOf = new Map([...operators.constants].map(([name, constant]) => [constant, name]));
    this.#checkTime = checkTime;
    if (this.#operatorOf.size !== operators.constants.size) {
      throw refusal('two operators are the same constant');
    }
    const proved = new Map(equations);
    if (
      equations.length !== proved.size ||
      [...proved.keys()].some((name) => !Object.hasOwn(CHARACTERISTIC_EQUATIONS, name))
    ) {
      throw refusal('the equations are not those of the evaluator');
    }
    for (const [name, equation] of Object.entries(CHARACTERISTIC_EQUATIONS)) {
      const theorem = proved.get(name);
      if (
        theorem === undefined ||
        kernel.hypothesesOf(theorem) !== NO_HYPOTHESES ||
        !this.#matches(parsePattern(equation), kernel.conclusion(theorem))
      ) {
        throw refusal(`the equation ${name} is missing or says something else`);
      }
    }
  }

  /** `term = value`. */
  equation(term: TermId, codeEquations: readonly TheoremId[]): TermId {
    const codes = new Map<TermId, Code>();
    for (const theorem of codeEquations) {
      const [head, code] = this.#codeOf(theorem);
      if (!codes.has(head)) codes.set(head, code);
    }
    for (const code of codes.values()) {
      code.body = this.#compile(code.right, new Map(code.parameters.map((p, slot) => [p, slot])), codes, 0);
    }
    const value = this.#run(this.#compile(term, new Map(), codes, 0), []);
    return this.#kernel.logic.makeEquality(term, this.#termOf(value, new Map()));
  }

  /** `f x1 … xk = r` with distinct variables of the value type. */
  #codeOf(theorem: TheoremId): readonly [TermId, Code] {
    const { logic, terms } = this.#kernel;
    const equation = this.#kernel.conclusion(theorem);
    if (this.#kernel.hypothesesOf(theorem) !== NO_HYPOTHESES || !logic.isEquality(equation)) {
      throw refusal('a code equation has hypotheses or is no equation');
    }
    const [head, parameters] = this.#spine(logic.leftSide(equation));
    const areVariables = parameters.every(
      (parameter) => terms.kind(parameter) === FREE && terms.typeOf(parameter) === this.#operators.valueType,
    );
    if (terms.kind(head) !== CONSTANT || parameters.length === 0 || !areVariables) {
      throw refusal('the left side of a code equation is no constant applied to variables');
    }
    if (new Set(parameters).size !== parameters.length) {
      throw refusal('a code equation repeats a variable on its left side');
    }
    return [head, { parameters, right: logic.rightSide(equation), body: undefined }];
  }

  /** Variables live in slots: first the parameters, then those bound by `let`, outermost first. */
  #compile(
    term: TermId,
    parameters: ReadonlyMap<TermId, number>,
    codes: ReadonlyMap<TermId, Code>,
    depth: number,
  ): Expression {
    const { terms } = this.#kernel;
    if (terms.typeOf(term) !== this.#operators.valueType) throw refusal('a part of the program is no value');
    const [head, args] = this.#spine(term);
    const kind = terms.kind(head);
    if (kind === BOUND && args.length === 0) {
      return { kind: 'variable', slot: parameters.size + depth - 1 - terms.indexOf(head) };
    }
    if (kind === FREE && args.length === 0) {
      const slot = parameters.get(head);
      if (slot === undefined) throw refusal('the program has a free variable');
      return { kind: 'variable', slot };
    }
    if (kind !== CONSTANT) throw refusal('the program is not first-order');
    const inner = (part: TermId): Expression => this.#compile(part, parameters, codes, depth);
    const operator = this.#operatorOf.get(terms.constantOf(head));
    const [first, second, third] = args;
    if (operator === 'cv_num' && first !== undefined) return { kind: 'number', value: this.#numeral(first) };
    if (operator === 'cv_if' && first !== undefined && second !== undefined && third !== undefined) {
      return { kind: 'if', test: inner(first), then: inner(second), otherwise: inner(third) };
    }
    if (operator === 'let' && first !== undefined && second !== undefined) {
      if (terms.kind(first) !== ABSTRACTION || args.length !== 2) throw refusal('a LET has no abstraction');
      const body = this.#compile(terms.bodyOf(first), parameters, codes, depth + 1);
      return { kind: 'let', value: inner(second), body };
    }
    const unary = operator === undefined ? undefined : UNARY.get(operator);
    if (unary !== undefined && first !== undefined && args.length === 1)
      return { kind: 'unary', run: unary, argument: inner(first) };
    const binary = operator === undefined ? undefined : BINARY.get(operator);
    if (binary !== undefined && first !== undefined && second !== undefined && args.length === 2)
      return { kind: 'binary', run: binary, one: inner(first), other: inner(second) };
    const code = codes.get(head);
    if (code === undefined || code.parameters.length !== args.length) {
      throw refusal(
        `there is no code equation for ${this.#kernel.signature.constantName(terms.constantOf(head))}`,
      );
    }
    return { kind: 'call', code, args: args.map(inner) };
  }

  /** Calls in tail position do not grow the stack. */
  #run(start: Expression, slots: readonly Value[]): Value {
    let expression = start;
    let environment = slots;
    for (;;) {
      this.#steps += 1;
      if (this.#steps % 4096 === 0) this.#checkTime();
      switch (expression.kind) {
        case 'number':
          return expression.value;
        case 'variable': {
          const value = environment[expression.slot];
          if (value === undefined) throw noSuch('value of the variable', expression.slot);
          return value;
        }
        case 'unary':
          return expression.run(this.#run(expression.argument, environment));
        case 'binary': {
          const one = this.#run(expression.one, environment);
          const result = expression.run(one, this.#run(expression.other, environment));
          if (typeof result === 'bigint' && result >= NUMBER_LIMIT) {
            throw new LimitReached('size', 'A computation makes a number of more than 4 million bits.');
          }
          return result;
        }
        case 'if': {
          const test = this.#run(expression.test, environment);
          expression = typeof test === 'bigint' && test !== 0n ? expression.then : expression.otherwise;
          break;
        }
        case 'let':
          environment = [...environment, this.#run(expression.value, environment)];
          expression = expression.body;
          break;
        case 'call': {
          const { code, args } = expression;
          const outer = environment;
          environment = args.map((argument) => this.#run(argument, outer));
          if (code.body === undefined) throw refusal('a code equation was not compiled');
          expression = code.body;
          break;
        }
      }
    }
  }

  #termOf(value: Value, done: Map<Pair, TermId>): TermId {
    const { terms, types } = this.#kernel;
    const { numberType, valueType } = this.#operators;
    if (typeof value === 'bigint') {
      const toNumber = types.fun(numberType, numberType);
      let numeral = this.#constant(value === 0n ? 'zero' : 'alt_zero', numberType);
      if (value > 0n) {
        const digits: string[] = [];
        for (let rest = value; rest > 0n; rest = (rest - 1n) / 2n)
          digits.push(rest % 2n === 0n ? 'bit2' : 'bit1');
        for (const digit of digits.reverse()) numeral = terms.apply(this.#constant(digit, toNumber), numeral);
        numeral = terms.apply(this.#constant('numeral', toNumber), numeral);
      }
      return terms.apply(this.#constant('cv_num', types.fun(numberType, valueType)), numeral);
    }
    const known = done.get(value);
    if (known !== undefined) return known;
    const pair = this.#constant('cv_pair', types.fun(valueType, types.fun(valueType, valueType)));
    const first = this.#termOf(value.first, done);
    const result = terms.apply(terms.apply(pair, first), this.#termOf(value.second, done));
    done.set(value, result);
    return result;
  }

  #numeral(term: TermId): bigint {
    const { terms } = this.#kernel;
    const isApplied = (part: TermId, operator: string): boolean =>
      terms.kind(part) === APPLICATION && this.#is(terms.functionOf(part), operator);
    let rest = isApplied(term, 'numeral') ? terms.argumentOf(term) : term;
    const digits: bigint[] = [];
    while (!this.#is(rest, 'alt_zero') && !this.#is(rest, 'zero')) {
      if (isApplied(rest, 'bit1')) digits.push(1n);
      else if (isApplied(rest, 'bit2')) digits.push(2n);
      else throw refusal('a number of the program is no numeral');
      rest = terms.argumentOf(rest);
    }
    return digits.reduceRight((value, digit) => 2n * value + digit, 0n);
  }

  #constant(operator: string, type: TypeId): TermId {
    const constant = this.#operators.constants.get(operator);
    if (constant === undefined) throw refusal(`the operator ${operator} is missing`);
    this.#kernel.signature.checkInstance(constant, type);
    return this.#kernel.terms.constant(constant, type);
  }

  #is(term: TermId, operator: string): boolean {
    const constant = this.#operators.constants.get(operator);
    return constant !== undefined && this.#kernel.terms.isConstant(term, constant);
  }

  #spine(term: TermId): readonly [TermId, TermId[]] {
    const { terms } = this.#kernel;
    const args: TermId[] = [];
    let head = term;
    for (; terms.kind(head) === APPLICATION; head = terms.functionOf(head)) args.push(terms.argumentOf(head));
    return [head, args.reverse()];
  }

  #matches(pattern: Pattern, term: TermId): boolean {
    const { terms, types, logic } = this.#kernel;
    if (typeof pattern !== 'string') {
      const [head, args] = this.#spine(term);
      const parts = [head, ...args];
      return (
        parts.length === pattern.length &&
        parts.every((part, at) => {
          const expected = pattern[at];
          return expected !== undefined && this.#matches(expected, part);
        })
      );
    }
    const type = this.#variableType(pattern, types.variable("'a"), types.variable("'b"));
    if (type !== undefined) {
      return terms.kind(term) === FREE && terms.nameOfFree(term) === pattern && terms.typeOf(term) === type;
    }
    return pattern === '=' ? terms.isConstant(term, logic.equality) : this.#is(term, pattern);
  }

  #variableType(word: string, a: TypeId, b: TypeId): TypeId | undefined {
    if ('mn'.includes(word)) return this.#operators.numberType;
    if ('pqrs'.includes(word)) return this.#operators.valueType;
    if ('abx'.includes(word)) return a;
    return word === 'f' ? this.#kernel.types.fun(a, b) : undefined;
  }
}

function refusal(what: string): Refusal {
  return new Refusal('compute-equations', `The COMPUTE step cannot be checked: ${what}.`);
}
