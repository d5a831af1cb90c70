/**
 * The three axioms of Lean's library, known by what they say. A name proves nothing: `propext` may be declared as
 * `False`, and what it says depends on what `Iff` and `Eq` are. So the statement is compared with the one that is
 * made here, and every constant in it with its definition.
 */
import type { ConstantDeclaration } from './declaration.ts';
import type { Expression } from './expression.ts';
import { bindAll } from './kernel/substitution.ts';
import type { Level } from './level.ts';
import type { Name } from './name.ts';
import type { TermStore } from './term-store.ts';

export const STANDARD_AXIOMS = ['propext', 'Quot.sound', 'Classical.choice'] as const;

export type FindConstant = (name: Name) => ConstantDeclaration | undefined;

/**
 * Whether the axiom of that name, one of the three, says what it says in Lean's library. The kernel has accepted
 * it.
 */
export function saysTheStandard(store: TermStore, find: FindConstant, name: Name): boolean {
  const axiom = find(name);
  if (axiom?.kind !== 'axiom' || axiom.isUnsafe) return false;
  const statements = new StandardStatements(store, find);
  return axiom.type.plain === statements.of(axiom.name.toString(), axiom.levelParameters);
}

class StandardStatements {
  readonly #store: TermStore;
  readonly #find: FindConstant;
  readonly #prop: Expression;

  constructor(store: TermStore, find: FindConstant) {
    this.#store = store;
    this.#find = find;
    this.#prop = store.sort(store.levels.zero);
  }

  /** Undefined where the constants of the statement are not those of the library. */
  of(axiom: string, levelParameters: readonly Name[]): Expression | undefined {
    const [level, ...others] = levelParameters.map((name) => this.#store.levels.parameter(name));
    if (others.length > 0) return undefined;
    switch (axiom) {
      case 'propext':
        return level === undefined && this.#hasIff() && this.#hasEq() ? this.#propext() : undefined;
      case 'Quot.sound':
        return level && this.#hasQuotients() && this.#hasEq() ? this.#sound(level) : undefined;
      case 'Classical.choice':
        return level && this.#hasNonempty() ? this.#choice(level) : undefined;
      default:
        return undefined;
    }
  }

  /** `∀ {a b : Prop}, Iff a b → Eq a b` */
  #propext(): Expression {
    const store = this.#store;
    const [a, b] = [store.free(0, this.#prop), store.free(1, this.#prop)];
    const equality = this.#apply('Eq', [store.levels.one], this.#prop, a, b);
    return bindAll(store, 'pi', [a, b], this.#arrow(this.#apply('Iff', [], a, b), equality));
  }

  /** `∀ {α : Sort u} {r : α → α → Prop} {a b : α}, r a b → Eq (Quot.mk r a) (Quot.mk r b)` */
  #sound(u: Level): Expression {
    const store = this.#store;
    const alpha = store.free(0, store.sort(u));
    const r = store.free(1, this.#arrow(alpha, this.#arrow(alpha, this.#prop)));
    const [a, b] = [store.free(2, alpha), store.free(3, alpha)];
    const quotient = this.#apply('Quot', [u], alpha, r);
    const made = (of: Expression): Expression => this.#apply('Quot.mk', [u], alpha, r, of);
    const equality = this.#apply('Eq', [u], quotient, made(a), made(b));
    return bindAll(store, 'pi', [alpha, r, a, b], this.#arrow(store.applyAll(r, a, b), equality));
  }

  /** `∀ {α : Sort u}, Nonempty α → α` */
  #choice(u: Level): Expression {
    const store = this.#store;
    const alpha = store.free(0, store.sort(u));
    return bindAll(store, 'pi', [alpha], this.#arrow(this.#apply('Nonempty', [u], alpha), alpha));
  }

  #hasIff(): boolean {
    const store = this.#store;
    const [a, b] = [store.free(0, this.#prop), store.free(1, this.#prop)];
    const both = this.#arrow(this.#arrow(a, b), this.#arrow(this.#arrow(b, a), this.#apply('Iff', [], a, b)));
    return this.#isInductive('Iff', 0, 'intro', () => [
      bindAll(store, 'pi', [a, b], this.#prop),
      bindAll(store, 'pi', [a, b], both),
    ]);
  }

  #hasEq(): boolean {
    const store = this.#store;
    return this.#isInductive('Eq', 1, 'refl', ([u]) => {
      if (u === undefined) return undefined;
      const alpha = store.free(0, store.sort(u));
      const [a, b] = [store.free(1, alpha), store.free(2, alpha)];
      return [
        bindAll(store, 'pi', [alpha, a, b], this.#prop),
        bindAll(store, 'pi', [alpha, a], this.#apply('Eq', [u], alpha, a, a)),
      ];
    });
  }

  #hasNonempty(): boolean {
    const store = this.#store;
    return this.#isInductive('Nonempty', 1, 'intro', ([u]) => {
      if (u === undefined) return undefined;
      const alpha = store.free(0, store.sort(u));
      return [
        bindAll(store, 'pi', [alpha], this.#prop),
        bindAll(store, 'pi', [alpha], this.#arrow(alpha, this.#apply('Nonempty', [u], alpha))),
      ];
    });
  }

  /** The kernel lets constants of quotients have no other types than Lean's. */
  #hasQuotients(): boolean {
    return ['Quot', 'Quot.mk'].every((name) => this.#find(this.#name(name))?.kind === 'quotient');
  }

  /** Whether the inductive type is declared with this one constructor; `types` makes the types of both. */
  #isInductive(
    text: string,
    levelCount: number,
    only: string,
    types: (levels: readonly Level[]) => readonly [Expression, Expression] | undefined,
  ): boolean {
    const type = this.#find(this.#name(text));
    const constructor = this.#find(this.#name(text).child(only));
    if (type?.kind !== 'inductive' || constructor?.kind !== 'constructor') return false;
    if (type.levelParameters.length !== levelCount || type.constructors.length !== 1) return false;
    if (type.constructors[0] !== constructor.name || type.isUnsafe) return false;
    const typesFor = (parameters: readonly Name[]) =>
      types(parameters.map((parameter) => this.#store.levels.parameter(parameter)));
    return (
      typesFor(type.levelParameters)?.[0] === type.type.plain &&
      typesFor(constructor.levelParameters)?.[1] === constructor.type.plain
    );
  }

  #name(text: string): Name {
    return this.#store.names.of(...text.split('.'));
  }

  #apply(name: string, levels: readonly Level[], ...args: readonly Expression[]): Expression {
    return this.#store.applyAll(this.#store.constant(this.#name(name), levels), ...args);
  }

  #arrow(from: Expression, to: Expression): Expression {
    return this.#store.pi(this.#store.names.anonymous, from, to);
  }
}
