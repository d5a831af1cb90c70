/**
 * The only maker of terms: interns them, so that equal terms are the same object, and computes what is known about each
 * when it is made.
 *
 * A store has two tables. What files say is kept for good; what the kernel makes while it checks one declaration
 * (`temporarily`) is forgotten afterwards, so that memory follows the size of the input and not the work done. A term
 * that is first made temporarily and then for good stays the same object.
 */
import { randomInt } from 'node:crypto';
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
    const pending = [...roots] as unknown as Term[];
    for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
      if (term.isKept) continue;
      this.#kept.insert(term.hash, term);
      for (const part of [term.plain, term.first, term.second, term.third]) {
        if (part !== undefined) pending.push(part as unknown as Term);
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
    const hash = hashOf(kind, name, first, second, third, datum);
    const kept = this.#kept.find(hash, kind, name, first, second, third, datum);
    if (kept !== undefined) return kept as Expression;
    const temporary = this.#temporary;
    if (temporary !== undefined) {
      const found = temporary.find(hash, kind, name, first, second, third, datum);
      if (found !== undefined) return found as Expression;
    }
    const plain = this.#plain(kind, name, first, second, third, datum);
    const term = new Term(this.#count++, hash, kind, name, first, second, third, datum, plain);
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

/** What a kind of term holds besides its name and subterms. */
type Datum = undefined | number | bigint | string | boolean | Level | readonly Level[];

/**
 * The one shape of all terms at run time, so that reading a field is fast whatever the kind. The getters give the
 * fields the names that they have in expression.ts; only those of a term's own kind make sense.
 */
class Term {
  readonly id: number;
  readonly hash: number;
  /** Whether it is kept for good, and with it all its parts. */
  isKept = false;
  readonly kind: ExpressionKind;
  readonly looseBound: number;
  readonly freeBound: number;
  readonly hasParameters: boolean;
  readonly plain: Expression;
  readonly name: Name;
  readonly first: Expression | undefined;
  readonly second: Expression | undefined;
  readonly third: Expression | undefined;
  readonly datum: Datum;

  constructor(
    id: number,
    hash: number,
    kind: ExpressionKind,
    name: Name,
    first: Expression | undefined,
    second: Expression | undefined,
    third: Expression | undefined,
    datum: Datum,
    plain: Expression | undefined,
  ) {
    let looseBound = 0;
    let freeBound = 0;
    let hasParameters = false;
    // The last subterm of a binder is one binder further in.
    if (first !== undefined) {
      looseBound = first.looseBound;
      freeBound = first.freeBound;
      hasParameters = first.hasParameters;
    }
    if (second !== undefined) {
      const loose =
        kind === 'lambda' || kind === 'pi' ? Math.max(second.looseBound - 1, 0) : second.looseBound;
      if (loose > looseBound) looseBound = loose;
      if (second.freeBound > freeBound) freeBound = second.freeBound;
      hasParameters = hasParameters || second.hasParameters;
    }
    if (third !== undefined) {
      if (third.looseBound - 1 > looseBound) looseBound = third.looseBound - 1;
      if (third.freeBound > freeBound) freeBound = third.freeBound;
      hasParameters = hasParameters || third.hasParameters;
    }
    if (kind === 'bound') looseBound = (datum as number) + 1;
    else if (kind === 'free') freeBound = (datum as number) + 1;
    else if (kind === 'sort') hasParameters = (datum as Level).hasParameters;
    else if (kind === 'constant')
      hasParameters = (datum as readonly Level[]).some((level) => level.hasParameters);
    this.id = id;
    this.hash = hash;
    this.kind = kind;
    this.looseBound = looseBound;
    this.freeBound = freeBound;
    this.hasParameters = hasParameters;
    this.name = name;
    this.first = first;
    this.second = second;
    this.third = third;
    this.datum = datum;
    this.plain = plain ?? (this as unknown as Expression);
  }

  get fn(): Expression | undefined {
    return this.first;
  }
  get argument(): Expression | undefined {
    return this.second;
  }
  get type(): Expression | undefined {
    return this.first;
  }
  get body(): Expression | undefined {
    return this.kind === 'let' ? this.third : this.second;
  }
  get value(): Expression | undefined {
    return this.second;
  }
  get subject(): Expression | undefined {
    return this.first;
  }
  get index(): Datum {
    return this.datum;
  }
  get info(): Datum {
    return this.datum;
  }
  get level(): Datum {
    return this.datum;
  }
  get levels(): Datum {
    return this.datum;
  }
  get nondep(): Datum {
    return this.datum;
  }
  get natural(): Datum {
    return this.datum;
  }
  get text(): Datum {
    return this.datum;
  }
}

/** A power of 2. */
const SMALLEST_TABLE = 256;

/** An open-addressing hash set of terms, found by their parts. */
class TermTable {
  /** Another table whose terms are taken over instead of being made again. */
  fallback: TermTable | undefined;
  readonly #forGood: boolean;
  #terms = new Array<Term | undefined>(SMALLEST_TABLE);
  #hashes = new Int32Array(SMALLEST_TABLE);
  size = 0;

  constructor(forGood: boolean) {
    this.#forGood = forGood;
  }

  find(
    hash: number,
    kind: ExpressionKind,
    name: Name,
    first: Expression | undefined,
    second: Expression | undefined,
    third: Expression | undefined,
    datum: Datum,
  ): Term | undefined {
    const mask = this.#hashes.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const term = this.#terms[slot];
      if (term === undefined) break;
      if (
        this.#hashes[slot] === hash &&
        term.first === first &&
        term.second === second &&
        term.third === third &&
        term.name === name &&
        term.kind === kind &&
        (term.datum === datum || (kind === 'constant' && sameLevels(term.datum as Levels, datum as Levels)))
      ) {
        return term;
      }
    }
    const other = this.fallback?.find(hash, kind, name, first, second, third, datum);
    if (other === undefined) return undefined;
    this.insert(hash, other);
    // Its plain form has kept parts as well.
    const plain = other.plain as unknown as Term;
    if (!plain.isKept) this.insert(plain.hash, plain);
    return other;
  }

  /** Adds a term that `find` does not find. */
  insert(hash: number, term: Term): void {
    if (this.#forGood) term.isKept = true;
    this.size++;
    if (this.size * 2 > this.#hashes.length) this.#grow();
    this.#place(hash, term);
  }

  #place(hash: number, term: Term): void {
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#terms[slot] !== undefined) slot = (slot + 1) & mask;
    this.#terms[slot] = term;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const terms = this.#terms;
    const hashes = this.#hashes;
    this.#terms = new Array<Term | undefined>(hashes.length * 2);
    this.#hashes = new Int32Array(hashes.length * 2);
    for (const [slot, hash] of hashes.entries()) {
      const term = terms[slot];
      if (term !== undefined) this.#place(hash, term);
    }
  }
}

type Levels = readonly Level[];

function sameLevels(left: Levels, right: Levels): boolean {
  return left.length === right.length && left.every((level, position) => level === right[position]);
}

/** Differs from run to run, so that no file can be made whose terms all collide. */
const SEED = randomInt(2 ** 31);

/** Equal parts give equal hashes; made of the unique numbers of the parts. */
function hashOf(
  kind: ExpressionKind,
  name: Name,
  first: Expression | undefined,
  second: Expression | undefined,
  third: Expression | undefined,
  datum: Datum,
): number {
  let hash = SEED ^ kind.charCodeAt(0) ^ (kind.length << 8);
  if (first !== undefined) hash = mix(hash, first.id);
  if (second !== undefined) hash = mix(hash, second.id);
  if (third !== undefined) hash = mix(hash, third.id);
  hash = mix(hash, name.id);
  switch (typeof datum) {
    case 'number':
      hash = mix(hash, datum);
      break;
    case 'bigint':
      hash = mixText(hash, datum.toString(16));
      break;
    case 'string':
      hash = mixText(hash, datum);
      break;
    case 'object':
      if ('id' in datum) hash = mix(hash, datum.id);
      else for (const level of datum) hash = mix(hash, level.id);
      break;
    case 'boolean':
      hash = mix(hash, datum ? 1 : 0);
      break;
    default:
      break;
  }
  return hash ^ (hash >>> 15);
}

function mixText(hash: number, text: string): number {
  let result = hash;
  for (let position = 0; position < text.length; position++) {
    result = mix(result, text.charCodeAt(position));
  }
  return result;
}

function mix(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x9e3779b1);
  return product ^ (product >>> 16);
}

/**
 * What the kernel takes a string literal apart into, by name. A literal mentions none of it, and rests on all of it: a
 * `Char.ofNat` that is made from an axiom makes strings out of that axiom.
 */
const BEHIND_STRINGS: readonly (readonly string[])[] = [
  ['String'],
  ['String', 'ofList'],
  ['String', 'mk'],
  ['List'],
  ['List', 'nil'],
  ['List', 'cons'],
  ['Char'],
  ['Char', 'ofNat'],
];

export function namesBehindStrings({ names }: TermStore): Name[] {
  return BEHIND_STRINGS.map((name) => names.of(...name));
}
