/**
 * Literals and the arithmetic that is computed with big integers instead of by unfolding.
 *
 * A name proves nothing: `Nat`, the operations on it and what string literals stand for are looked up in the environment, and
 * used only after their own declarations were found to be the right ones. An operation is right when the equations that
 * determine it hold, which is tried once (recognition.ts), with the operation itself not accelerated.
 */
import { at, codePointOf } from '../at.ts';
import type { ConstantDeclaration } from '../declaration.ts';
import type { Environment } from '../environment.ts';
import { argumentCount, argumentsOf, applicationHead } from '../expression.ts';
import type { Application, Expression } from '../expression.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { Declined, Rejection } from './answer.ts';
import { OPERATIONS } from './natural-operations.ts';
import type { Assumption, EquationTerms, KnownOperation, Operation } from './natural-operations.ts';
import { satisfies } from './recognition.ts';
import type { Recognition } from './recognition.ts';

/** What reduction offers to this file. */
interface Reducer {
  readonly context: { readonly primitives: Primitives; readonly store: TermStore };
  readonly assumptions: readonly Assumption[];
  whnf(term: Expression): Expression;
  isEqual(left: Expression, right: Expression): boolean;
}

export class Primitives {
  readonly #store: TermStore;
  readonly #environment: Environment;
  readonly #checkerUnder: Recognition['checkerUnder'];
  readonly #names: { readonly nat: Name; readonly zero: Name; readonly successor: Name };
  readonly #operations = new Map<Name, KnownOperation>();
  /** What was found out; while an operation is being recognised it counts as not recognised. */
  readonly #recognised = new Map<Name, boolean>();
  #hasNaturals = false;
  #stringMaker: Name | undefined;

