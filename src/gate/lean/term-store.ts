/**
 * The only maker of terms: interns them, so that equal terms are the same object, and computes what is known about each
 * when it is made.
 *
 * A store has two tables. What files say is kept for good; what the kernel makes while it checks one declaration
 * (`temporarily`) is forgotten afterwards, so that memory follows the size of the input and not the work done. A term
 * that is first made temporarily and then for good stays the same object.
 */
import type {
  Application,
  Binder,
  BinderInfo,
  BoundVariable,
  Constant,
  Expression,
  ExpressionKind,
  FreeVariable,
  Let,
  NaturalLiteral,
  Projection,
  Sort,
  StringLiteral,
} from './expression.ts';
import { LevelTable } from './level.ts';
import type { Level } from './level.ts';
import { NameTable } from './name.ts';
import type { Name } from './name.ts';
import { StoredTerm, type Datum } from './interning/stored-term.ts';
import { termHash } from './interning/term-hash.ts';
import { TermTable } from './interning/term-table.ts';

export class TermStore {
  readonly names = new NameTable();
  readonly levels = new LevelTable();
  readonly #kept = new TermTable(true);
  #temporary: TermTable | undefined;
  #count = 0;

  /** Makes terms for the duration of `work` that are forgotten afterwards. Nested calls are part of the outer one. */
  temporarily<Result>(work: () => Result): Result {
    if (this.#temporary !== undefined) return work();
    this.#temporary = new TermTable(false);
    try {
      return work();
    } finally {
      this.#temporary = undefined;
    }
  }

  /** Makes terms for good, also inside `temporarily`: for declarations that are read on demand. */
  permanently<Result>(work: () => Result): Result {
    const temporary = this.#temporary;
    if (temporary === undefined) return work();
    this.#temporary = undefined;
    this.#kept.fallback = temporary;
    try {
      return work();
    } finally {
      this.#kept.fallback = undefined;
      this.#temporary = temporary;
    }
  }

  /** Keeps terms for good that were made temporarily; to be called before these are forgotten. */
  keep(roots: Iterable<Expression>): void {
    const pending = [...roots] as unknown as StoredTerm[];
    for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
      if (term.isKept) continue;
      this.#kept.insert(term.hash, term);
      for (const part of [term.plain, term.first, term.second, term.third]) {
        if (part !== undefined) pending.push(part as unknown as StoredTerm);
      }
    }
  }

  /** How many terms are kept for good. */
  get size(): number {
    return this.#kept.size;
  }

  bound(index: number): BoundVariable {
    return this.#make('bound', this.names.anonymous, undefined, undefined, undefined, index) as BoundVariable;
  }

  /** A free variable; `index` is at least `type.freeBound`, which makes it new with respect to its type. */
  free(index: number, type: Expression): FreeVariable {
    return this.#make('free', this.names.anonymous, type, undefined, undefined, index) as FreeVariable;
  }

  sort(level: Level): Sort {
    return this.#make('sort', this.names.anonymous, undefined, undefined, undefined, level) as Sort;
  }

  constant(name: Name, levels: readonly Level[]): Constant {
    return this.#make('constant', name, undefined, undefined, undefined, levels) as Constant;
  }

  apply(fn: Expression, argument: Expression): Application {
    return this.#make('application', this.names.anonymous, fn, argument, undefined, undefined) as Application;
  }

  applyAll(fn: Expression, ...args: readonly Expression[]): Expression {
    return args.reduce<Expression>((term, argument) => this.apply(term, argument), fn);
  }

  lambda(name: Name, type: Expression, body: Expression, info: BinderInfo = 'default'): Binder {
    return this.#make('lambda', name, type, body, undefined, info) as Binder;
  }

  pi(name: Name, type: Expression, body: Expression, info: BinderInfo = 'default'): Binder {
    return this.#make('pi', name, type, body, undefined, info) as Binder;
  }

  let(name: Name, type: Expression, value: Expression, body: Expression, nondep = false): Let {
    return this.#make('let', name, type, value, body, nondep) as Let;
  }

  natural(natural: bigint): NaturalLiteral {
    return this.#make(
      'natural',
      this.names.anonymous,
      undefined,
      undefined,
      undefined,
      natural,
    ) as NaturalLiteral;
  }

  string(text: string): StringLiteral {
    return this.#make('string', this.names.anonymous, undefined, undefined, undefined, text) as StringLiteral;
  }

  projection(structure: Name, index: number, subject: Expression): Projection {
    return this.#make('projection', structure, subject, undefined, undefined, index) as Projection;
  }

  #make(
    kind: ExpressionKind,
    name: Name,
    first: Expression | undefined,
    second: Expression | undefined,
    third: Expression | undefined,
    datum: Datum,
  ): Expression {
    const hash = termHash(kind, name, first, second, third, datum);
    const kept = this.#kept.find(hash, kind, name, first, second, third, datum);
    if (kept !== undefined) return kept as Expression;
    const temporary = this.#temporary;
    if (temporary !== undefined) {
      const found = temporary.find(hash, kind, name, first, second, third, datum);
      if (found !== undefined) return found as Expression;
    }
    const plain = this.#plain(kind, name, first, second, third, datum);
    const term = new StoredTerm(this.#count++, hash, kind, name, first, second, third, datum, plain);
    (temporary ?? this.#kept).insert(hash, term);
    return term as unknown as Expression;
  }

  /** The plain form of the term to be made; undefined when it is the term itself. */
  #plain(
    kind: ExpressionKind,
    name: Name,
    first: Expression | undefined,
    second: Expression | undefined,
    third: Expression | undefined,
    datum: Datum,
  ): Expression | undefined {
    if (first === undefined) return undefined;
    const binds = kind === 'lambda' || kind === 'pi' || kind === 'let';
    const plainName = binds ? this.names.anonymous : name;
    const plainDatum = kind === 'let' ? false : binds ? 'default' : datum;
    if (
      plainName === name &&
      plainDatum === datum &&
      first.plain === first &&
      (second === undefined || second.plain === second) &&
      (third === undefined || third.plain === third)
    ) {
      return undefined;
    }
    return this.#make(kind, plainName, first.plain, second?.plain, third?.plain, plainDatum);
  }
}
