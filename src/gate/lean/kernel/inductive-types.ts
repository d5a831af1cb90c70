/**
 * Checks a block of mutual inductive types without nested occurrences (nested-types.ts takes these away before), and finds what its
 * recursors need. Every number and flag comes from the types of the types and constructors alone; the file's claims
 * are not seen here.
 *
 * The rules are those of Lean: parameters are the same everywhere, fields live in universes below the type's (unless it is a
 * proposition), the types occur only strictly positively, and every constructor makes the type that it belongs to.
 */
import { at } from '../at.ts';
import { argumentsOf, forEachSubterm, applicationHead } from '../expression.ts';
import type { Constant, Expression, FreeVariable } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { Rejection } from './answer.ts';
import { instantiate } from './substitution.ts';
import type { TypeChecker } from './type-checker.ts';

/** A type of a block as it is declared. All terms are plain. */
export interface DeclaredType {
  readonly name: Name;
  readonly type: Expression;
  readonly constructors: readonly { readonly name: Name; readonly type: Expression }[];
}

export interface DeclaredBlock {
  readonly levelParameters: readonly Name[];
  readonly parameterCount: number;
  readonly types: readonly DeclaredType[];
}

/** A field whose type is `Π arguments, T parameters indices` for a type `T` of the block. */
export interface RecursiveField {
  readonly field: FreeVariable;
  readonly arguments: readonly FreeVariable[];
  /** The position of the type in the block. */
  readonly type: number;
  readonly indices: readonly Expression[];
}

export interface CheckedConstructor {
  readonly name: Name;
  readonly fields: readonly FreeVariable[];
  readonly recursiveFields: readonly RecursiveField[];
  /** The indices of the type that it makes. */
  readonly indices: readonly Expression[];
}

export interface CheckedType {
  readonly name: Name;
  readonly indices: readonly FreeVariable[];
  readonly constructors: readonly CheckedConstructor[];
}

export interface CheckedBlock {
  readonly levels: readonly Level[];
  readonly parameters: readonly FreeVariable[];
  readonly types: readonly CheckedType[];
  readonly resultLevel: Level;
  readonly isRecursive: boolean;
  readonly isReflexive: boolean;
  /** Whether proofs by the recursors may be turned into data. */
  readonly hasLargeElimination: boolean;
  readonly isK: boolean;
  /** Above the free variables in use. */
  readonly freeBound: number;
}

export class InductiveChecker {
  readonly #checker: TypeChecker;
  readonly #store: TermStore;
  readonly #block: DeclaredBlock;
  readonly #levels: readonly Level[];
  readonly #constants: readonly Constant[];
  readonly #names: ReadonlySet<Name>;
  readonly #parameters: FreeVariable[] = [];
  readonly #indices: FreeVariable[][] = [];
  #resultLevel: Level | undefined;
  #nextFree = 0;

  constructor(checker: TypeChecker, block: DeclaredBlock) {
    this.#checker = checker;
    this.#store = checker.context.store;
    this.#block = block;
    this.#levels = block.levelParameters.map((name) => this.#store.levels.parameter(name));
    this.#constants = block.types.map(({ name }) => this.#store.constant(name, this.#levels));
    this.#names = new Set(block.types.map(({ name }) => name));
  }

