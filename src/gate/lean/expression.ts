/**
 * Terms of Lean's type theory, made only by a `TermStore` (term-store.ts), which interns them: structurally equal
 * terms of one store are the same object. `mdata` is not represented: readers drop it.
 *
 * What is known about a term (ranges, parameters, the plain form) is computed when it is made, in constant time, and
 * never read from a file.
 */
import type { Level } from './level.ts';
import type { Name } from './name.ts';

export type BinderInfo = 'default' | 'implicit' | 'strictImplicit' | 'instImplicit';

interface TermBase {
  /** Unique in the store, in order of creation: children have smaller ones. */
  readonly id: number;
  /** All loose bound variables are below this: 0 means closed. */
  readonly looseBound: number;
  /** All free variables are below this: 0 means that there is none. */
  readonly freeBound: number;
  /** Whether a universe parameter occurs. */
  readonly hasParameters: boolean;
  /**
   * The same term without binder names, binder infos and `nondep`: terms are equal up to the names of bound variables
   * exactly when their plain forms are the same object. The kernel works on plain forms only.
   */
  readonly plain: Expression;
}

/** A variable bound by the binder that is `index` binders out. */
export interface BoundVariable extends TermBase {
  readonly kind: 'bound';
  readonly index: number;
}
/** A variable of the kernel's context: never in a file. Its number is above those of the free variables of its type. */
export interface FreeVariable extends TermBase {
  readonly kind: 'free';
  readonly index: number;
  readonly type: Expression;
}
export interface Sort extends TermBase {
  readonly kind: 'sort';
  readonly level: Level;
}
export interface Constant extends TermBase {
  readonly kind: 'constant';
  readonly name: Name;
  readonly levels: readonly Level[];
}
export interface Application extends TermBase {
  readonly kind: 'application';
  readonly fn: Expression;
  readonly argument: Expression;
}
export interface Binder extends TermBase {
  readonly kind: 'lambda' | 'pi';
  readonly name: Name;
  readonly type: Expression;
  readonly body: Expression;
  readonly info: BinderInfo;
}
export interface Let extends TermBase {
  readonly kind: 'let';
  readonly name: Name;
  readonly type: Expression;
  readonly value: Expression;
  readonly body: Expression;
  /** Written as `have`: no meaning for the kernel. */
  readonly nondep: boolean;
}
export interface NaturalLiteral extends TermBase {
  readonly kind: 'natural';
  readonly natural: bigint;
}
export interface StringLiteral extends TermBase {
  readonly kind: 'string';
  readonly text: string;
}
/** The field number `index` of `subject`, which is claimed to be of the structure `name`. */
export interface Projection extends TermBase {
  readonly kind: 'projection';
  readonly name: Name;
  readonly index: number;
  readonly subject: Expression;
}

export type Expression =
  | BoundVariable
  | FreeVariable
  | Sort
  | Constant
  | Application
  | Binder
  | Let
  | NaturalLiteral
  | StringLiteral
  | Projection;

export type ExpressionKind = Expression['kind'];

/** The head of an application: what is left when all arguments are taken away. */
export function applicationHead(expression: Expression): Expression {
  let head = expression;
  while (head.kind === 'application') head = head.fn;
  return head;
}

/** The arguments that `applicationHead` takes away, from left to right. */
export function argumentsOf(expression: Expression): Expression[] {
  const result: Expression[] = [];
  for (let term = expression; term.kind === 'application'; term = term.fn) result.push(term.argument);
  return result.reverse();
}

export function argumentCount(expression: Expression): number {
  let count = 0;
  for (let term = expression; term.kind === 'application'; term = term.fn) count++;
  return count;
}

/** The direct subterms, in order of reading. */
export function directSubterms(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'application':
      return [expression.fn, expression.argument];
    case 'lambda':
    case 'pi':
      return [expression.type, expression.body];
    case 'let':
      return [expression.type, expression.value, expression.body];
    case 'projection':
      return [expression.subject];
    case 'free':
      return [expression.type];
    case 'bound':
    case 'sort':
    case 'constant':
    case 'natural':
    case 'string':
      return [];
  }
}

/**
 * Every different subterm once, in no particular order; not what is inside terms for which `visit` answers false.
 * Uses no recursion, so depth does not matter.
 */
export function forEachSubterm(roots: Iterable<Expression>, visit: (term: Expression) => unknown): void {
  const seen = new Set<Expression>();
  const pending = [...roots];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if (visit(term) !== false) for (const part of directSubterms(term)) pending.push(part);
  }
}

/** The constants on which the terms rest: names of constants, and of structures in projections. */
export function constantsIn(...roots: readonly Expression[]): Set<Name> {
  const names = new Set<Name>();
  forEachSubterm(roots, (term) => {
    if (term.kind === 'constant' || term.kind === 'projection') names.add(term.name);
    return true;
  });
  return names;
}

/**
 * Whether a string literal stands in one of the terms: it rests on constants that it does not mention
 * (term-store.ts).
 */
export function hasString(terms: readonly Expression[]): boolean {
  let found = false;
  forEachSubterm(terms, (term) => {
    found ||= term.kind === 'string';
    return !found;
  });
  return found;
}