  /** The checkers work with the environment as it is at the time, and with a bound of their own. */
  constructor(store: TermStore, environment: Environment, checkerUnder: Recognition['checkerUnder']) {
    this.#store = store;
    this.#environment = environment;
    this.#checkerUnder = checkerUnder;
    const nat = store.names.of('Nat');
    this.#names = { nat, zero: nat.child('zero'), successor: nat.child('succ') };
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      this.#operations.set(nat.child(name), operation);
    }
  }

  get zeroName(): Name {
    return this.#names.zero;
  }

  get successorName(): Name {
    return this.#names.successor;
  }

  get zero(): Expression {
    return this.#store.constant(this.#names.zero, []);
  }

  successor(of: Expression): Expression {
    return this.#store.apply(this.#store.constant(this.#names.successor, []), of);
  }

  /** The type of number literals. Rejects them where `Nat` is not the natural numbers. */
  get naturalType(): Expression {
    if (!this.hasNaturals()) {
      throw new Rejection('a number literal is used, and Nat is not declared as the natural numbers');
    }
    return this.#store.constant(this.#names.nat, []);
  }

  /** Whether `Nat` is the type with the constructors `zero : Nat` and `succ : Nat → Nat`, in this order. */
  hasNaturals(): boolean {
    // A type whose constructors are not there yet may still turn out to be right.
    this.#hasNaturals ||= this.#findNaturals();
    return this.#hasNaturals;
  }

  #findNaturals(): boolean {
    const { nat, zero, successor } = this.#names;
    const store = this.#store;
    const type = this.#environment.find(nat);
    const natural = store.constant(nat, []);
    const typeOf = (name: Name): Expression | undefined => {
      const constant = this.#environment.find(name);
      return constant?.kind === 'constructor' && constant.inductive === nat ? constant.type.plain : undefined;
    };
    return (
      type?.kind === 'inductive' &&
      !type.isUnsafe &&
      type.levelParameters.length === 0 &&
      type.type === store.sort(store.levels.one) &&
      type.constructors.length === 2 &&
      type.constructors[0] === zero &&
      type.constructors[1] === successor &&
      typeOf(zero) === natural &&
      typeOf(successor) === store.pi(store.names.anonymous, natural, natural)
    );
  }

  /** A number as a constructor: `Nat.zero`, or `Nat.succ` of the literal before. */
  naturalConstructor(natural: bigint): Expression {
    return natural === 0n ? this.zero : this.successor(this.#store.natural(natural - 1n));
  }

  /** The operation that a constant with so many arguments is, when its declaration was recognised. */
  operation(name: Name, argumentCount: number): Operation | undefined {
    const known = this.#operations.get(name);
    if (known?.arity !== argumentCount) return undefined;
    return this.#isRecognised(name) ? known.compute : undefined;
  }

  comparisonName(comparison: Assumption['comparison']): Name {
    return this.#names.nat.child(comparison);
  }

  #isRecognised(name: Name): boolean {
    const operation = this.#operations.get(name);
    return operation !== undefined && this.#onceFor(name, () => this.#recognise(name, operation));
  }

  #recognise(name: Name, operation: KnownOperation): boolean {
    if (!this.hasNaturals() || !isPlainDefinition(this.#environment.find(name))) return false;
    const nat = this.#names.nat;
    if (!operation.uses.every((other) => this.#isRecognised(nat.child(other)))) return false;
    const store = this.#store;
    const natural = store.constant(nat, []);
    const terms: EquationTerms = {
      x: store.free(0, natural),
      y: store.free(1, natural),
      zero: this.zero,
      successor: (of) => this.successor(of),
      call: (other, ...args) => store.applyAll(store.constant(nat.child(other), []), ...args),
      truth: (value) => this.truth(value),
    };
    const environment = this.#environment;
    const recognition = { store, environment, terms, checkerUnder: this.#checkerUnder };
    return this.#holds(() => satisfies(recognition, store.constant(name, []), operation));
  }

  truth(value: boolean): Expression {
    return this.#store.constant(this.#store.names.of('Bool', value ? 'true' : 'false'), []);
  }

  /**
   * The type of string literals. Where `String` is not Lean's own, a literal is an unknown element of it, which cannot be
   * taken apart; then the type must visibly have elements.
   */
  get stringType(): Expression {
    const name = this.#store.names.of('String');
    if (this.#findStringMaker() === undefined && !this.#hasElement(name)) {
      throw new Rejection('a string literal is used, and String is not declared as a type of strings');
    }
    return this.#store.constant(name, []);
  }

  /** What a string literal stands for: `String.ofList` (before: `String.mk`) of the list of its characters. */
  stringValue(text: string): Expression | undefined {
    const maker = this.#findStringMaker();
    return maker === undefined ? undefined : this.#stringOf(maker, text);
  }

  /** The function by which string literals are made of lists of characters; found once, by checking types. */
  #findStringMaker(): Name | undefined {
    if (this.#stringMaker !== undefined) return this.#stringMaker;
    const { names } = this.#store;
    this.#stringMaker = [names.of('String', 'ofList'), names.of('String', 'mk')].find(
      (maker) =>
        this.#environment.find(maker) !== undefined &&
        // A list with an element and its empty tail shows the types of all parts.
        this.#holds(() => {
          const checker = this.#checkerUnder([]);
          const type = checker.check(this.#stringOf(maker, 'a'));
          return checker.isEqual(type, this.#store.constant(names.of('String'), []));
        }),
    );
    return this.#stringMaker;
  }

  /** Whether a type without parameters has a constructor whose fields are such types before it, or numbers. */
  #hasElement(name: Name, below: readonly Name[] = []): boolean {
    const type = this.#environment.find(name);
    if (type?.kind !== 'inductive' || type.isUnsafe || type.type.kind !== 'sort' || below.includes(name)) {
      return false;
    }
    return type.constructors.some((constructor) => {
      let rest: Expression | undefined = this.#environment.find(constructor)?.type;
      for (; rest?.kind === 'pi'; rest = rest.body) {
        const field = rest.type;
        if (field.kind !== 'constant' || !this.#hasElement(field.name, [...below, name])) return false;
      }
      return rest !== undefined;
    });
  }

  #stringOf(maker: Name, text: string): Expression {
    const store = this.#store;
    const { names, levels } = store;
    const character = store.constant(names.of('Char'), []);
    const cons = store.apply(store.constant(names.of('List', 'cons'), [levels.zero]), character);
    const toCharacter = store.constant(names.of('Char', 'ofNat'), []);
    let list: Expression = store.apply(store.constant(names.of('List', 'nil'), [levels.zero]), character);
    for (const point of Array.from(text).reverse()) {
      const code = store.natural(BigInt(codePointOf(point)));
      list = store.applyAll(cons, store.apply(toCharacter, code), list);
    }
    return store.apply(store.constant(maker, []), list);
  }

  #onceFor(name: Name, find: () => boolean): boolean {
    const known = this.#recognised.get(name);
    if (known !== undefined) return known;
    // As long as the constant is not there, nothing is known about it.
    if (this.#environment.find(name) === undefined) return false;
    this.#recognised.set(name, false);
    const found = find();
    this.#recognised.set(name, found);
    return found;
  }

  #holds(test: () => boolean): boolean {
    try {
      return test();
    } catch (error) {
      // A search that does not end shows nothing, either.
      if (error instanceof Rejection || error instanceof Declined || error instanceof RangeError)
        return false;
      throw error;
    }
  }
}

