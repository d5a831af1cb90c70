/**
 * The types of terms. `check` finds the type of a term of which nothing is known, and checks every part of it; `inferKnown` finds the
 * type of a term that is known to have one, without looking again.
 *
 * A variable that is bound gets, when its binder is opened, a free variable with a number above those of all free variables
 * in sight, and carries its type: what is found out about a term holds wherever the term occurs, so that results can be kept.
 */
import type { ConstantDeclaration } from '../declaration.ts';
import { argumentsOf, applicationHead } from '../expression.ts';
import type { Application, Binder, Constant, Expression, FreeVariable, Projection } from '../expression.ts';
import type { Level } from '../level.ts';
import { Rejection } from './answer.ts';
import { Reduction } from './reduction.ts';
import { abstract, bindAll, instantiate } from './substitution.ts';

export abstract class Inference extends Reduction {
  readonly #checked = new Map<Expression, Expression>();
  readonly #inferred = new Map<Expression, Expression>();

  /** The type of the term. Throws a Rejection when a part of it has none, or is not what its place asks for. */
  check(term: Expression): Expression {
    return this.#infer(term, true);
  }

  override inferKnown(term: Expression): Expression {
    return this.#infer(term, false);
  }

  /** The universe level of a type, which is checked. */
  checkType(type: Expression): Level {
    return this.sortLevel(this.check(type), type);
  }

  /** The level of a sort, after computing; `of` is the term whose type the sort is. */
  sortLevel(sort: Expression, of: Expression): Level {
    const found = this.whnf(sort);
    if (found.kind !== 'sort') throw new Rejection('a type was expected, and this is none', [of, found]);
    return found.level;
  }

  #infer(term: Expression, checking: boolean): Expression {
    // What was checked is known; what is only known was not checked.
    const known = this.#checked.get(term) ?? (checking ? undefined : this.#inferred.get(term));
    if (known !== undefined) return known;
    this.context.fuel.spend();
    const type = this.#inferNew(term, checking);
    (checking ? this.#checked : this.#inferred).set(term, type);
    return type;
  }

