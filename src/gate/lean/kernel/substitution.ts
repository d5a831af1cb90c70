/**
 * Replacing variables in terms. Shared subterms are visited once, and subterms that have none of the variables not at all.
 */
import { at } from '../at.ts';
import type { BoundVariable, Expression, FreeVariable } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';
import type { TermStore } from '../term-store.ts';
import { substituteLevel } from './level-order.ts';

/** Small terms are done before a table of what was visited pays. */
const VISITS_WITHOUT_TABLE = 16;

/** One pass over a term that rebuilds it. Subclasses say what changes and what stays. */
abstract class Rebuilding {
  protected readonly store: TermStore;
  #visits = 0;
  /** For each number of binders above, what terms became. */
  readonly #done: (Map<Expression, Expression> | undefined)[] = [];

  constructor(store: TermStore) {
    this.store = store;
  }

  /** Whether the term, under so many binders, stays as it is. */
  protected abstract stays(term: Expression, binders: number): boolean;
  /** What becomes of a term that may change; undefined to go on to its subterms. */
  protected abstract replace(term: Expression, binders: number): Expression | undefined;

  rebuild(term: Expression, binders: number): Expression {
    if (this.stays(term, binders)) return term;
    const replaced = this.replace(term, binders);
    if (replaced !== undefined) return replaced;
    if (++this.#visits <= VISITS_WITHOUT_TABLE) return this.#rebuildParts(term, binders);
    let done = this.#done[binders];
    if (done === undefined) {
      done = new Map();
      this.#done[binders] = done;
    }
    let result = done.get(term);
    if (result === undefined) {
      result = this.#rebuildParts(term, binders);
      done.set(term, result);
    }
    return result;
  }

  #rebuildParts(term: Expression, binders: number): Expression {
    const { store } = this;
    switch (term.kind) {
      case 'application':
        return store.apply(this.rebuild(term.fn, binders), this.rebuild(term.argument, binders));
      case 'lambda': {
        const type = this.rebuild(term.type, binders);
        return store.lambda(term.name, type, this.rebuild(term.body, binders + 1), term.info);
      }
      case 'pi': {
        const type = this.rebuild(term.type, binders);
        return store.pi(term.name, type, this.rebuild(term.body, binders + 1), term.info);
      }
      case 'let': {
        const type = this.rebuild(term.type, binders);
        const value = this.rebuild(term.value, binders);
        return store.let(term.name, type, value, this.rebuild(term.body, binders + 1), term.nondep);
      }
      case 'projection':
        return store.projection(term.name, term.index, this.rebuild(term.subject, binders));
      case 'bound':
      case 'free':
      case 'sort':
      case 'constant':
      case 'natural':
      case 'string':
        return term;
    }
  }
}

class Instantiation extends Rebuilding {
  readonly #values: readonly Expression[];
  constructor(store: TermStore, values: readonly Expression[]) {
    super(store);
    this.#values = values;
  }
  protected override stays(term: Expression, binders: number): boolean {
    return term.looseBound <= binders;
  }
  protected override replace(term: Expression, binders: number): Expression | undefined {
    if (term.kind !== 'bound') return undefined;
    const values = this.#values;
    const position = values.length - 1 - (term.index - binders);
    return position < 0
      ? this.store.bound(term.index - values.length)
      : lift(this.store, at(values, position, 'value'), binders);
  }
}

