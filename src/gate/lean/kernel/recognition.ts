/**
 * Whether a declaration satisfies the equations of an operation on numbers (natural-operations.ts), by computing with free variables
 * for the numbers. Names prove nothing here: what is found by name or by form is only tried, and the equation decides.
 *
 * Variables stand for numbers, so a comparison with variables may be supposed to have a value: whatever is derived then
 * holds, by the same derivation, for all numbers for which the comparison has it.
 *
 * A recursion may be written in three ways.
 * - So that the equation itself holds by computation.
 * - By recursion over a proof of accessibility. Such a proof is equal to every other proof of the same, so also to one that is a
 *   constructor, with which the recursion computes.
 * - With an argument that counts the calls that are left, and that is large enough at the beginning. Then all equations are about
 *   any large enough count, with one less at the calls inside; by induction over the count they are about the operation. How
 *   the operation comes to its count is found by computing its head, in the same way for all arguments.
 */
import type { RecursorConstant } from '../declaration.ts';
import type { Environment } from '../environment.ts';
import { argumentsOf, applicationHead } from '../expression.ts';
import type { Expression } from '../expression.ts';
import type { TermStore } from '../term-store.ts';
import type { Assumption, Equation, EquationTerms, KnownOperation } from './natural-operations.ts';

/** What is asked of a type checker that works under assumptions. */
export interface EquationChecker {
  check(term: Expression): Expression;
  inferKnown(term: Expression): Expression;
  isEqual(left: Expression, right: Expression): boolean;
  isProposition(type: Expression): boolean;
  whnf(term: Expression): Expression;
  whnfCore(term: Expression): Expression;
  unfold(term: Expression): Expression | undefined;
}

export interface Recognition {
  readonly store: TermStore;
  readonly environment: Environment;
  readonly terms: EquationTerms;
  readonly checkerUnder: (assumptions: readonly Assumption[]) => EquationChecker;
}

/** Definitions that are unfolded in the search for a counting argument. */
const MOST_UNFOLDINGS = 64;

/** Whether all equations of the operation hold of the function. */
export function satisfies(recognition: Recognition, fn: Expression, operation: KnownOperation): boolean {
  const { terms } = recognition;
  const holding = (equation: Equation) => new EquationTest(recognition, fn, operation, equation).holding();
  const apart = operation.apart?.(terms);
  if (apart !== undefined && holding(apart) === undefined) return false;
  const [first, ...others] = operation.equations(terms);
  const form = first && holding(first);
  return form !== undefined && others.every((equation) => holding(equation) === form);
}

/** What an equation was found to hold of: the operation, or the function of a count of calls that it computes to. */
type Holding = 'operation' | Counted['form'] | undefined;

/** A function of a count of calls, at given other arguments. */
interface Counted {
  /** A helper of the count, the rest, and a proof that the count is above the measure; or the recursor itself, without such a proof. */
  readonly form: 'helper' | 'recursor';
  readonly count: Expression;
  readonly at: (count: Expression) => Expression;
}

class EquationTest {
  readonly #recognition: Recognition;
  readonly #fn: Expression;
  readonly #equation: Equation;
  readonly #measure: Expression | undefined;
  readonly #checker: EquationChecker;
  /** Above those of all variables in sight. */
  #nextVariable = 3;

  constructor(recognition: Recognition, fn: Expression, { measure }: KnownOperation, equation: Equation) {
    this.#recognition = recognition;
    this.#fn = fn;
    this.#equation = equation;
    this.#measure = measure?.(equation.args);
    this.#checker = recognition.checkerUnder([...(equation.when ?? []), ...this.#groundness()]);
  }

  /** Lean's recursion over a count waits until the count equals itself by computation: it does, for numbers. */
  #groundness(): Assumption[] {
    if (this.#measure === undefined) return [];
    const count = this.#recognition.terms.successor(this.#measure);
    return [{ comparison: 'beq', left: count, right: count, is: true }];
  }

