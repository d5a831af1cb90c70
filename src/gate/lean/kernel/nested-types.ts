/**
 * Takes nested occurrences of the types of a block away: `Tree` with a field of type `List Tree` becomes a block with a second,
 * auxiliary type that is `List` at `Tree`. After the block was checked and its recursors were made, `restore` puts the
 * nested types back.
 */
import { at } from '../at.ts';
import type { InductiveConstant } from '../declaration.ts';
import type { Environment } from '../environment.ts';
import { argumentsOf, forEachSubterm, applicationHead } from '../expression.ts';
import type { Expression, FreeVariable } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { Declined, Rejection } from './answer.ts';
import type { DeclaredBlock, DeclaredType } from './inductive-types.ts';
import { abstract, bindAll, instantiate, instantiateLevels, replaceTerms } from './substitution.ts';

/** More nested types than any honest block has; without a bound a block could ask for types without end. */
const MOST_TYPES = 1000;

/** An auxiliary type, and the nested type that it stands for, which has the parameters of the block free. */
interface Auxiliary {
  readonly name: Name;
  readonly nested: Expression;
}

export interface UnnestedBlock {
  readonly block: DeclaredBlock;
  /** How many types were added. */
  readonly nestedCount: number;
  /** The term with nested types and their constructors in place of the auxiliary ones. */
  readonly restore: (term: Expression) => Expression;
  /** The constructor for which one of an auxiliary type stands; others stand for themselves. */
  readonly restoreConstructor: (name: Name) => Name;
}

export function unnest(store: TermStore, environment: Environment, block: DeclaredBlock): UnnestedBlock {
  return new Unnesting(store, environment, block).unnest();
}

class Unnesting {
  readonly #store: TermStore;
  readonly #environment: Environment;
  readonly #block: DeclaredBlock;
  readonly #levels: readonly Level[];
  readonly #parameters: FreeVariable[] = [];
  /** The types so far: those of the file, then auxiliary ones whose constructors may still be nested. */
  readonly #types: DeclaredType[];
  readonly #names: Set<Name>;
  readonly #auxiliaries: Auxiliary[] = [];
  /** For constructors of auxiliary types, those that they stand for, and of which nested type they are. */
  readonly #originals = new Map<Name, { readonly constructor: Name; readonly of: Expression }>();

  constructor(store: TermStore, environment: Environment, block: DeclaredBlock) {
    this.#store = store;
    this.#environment = environment;
    this.#block = block;
    this.#levels = block.levelParameters.map((name) => store.levels.parameter(name));
    this.#types = [...block.types];
    this.#names = new Set(block.types.map(({ name }) => name));
  }