class Lifting extends Rebuilding {
  readonly #by: number;
  constructor(store: TermStore, by: number) {
    super(store);
    this.#by = by;
  }
  protected override stays(term: Expression, binders: number): boolean {
    return term.looseBound <= binders;
  }
  protected override replace(term: Expression): BoundVariable | undefined {
    return term.kind === 'bound' ? this.store.bound(term.index + this.#by) : undefined;
  }
}

/** Under so many of the variables, and binders of the term, as `binders` says. */
class Abstraction extends Rebuilding {
  readonly #positions: ReadonlyMap<Expression, number>;
  readonly #lowest: number;
  constructor(store: TermStore, variables: readonly FreeVariable[]) {
    super(store);
    this.#positions = new Map(variables.map((variable, position) => [variable, position]));
    this.#lowest = variables.reduce((lowest, { index }) => Math.min(lowest, index), Infinity);
  }
  protected override stays(term: Expression): boolean {
    return term.freeBound <= this.#lowest;
  }
  protected override replace(term: Expression, binders: number): Expression | undefined {
    if (term.kind !== 'free') return undefined;
    const position = this.#positions.get(term);
    return position === undefined ? term : this.store.bound(binders - 1 - position);
  }
}

class LevelSubstitution extends Rebuilding {
  readonly #levels = new Map<Level, Level>();
  constructor(store: TermStore, parameters: readonly Name[], values: readonly Level[]) {
    super(store);
    for (const [position, name] of parameters.entries())
      this.#levels.set(store.levels.parameter(name), at(values, position, 'universe level'));
  }
  protected override stays(term: Expression): boolean {
    return !term.hasParameters;
  }
  protected override replace(term: Expression): Expression | undefined {
    if (term.kind === 'sort') return this.store.sort(this.#level(term.level));
    if (term.kind === 'constant') {
      return this.store.constant(
        term.name,
        term.levels.map((level) => this.#level(level)),
      );
    }
    return undefined;
  }
  #level(level: Level): Level {
    return substituteLevel(this.store.levels, level, this.#levels);
  }
}

class Replacing extends Rebuilding {
  readonly #replacement: (term: Expression, binders: number) => Expression | undefined;
  constructor(store: TermStore, replacement: (term: Expression, binders: number) => Expression | undefined) {
    super(store);
    this.#replacement = replacement;
  }
  protected override stays(): boolean {
    return false;
  }
  protected override replace(term: Expression, binders: number): Expression | undefined {
    return this.#replacement(term, binders);
  }
}

/**
 * The term, which stands under `values.length` binders, with values for their variables: the last value is that of the
 * innermost binder. Other loose variables move down.
 */
export function instantiate(store: TermStore, term: Expression, values: readonly Expression[]): Expression {
  if (term.looseBound === 0 || values.length === 0) return term;
  return new Instantiation(store, values).rebuild(term, 0);
}

/** The term moved under `by` more binders. */
export function lift(store: TermStore, term: Expression, by: number): Expression {
  return term.looseBound === 0 || by === 0 ? term : new Lifting(store, by).rebuild(term, 0);
}

/** The inverse of `instantiate` with free variables: these become bound, the last one by the innermost binder. */
export function abstract(store: TermStore, term: Expression, variables: readonly FreeVariable[]): Expression {
  return variables.length === 0 ? term : new Abstraction(store, variables).rebuild(term, variables.length);
}

/** The term with levels for universe parameters. */
export function instantiateLevels(
  store: TermStore,
  term: Expression,
  parameters: readonly Name[],
  values: readonly Level[],
): Expression {
  return term.hasParameters ? new LevelSubstitution(store, parameters, values).rebuild(term, 0) : term;
}

/** The term with other terms in place of those for which `replacement` gives one, from the outside in. */
export function replaceTerms(
  store: TermStore,
  term: Expression,
  replacement: (term: Expression, binders: number) => Expression | undefined,
): Expression {
  return new Replacing(store, replacement).rebuild(term, 0);
}

/** `λ variables. body` (or Π), abstracting the variables in the body and in each other's types. */
export function bindAll(
  store: TermStore,
  kind: 'lambda' | 'pi',
  variables: readonly FreeVariable[],
  body: Expression,
): Expression {
  const abstraction = new Abstraction(store, variables);
  let result = abstraction.rebuild(body, variables.length);
  for (let position = variables.length - 1; position >= 0; position--) {
    const variable = at(variables, position, 'variable');
    const type = abstraction.rebuild(variable.type, position);
    result =
      kind === 'lambda'
        ? store.lambda(store.names.anonymous, type, result)
        : store.pi(store.names.anonymous, type, result);
  }
  return result;
}
