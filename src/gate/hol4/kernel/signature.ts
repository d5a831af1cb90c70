/**
 * The constants and type operators that a proof may mention, by qualified name `theory$name`. Those of the theory that
 * is replayed (its own) are declared first and defined at most once; all others come from theories replayed before.
 *
 * Why definitions are safe: a constant is *introduced* by its definition. A definition may mention constants that were
 * introduced before, or declared ones that then can never be defined any more (`settle`). So no definition can
 * depend on itself, and a theorem about a constant that is not introduced yet holds for every meaning of it.
 */
import { Refusal } from './refusal.ts';
import { noSuch } from './tables.ts';
import { BOOL, FUN, IND, type OperatorId, type TypeId, type Types } from './types.ts';

declare const constantBrand: unique symbol;

/** Only the signature makes one, and a read of a number that it did not give throws. */
export type ConstantId = number & { readonly [constantBrand]: true };

/** What a theory replayed before says about a name. */
export interface ForeignNames {
  /** The arity of a type operator, or undefined when there is none of that name. */
  arity(name: string): number | undefined;
  /** The type of a constant in the types given, or undefined when there is none of that name. */
  typeOf(name: string, signature: Signature): TypeId | undefined;
}

interface Operator {
  readonly name: string;
  readonly arity: number;
  state: 'open' | 'settled';
}

interface Constant {
  readonly name: string;
  readonly type: TypeId;
  /** Open: declared, may still be defined. Settled: introduced, or used in a definition. */
  state: 'open' | 'settled';
}

export class Signature {
  readonly types: Types;
  readonly #foreign: ForeignNames;
  /** Names that begin with this belong to the theory that is replayed; undefined when all names do (PFT). */
  readonly ownTheory: string | undefined;
  readonly #operators: Operator[] = [];
  readonly #operatorIds = new Map<string, OperatorId>();
  readonly #constants: Constant[] = [];
  readonly #constantIds = new Map<string, ConstantId>();
  /** Instances that were checked already: constant and type. */
  readonly #instances = new Set<number>();

  constructor(types: Types, ownTheory: string | undefined, foreign: ForeignNames) {
    this.types = types;
    this.ownTheory = ownTheory;
    this.#foreign = foreign;
    for (const [id, name, arity] of [
      [FUN, 'min$fun', 2],
      [BOOL, 'min$bool', 0],
      [IND, 'min$ind', 0],
    ] as const) {
      this.#operators[id] = { name, arity, state: 'settled' };
      this.#operatorIds.set(name, id);
    }
  }

  isOwn(name: string): boolean {
    return this.ownTheory === undefined || name.startsWith(`${this.ownTheory}$`);
  }

  /** A constant that the kernel knows by itself; it cannot be declared or defined by a proof. */
  addLogical(name: string, type: TypeId): ConstantId {
    return this.#addConstant(name, type, 'settled');
  }

  declareOperator(name: string, arity: number): void {
    this.#refuseForeign(name);
    if (this.#operatorIds.has(name)) {
      throw new Refusal('duplicate-name', `The type operator ${name} is declared twice.`);
    }
    this.#addOperator(name, arity, 'open');
  }

