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
import { Computation, NotConfirmed } from './computation.ts';
import {
  lifted,
  type Match,
  mentions,
  partsOf,
  type Recursion,
  reduced,
  spineOf,
  type Term,
  type TypeName,
  UNKNOWN,
} from './kernel-terms.ts';
import { isProductive } from './productive-corecursion.ts';
import { argumentsOf, type Declarations, isSameTree } from './recursive-types.ts';
import { type Context, type Size, sizeOfVariable, withUnknown } from './sizes.ts';
import { UnchangingTypes } from './unchanging-types.ts';

/** What takes a look into more constants that stand in each other is not confirmed. */
const MOST_UNFOLDED = 30;

/** Whether all functions of a `fix` or `cofix` call themselves as they should. @param known what is declared around them. @throws LibraryNeeded */
export function isGuarded(recursion: Recursion, known: Declarations): boolean {
  const computation = new Computation(known);
  try {
    if (recursion.kind === 'cofix') return isProductive(recursion, computation);
    new GuardCheck(recursion, computation).all();
    return true;
  } catch (error) {
    // Deeper than the stack: nobody writes that.
    if (error instanceof NotConfirmed || error instanceof MalformedValue || error instanceof RangeError)
      return false;
    throw error;
  }
}

class GuardCheck {
  readonly #recursion: Recursion;
  readonly #functions: number;
  readonly #known: Declarations;
  readonly #computation: Computation;
  readonly #types: UnchangingTypes;
  #unfolded = 0;

  constructor(recursion: Recursion, computation: Computation) {
    this.#recursion = recursion;
    this.#functions = recursion.bodies.length;
    this.#known = computation.known;
    this.#computation = computation;
    this.#types = new UnchangingTypes(computation, this.#blockOf(recursion));
  }

  all(): void {
    const { places, bodies } = this.#recursion;
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

  /** The block of the types that functions recur on, where it is one. */
  #blockOf({ places, bodies }: Recursion): string | undefined {
    const blocks = bodies.map((body, index) => {
      let taken = this.#asFunction(body);
      for (let place = entryAt(places, index, 'place'); place > 0; place -= 1)
        taken = this.#asFunction(taken.body);
      return this.#typeOf(taken.domain)?.block;
    });
    return new Set(blocks).size === 1 ? blocks[0] : undefined;
  }

