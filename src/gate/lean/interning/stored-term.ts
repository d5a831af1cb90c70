/**
 * The one object that every term is at run time. Only the term store makes them (../term-store.ts): there equal terms are
 * the same object.
 */
import type { Expression, ExpressionKind } from '../expression.ts';
import type { Level } from '../level.ts';
import type { Name } from '../name.ts';

/** What a kind of term holds besides its name and subterms. */
export type Datum = undefined | number | bigint | string | boolean | Level | readonly Level[];

/**
 * The one shape of all terms at run time, so that reading a field is fast whatever the kind. The getters give the
 * fields the names that they have in expression.ts; only those of a term's own kind make sense.
 */
export class StoredTerm {
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
