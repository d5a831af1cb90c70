/**
 * A guard checker of our own, beside the kernel's: whether every recursive call of a function is made on a part of the
 * argument that it recurs on, and every corecursive one stands under a constructor.
 *
 * The kernel follows much more (parts that come out of other functions, arguments that are always the same), and that is
 * where it has been wrong, release after release, `coqchk` with it (`dev/doc/critical-bugs.md` of Rocq). This one knows what
 * a definition that people write needs, and does not know the rest. What it confirms is sound by a short argument: the body
 * is equal by computation to one where each call is made on what a `match` took out of the argument.
 */
import { entryAt } from '../../../core/entry.ts';
import { MalformedValue } from '../compiled/ocaml-values.ts';
import {
  application,
  lifted,
  made,
  type Match,
  mentions,
  partsOf,
  type Recursion,
  reduced,
  type Scope,
  spineOf,
  substituted,
  type Term,
} from './kernel-terms.ts';
import { argumentsOf, type Declarations, isSameTree } from './recursive-types.ts';
import { type Context, type Size, sizeOfVariable, withUnknown } from './sizes.ts';

class NotConfirmed extends Error {}

/** In the place of a value of which nothing may be concluded. */
const UNKNOWN = made({ kind: 'other' });

/** What takes more steps, or a look into more constants that stand in each other, is not confirmed. */
const MOST_STEPS = 200_000;
const MOST_UNFOLDED = 30;

/** Whether all functions of a `fix` or `cofix` call themselves as they should. @param known what is declared around them. @throws LibraryNeeded */
export function isGuarded(recursion: Recursion, known: Declarations): boolean {
  try {
    const check = new GuardCheck(recursion.bodies.length, known);
    if (recursion.kind === 'fix') check.recursive(recursion);
    else check.corecursive(recursion);
    return true;
  } catch (error) {
    // Deeper than the stack: nobody writes that.
    if (error instanceof NotConfirmed || error instanceof MalformedValue || error instanceof RangeError)
      return false;
    throw error;
  }
}

class GuardCheck {
  readonly #functions: number;
  readonly #known: Declarations;
  #places: readonly number[] = [];
  #steps = 0;
  #unfolded = 0;

  constructor(functions: number, known: Declarations) {
    this.#functions = functions;
    this.#known = known;
  }

  recursive({ places, bodies }: Recursion): void {
    this.#places = places;
    for (const [index, body] of bodies.entries()) {
      const place = entryAt(places, index, 'place');
      let context: Context = bodies.map(() => undefined);
      let rest = body;
      for (let argument = 0; argument <= place; argument += 1) {
        const taken = this.#asFunction(rest);
        this.#check(taken.domain, context, []);
        context = [...context, argument === place ? this.#sizeOfArgument(taken.domain) : undefined];
        rest = taken.body;
      }
      this.#check(rest, context, []);
    }
  }

  corecursive({ bodies }: Recursion): void {
    for (const body of bodies) this.#productive(body, bodies.length, false);
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new NotConfirmed();
  }

  #asFunction(term: Term): { readonly domain: Term; readonly body: Term } {
    this.#step();
    const { head, arguments: given } = spineOf(term);
    if (head.kind === 'function' && given.length === 0) return head;
    const next =
      head.kind === 'constant' || head.kind === 'match' ? undefined : this.#headReduced(head, given);
    if (next !== undefined) return this.#asFunction(next);
    throw new NotConfirmed();
  }

