/**
 * Lean's kernel: checks declarations one after the other and adds what it accepts to an environment.
 *
 * `accepted` means: the declaration is well-formed and well-typed in Lean's type theory, given the constants in the
 * environment, whatever the file claims. Everything that is wrong is `rejected`. Where the kernel would have to guess or to
 * work without bound, it answers `declined`; then, as after a rejection, nothing is added.
 */
import type {
  ConstantDeclaration,
  Declaration,
  DefinitionConstant,
  OpaqueConstant,
  QuotientConstant,
  TheoremConstant,
} from '../declaration.ts';
import { constantsOf, declarationName, termsOf } from '../declaration.ts';
import type { Environment } from '../environment.ts';
import { constantsIn, forEachSubterm } from '../expression.ts';
import type { Expression } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { Declined, Fuel, Rejection } from './answer.ts';
import type { KernelAnswer } from './answer.ts';
import { checkInductiveBlock } from './inductive-block.ts';
import { cautionOf } from './inference.ts';
import { LevelOrder } from './level-order.ts';
import { Primitives } from './literals.ts';
import { QuotientTypes } from './quotients.ts';
import type { KernelContext } from './reduction.ts';
import { instantiateLevels } from './substitution.ts';
import { TypeChecker } from './type-checker.ts';

export interface KernelLimits {
  /** Steps of computation, comparison and inference for one declaration. */
  readonly steps: number;
}

export const DEFAULT_LIMITS: KernelLimits = { steps: 50_000_000 };

/** For each equation by which an operation on numbers is recognised; a few hundred are needed. */
const RECOGNITION_STEPS = 200_000;

export class Kernel {
  readonly #context: KernelContext;
  readonly #heights = new Map<Name, number>();
  readonly #accepted = new Set<Name>();
  readonly #unchecked: Name[] = [];
  readonly #quotients: QuotientTypes;