  holding(): Holding {
    const { args, value } = this.#equation;
    const checker = this.#checker;
    const left = this.#call(args);
    const right = value((...others) => this.#call(others));
    if (!checker.isEqual(checker.check(left), checker.check(right))) return undefined;
    const counted = this.#measure === undefined ? undefined : this.#counted(left);
    if (counted !== undefined) return this.#holdsForCounts(counted) ? counted.form : undefined;
    return checker.isEqual(this.#pastProof(left), right) ? 'operation' : undefined;
  }

  #call(args: readonly Expression[]): Expression {
    return this.#recognition.store.applyAll(this.#fn, ...args);
  }

  #holdsForCounts({ form, count, at }: Counted): boolean {
    const { terms, store } = this.#recognition;
    const checker = this.#checker;
    const measure = this.#measure;
    if (measure === undefined) return false;
    const smaller = store.free(2, checker.inferKnown(terms.x));
    const isAt = (left: Expression, right: Expression): boolean =>
      checker.isEqual(checker.check(left), checker.check(right)) && checker.isEqual(left, right);
    const inside: (Counted | undefined)[] = [];
    const right = this.#equation.value((...others) => {
      const call = this.#call(others);
      const there = this.#counted(call);
      inside.push(there);
      return there?.at(smaller) ?? call;
    });
    if (!inside.every((there) => there?.form === form)) return false;
    if (!isAt(at(terms.successor(smaller)), right)) return false;
    if (form === 'helper') return checker.isEqual(count, terms.successor(measure));
    // The count may be 0 where the measure is: there the equation is without calls.
    if (!checker.isEqual(count, measure)) return false;
    return measure === terms.zero ? isAt(at(terms.zero), right) : this.#isSuccessor(measure);
  }

  #isSuccessor(term: Expression): boolean {
    return term.kind === 'application' && term === this.#recognition.terms.successor(term.argument);
  }

  /** The function of a count that a term computes to, at its head. */
  #counted(term: Expression): Counted | undefined {
    const { store } = this.#recognition;
    let current: Expression | undefined = term;
    for (let steps = 0; current !== undefined && steps < MOST_UNFOLDINGS; steps++) {
      const recursion = this.#countedByRecursor(current);
      if (recursion !== undefined) return recursion;
      current = this.#checker.whnfCore(current);
      const head = applicationHead(current);
      const args = argumentsOf(current);
      const [count, rest] = args.slice(-3);
      // What Lean calls such helpers.
      if (
        head.kind === 'constant' &&
        head.name.component === 'go' &&
        count &&
        rest &&
        this.#isNumber(count)
      ) {
        const fn = store.applyAll(head, ...args.slice(0, -3));
        return { form: 'helper', count, at: (other) => this.#withProof(store.applyAll(fn, other, rest)) };
      }
      current = this.#checker.unfold(current);
    }
    return undefined;
  }

  #isNumber(term: Expression): boolean {
    const checker = this.#checker;
    return checker.isEqual(checker.inferKnown(term), checker.inferKnown(this.#recognition.terms.x));
  }

  /** A recursor with the count as the major premise, and one argument besides. */
  #countedByRecursor(term: Expression): Counted | undefined {
    const { store, environment } = this.#recognition;
    const head = applicationHead(term);
    const recursor = head.kind === 'constant' ? environment.find(head.name) : undefined;
    if (recursor?.kind !== 'recursor') return undefined;
    const args = argumentsOf(term);
    const position = majorPosition(recursor);
    const [count, rest] = args.slice(position);
    if (count === undefined || rest === undefined || args.length !== position + 2) return undefined;
    if (!this.#isNumber(count)) return undefined;
    const fn = store.applyAll(head, ...args.slice(0, position));
    return { form: 'recursor', count, at: (other) => store.applyAll(fn, other, rest) };
  }

  /** The term applied to some proof of what it asks for: where it is used for numbers, there is one. */
  #withProof(term: Expression): Expression {
    const type = this.#checker.whnf(this.#checker.check(term));
    if (type.kind !== 'pi' || !this.#checker.isProposition(type.type)) return term;
    const index = Math.max(this.#nextVariable, term.freeBound, type.freeBound);
    this.#nextVariable = index + 1;
    return this.#recognition.store.apply(term, this.#recognition.store.free(index, type.type));
  }

  /**
   * The term after one step of recursion over a proof that is not known to be a constructor: `w a`, a proof that `a` is
   * accessible, is equal to `intro a (fun b _ => w b)` when that proves the same.
   */
  #pastProof(term: Expression): Expression {
    const { store, environment } = this.#recognition;
    const checker = this.#checker;
    const stuck = checker.whnf(term);
    const head = applicationHead(stuck);
    const recursor = head.kind === 'constant' ? environment.find(head.name) : undefined;
    if (recursor?.kind !== 'recursor') return term;
    const args = argumentsOf(stuck);
    const position = majorPosition(recursor);
    const proof = args[position];
    const constructor = recursor.rules[0]?.constructor;
    if (proof?.kind !== 'application' || constructor === undefined) return term;
    const type = checker.whnf(checker.inferKnown(proof));
    const inductive = applicationHead(type);
    const [carrier, relation, place] = argumentsOf(type);
    if (inductive.kind !== 'constant' || carrier === undefined || relation === undefined) return term;
    if (place === undefined || !checker.isProposition(type)) return term;
    const anonymous = store.names.anonymous;
    const below = store.applyAll(relation, store.bound(0), place);
    const others = store.lambda(
      anonymous,
      carrier,
      store.lambda(anonymous, below, store.apply(proof.fn, store.bound(1))),
    );
    const made = store.applyAll(
      store.constant(constructor, inductive.levels),
      carrier,
      relation,
      place,
      others,
    );
    if (!checker.isEqual(checker.check(made), type)) return term;
    return checker.whnfCore(
      store.applyAll(head, ...args.slice(0, position), made, ...args.slice(position + 1)),
    );
  }
}

function majorPosition(recursor: RecursorConstant): number {
  const { parameterCount, motiveCount, minorCount, indexCount } = recursor;
  return parameterCount + motiveCount + minorCount + indexCount;
}