  unnest(): UnnestedBlock {
    this.#openParameters();
    const types: DeclaredType[] = [];
    // The array grows while it is gone through.
    for (let position = 0; position < this.#types.length; position++) {
      const declared = at(this.#types, position, 'type');
      const constructors = declared.constructors.map(({ name, type }) => ({
        name,
        type: this.#replaceNested(type),
      }));
      types.push({ ...declared, constructors });
    }
    return {
      block: { ...this.#block, types },
      nestedCount: this.#auxiliaries.length,
      restore: (term) => this.#restore(term),
      restoreConstructor: (name) => this.#originals.get(name)?.constructor ?? name,
    };
  }

  #openParameters(): void {
    let type = this.#block.types[0]?.type;
    for (let count = 0; count < this.#block.parameterCount; count++) {
      if (type?.kind !== 'pi') throw new Rejection('a type has fewer parameters than it says');
      const parameter = this.#store.free(count, type.type);
      this.#parameters.push(parameter);
      type = instantiate(this.#store, type.body, [parameter]);
    }
  }

  /** The type of a constructor with auxiliary types for nested ones. */
  #replaceNested(type: Expression): Expression {
    if (this.#parameters.length === 0) return this.#replaceIn(type);
    let body = type;
    for (const parameter of this.#parameters) {
      if (body.kind !== 'pi') throw new Rejection('a constructor has fewer parameters than its type');
      body = instantiate(this.#store, body.body, [parameter]);
    }
    // The parameters of the type stand for those of the constructor: they are compared when the block is checked.
    const replaced = this.#replaceIn(body);
    return replaced === body ? type : this.#withParametersOf(type, replaced);
  }

  /** Binds the parameters with the types that the constructor gives them. */
  #withParametersOf(type: Expression, body: Expression): Expression {
    const domains: Expression[] = [];
    let rest = type;
    for (let count = 0; count < this.#parameters.length && rest.kind === 'pi'; count++, rest = rest.body) {
      domains.push(rest.type);
    }
    return domains.reduceRight<Expression>(
      (inner, domain) => this.#store.pi(this.#store.names.anonymous, domain, inner),
      abstract(this.#store, body, this.#parameters),
    );
  }

  #replaceIn(term: Expression): Expression {
    return replaceTerms(this.#store, term, (part) =>
      part.kind === 'application' ? this.#auxiliaryFor(part) : undefined,
    );
  }

  /** The auxiliary type for a nested occurrence, applied; undefined when the term is none. */
  #auxiliaryFor(term: Expression): Expression | undefined {
    const head = applicationHead(term);
    if (head.kind !== 'constant' || this.#names.has(head.name)) return undefined;
    const inductive = this.#environment.find(head.name);
    if (inductive?.kind !== 'inductive') return undefined;
    const args = argumentsOf(term);
    if (args.length < inductive.parameterCount) return undefined;
    const parameters = args.slice(0, inductive.parameterCount);
    if (!parameters.some((parameter) => this.#mentionsBlock(parameter))) return undefined;
    if (parameters.some((parameter) => parameter.looseBound > 0)) {
      throw new Rejection(
        `a parameter of the nested type ${head.name.toString()} depends on a variable of the constructor`,
      );
    }
    const nested = this.#store.applyAll(head, ...parameters);
    const known = this.#auxiliaries.find((auxiliary) => auxiliary.nested === nested);
    const name = known?.name ?? this.#addAuxiliaries(inductive, head.levels, parameters, nested);
    // The other arguments may hold nested occurrences too: the walk does not go on into what is put in place.
    const indices = args.slice(inductive.parameterCount).map((index) => this.#replaceIn(index));
    return this.#store.applyAll(this.#store.constant(name, this.#levels), ...this.#parameters, ...indices);
  }

  #mentionsBlock(term: Expression): boolean {
    let found = false;
    forEachSubterm([term], (part) => {
      found ||= part.kind === 'constant' && this.#names.has(part.name);
      return !found;
    });
    return found;
  }

  /** Adds an auxiliary type for every type of the nested one's block. Answers the name of that for `wanted`. */
  #addAuxiliaries(
    nestedType: InductiveConstant,
    levels: readonly Level[],
    parameters: readonly Expression[],
    wanted: Expression,
  ): Name {
    const store = this.#store;
    let result: Name | undefined;
    for (const member of nestedType.all) {
      const inductive = this.#environment.find(member);
      if (inductive?.kind !== 'inductive') throw new Rejection(`${member.toString()} is no inductive type`);
      const name = this.#newName();
      const nested = store.applyAll(store.constant(member, levels), ...parameters);
      this.#auxiliaries.push({ name, nested });
      this.#names.add(name);
      if (nested === wanted) result = name;
      const close = (type: Expression): Expression =>
        bindAll(
          store,
          'pi',
          this.#parameters,
          this.#instantiateParameters(inductive, type, levels, parameters),
        );
      this.#types.push({
        name,
        type: close(inductive.type.plain),
        constructors: inductive.constructors.map((original, position) => {
          const constructor = this.#environment.find(original);
          if (constructor?.kind !== 'constructor') {
            throw new Rejection(`${original.toString()} is no constructor`);
          }
          const auxiliary = name.child(BigInt(position));
          this.#originals.set(auxiliary, { constructor: original, of: nested });
          return { name: auxiliary, type: close(constructor.type.plain) };
        }),
      });
    }
    if (this.#types.length > MOST_TYPES) throw new Declined('a block needs too many nested types');
    if (result === undefined) throw new Rejection(`${nestedType.name.toString()} is not in its own block`);
    return result;
  }

  #instantiateParameters(
    { levelParameters, name }: InductiveConstant,
    type: Expression,
    levels: readonly Level[],
    parameters: readonly Expression[],
  ): Expression {
    if (levelParameters.length !== levels.length) {
      throw new Rejection(`${name.toString()} is used with a wrong number of universe levels`);
    }
    let rest = instantiateLevels(this.#store, type, levelParameters, levels);
    for (const parameter of parameters) {
      if (rest.kind !== 'pi') throw new Rejection(`${name.toString()} has fewer parameters than it says`);
      rest = instantiate(this.#store, rest.body, [parameter]);
    }
    return rest;
  }

  /** A name that no file can have: Lean's own for this purpose, and numbered beyond what is there. */
  #newName(): Name {
    const { names } = this.#store;
    for (let number = this.#auxiliaries.length + 1; ; number++) {
      const name = names.of(
        '_nested',
        ...at(this.#block.types, 0, 'type of the block').name.components,
        `_${number}`,
      );
      if (this.#environment.find(name) === undefined && !this.#names.has(name)) return name;
    }
  }

  /** Nested types can have nested types in their parameters: what was put in place is restored as well. */
  #restore(term: Expression): Expression {
    const store = this.#store;
    if (this.#auxiliaries.length === 0) return term;
    return replaceTerms(store, term, (part) => {
      const head = applicationHead(part);
      if (head.kind !== 'constant') return undefined;
      const original = this.#originals.get(head.name);
      const nested = original?.of ?? this.#auxiliaries.find(({ name }) => name === head.name)?.nested;
      const args = argumentsOf(part);
      const count = this.#parameters.length;
      if (nested === undefined || args.length < count) return undefined;
      const given = args.slice(0, count).map((argument) => this.#restore(argument));
      const type = this.#restore(instantiate(store, abstract(store, nested, this.#parameters), given));
      const rest = args.slice(count).map((argument) => this.#restore(argument));
      const typeHead = applicationHead(type);
      return original === undefined || typeHead.kind !== 'constant'
        ? store.applyAll(type, ...rest)
        : store.applyAll(
            store.constant(original.constructor, typeHead.levels),
            ...argumentsOf(type),
            ...rest,
          );
    });
  }
}