  #inferNew(term: Expression, checking: boolean): Expression {
    switch (term.kind) {
      case 'bound':
        throw new Rejection('a bound variable is outside its binder');
      case 'free':
        return term.type;
      case 'sort':
        return this.store.sort(this.store.levels.successor(term.level));
      case 'constant':
        return this.#inferConstant(term);
      case 'application':
        return this.#inferApplication(term, checking);
      case 'lambda':
        return this.#inferLambda(term, checking);
      case 'pi':
        return this.#inferPi(term, checking);
      case 'let': {
        if (checking) {
          this.checkType(term.type);
          this.requireEqual(this.check(term.value), term.type, 'the value of a let has another type');
        }
        return this.#infer(instantiate(this.store, term.body, [term.value]), checking);
      }
      case 'natural':
        return this.context.primitives.naturalType;
      case 'string':
        return this.context.primitives.stringType;
      case 'projection':
        return this.#inferProjection(term, checking);
    }
  }

  protected requireEqual(found: Expression, expected: Expression, problem: string): void {
    if (!this.isEqual(found, expected)) throw new Rejection(problem, [found, expected]);
  }

  #inferConstant(term: Constant): Expression {
    const constant = this.environment.find(term.name);
    if (constant === undefined) throw new Rejection(`${term.name.toString()} is not declared`);
    const caution = cautionOf(constant);
    if (caution !== undefined) {
      throw new Rejection(`${term.name.toString()} is ${caution}, and nothing safe may rest on it`);
    }
    return this.instantiateConstant(constant, constant.type.plain, term.levels);
  }

  #inferApplication(term: Application, checking: boolean): Expression {
    const args = argumentsOf(term);
    let type = this.#infer(applicationHead(term), checking);
    /** The first argument that is not put into the type yet. */
    let pending = 0;
    for (const [position, argument] of args.entries()) {
      if (type.kind !== 'pi') {
        type = this.whnf(instantiate(this.store, type, args.slice(pending, position)));
        pending = position;
        if (type.kind !== 'pi')
          throw new Rejection('a term is applied that is no function', [applicationHead(term), type]);
      }
      if (checking) {
        const expected = instantiate(this.store, type.type, args.slice(pending, position));
        this.requireEqual(this.check(argument), expected, 'an argument has another type');
      }
      type = type.body;
    }
    return instantiate(this.store, type, args.slice(pending));
  }

  #inferLambda(term: Binder, checking: boolean): Expression {
    const variables: FreeVariable[] = [];
    let body: Expression = term;
    while (body.kind === 'lambda') {
      const type = instantiate(this.store, body.type, variables);
      if (checking) this.checkType(type);
      variables.push(this.store.free(term.freeBound + variables.length, type));
      body = body.body;
    }
    const type = this.#infer(instantiate(this.store, body, variables), checking);
    return bindAll(this.store, 'pi', variables, type);
  }

  #inferPi(term: Binder, checking: boolean): Expression {
    const variables: FreeVariable[] = [];
    const levels: Level[] = [];
    let body: Expression = term;
    while (body.kind === 'pi') {
      const type = instantiate(this.store, body.type, variables);
      levels.push(this.sortLevel(this.#infer(type, checking), type));
      variables.push(this.store.free(term.freeBound + variables.length, type));
      body = body.body;
    }
    const result = instantiate(this.store, body, variables);
    const level = this.sortLevel(this.#infer(result, checking), result);
    return this.store.sort(
      levels.reduceRight<Level>((inner, outer) => this.store.levels.imax(outer, inner), level),
    );
  }

  #inferProjection(term: Projection, checking: boolean): Expression {
    const { store } = this;
    const type = this.whnf(this.#infer(term.subject, checking));
    const head = applicationHead(type);
    if (head.kind !== 'constant' || head.name !== term.name) {
      throw new Rejection(`a field of ${term.name.toString()} is taken of something else`, [term, type]);
    }
    const structure = this.environment.find(term.name);
    const name = structure?.kind === 'inductive' ? structure.constructors[0] : undefined;
    if (structure?.kind !== 'inductive' || name === undefined || structure.constructors.length !== 1) {
      throw new Rejection(`${term.name.toString()} is no structure, so it has no fields`);
    }
    const constructor = this.environment.find(name);
    const args = argumentsOf(type);
    if (
      constructor?.kind !== 'constructor' ||
      args.length !== structure.parameterCount + structure.indexCount
    ) {
      throw new Rejection(`${term.name.toString()} is not applied to all that it needs`);
    }
    if (term.index >= constructor.fieldCount) {
      throw new Rejection(`${term.name.toString()} has no field number ${term.index}`);
    }
    let rest = this.instantiateConstant(constructor, constructor.type.plain, head.levels);
    for (const parameter of args.slice(0, structure.parameterCount)) {
      rest = instantiate(store, this.#pi(rest).body, [parameter]);
    }
    // A proof shows no data: neither the field itself nor what its type depends on may be any.
    const isProof = this.isProposition(type);
    for (let index = 0; index < term.index; index++) {
      const pi = this.#pi(rest);
      if (isProof && pi.body.looseBound > 0 && !this.isProposition(pi.type)) {
        throw new Rejection(`a field of the proposition ${term.name.toString()} is after data`);
      }
      rest = instantiate(store, pi.body, [store.projection(term.name, index, term.subject)]);
    }
    const field = this.#pi(rest).type;
    if (isProof && !this.isProposition(field)) {
      throw new Rejection(`data is taken out of a proof of ${term.name.toString()}`);
    }
    return field;
  }

  #pi(type: Expression): Binder {
    const result = type.kind === 'pi' ? type : this.whnf(type);
    if (result.kind !== 'pi') throw new Rejection('a function type was expected', [type, result]);
    return result;
  }

  /** A new free variable for the binder at the head of a term, and the body with it. */
  open(binder: Binder, above: number): { readonly variable: FreeVariable; readonly body: Expression } {
    const variable = this.store.free(Math.max(above, binder.freeBound), binder.type);
    return { variable, body: instantiate(this.store, binder.body, [variable]) };
  }

  /** The body with the variable bound again. */
  close(kind: 'lambda' | 'pi', variable: FreeVariable, body: Expression): Expression {
    const { store } = this;
    const closed = abstract(store, body, [variable]);
    return kind === 'lambda'
      ? store.lambda(store.names.anonymous, variable.type, closed)
      : store.pi(store.names.anonymous, variable.type, closed);
  }
}

/** Why nothing safe may rest on a constant. */
export function cautionOf(constant: ConstantDeclaration): 'unsafe' | 'partial' | undefined {
  switch (constant.kind) {
    case 'definition':
      return constant.safety === 'safe' ? undefined : constant.safety;
    case 'axiom':
    case 'opaque':
    case 'inductive':
    case 'constructor':
    case 'recursor':
      return constant.isUnsafe ? 'unsafe' : undefined;
    case 'theorem':
    case 'quotient':
      return undefined;
  }
}