  /** The types alone: to be called before they are declared. */
  checkTypes(): void {
    for (const [position, { name, type }] of this.#block.types.entries()) {
      this.#checker.check(type);
      const indices: FreeVariable[] = [];
      let rest = type;
      for (let count = 0; rest.kind === 'pi'; count++) {
        let variable: FreeVariable;
        if (count < this.#block.parameterCount) {
          if (position === 0) this.#parameters.push(this.#free(rest.type));
          variable = this.#parameter(count, rest.type);
        } else {
          variable = this.#free(rest.type);
          indices.push(variable);
        }
        rest = instantiate(this.#store, rest.body, [variable]);
      }
      if (this.#parameters.length < this.#block.parameterCount) {
        throw new Rejection(`${name.toString()} has fewer parameters than it says`);
      }
      const level = this.#checker.sortLevel(rest, type);
      this.#resultLevel ??= level;
      if (!this.#checker.context.levelOrder.isEqual(level, this.#resultLevel)) {
        throw new Rejection('the types of a block live in different universes', [
          this.#store.sort(level),
          this.#store.sort(this.#resultLevel),
        ]);
      }
      this.#indices.push(indices);
    }
  }

  /** The constructors, with the types declared. */
  checkConstructors(): CheckedBlock {
    const resultLevel = this.#resultLevel;
    if (resultLevel === undefined) throw new Rejection('a block without types');
    const types = this.#block.types.map(({ name, constructors }, position) => ({
      name,
      indices: at(this.#indices, position, 'list of indices'),
      constructors: constructors.map((constructor) =>
        this.#checkConstructor(constructor, position, resultLevel),
      ),
    }));
    return {
      levels: this.#levels,
      parameters: this.#parameters,
      types,
      resultLevel,
      isRecursive: this.#isRecursive(),
      isReflexive: this.#isReflexive(types),
      hasLargeElimination: this.#hasLargeElimination(types, resultLevel),
      isK:
        types.length === 1 &&
        types[0]?.constructors.length === 1 &&
        types[0].constructors[0]?.fields.length === 0 &&
        this.#checker.context.levelOrder.isZero(resultLevel),
      freeBound: this.#nextFree,
    };
  }

  #checkConstructor(
    { name, type }: { readonly name: Name; readonly type: Expression },
    position: number,
    resultLevel: Level,
  ): CheckedConstructor {
    const checker = this.#checker;
    checker.check(type);
    const fields: FreeVariable[] = [];
    const recursiveFields: RecursiveField[] = [];
    let rest = type;
    for (let count = 0; rest.kind === 'pi'; count++) {
      if (count < this.#block.parameterCount) {
        rest = instantiate(this.#store, rest.body, [this.#parameter(count, rest.type)]);
        continue;
      }
      const level = checker.checkType(rest.type);
      const { levelOrder } = checker.context;
      if (!levelOrder.isZero(resultLevel) && !levelOrder.isAtMost(level, resultLevel)) {
        throw new Rejection(`a field of ${name.toString()} lives in a universe above that of the type`, [
          this.#store.sort(level),
          this.#store.sort(resultLevel),
        ]);
      }
      const field = this.#free(rest.type);
      const recursive = this.#recursiveField(field, name);
      fields.push(field);
      if (recursive !== undefined) recursiveFields.push(recursive);
      rest = instantiate(this.#store, rest.body, [field]);
    }
    const made = this.#occurrence(rest);
    if (made?.type !== position) {
      throw new Rejection(`the constructor ${name.toString()} makes another type, or one in another form`);
    }
    return { name, fields, recursiveFields, indices: made.indices };
  }

  /** How a field is recursive, or that it is not. Rejects occurrences that are not strictly positive. */
  #recursiveField(field: FreeVariable, constructor: Name): RecursiveField | undefined {
    const args: FreeVariable[] = [];
    let type = this.#checker.whnf(field.type);
    for (;;) {
      if (!this.#occurs(type)) return undefined;
      if (type.kind !== 'pi') break;
      if (this.#occurs(type.type)) {
        throw new Rejection(`${constructor.toString()} has an occurrence of its type that is not positive`, [
          field.type,
          type.type,
        ]);
      }
      const argument = this.#free(type.type);
      args.push(argument);
      type = this.#checker.whnf(instantiate(this.#store, type.body, [argument]));
    }
    const occurrence = this.#occurrence(type);
    if (occurrence === undefined) {
      throw new Rejection(`${constructor.toString()} has an occurrence of its type that is not allowed`, [
        field.type,
        type,
      ]);
    }
    return { field, arguments: args, ...occurrence };
  }

  /** The term as a type of the block applied to the parameters themselves and to indices without the types of the block. */
  #occurrence(
    term: Expression,
  ): { readonly type: number; readonly indices: readonly Expression[] } | undefined {
    const type = this.#constants.findIndex((constant) => constant === applicationHead(term));
    const args = argumentsOf(term);
    const indices = args.slice(this.#parameters.length);
    if (
      type < 0 ||
      indices.length !== at(this.#indices, type, 'list of indices').length ||
      !this.#parameters.every((parameter, position) => {
        const argument = args[position];
        return argument !== undefined && this.#checker.isEqual(argument, parameter);
      }) ||
      indices.some((index) => this.#occurs(index))
    ) {
      return undefined;
    }
    return { type, indices };
  }

  #occurs(term: Expression): boolean {
    let found = false;
    forEachSubterm([term], (part) => {
      found ||= part.kind === 'constant' && this.#names.has(part.name);
      return !found;
    });
    return found;
  }

  /** Whether a type of the block occurs in the type of a field, as it is written. */
  #isRecursive(): boolean {
    return this.#block.types.some(({ constructors }) =>
      constructors.some(({ type }) => {
        for (let rest = type; rest.kind === 'pi'; rest = rest.body) if (this.#occurs(rest.type)) return true;
        return false;
      }),
    );
  }

  /** Whether a field is a function, as it is written, in which a type of the block occurs. */
  #isReflexive(types: readonly CheckedType[]): boolean {
    return types.some(({ constructors }) =>
      constructors.some(({ fields }) => fields.some(({ type }) => type.kind === 'pi' && this.#occurs(type))),
    );
  }

  /**
   * Types whose universe cannot be that of propositions eliminate into every universe. Of the others only: a single type
   * without constructors, or with one constructor each of whose fields is a proof or one of the indices of what it makes.
   */
  #hasLargeElimination(types: readonly CheckedType[], resultLevel: Level): boolean {
    const { levelOrder } = this.#checker.context;
    if (levelOrder.isNeverZero(resultLevel)) return true;
    const [only, ...others] = types;
    if (only === undefined || others.length > 0) return false;
    const [constructor, ...moreConstructors] = only.constructors;
    if (constructor === undefined) return true;
    if (moreConstructors.length > 0) return false;
    return constructor.fields.every(
      (field) => this.#checker.isProposition(field.type) || constructor.indices.includes(field),
    );
  }

  #parameter(position: number, type: Expression): FreeVariable {
    const parameter = this.#parameters[position];
    if (parameter === undefined) throw new Rejection('a type of the block has too few parameters');
    if (!this.#checker.isEqual(parameter.type, type)) {
      throw new Rejection('the parameters of a block differ', [parameter.type, type]);
    }
    return parameter;
  }

  #free(type: Expression): FreeVariable {
    return this.#store.free(this.#nextFree++, type);
  }
}
