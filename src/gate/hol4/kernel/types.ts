/**
 * Hash-consed types: equal types have equal numbers. A type is a variable or an operator with arguments; operators are
 * numbers given by the signature, except `fun`, `bool` and `ind`, which are fixed here.
 */
import { Refusal } from './refusal.ts';

export type TypeId = number;

export const FUN = 0;
export const BOOL = 1;
export const IND = 2;

/** A map from type variables to types, applied all at once. */
export type TypeSubstitution = ReadonlyMap<TypeId, TypeId>;

export class Types {
  /** The operator of a type, or -1 for a variable. */
  readonly #operator: number[] = [];
  readonly #arguments: (readonly TypeId[])[] = [];
  /** Both sides of a function type, -1 for all others. */
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
    const id = this.#add(-1, [], name, 1 << (this.#byName.size & 31));
    this.#byName.set(name, id);
    return id;
  }

  fun(domain: TypeId, range: TypeId): TypeId {
    const bits = this.#functions.length - 1;
    let slot = hash(domain, range) & bits;
    for (let found = this.#functions[slot] ?? 0; found !== 0; found = this.#functions[slot] ?? 0) {
      if (this.#domain[found - 1] === domain && this.#range[found - 1] === range) return found - 1;
      slot = (slot + 1) & bits;
    }
    const id = this.#add(FUN, [domain, range], '', this.mask(domain) | this.mask(range));
    this.#functions[slot] = id + 1;
    this.#functionCount += 1;
    if (this.#functionCount * 2 > this.#functions.length) this.#growFunctions();
    return id;
  }

  /** The caller has checked the arity. */
  apply(operator: number, args: readonly TypeId[]): TypeId {
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
    return this.#operator[type] === -1;
  }

  nameOfVariable(type: TypeId): string {
    return this.#names[type] ?? '';
  }

  operatorOf(type: TypeId): number {
    return this.#operator[type] ?? -1;
  }

  argumentsOf(type: TypeId): readonly TypeId[] {
    return this.#arguments[type] ?? [];
  }

  mask(type: TypeId): number {
    return this.#mask[type] ?? 0;
  }

  isFunction(type: TypeId): boolean {
    return this.domainOrNone(type) >= 0;
  }

  /** -1 when it is no function type. */
  domainOrNone(type: TypeId): TypeId {
    return this.#domain[type] ?? -1;
  }

  rangeOrNone(type: TypeId): TypeId {
    return this.#range[type] ?? -1;
  }

  domain(type: TypeId): TypeId {
    const domain = this.domainOrNone(type);
    if (domain < 0) throw new Refusal('ill-typed', 'A function type is needed here.');
    return domain;
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

  /** Extends `found` to the substitution that turns `pattern` into `instance`; false when there is none. */
  match(pattern: TypeId, instance: TypeId, found: Map<TypeId, TypeId>): boolean {
    if (this.isVariable(pattern)) {
      const bound = found.get(pattern);
      if (bound !== undefined) return bound === instance;
      found.set(pattern, instance);
      return true;
    }
    if (this.mask(pattern) === 0) return pattern === instance;
    if (this.operatorOf(pattern) !== this.operatorOf(instance)) return false;
    const instances = this.argumentsOf(instance);
    return this.argumentsOf(pattern).every((argument, at) => {
      const other = instances[at];
      return other !== undefined && this.match(argument, other, found);
    });
  }

  /** Adds the variables and operators that occur in a type. `seen` keeps shared parts from being visited twice. */
  collect(type: TypeId, variables: Set<TypeId>, operators: Set<number>, seen: Set<TypeId>): void {
    if (seen.has(type)) return;
    seen.add(type);
    if (this.isVariable(type)) variables.add(type);
    else {
      operators.add(this.operatorOf(type));
      for (const argument of this.argumentsOf(type)) this.collect(argument, variables, operators, seen);
    }
  }

  #add(operator: number, args: readonly TypeId[], name: string, mask: number): TypeId {
    this.#operator.push(operator);
    this.#arguments.push(args);
    this.#domain.push(operator === FUN ? (args[0] ?? -1) : -1);
    this.#range.push(operator === FUN ? (args[1] ?? -1) : -1);
    this.#names.push(name);
    this.#mask.push(mask);
    return this.#operator.length - 1;
  }

  #growFunctions(): void {
    const table = new Int32Array(this.#functions.length * 2);
    const bits = table.length - 1;
    for (const found of this.#functions) {
      if (found === 0) continue;
      let slot = hash(this.domainOrNone(found - 1), this.rangeOrNone(found - 1)) & bits;
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
