/**
 * Computing with terms: weak head normal forms. Reduction never checks anything: it is asked about terms that were checked
 * before, or that come from such.
 *
 * What the rules of computation need to know about types (K, structure eta) they ask `infer` and `isEqual`, which the
 * classes built on this one provide.
 */
import type {
  ConstantDeclaration,
  ConstructorConstant,
  InductiveConstant,
  RecursorConstant,
} from '../declaration.ts';
import type { Environment } from '../environment.ts';
import { argumentsOf, applicationHead } from '../expression.ts';
import type { Constant, Expression, Projection, StringLiteral } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import type { Fuel } from './answer.ts';
import { Rejection } from './answer.ts';
import type { LevelOrder } from './level-order.ts';
import { naturalOf, reduceNatural } from './literals.ts';
import type { Primitives } from './literals.ts';
import type { Assumption } from './natural-operations.ts';
import { instantiate, instantiateLevels } from './substitution.ts';

/** What every part of the kernel works with. */
export interface KernelContext {
  readonly store: TermStore;
  readonly environment: Environment;
  readonly levelOrder: LevelOrder;
  readonly fuel: Fuel;
  readonly primitives: Primitives;
  /** Steers which of two definitions is unfolded first; no answer depends on it. */
  readonly heightOf: (constant: ConstantDeclaration) => number;
}

/** A type with one constructor, no indices and no recursion: what projections, eta and unit eta are about. */
export interface Structure {
  readonly type: InductiveConstant;
  readonly constructor: ConstructorConstant;
}

export abstract class Reduction {
  readonly context: KernelContext;
  readonly assumptions: readonly Assumption[];
  protected readonly store: TermStore;
  protected readonly environment: Environment;
  protected readonly levelOrder: LevelOrder;
  readonly #weakHeads = new Map<Expression, Expression>();
  readonly #coreHeads = new Map<Expression, Expression>();
  readonly #values = new Map<Constant, Expression>();

  /** The assumptions are for equations about any numbers only: what is checked is never checked under one. */
  constructor(context: KernelContext, assumptions: readonly Assumption[] = []) {
    this.context = context;
    this.assumptions = assumptions;
    this.store = context.store;
    this.environment = context.environment;
    this.levelOrder = context.levelOrder;
  }

  /** The type of a term that is known to have one. */
  abstract inferKnown(term: Expression): Expression;
  abstract isEqual(left: Expression, right: Expression): boolean;

  /** The weak head normal form: computes, and unfolds definitions, until the head is settled. */
  whnf(term: Expression): Expression {
    switch (term.kind) {
      case 'sort':
      case 'pi':
      case 'lambda':
      case 'natural':
      case 'string':
      case 'free':
        return term;
      case 'bound':
      case 'constant':
      case 'application':
      case 'let':
      case 'projection':
        break;
    }
    const known = this.#weakHeads.get(term);
    if (known !== undefined) return known;
    let result: Expression = term;
    for (;;) {
      this.context.fuel.spend();
      result = this.whnfCore(result);
      const natural = reduceNatural(this, result);
      if (natural !== undefined) {
        result = natural;
        break;
      }
      const unfolded = this.unfold(result);
      if (unfolded === undefined) break;
      result = unfolded;
    }
    this.#weakHeads.set(term, result);
    return result;
  }

  /**
   * Computes without unfolding definitions at the head. `cheap` does not look for the constructor under a projection by
   * unfolding definitions either.
   */
  whnfCore(term: Expression, cheap = false): Expression {
    let current = term;
    for (;;) {
      switch (current.kind) {
        case 'let':
          current = instantiate(this.store, current.body, [current.value]);
          continue;
        case 'application':
        case 'projection':
          break;
        default:
          return current;
      }
      const known = this.#coreHeads.get(current);
      if (known !== undefined) return known;
      this.context.fuel.spend();
      const next: Expression | undefined =
        current.kind === 'projection'
          ? this.#reduceProjection(current, cheap)
          : this.#reduceApplication(current, cheap);
      if (next === undefined) break;
      current = next;
    }
    // Without `cheap` more is computed, so a cheap result is no answer to be kept.
    if (!cheap && current !== term) this.#coreHeads.set(term, current);
    return current;
  }

