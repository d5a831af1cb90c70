/**
 * Hash-consed types: equal types have equal numbers. A type is a variable or an operator with arguments; operators are
 * numbers given by the signature, except `fun`, `bool` and `ind`, which are fixed here. Only this class makes a
 * `TypeId`, and a read of a number that it did not give throws.
 */
import { LimitReached, Refusal } from './refusal.ts';
import { tableEntry, noSuch } from './tables.ts';

declare const typeBrand: unique symbol;
declare const operatorBrand: unique symbol;

export type TypeId = number & { readonly [typeBrand]: true };
export type OperatorId = number & { readonly [operatorBrand]: true };

export const FUN = operatorNumbered(0);
export const BOOL = operatorNumbered(1);
export const IND = operatorNumbered(2);

/** Stands in the private columns where a type has no operator, domain or range; it never leaves this file. */
const NONE = -1;

/**
 * A pair of a type and another number is one number elsewhere (signature.ts, unchecked-terms.ts): 26 bits are for
 * the type.
 */
const MOST_TYPES = 2 ** 26;

/** A map from type variables to types, applied all at once; keys that are no variables have no effect. */
export type TypeSubstitution = ReadonlyMap<TypeId, TypeId>;

export class Types {
  /** The operator of a type, or `NONE` for a variable. */
  readonly #operator: number[] = [];
  readonly #arguments: (readonly TypeId[])[] = [];
  /** Both sides of a function type, `NONE` for all others. */
  readonly #domain: number[] = [];
  readonly #range: number[] = [];
  readonly #names: string[] = [];
  /** One bit per type variable, chosen by its number: a clear bit means that the variable does not occur. */
  readonly #mask: number[] = [];
  readonly #byName = new Map<string, TypeId>();
  /** Function types by open addressing; 0 is empty, else a type plus 1. */
  #functions = new Int32Array(4096);
  #functionCount = 0;
  readonly #applications = new Map<string, TypeId>();
  readonly bool: TypeId;
  readonly ind: TypeId;

  constructor() {
    this.bool = this.apply(BOOL, []);
    this.ind = this.apply(IND, []);
  }

  get count(): number {
    return this.#operator.length;
  }

  variable(name: string): TypeId {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const id = this.#add(NONE, [], name, 1 << (this.#byName.size & 31));
    this.#byName.set(name, id);
    return id;
  }

