/** The four constants of quotients, which are built in: their types are made here and compared with the file's. */
import type { ConstantDeclaration, QuotientConstant } from '../declaration.ts';
import type { Environment } from '../environment.ts';
import type { Expression } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { Rejection } from './answer.ts';
import { bindAll } from './substitution.ts';

export class QuotientTypes {
  readonly #store: TermStore;
  readonly #environment: Environment;
  readonly #u: Level;
  readonly #v: Level;
  readonly #names: Readonly<Record<QuotientConstant['role'], Name>>;

  constructor(store: TermStore, environment: Environment) {
    this.#store = store;
    this.#environment = environment;
    this.#u = store.levels.parameter(store.names.of('u'));
    this.#v = store.levels.parameter(store.names.of('v'));
    const type = store.names.of('Quot');
    const [constructor, lift, induction] = [type.child('mk'), type.child('lift'), type.child('ind')];
    this.#names = { type, constructor, lift, induction };
  }

  /** Lean declares the four together: with one of them, the names of the others can mean nothing else. */
  problemWith(constants: readonly ConstantDeclaration[]): string | undefined {
    const names = Object.values(this.#names);
    const own = constants.filter(({ name }) => names.includes(name));
    if (own.length === 0) return undefined;
    const all = [...own, ...names.flatMap((name) => this.#environment.find(name) ?? [])];
    if (!all.some(({ kind }) => kind === 'quotient')) return undefined;
    const other = all.find(({ kind }) => kind !== 'quotient');
    return other && `${other.name.toString()} is a name of quotients`;
  }

  /** What a constant of quotients must be declared as. */
  constant(role: QuotientConstant['role']): QuotientConstant {
    if (role === 'lift') this.#requireEquality();
    const { names } = this.#store;
    return {
      kind: 'quotient',
      name: this.#names[role],
      levelParameters: role === 'lift' ? [names.of('u'), names.of('v')] : [names.of('u')],
      type: this.#type(role),
      role,
    };
  }

  #type(role: QuotientConstant['role']): Expression {
    const store = this.#store;
    const prop = store.sort(store.levels.zero);
    const alpha = store.free(0, store.sort(this.#u));
    const arrow = (from: Expression, to: Expression) => store.pi(store.names.anonymous, from, to);
    const r = store.free(1, arrow(alpha, arrow(alpha, prop)));
    const quotient = store.applyAll(store.constant(this.#names.type, [this.#u]), alpha, r);
    const make = (element: Expression) =>
      store.applyAll(store.constant(this.#names.constructor, [this.#u]), alpha, r, element);
    switch (role) {
      case 'type':
        return bindAll(store, 'pi', [alpha, r], store.sort(this.#u));
      case 'constructor':
        return bindAll(store, 'pi', [alpha, r], arrow(alpha, quotient));
      case 'lift': {
        const beta = store.free(2, store.sort(this.#v));
        const f = store.free(3, arrow(alpha, beta));
        const [a, b] = [store.free(4, alpha), store.free(5, alpha)];
        const equality = store.applyAll(
          store.constant(store.names.of('Eq'), [this.#v]),
          beta,
          store.apply(f, a),
          store.apply(f, b),
        );
        const respects = bindAll(store, 'pi', [a, b], arrow(store.applyAll(r, a, b), equality));
        return bindAll(store, 'pi', [alpha, r, beta, f], arrow(respects, arrow(quotient, beta)));
      }
      case 'induction': {
        const beta = store.free(2, arrow(quotient, prop));
        const a = store.free(3, alpha);
        const step = bindAll(store, 'pi', [a], store.apply(beta, make(a)));
        const q = store.free(3, quotient);
        const all = bindAll(store, 'pi', [q], store.apply(beta, q));
        return bindAll(store, 'pi', [alpha, r, beta], arrow(step, all));
      }
    }
  }

  /** `Quot.lift` speaks about equality: it must be the real one. */
  #requireEquality(): void {
    const store = this.#store;
    const name = store.names.of('Eq');
    const type = this.#environment.find(name);
    const refl = this.#environment.find(name.child('refl'));
    const parameter = type?.levelParameters[0];
    if (
      type?.kind === 'inductive' &&
      refl?.kind === 'constructor' &&
      parameter !== undefined &&
      type.levelParameters.length === 1 &&
      refl.levelParameters.length === 1 &&
      refl.levelParameters[0] === parameter &&
      type.constructors.length === 1 &&
      type.constructors[0] === refl.name
    ) {
      const level = store.levels.parameter(parameter);
      const alpha = store.free(0, store.sort(level));
      const [a, b] = [store.free(1, alpha), store.free(2, alpha)];
      const equality = store.applyAll(store.constant(name, [level]), alpha, a);
      const expectedType = bindAll(store, 'pi', [alpha, a, b], store.sort(store.levels.zero));
      const expectedRefl = bindAll(store, 'pi', [alpha, a], store.apply(equality, a));
      if (type.type.plain === expectedType && refl.type.plain === expectedRefl) return;
    }
    throw new Rejection('quotients need Eq, and Eq is not declared as equality');
  }
}