  declareConstant(name: string, type: TypeId): void {
    this.#refuseForeign(name);
    const known = this.#constantIds.get(name);
    if (known !== undefined && (!this.#isLogical(name) || this.constantType(known) !== type)) {
      throw new Refusal(
        'duplicate-name',
        `The constant ${name} is declared twice, or not as the logic needs it.`,
      );
    }
    if (known === undefined) this.#addConstant(name, type, 'open');
  }

  /** The type operator of that name with that many arguments. */
  operator(name: string, args: number): OperatorId {
    let id = this.#operatorIds.get(name);
    if (id === undefined && !this.isOwn(name)) {
      const arity = this.#foreign.arity(name);
      if (arity !== undefined) id = this.#addOperator(name, arity, 'settled');
    }
    const arity = id === undefined ? undefined : this.#operator(id).arity;
    if (id === undefined || arity !== args) {
      throw new Refusal(
        'undeclared',
        arity === undefined
          ? `The type operator ${name} is not declared.`
          : `The type operator ${name} takes ${arity} arguments, not ${args}.`,
      );
    }
    return id;
  }

  constant(name: string): ConstantId {
    const known = this.#constantIds.get(name);
    if (known !== undefined) return known;
    const type = this.isOwn(name) ? undefined : this.#foreign.typeOf(name, this);
    if (type === undefined) throw new Refusal('undeclared', `The constant ${name} is not declared.`);
    return this.#addConstant(name, type, 'settled');
  }

  /** Refuses a type that is no instance of the constant's own type. */
  checkInstance(constant: ConstantId, type: TypeId): void {
    const key = constant * 0x4000000 + type;
    if (this.#instances.has(key)) return;
    if (!this.types.match(this.constantType(constant), type, new Map())) {
      throw new Refusal(
        'undeclared',
        `${this.constantName(constant)} is used at a type that is no instance of its own.`,
      );
    }
    this.#instances.add(key);
  }

  constantType(constant: ConstantId): TypeId {
    return this.#constant(constant).type;
  }

  constantName(constant: ConstantId): string {
    return this.#constant(constant).name;
  }

  operatorName(operator: OperatorId): string {
    return this.#operator(operator).name;
  }

  /** Records that a definition rests on these: they can never be defined after it. */
  settle(constants: Iterable<ConstantId>, operators: Iterable<OperatorId>): void {
    for (const id of constants) this.#constant(id).state = 'settled';
    for (const id of operators) this.#operator(id).state = 'settled';
  }

  /** Makes a constant of a definition. It must be the theory's own, not settled, and of the declared type. */
  introduceConstant(name: string, type: TypeId): ConstantId {
    this.#refuseForeign(name);
    const known = this.#constantIds.get(name);
    if (known === undefined) return this.#addConstant(name, type, 'settled');
    const constant = this.#constant(known);
    if (constant.state !== 'open') {
      throw new Refusal(
        'definition-not-fresh',
        `The constant ${name} is defined already, or a definition uses it.`,
      );
    }
    if (constant.type !== type) {
      throw new Refusal('definition-malformed', `The constant ${name} was declared with another type.`);
    }
    constant.state = 'settled';
    return known;
  }

  introduceOperator(name: string, arity: number): OperatorId {
    this.#refuseForeign(name);
    const known = this.#operatorIds.get(name);
    if (known === undefined) return this.#addOperator(name, arity, 'settled');
    const operator = this.#operator(known);
    if (operator.state !== 'open') {
      throw new Refusal(
        'definition-not-fresh',
        `The type operator ${name} is defined already, or a definition uses it.`,
      );
    }
    if (operator.arity !== arity) {
      throw new Refusal('definition-malformed', `The type operator ${name} was declared with another arity.`);
    }
    operator.state = 'settled';
    return known;
  }

  /** The constants and operators that belong to the theory. */
  *ownConstants(): Iterable<{ readonly name: string; readonly type: TypeId }> {
    for (const { name, type } of this.#constants) if (this.isOwn(name)) yield { name, type };
  }

  *ownOperators(): Iterable<{ readonly name: string; readonly arity: number }> {
    for (const { name, arity } of this.#operators) if (this.isOwn(name)) yield { name, arity };
  }

  #isLogical(name: string): boolean {
    return name.startsWith('bool$') || name.startsWith('min$');
  }

  #refuseForeign(name: string): void {
    if (this.isOwn(name)) return;
    throw new Refusal(
      'definition-foreign',
      `${name} is not in the name space of the theory ${String(this.ownTheory)}.`,
    );
  }

  #constant(id: ConstantId): Constant {
    const constant = this.#constants[id];
    if (constant === undefined) throw noSuch('constant', id);
    return constant;
  }

  #operator(id: OperatorId): Operator {
    const operator = this.#operators[id];
    if (operator === undefined) throw noSuch('type operator', id);
    return operator;
  }

  #addConstant(name: string, type: TypeId, state: Constant['state']): ConstantId {
    const id = this.#constants.length as ConstantId;
    this.#constants.push({ name, type, state });
    this.#constantIds.set(name, id);
    return id;
  }

  #addOperator(name: string, arity: number, state: Operator['state']): OperatorId {
    const id = this.#operators.length as OperatorId;
    this.#operators.push({ name, arity, state });
    this.#operatorIds.set(name, id);
    return id;
  }
}