  /** All terms must be of the store. */
  constructor(store: TermStore, environment: Environment, limits: KernelLimits = DEFAULT_LIMITS) {
    const fuel = new Fuel(limits.steps);
    this.#quotients = new QuotientTypes(store, environment);
    this.#context = {
      store,
      environment,
      levelOrder: new LevelOrder(fuel),
      fuel,
      primitives: new Primitives(store, environment, (assumptions) => {
        return new TypeChecker({ ...this.#context, fuel: new Fuel(RECOGNITION_STEPS) }, assumptions);
      }),
      heightOf: (constant) => this.#heightOf(constant),
    };
  }

  /**
   * The unsafe and partial constants that were met. They are taken into the environment without being checked; nothing safe
   * can refer to them.
   */
  get unchecked(): readonly Name[] {
    return this.#unchecked;
  }

  /** Checks the declaration and adds its constants when it is right. */
  add(declaration: Declaration): KernelAnswer {
    const { store, environment, fuel } = this.#context;
    const name = declarationName(declaration);
    fuel.refill();
    try {
      const constants = store.temporarily(() => {
        this.#checkNames(declaration);
        const checked = this.#check(declaration);
        store.keep(checked.flatMap(termsOf));
        return checked;
      });
      for (const constant of constants) {
        environment.add(constant);
        this.#accepted.add(constant.name);
      }
      return { kind: 'accepted' };
    } catch (error) {
      if (error instanceof Rejection) {
        return { kind: 'rejected', declaration: name, problem: error.message, terms: error.terms };
      }
      if (error instanceof Declined) return { kind: 'declined', declaration: name, problem: error.message };
      // The stack, a string or a big number has become too large.
      if (error instanceof RangeError) {
        return { kind: 'declined', declaration: name, problem: `too deep or too large (${error.message})` };
      }
      throw error;
    }
  }

  /**
   * Whether two closed terms that have types are equal by computation. Throws where `add` would answer `rejected` or
   * `declined`.
   */
  areEqual(left: Expression, right: Expression): boolean {
    const { store, fuel } = this.#context;
    fuel.refill();
    return store.temporarily(() => new TypeChecker(this.#context).isEqual(left.plain, right.plain));
  }

  /** The type of a closed term, after checking it. Throws where `add` would answer `rejected` or `declined`. */
  typeOf(term: Expression): Expression {
    const { store, fuel } = this.#context;
    fuel.refill();
    return store.temporarily(() => {
      const type = new TypeChecker(this.#context).check(term.plain);
      store.keep([type]);
      return type;
    });
  }

  #checkNames(declaration: Declaration): void {
    const constants = constantsOf(declaration);
    for (const { name, levelParameters } of constants) {
      if (name.isAnonymous) throw new Rejection('a constant has no name');
      if (name.components[0] === '_nested') throw new Rejection(`${name.toString()} is a reserved name`);
      if (new Set(levelParameters).size < levelParameters.length) {
        throw new Rejection(`${name.toString()} has the same universe parameter twice`);
      }
    }
    const { environment } = this.#context;
    const problem = environment.problemWith(constants) ?? this.#quotients.problemWith(constants);
    if (problem !== undefined) throw new Rejection(problem);
  }

  #check(declaration: Declaration): readonly ConstantDeclaration[] {
    const constants = constantsOf(declaration);
    if (constants.some((constant) => cautionOf(constant) !== undefined)) {
      if (constants.some((constant) => cautionOf(constant) === undefined)) {
        throw new Rejection('only a part of the block is unsafe');
      }
      for (const { name } of constants) this.#unchecked.push(name);
      return constants;
    }
    for (const constant of constants) this.#checkForm(constant);
    switch (declaration.kind) {
      case 'axiom':
        this.#checkType(declaration);
        return [declaration];
      case 'definition':
      case 'opaque':
      case 'theorem':
        this.#checkValue(declaration);
        return [declaration];
      case 'quotient':
        return [this.#checkQuotient(declaration)];
      case 'inductive-block':
        return checkInductiveBlock(this.#context, declaration);
    }
  }

  /** What can be seen without types: all variables are bound, and universe parameters are declared. */
  #checkForm(constant: ConstantDeclaration): void {
    const declared = new Set(constant.levelParameters);
    const seen = new Set<Level>();
    for (const term of termsOf(constant)) {
      if (term.looseBound > 0) throw new Rejection('a bound variable is outside its binder');
      if (term.freeBound > 0) throw new Rejection('a free variable is in a declaration');
      if (!term.hasParameters) continue;
      forEachSubterm([term], (part) => {
        if (part.kind === 'sort') requireDeclared([part.level], declared, seen);
        else if (part.kind === 'constant') requireDeclared(part.levels, declared, seen);
        return part.hasParameters;
      });
    }
  }

  #checkType(constant: ConstantDeclaration): TypeChecker {
    const checker = new TypeChecker(this.#context);
    checker.checkType(constant.type.plain);
    return checker;
  }

  #checkValue(constant: DefinitionConstant | TheoremConstant | OpaqueConstant): void {
    const checker = this.#checkType(constant);
    const type = constant.type.plain;
    if (constant.kind === 'theorem' && !checker.isProposition(type)) {
      throw new Rejection('the statement of a theorem is no proposition');
    }
    const found = checker.check(constant.value.plain);
    if (!checker.isEqual(found, type)) {
      throw new Rejection('the value has another type than is declared', [found, type]);
    }
  }

  #checkQuotient(given: QuotientConstant): QuotientConstant {
    const { store } = this.#context;
    const made = this.#quotients.constant(given.role);
    if (given.name !== made.name) {
      throw new Rejection(`${given.name.toString()} is not what the constant of quotients is called`);
    }
    this.#checkType(given);
    const levels = made.levelParameters.map((name) => store.levels.parameter(name));
    if (
      given.levelParameters.length !== levels.length ||
      instantiateLevels(store, given.type.plain, given.levelParameters, levels) !== made.type
    ) {
      throw new Rejection(`${given.name.toString()} has another type`, [given.type, made.type]);
    }
    return given;
  }

  /** How many definitions are below a definition. Of constants that were not checked here, the file is believed. */
  #heightOf(constant: ConstantDeclaration): number {
    if (constant.kind !== 'definition' || constant.hints.kind === 'opaque') return 0;
    if (constant.hints.kind !== 'regular') return Number.MAX_SAFE_INTEGER;
    if (!this.#accepted.has(constant.name)) return constant.hints.height;
    const known = this.#heights.get(constant.name);
    if (known !== undefined) return known;
    let height = 1;
    // A definition is above those that it uses, which were there before it: this ends.
    for (const name of constantsIn(constant.value)) {
      const used = this.#context.environment.find(name);
      if (used?.kind !== 'definition' || used.hints.kind !== 'regular') continue;
      height = Math.max(height, this.#heightOf(used) + 1);
    }
    this.#heights.set(constant.name, height);
    return height;
  }
}

function requireDeclared(levels: readonly Level[], declared: ReadonlySet<Name>, seen: Set<Level>): void {
  const pending = [...levels];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!next.hasParameters || seen.has(next)) continue;
    seen.add(next);
    switch (next.kind) {
      case 'zero':
        break;
      case 'parameter':
        if (!declared.has(next.name)) {
          throw new Rejection(`the universe parameter ${next.name.toString()} is not declared`);
        }
        break;
      case 'successor':
        pending.push(next.of);
        break;
      case 'max':
      case 'imax':
        pending.push(next.left, next.right);
        break;
    }
  }
}