  fun(domain: TypeId, range: TypeId): TypeId {
    const bits = this.#functions.length - 1;
    let slot = hash(domain, range) & bits;
    for (
      let found = tableEntry(this.#functions, slot);
      found !== 0;
      slot = (slot + 1) & bits, found = tableEntry(this.#functions, slot)
    ) {
      if (this.#domain[found - 1] === domain && this.#range[found - 1] === range)
        return typeNumbered(found - 1);
    }
    const id = this.#add(FUN, [domain, range], '', this.mask(domain) | this.mask(range));
    this.#functions[slot] = id + 1;
    this.#functionCount += 1;
    if (this.#functionCount * 2 > this.#functions.length) this.#growFunctions();
    return id;
  }

  /** The caller has checked the arity. */
  apply(operator: OperatorId, args: readonly TypeId[]): TypeId {
    const [domain, range] = args;
    if (operator === FUN && domain !== undefined && range !== undefined) return this.fun(domain, range);
    const key = `${operator} ${args.join(' ')}`;
    const known = this.#applications.get(key);
    if (known !== undefined) return known;
    const id = this.#add(
      operator,
      args,
      '',
      args.reduce((mask, argument) => mask | this.mask(argument), 0),
    );
    this.#applications.set(key, id);
    return id;
  }

  isVariable(type: TypeId): boolean {
    return this.#columnOf(this.#operator, type) === NONE;
  }

  nameOfVariable(type: TypeId): string {
    const name = this.isVariable(type) ? this.#names[type] : undefined;
    if (name === undefined) throw noSuch('type variable', type);
    return name;
  }

  /** Of a type that is no variable. */
  operatorOf(type: TypeId): OperatorId {
    const operator = this.#columnOf(this.#operator, type);
    if (operator === NONE) throw noSuch('type operator of the type', type);
    return operatorNumbered(operator);
  }

  /** Of a type that is no variable. */
  argumentsOf(type: TypeId): readonly TypeId[] {
    const args = this.isVariable(type) ? undefined : this.#arguments[type];
    if (args === undefined) throw noSuch('type operator of the type', type);
    return args;
  }

  mask(type: TypeId): number {
    const mask = this.#mask[type];
    if (mask === undefined) throw noSuch('type', type);
    return mask;
  }

  isFunction(type: TypeId): boolean {
    return this.#columnOf(this.#domain, type) !== NONE;
  }

  /** @throws Refusal when it is no function type. */
  domain(type: TypeId): TypeId {
    const domain = this.#domain[type];
    if (domain === undefined || domain === NONE) throw this.#noFunction(type);
    return typeNumbered(domain);
  }

  /** @throws Refusal when it is no function type. */
  range(type: TypeId): TypeId {
    const range = this.#range[type];
    if (range === undefined || range === NONE) throw this.#noFunction(type);
    return typeNumbered(range);
  }

  substitute(type: TypeId, substitution: TypeSubstitution, memo: Map<TypeId, TypeId>): TypeId {
    if (this.mask(type) === 0) return type;
    if (this.isVariable(type)) return substitution.get(type) ?? type;
    const known = memo.get(type);
    if (known !== undefined) return known;
    const args = this.argumentsOf(type).map((argument) => this.substitute(argument, substitution, memo));
    const result = this.apply(this.operatorOf(type), args);
    memo.set(type, result);
    return result;
  }

  /**
   * Extends `found` to the substitution that turns `pattern` into `instance`; false when there is none. Parts of the
   * pattern that hold variables are in `found`, too: a shared part is matched once.
   */
  match(pattern: TypeId, instance: TypeId, found: Map<TypeId, TypeId>): boolean {
    if (this.mask(pattern) === 0) return pattern === instance;
    const bound = found.get(pattern);
    if (bound !== undefined) return bound === instance;
    if (!this.isVariable(pattern)) {
      if (this.isVariable(instance) || this.operatorOf(pattern) !== this.operatorOf(instance)) return false;
      const instances = this.argumentsOf(instance);
      const areMatched = this.argumentsOf(pattern).every((argument, at) => {
        const other = instances[at];
        return other !== undefined && this.match(argument, other, found);
      });
      if (!areMatched) return false;
    }
    found.set(pattern, instance);
    return true;
  }

  /** Adds the variables and operators that occur in a type. `seen` keeps shared parts from being visited twice. */
  collect(type: TypeId, variables: Set<TypeId>, operators: Set<OperatorId>, seen: Set<TypeId>): void {
    if (seen.has(type)) return;
    seen.add(type);
    if (this.isVariable(type)) variables.add(type);
    else {
      operators.add(this.operatorOf(type));
      for (const argument of this.argumentsOf(type)) this.collect(argument, variables, operators, seen);
    }
  }

  #add(operator: number, args: readonly TypeId[], name: string, mask: number): TypeId {
    if (this.count >= MOST_TYPES)
      throw new LimitReached('size', `The proof makes more than ${MOST_TYPES} types.`);
    this.#operator.push(operator);
    this.#arguments.push(args);
    const [domain, range] = args;
    const isFunction = operator === FUN && domain !== undefined && range !== undefined;
    this.#domain.push(isFunction ? domain : NONE);
    this.#range.push(isFunction ? range : NONE);
    this.#names.push(name);
    this.#mask.push(mask);
    return typeNumbered(this.#operator.length - 1);
  }

  #columnOf(column: readonly number[], type: TypeId): number {
    const value = column[type];
    if (value === undefined) throw noSuch('type', type);
    return value;
  }

  #noFunction(type: TypeId): Error {
    return this.#domain[type] === undefined
      ? noSuch('type', type)
      : new Refusal('ill-typed', 'A function type is needed here.');
  }

  #growFunctions(): void {
    const table = new Int32Array(this.#functions.length * 2);
    const bits = table.length - 1;
    for (const found of this.#functions) {
      if (found === 0) continue;
      const type = typeNumbered(found - 1);
      let slot = hash(this.domain(type), this.range(type)) & bits;
      while (table[slot] !== 0) slot = (slot + 1) & bits;
      table[slot] = found;
    }
    this.#functions = table;
  }
}

function hash(domain: number, range: number): number {
  const mixed = Math.imul(domain, 0x9e3779b1) ^ Math.imul(range, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function typeNumbered(number: number): TypeId {
  return number as TypeId;
}

function operatorNumbered(number: number): OperatorId {
  return number as OperatorId;
}