  #reduceApplication(term: Expression, cheap: boolean): Expression | undefined {
    const head = applicationHead(term);
    switch (head.kind) {
      case 'lambda':
        return this.beta(head, argumentsOf(term));
      case 'let':
      case 'projection': {
        const reduced = this.whnfCore(head, cheap);
        return reduced === head ? undefined : this.beta(reduced, argumentsOf(term));
      }
      case 'constant': {
        const constant = this.environment.find(head.name);
        if (constant?.kind === 'recursor') return this.#reduceRecursor(head, constant, argumentsOf(term));
        if (constant?.kind === 'quotient') return this.#reduceQuotient(constant.role, argumentsOf(term));
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /** The function applied to the arguments, with the lambdas at its head computed away. */
  beta(fn: Expression, args: readonly Expression[]): Expression {
    let body = fn;
    let count = 0;
    while (body.kind === 'lambda' && count < args.length) {
      body = body.body;
      count++;
    }
    const result = instantiate(this.store, body, args.slice(0, count));
    if (count === args.length) return result;
    const rest = args.slice(count);
    return result.kind === 'lambda' ? this.beta(result, rest) : this.store.applyAll(result, ...rest);
  }

  #reduceProjection(term: Projection, cheap: boolean): Expression | undefined {
    const subject = cheap ? this.whnfCore(term.subject, true) : this.whnf(term.subject);
    return this.projectionOf(term, subject);
  }

  /** The field when the subject is a constructor. */
  protected projectionOf(term: Projection, subject: Expression): Expression | undefined {
    const value = subject.kind === 'string' ? this.#expandString(subject) : subject;
    const head = applicationHead(value);
    if (head.kind !== 'constant') return undefined;
    const constructor = this.environment.find(head.name);
    if (constructor?.kind !== 'constructor' || constructor.inductive !== term.name) return undefined;
    return argumentsOf(value)[constructor.parameterCount + term.index];
  }

  /** A string literal as the application of a constructor, as far as unfolding shows one. */
  #expandString(literal: StringLiteral): Expression {
    const value = this.context.primitives.stringValue(literal.text);
    return value === undefined ? literal : this.whnf(value);
  }

  /** The value of a definition or theorem at the head; opaque constants and unsafe definitions have none. */
  unfold(term: Expression): Expression | undefined {
    const head = applicationHead(term);
    if (head.kind !== 'constant') return undefined;
    const value = this.#valueOf(head);
    if (value === undefined || value === head) return undefined;
    return head === term ? value : this.beta(value, argumentsOf(term));
  }

  /** The constant at the head when it can be unfolded. */
  protected unfoldable(term: Expression): ConstantDeclaration | undefined {
    const head = applicationHead(term);
    if (head.kind !== 'constant') return undefined;
    const constant = this.environment.find(head.name);
    return constant !== undefined && hasValue(constant) ? constant : undefined;
  }