  #asFunction(term: Term): { readonly domain: Term; readonly body: Term } {
    this.#computation.step();
    const { head, arguments: given } = spineOf(term);
    if (head.kind === 'function' && given.length === 0) return head;
    const next =
      head.kind === 'constant' || head.kind === 'match'
        ? undefined
        : this.#computation.headReduced(head, given);
    if (next !== undefined) return this.#asFunction(next);
    throw new NotConfirmed();
  }

  #typeOf(type: Term): TypeName | undefined {
    const { head, arguments: given } = spineOf(type);
    if (head.kind === 'type') return head.type;
    const next = this.#computation.typeReduced(head, given);
    return next && this.#typeOf(next);
  }

  #sizeOfArgument(type: Term): Size {
    const name = this.#typeOf(type);
    // A value that goes on for ever has no end to come to.
    const tree = name && this.#known.isCoinductive(name) === false ? this.#known.tree(name) : undefined;
    return tree && { isSmaller: false, tree };
  }

  /** Number of the first function among the variables of a term in a context. */
  #first(context: Context): number {
    return context.length - this.#functions + 1;
  }

  /** @param given what is known of the arguments that the term is applied to outside; they were checked there. */
  #check(term: Term, context: Context, given: readonly Size[]): void {
    this.#computation.step();
    if (!mentions(term, this.#first(context), this.#functions)) return;
    const { head, arguments: own } = spineOf(term);
    if (head.kind === 'constant') {
      this.#checkCall(head.name, own, { context, given });
      return;
    }
    const next = this.#computation.headReduced(head, own);
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
    const place = entryAt(this.#recursion.places, called, 'place');
    const argument = own[place];
    if (argument === undefined || this.#size(argument, context)?.isSmaller !== true) throw new NotConfirmed();
  }

  /** What a constant is given may hold calls that are made on parts only where the constant says on what: `List.map`. */
  #checkCall(
    name: string,
    own: readonly Term[],
    { context, given }: { readonly context: Context; readonly given: readonly Size[] },
  ): void {
    const opened = this.#unfolded > MOST_UNFOLDED ? undefined : this.#computation.opened(name, own);
    // What comes to a `match` (`eq_ind`) passes parts on, and such lemmas stand deep in each other: its arguments are not tried twice.
    if (opened === undefined || spineOf(opened).head.kind !== 'match') {
      try {
        for (const argument of own) this.#check(argument, context, []);
        return;
      } catch (error) {
        if (opened === undefined || !(error instanceof NotConfirmed)) throw error;
      }
    }
    this.#unfolded += 1;
    this.#check(opened, context, given);
    this.#unfolded -= 1;
  }

  #checkMatch(match: Match, context: Context, given: readonly Size[]): void {
    const { parts, returns, scrutinee, branches } = match;
    for (const part of parts) this.#check(part, context, []);
    this.#check(returns.body, withUnknown(context, returns.bound), []);
    this.#check(scrutinee, context, []);
    const passed = this.#types.passedThrough(returns, given);
    const sizes = this.#sizesInBranches(match, context);
    for (const [place, { body }] of branches.entries())
      this.#check(body, [...context, ...entryAt(sizes, place, 'branch')], passed);
  }

  /** The kernel checks by itself that the inner function ends: it is called with what it is given here, or with parts of that. */
  #checkInner(inner: Recursion, context: Context, given: readonly Size[]): void {
    const { places, which, types, bodies } = inner;
    for (const type of types) this.#check(type, context, []);
    const inside = withUnknown(context, bodies.length);
    const place = places[which];
    const isKnown = place !== undefined && given.length > place;
    const sizes = isKnown ? [...given.slice(0, place).map(() => undefined), given[place]] : [];
    for (const [index, body] of bodies.entries()) this.#check(body, inside, index === which ? sizes : []);
  }

  #sizesInBranches({ type, scrutinee, branches }: Match, context: Context): readonly Context[] {
    const size = this.#size(scrutinee, context);
    const known = size && argumentsOf(size.tree, this.#known.own.layout);
    return branches.map(({ bound, isPlain }, place) => {
      const trees = known?.[place];
      const isLet = isPlain ? undefined : this.#known.letsOf(type, place, bound);
      const parts = isLet === undefined ? trees : trees && besideLets(trees, isLet);
      if (parts?.length !== bound) return Array.from({ length: bound }, () => undefined);
      return parts.map((tree) => tree && { isSmaller: true, tree });
    });
  }

  #size(term: Term, context: Context): Size {
    this.#computation.step();
    const { head, arguments: own } = spineOf(term);
    if (head.kind === 'variable') return sizeOfVariable(context[context.length - head.number], own.length);
    if (head.kind === 'fix') return this.#sizeOfResult(head, own, context);
    const next = this.#computation.headReduced(head, own);
    if (next !== undefined) return this.#size(next, context);
    if (head.kind === 'projection') {
      const whole = this.#size(head.value, context);
      const tree = whole && argumentsOf(whole.tree, this.#known.own.layout)[0]?.[head.place];
      return tree && { isSmaller: true, tree };
    }
    return head.kind === 'match' ? this.#sizeOfMatch(head, own, context) : undefined;
  }

  /** Of parts that come out of a `match` whose result has one type, whatever is matched. */
  #sizeOfMatch(match: Match, given: readonly Term[], context: Context): Size {
    const { returns, branches } = match;
    if (!this.#types.hasOneType(returns, given.length)) return undefined;
    const sizes = this.#sizesInBranches(match, context);
    let common: Size;
    const passed = this.#types.passedThrough(returns, given);
    for (const [place, { body, bound }] of branches.entries()) {
      const result = reduced(
        body,
        passed.map((one) => (one === undefined ? UNKNOWN : lifted(one, bound))),
      );
      // Of what is in no type nothing comes.
      if (this.#computation.isFromNothing(result)) continue;
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
}

/** What arguments hold, with nothing for each `let` among them. */
function besideLets<Held>(held: readonly Held[], isLet: readonly boolean[]): readonly (Held | undefined)[] {
  const rest = [...held];
  const all = isLet.map((one) => (one ? undefined : rest.shift()));
  return rest.length === 0 ? all : [];
}