  #sizeOfArgument(type: Term): Size {
    this.#step();
    const { head, arguments: given } = spineOf(type);
    if (head.kind === 'type') {
      const tree = this.#known.tree(head.type);
      return tree && { isSmaller: false, tree };
    }
    const next = this.#headReduced(head, given) ?? this.#behindStructure(head, given);
    return next && this.#sizeOfArgument(next);
  }

  /** A part of a structure that constants stand for: what `match` looks at is computed, too. */
  #behindStructure(head: Term, given: readonly Term[]): Term | undefined {
    if (head.kind !== 'match') return undefined;
    this.#step();
    const { head: inner, arguments: own } = spineOf(head.scrutinee);
    const next = this.#headReduced(inner, own) ?? this.#behindStructure(inner, own);
    return next && application(made({ ...head, scrutinee: next }), given);
  }

  /** One step of computation at the head that needs no look at arguments; undefined where there is none. */
  #headReduced(head: Term, given: readonly Term[]): Term | undefined {
    if (head.kind === 'let') return application(substituted(head.body, [head.value]), given);
    if (head.kind === 'function' && given.length > 0) return reduced(head, given);
    if (head.kind === 'constant') return this.#opened(head.name, given);
    return head.kind === 'match' ? this.#chosenBranch(head, given) : undefined;
  }

  #opened(constant: string, given: readonly Term[]): Term | undefined {
    if (this.#unfolded > MOST_UNFOLDED) return undefined;
    const value = this.#known.value(constant);
    return value && reduced(value, given);
  }

  /** The branch of a `match` on a constructor. */
  #chosenBranch({ scrutinee, parameters, branches }: Match, given: readonly Term[]): Term | undefined {
    const { head, arguments: all } = spineOf(scrutinee);
    if (head.kind !== 'constructor') return undefined;
    const branch = branches[head.place];
    const values = all.slice(parameters);
    if (branch?.isPlain !== true || values.length !== branch.bound) return undefined;
    return application(substituted(branch.body, values), given);
  }

  /** Number of the first function among the variables of a term in a context. */
  #first(context: Context): number {
    return context.length - this.#functions + 1;
  }

  /** @param given what is known of the arguments that the term is applied to outside; they were checked there. */
  #check(term: Term, context: Context, given: readonly Size[]): void {
    this.#step();
    if (!mentions(term, this.#first(context), this.#functions)) return;
    const { head, arguments: own } = spineOf(term);
    if (head.kind === 'constant') {
      this.#checkCall(head.name, own, { context, given });
      return;
    }
    const next = this.#headReduced(head, own);
    if (next !== undefined) {
      this.#check(next, context, given);
      return;
    }
    for (const argument of own) this.#check(argument, context, []);
    const sizes = [...own.map((argument) => this.#size(argument, context)), ...given];
    switch (head.kind) {
      case 'variable':
        this.#checkVariable(head.number, own, context);
        break;
      case 'function':
        this.#check(head.domain, context, []);
        this.#check(head.body, [...context, sizes[0]], sizes.slice(1));
        break;
      case 'product':
        this.#check(head.domain, context, []);
        this.#check(head.body, [...context, undefined], []);
        break;
      case 'match':
        this.#checkMatch(head, context, sizes);
        break;
      case 'fix':
      case 'cofix':
        this.#checkInner(head, context, sizes);
        break;
      default:
        for (const [part] of partsOf(head)) this.#check(part, context, []);
    }
  }

  #checkVariable(number: number, own: readonly Term[], context: Context): void {
    const called = this.#functions - (number - this.#first(context)) - 1;
    if (called < 0 || called >= this.#functions) return;
    // Functions are bound in order: the last one is the innermost.
    const place = entryAt(this.#places, called, 'place');
    const argument = own[place];
    if (argument === undefined || this.#size(argument, context)?.isSmaller !== true) throw new NotConfirmed();
  }

  /** What a constant is given may hold calls that are made on parts only where the constant says on what: `List.map`. */
  #checkCall(
    name: string,
    own: readonly Term[],
    { context, given }: { readonly context: Context; readonly given: readonly Size[] },
  ): void {
    try {
      for (const argument of own) this.#check(argument, context, []);
    } catch (error) {
      if (!(error instanceof NotConfirmed)) throw error;
      const opened = this.#opened(name, own);
      if (opened === undefined) throw error;
      this.#unfolded += 1;
      this.#check(opened, context, given);
      this.#unfolded -= 1;
    }
  }

  #checkMatch(match: Match, context: Context, given: readonly Size[]): void {
    const { parts, returns, scrutinee, branches } = match;
    for (const part of parts) this.#check(part, context, []);
    this.#check(returns.body, withUnknown(context, returns.bound), []);
    this.#check(scrutinee, context, []);
    const passed = this.#passedThrough(returns, given);
    const sizes = this.#sizesInBranches(match, context);
    for (const [place, { body }] of branches.entries())
      this.#check(body, [...context, ...entryAt(sizes, place, 'branch')], passed);
  }

  /** The kernel checks by itself that the inner function ends: it is called with what it is given here, or with parts of that. */
  #checkInner({ kind, places, types, bodies }: Recursion, context: Context, given: readonly Size[]): void {
    for (const type of types) this.#check(type, context, []);
    const inside = withUnknown(context, bodies.length);
    const [place] = places;
    const isKnown = kind === 'fix' && bodies.length === 1 && place !== undefined;
    const sizes = isKnown ? [...given.slice(0, place).map(() => undefined), given[place]] : [];
    const known = isKnown && given.length > place ? sizes : [];
    for (const body of bodies) this.#check(body, inside, known);
  }

  #sizesInBranches({ scrutinee, branches }: Match, context: Context): readonly Context[] {
    const size = this.#size(scrutinee, context);
    const known = size && argumentsOf(size.tree, this.#known.own.layout);
    return branches.map(({ bound, isPlain }, place) => {
      const trees = known?.[place];
      if (!isPlain || trees?.length !== bound) return Array.from({ length: bound }, () => undefined);
      return trees.map((tree) => tree && { isSmaller: true, tree });
    });
  }

  #size(term: Term, context: Context): Size {
    this.#step();
    const { head, arguments: own } = spineOf(term);
    if (head.kind === 'variable') return sizeOfVariable(context[context.length - head.number], own.length);
    if (head.kind === 'fix') return this.#sizeOfResult(head, own, context);
    const next = this.#headReduced(head, own);
    if (next !== undefined) return this.#size(next, context);
    return head.kind === 'match' ? this.#sizeOfMatch(head, own, context) : undefined;
  }

  /** Of parts that come out of a `match` whose result has one type, whatever is matched. */
  #sizeOfMatch(match: Match, given: readonly Term[], context: Context): Size {
    const { returns, branches } = match;
    if (!this.#hasOneType(returns, given.length)) return undefined;
    const sizes = this.#sizesInBranches(match, context);
    let common: Size;
    const passed = this.#passedThrough(returns, given);
    for (const [place, { body, bound }] of branches.entries()) {
      const result = reduced(
        body,
        passed.map((one) => (one === undefined ? UNKNOWN : lifted(one, bound))),
      );
      // Of what is in no type nothing comes.
      if (isMatchOnNothing(result)) continue;
      const size = this.#size(result, [...context, ...entryAt(sizes, place, 'branch')]);
      if (size === undefined || (common !== undefined && !isSameTree(common.tree, size.tree)))
        return undefined;
      common = { isSmaller: size.isSmaller && common?.isSmaller !== false, tree: size.tree };
    }
    return common;
  }

  /** A function whose result is never larger than what it recurs on, as of `Nat.sub`: that its own calls keep to this is assumed, since they are made on parts. */
  #sizeOfResult({ places, bodies }: Recursion, given: readonly Term[], context: Context): Size {
    const [place] = places;
    const [body] = bodies;
    const argument = place === undefined ? undefined : given[place];
    if (body === undefined || bodies.length > 1 || place === undefined || argument === undefined)
      return undefined;
    const size = this.#size(argument, context);
    if (size === undefined) return undefined;
    let inside: Context = [...context, { isSmaller: true, tree: size.tree, place }];
    let rest = body;
    for (let taken = 0; taken < given.length; taken += 1) {
      if (rest.kind !== 'function') return undefined;
      inside = [...inside, taken === place ? size : undefined];
      rest = rest.body;
    }
    return this.#size(rest, inside);
  }

  /** What is still known of arguments behind a `match`: not where it could pass them off as values of another type. */
  #passedThrough<Given>({ bound, body }: Scope, given: readonly Given[]): readonly (Given | undefined)[] {
    let type = body;
    return given.map((one, place) => {
      if (type.kind !== 'product') return undefined;
      const { domain } = type;
      type = type.body;
      return this.#isOneType(domain, place + 1, bound) ? one : undefined;
    });
  }

  /** Whether a `match` has results of one type, whatever is matched, when it is applied to so many arguments. */
  #hasOneType({ bound, body }: Scope, given: number): boolean {
    let type = body;
    for (let taken = 0; taken < given; taken += 1) {
      if (type.kind !== 'product') return false;
      type = type.body;
    }
    return this.#isOneType(type, given + 1, bound);
  }

  /** Whether some variables change no more of a type than its indices. */
  #isOneType(type: Term, first: number, count: number): boolean {
    if (!mentions(type, first, count)) return true;
    const { head, arguments: given } = spineOf(type);
    const parameters = head.kind === 'type' ? this.#known.parameters(head.type) : undefined;
    return parameters !== undefined && !given.slice(0, parameters).some((one) => mentions(one, first, count));
  }

  /** @param depth how many variables are bound around the term, the functions among them. @param isBelow whether a constructor stands around it. */
  #productive(term: Term, depth: number, isBelow: boolean): void {
    this.#step();
    const first = depth - this.#functions + 1;
    if (!mentions(term, first, this.#functions)) return;
    const { head, arguments: own } = spineOf(term);
    const next = this.#headReduced(head, own);
    if (next !== undefined) {
      this.#productive(next, depth, isBelow);
      return;
    }
    const hasCalls = (one: Term): boolean => mentions(one, first, this.#functions);
    if (head.kind === 'function') this.#productive(head.body, depth + 1, isBelow);
    else if (head.kind === 'constructor') {
      const tree = this.#known.tree(head.type);
      const parts = tree && argumentsOf(tree, this.#known.own.layout)[head.place];
      if (parts === undefined) throw new NotConfirmed();
      const parameters = own.length - parts.length;
      for (const [place, one] of own.entries())
        if (parts[place - parameters] !== undefined) this.#productive(one, depth, true);
        else if (hasCalls(one)) throw new NotConfirmed();
    } else if (head.kind === 'match') {
      // What is of another type in a branch is no part of what is made here.
      const { bound, body: type } = head.returns;
      const isOne =
        this.#hasOneType(head.returns, own.length) && !mentions(type, first + bound, this.#functions);
      if (!isOne || [head.scrutinee, ...head.parts, ...own].some(hasCalls)) throw new NotConfirmed();
      for (const { body, bound } of head.branches) this.#productive(body, depth + bound, isBelow);
    } else if (head.kind !== 'variable' || !isBelow || own.some(hasCalls)) throw new NotConfirmed();
  }
}

function isMatchOnNothing(term: Term): boolean {
  const { head } = spineOf(term);
  return head.kind === 'match' && head.branches.length === 0;
}