  #valueOf(head: Constant): Expression | undefined {
    const known = this.#values.get(head);
    if (known !== undefined) return known;
    const constant = this.environment.find(head.name);
    if (constant === undefined || !hasValue(constant)) return undefined;
    const value = this.instantiateConstant(constant, constant.value.plain, head.levels);
    this.#values.set(head, value);
    return value;
  }

  /** A term of a constant's declaration with the levels of one of its uses. */
  instantiateConstant(constant: ConstantDeclaration, term: Expression, levels: readonly Level[]): Expression {
    if (levels.length !== constant.levelParameters.length) {
      throw new Rejection(
        `${constant.name.toString()} is used with ${levels.length} universe levels and has ${constant.levelParameters.length}`,
      );
    }
    return instantiateLevels(this.store, term, constant.levelParameters, levels);
  }

  #reduceRecursor(
    head: Constant,
    recursor: RecursorConstant,
    args: readonly Expression[],
  ): Expression | undefined {
    const { parameterCount, motiveCount, minorCount, indexCount } = recursor;
    const firstIndex = parameterCount + motiveCount + minorCount;
    const majorPosition = firstIndex + indexCount;
    const given = args[majorPosition];
    if (given === undefined) return undefined;
    let major = recursor.isK ? (this.#constructorByK(recursor, given) ?? given) : given;
    major = this.whnf(major);
    if (major.kind === 'natural') major = this.context.primitives.naturalConstructor(major.natural);
    else if (major.kind === 'string') major = this.#expandString(major);
    else major = this.#constructorByEta(recursor, major);
    const constructor = applicationHead(major);
    if (constructor.kind !== 'constant') return undefined;
    const rule = recursor.rules.find((candidate) => candidate.constructor === constructor.name);
    if (rule === undefined || this.context.environment.find(constructor.name)?.kind !== 'constructor')
      return undefined;
    const majorArguments = argumentsOf(major);
    if (majorArguments.length < rule.fieldCount) return undefined;
    const value = this.instantiateConstant(recursor, rule.value.plain, head.levels);
    return this.beta(value, [
      ...args.slice(0, firstIndex),
      ...majorArguments.slice(majorArguments.length - rule.fieldCount),
      ...args.slice(majorPosition + 1),
    ]);
  }

  /** For a proof of the right type, the only constructor, which it equals by proof irrelevance. */
  #constructorByK(recursor: RecursorConstant, major: Expression): Expression | undefined {
    const type = this.whnf(this.inferKnown(major));
    const head = applicationHead(type);
    if (head.kind !== 'constant' || head.name !== this.majorType(recursor)) return undefined;
    const inductive = this.environment.find(head.name);
    if (inductive?.kind !== 'inductive') return undefined;
    const name = inductive.constructors[0];
    if (name === undefined) return undefined;
    const parameters = argumentsOf(type).slice(0, inductive.parameterCount);
    const constructor = this.store.applyAll(this.store.constant(name, head.levels), ...parameters);
    // The indices must be those of the constructor.
    return this.isEqual(type, this.inferKnown(constructor)) ? constructor : undefined;
  }

  /** A term of a structure type as the constructor of its projections, when it is not a constructor yet. */
  #constructorByEta(recursor: RecursorConstant, major: Expression): Expression {
    const structure = this.structureOf(this.majorType(recursor));
    if (structure === undefined) return major;
    const head = applicationHead(major);
    if (head.kind === 'constant' && head.name === structure.constructor.name) return major;
    const type = this.whnf(this.inferKnown(major));
    const typeHead = applicationHead(type);
    if (typeHead.kind !== 'constant' || typeHead.name !== structure.type.name) return major;
    if (this.isProposition(type)) return major;
    const { store } = this;
    const parameters = argumentsOf(type).slice(0, structure.type.parameterCount);
    const fields = Array.from({ length: structure.constructor.fieldCount }, (_, index) =>
      store.projection(structure.type.name, index, major),
    );
    return store.applyAll(
      store.constant(structure.constructor.name, typeHead.levels),
      ...parameters,
      ...fields,
    );
  }

  /** The inductive type that a recursor takes apart: the head of the type of its major premise. */
  protected majorType(recursor: RecursorConstant): Name | undefined {
    const { parameterCount, motiveCount, minorCount, indexCount } = recursor;
    let type = recursor.type;
    for (let skip = parameterCount + motiveCount + minorCount + indexCount; skip > 0; skip--) {
      if (type.kind !== 'pi') return undefined;
      type = type.body;
    }
    if (type.kind !== 'pi') return undefined;
    const head = applicationHead(type.type);
    return head.kind === 'constant' ? head.name : undefined;
  }

  structureOf(name: Name | undefined): Structure | undefined {
    const type = name === undefined ? undefined : this.environment.find(name);
    if (type?.kind !== 'inductive' || type.indexCount !== 0 || type.isRecursive) return undefined;
    const [only, ...others] = type.constructors;
    if (only === undefined || others.length > 0) return undefined;
    const constructor = this.environment.find(only);
    return constructor?.kind === 'constructor' ? { type, constructor } : undefined;
  }

  /** Whether the type is a proposition. */
  isProposition(type: Expression): boolean {
    const sort = this.whnf(this.inferKnown(type));
    if (sort.kind !== 'sort') throw new Rejection('a type was expected, and this is none', [type, sort]);
    return this.levelOrder.isZero(sort.level);
  }

  #reduceQuotient(
    role: 'type' | 'constructor' | 'lift' | 'induction',
    args: readonly Expression[],
  ): Expression | undefined {
    if (role !== 'lift' && role !== 'induction') return undefined;
    // Quot.lift {α} {r} {β} f h q and Quot.ind {α} {r} {β} f q.
    const quotient = args[role === 'lift' ? 5 : 4];
    const fn = args[3];
    if (quotient === undefined || fn === undefined) return undefined;
    const made = this.whnf(quotient);
    const head = applicationHead(made);
    if (head.kind !== 'constant') return undefined;
    const maker = this.environment.find(head.name);
    if (maker?.kind !== 'quotient' || maker.role !== 'constructor') return undefined;
    const element = argumentsOf(made)[2];
    if (element === undefined) return undefined;
    return this.beta(fn, [element, ...args.slice(role === 'lift' ? 6 : 5)]);
  }

  /** The natural number that a term is, as a literal or as `Nat.zero`. */
  naturalOf(term: Expression): bigint | undefined {
    return naturalOf(this, term);
  }
}

function hasValue(
  constant: ConstantDeclaration,
): constant is Extract<ConstantDeclaration, { kind: 'definition' | 'theorem' }> {
  return constant.kind === 'theorem' || (constant.kind === 'definition' && constant.safety === 'safe');
}