function isPlainDefinition(constant: ConstantDeclaration | undefined): boolean {
  return (
    constant?.kind === 'definition' && constant.safety === 'safe' && constant.levelParameters.length === 0
  );
}

/** The number that a term is without computing: a literal or `Nat.zero`. */
export function naturalOf({ context }: Reducer, term: Expression): bigint | undefined {
  if (term.kind === 'natural') return term.natural;
  return term.kind === 'constant' &&
    term.name === context.primitives.zeroName &&
    context.primitives.hasNaturals()
    ? 0n
    : undefined;
}

/** The value of a recognised operation on closed numbers, of `Nat.succ` on one, or of a comparison that is supposed. */
export function reduceNatural(reducer: Reducer, term: Expression): Expression | undefined {
  if (term.kind !== 'application') return undefined;
  if (term.freeBound > 0) return supposedValue(reducer, term);
  const head = applicationHead(term);
  if (head.kind !== 'constant' || head.levels.length > 0) return undefined;
  const { primitives, store } = reducer.context;
  const count = argumentCount(term);
  if (count === 1 && head.name === primitives.successorName) {
    if (!primitives.hasNaturals()) return undefined;
    const value = naturalOf(reducer, reducer.whnf(term.argument));
    return value === undefined ? undefined : store.natural(value + 1n);
  }
  if (count > 2) return undefined;
  const compute = primitives.operation(head.name, count);
  if (compute === undefined) return undefined;
  const values: bigint[] = [];
  for (const argument of argumentsOf(term)) {
    const value = naturalOf(reducer, reducer.whnf(argument));
    if (value === undefined) return undefined;
    values.push(value);
  }
  const left = at(values, 0, 'operand');
  const result = compute(left, count === 1 ? left : at(values, 1, 'operand'));
  return typeof result === 'boolean' ? primitives.truth(result) : store.natural(result);
}

function supposedValue(reducer: Reducer, term: Application): Expression | undefined {
  if (reducer.assumptions.length === 0 || term.fn.kind !== 'application') return undefined;
  const [fn, first, second] = [term.fn.fn, term.fn.argument, term.argument];
  const { primitives } = reducer.context;
  const supposed = reducer.assumptions.find(
    ({ comparison, left, right }) =>
      fn.kind === 'constant' &&
      fn.name === primitives.comparisonName(comparison) &&
      reducer.isEqual(first, left) &&
      reducer.isEqual(second, right),
  );
  return supposed && primitives.truth(supposed.is);
}
