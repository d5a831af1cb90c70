/**
 * Definitional equality, and with it the complete type checker. What is found out is kept for one declaration: a new
 * checker is made for each.
 *
 * Definitions are unfolded as late as possible, the one that was built last first, and before both sides of the same definition are
 * unfolded their arguments are compared. These are strategies: any order gives the same answer, if it gives one.
 */
import { argumentsOf, applicationHead, argumentCount } from '../expression.ts';
import type { Binder, Expression, Projection } from '../expression.ts';
import { Inference } from './inference.ts';
import { reduceNatural } from './literals.ts';
import { instantiate } from './substitution.ts';

/** What a step of unfolding leaves: an answer, or two terms, of which one or both may be unfolded again. */
type Unfolded =
  | { readonly kind: 'answer'; readonly equal: boolean }
  | { readonly kind: 'terms' | 'settled'; readonly left: Expression; readonly right: Expression };

export class TypeChecker extends Inference {
  /** Pairs that were compared, in both orders. Equality of pairs is not carried on to other pairs. */
  readonly #compared = new Map<Expression, Map<Expression, boolean>>();
  /** Pairs of applications of the same definition whose arguments are known to differ. */
  readonly #differing = new Map<Expression, Set<Expression>>();

  override isEqual(left: Expression, right: Expression): boolean {
    const quick = this.#isEqualQuickly(left, right);
    if (quick !== undefined) return quick;
    const known = this.#compared.get(left)?.get(right);
    if (known !== undefined) return known;
    this.context.fuel.spend();
    const equal = this.#compare(left, right);
    this.#remember(left, right, equal);
    this.#remember(right, left, equal);
    return equal;
  }

  #remember(left: Expression, right: Expression, equal: boolean): void {
    let row = this.#compared.get(left);
    if (row === undefined) {
      row = new Map();
      this.#compared.set(left, row);
    }
    row.set(right, equal);
  }

  /** What the outermost symbols decide; undefined when more must be looked at. */
  #isEqualQuickly(left: Expression, right: Expression): boolean | undefined {
    if (left === right) return true;
    switch (left.kind) {
      case 'lambda':
      case 'pi':
        return right.kind === left.kind ? this.#areBindersEqual(left, right) : undefined;
      case 'sort':
        return right.kind === 'sort' ? this.levelOrder.isEqual(left.level, right.level) : undefined;
      case 'natural':
        return right.kind === 'natural' ? false : undefined;
      case 'string':
        return right.kind === 'string' ? false : undefined;
      default:
        return undefined;
    }
  }

  #areBindersEqual(left: Binder, right: Binder): boolean {
    const variables: Expression[] = [];
    const { kind } = left;
    const base = Math.max(left.freeBound, right.freeBound);
    let [one, other]: [Expression, Expression] = [left, right];
    while (one.kind === kind && other.kind === kind) {
      let type: Expression | undefined;
      if (one.type !== other.type) {
        type = instantiate(this.store, one.type, variables);
        if (!this.isEqual(type, instantiate(this.store, other.type, variables))) return false;
      }
      if (one.body === other.body) return true;
      type ??= instantiate(this.store, one.type, variables);
      variables.push(this.store.free(base + variables.length, type));
      [one, other] = [one.body, other.body];
    }
    return this.isEqual(instantiate(this.store, one, variables), instantiate(this.store, other, variables));
  }

  #compare(left: Expression, right: Expression): boolean {
    if (left.freeBound === 0 && this.#isTruth(right) && this.whnf(left) === right) return true;

    const leftHead = this.whnfCore(left, true);
    const rightHead = this.whnfCore(right, true);
    if (leftHead !== left || rightHead !== right) {
      const quick = this.#isEqualQuickly(leftHead, rightHead);
      if (quick !== undefined) return quick;
    }
    const irrelevant = this.#areProofsEqual(leftHead, rightHead);
    if (irrelevant !== undefined) return irrelevant;

    const unfolded = this.#unfoldBoth(leftHead, rightHead);
    return unfolded.kind === 'answer' ? unfolded.equal : this.#compareSettled(unfolded.left, unfolded.right);
  }

  #isTruth(term: Expression): boolean {
    return term.kind === 'constant' && term === this.context.primitives.truth(true);
  }

  /** Two terms at whose heads nothing is left to unfold. */
  #compareSettled(left: Expression, right: Expression): boolean {
    if (left.kind === 'constant' && right.kind === 'constant') {
      if (left.name === right.name && this.levelOrder.areEqual(left.levels, right.levels)) return true;
    }
    if (left.kind === 'projection' && right.kind === 'projection' && this.#areProjectionsEqual(left, right)) {
      return true;
    }
    // The cheap computation before did not look under projections.
    const leftHead = this.whnfCore(left);
    const rightHead = this.whnfCore(right);
    if (leftHead !== left || rightHead !== right) return this.isEqual(leftHead, rightHead);

    return (
      this.#areApplicationsEqual(left, right) ||
      this.#isEqualByEta(left, right) ||
      this.#isEqualByEta(right, left) ||
      this.#isEqualByStructureEta(left, right) ||
      this.#isEqualByStructureEta(right, left) ||
      this.#isStringEqual(left, right) ||
      this.#isStringEqual(right, left) ||
      this.#areUnitsEqual(left, right)
    );
  }

  /** Proofs of equal propositions are equal; undefined when the left one is no proof. */
  #areProofsEqual(left: Expression, right: Expression): boolean | undefined {
    const type = this.inferKnown(left);
    return this.isProposition(type) ? this.isEqual(type, this.inferKnown(right)) : undefined;
  }

  /** Unfolds definitions on both sides until the terms are told equal or different, or nothing is left to unfold. */
  #unfoldBoth(left: Expression, right: Expression): Unfolded {
    let terms: Unfolded = { kind: 'terms', left, right };
    while (terms.kind === 'terms') {
      this.context.fuel.spend();
      const numbers = this.#compareNumbers(terms.left, terms.right);
      if (numbers !== undefined) return { kind: 'answer', equal: numbers };
      terms = this.#unfoldOnce(terms.left, terms.right);
    }
    return terms;
  }

  #compareNumbers(left: Expression, right: Expression): boolean | undefined {
    const [leftNumber, rightNumber] = [this.naturalOf(left), this.naturalOf(right)];
    if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber === rightNumber;
    const [leftBefore, rightBefore] = [this.#predecessor(left), this.#predecessor(right)];
    if (leftBefore !== undefined && rightBefore !== undefined) return this.isEqual(leftBefore, rightBefore);
    const leftValue = reduceNatural(this, left);
    if (leftValue !== undefined) return this.isEqual(leftValue, right);
    const rightValue = reduceNatural(this, right);
    if (rightValue !== undefined) return this.isEqual(left, rightValue);
    return undefined;
  }

  /** The number before, of a literal above 0 or of `Nat.succ`. */
  #predecessor(term: Expression): Expression | undefined {
    if (term.kind === 'natural')
      return term.natural === 0n ? undefined : this.store.natural(term.natural - 1n);
    if (term.kind !== 'application' || term.fn.kind !== 'constant') return undefined;
    const { primitives } = this.context;
    return term.fn.name === primitives.successorName && primitives.hasNaturals() ? term.argument : undefined;
  }

  /** One step: unfolds one side or both. */
  #unfoldOnce(left: Expression, right: Expression): Unfolded {
    const leftConstant = this.unfoldable(left);
    const rightConstant = this.unfoldable(right);
    if (leftConstant === undefined && rightConstant === undefined) return { kind: 'settled', left, right };
    if (leftConstant === undefined) {
      const projected = this.#unfoldUnderProjection(left);
      if (projected !== undefined) return this.#told(projected, right);
      return this.#told(left, this.#unfoldHead(right));
    }
    if (rightConstant === undefined) {
      const projected = this.#unfoldUnderProjection(right);
      if (projected !== undefined) return this.#told(left, projected);
      return this.#told(this.#unfoldHead(left), right);
    }
    const { heightOf } = this.context;
    const [leftHeight, rightHeight] = [heightOf(leftConstant), heightOf(rightConstant)];
    if (leftHeight < rightHeight) return this.#told(left, this.#unfoldHead(right));
    if (rightHeight < leftHeight) return this.#told(this.#unfoldHead(left), right);
    if (leftConstant === rightConstant && this.#haveEqualArguments(left, right)) {
      return { kind: 'answer', equal: true };
    }
    return this.#told(this.#unfoldHead(left), this.#unfoldHead(right));
  }

  #told(left: Expression, right: Expression): Unfolded {
    const equal = this.#isEqualQuickly(left, right);
    return equal === undefined ? { kind: 'terms', left, right } : { kind: 'answer', equal };
  }

  #unfoldHead(term: Expression): Expression {
    return this.whnfCore(this.unfold(term) ?? term, true);
  }

  /** A projection, applied or not, whose subject is unfolded: before the other side is, which is mostly better. */
  #unfoldUnderProjection(term: Expression): Expression | undefined {
    if (applicationHead(term).kind !== 'projection') return undefined;
    const result = this.whnfCore(term);
    return result === term ? undefined : result;
  }

  /** Whether two applications of the same definition have equal arguments: then they need not be unfolded. */
  #haveEqualArguments(left: Expression, right: Expression): boolean {
    if (left.kind !== 'application' || right.kind !== 'application') {
      // Two constants: the levels decide.
      return left.kind === 'constant' && right.kind === 'constant' && this.#haveEqualLevels(left, right);
    }
    if (this.#differing.get(left)?.has(right) === true) return false;
    if (
      this.#haveEqualLevels(applicationHead(left), applicationHead(right)) &&
      this.#areArgumentsEqual(left, right)
    )
      return true;
    let others = this.#differing.get(left);
    if (others === undefined) {
      others = new Set();
      this.#differing.set(left, others);
    }
    others.add(right);
    return false;
  }

  #haveEqualLevels(left: Expression, right: Expression): boolean {
    return (
      left.kind === 'constant' &&
      right.kind === 'constant' &&
      this.levelOrder.areEqual(left.levels, right.levels)
    );
  }

  #areArgumentsEqual(left: Expression, right: Expression): boolean {
    const leftArguments = argumentsOf(left);
    const rightArguments = argumentsOf(right);
    return (
      leftArguments.length === rightArguments.length &&
      leftArguments.every((argument, position) => {
        const other = rightArguments[position];
        return other !== undefined && this.isEqual(argument, other);
      })
    );
  }

  #areApplicationsEqual(left: Expression, right: Expression): boolean {
    return (
      left.kind === 'application' &&
      right.kind === 'application' &&
      argumentCount(left) === argumentCount(right) &&
      this.isEqual(applicationHead(left), applicationHead(right)) &&
      this.#areArgumentsEqual(left, right)
    );
  }

  /** The same field of equal structures. */
  #areProjectionsEqual(left: Projection, right: Projection): boolean {
    if (left.index !== right.index || left.name !== right.name) return false;
    let [one, other] = [left.subject, right.subject];
    for (;;) {
      this.context.fuel.spend();
      const step = this.#unfoldOnce(one, other);
      if (step.kind === 'answer') {
        if (step.equal) return true;
        break;
      }
      [one, other] = [step.left, step.right];
      if (step.kind === 'settled') break;
    }
    const oneField = this.projectionOf(left, one);
    const otherField = this.projectionOf(right, other);
    return oneField !== undefined && otherField !== undefined
      ? this.isEqual(oneField, otherField)
      : this.isEqual(one, other);
  }

  /** `λ x. b` equals `f` when it equals `λ x. f x`. */
  #isEqualByEta(lambda: Expression, fn: Expression): boolean {
    if (lambda.kind !== 'lambda' || fn.kind === 'lambda') return false;
    const type = this.whnf(this.inferKnown(fn));
    if (type.kind !== 'pi') return false;
    const { store } = this;
    const expanded = store.lambda(store.names.anonymous, type.type, store.apply(fn, store.bound(0)));
    return this.isEqual(lambda, expanded);
  }

  /** `S.mk a b` equals `s` when `a` and `b` equal the fields of `s`. */
  #isEqualByStructureEta(term: Expression, made: Expression): boolean {
    const head = applicationHead(made);
    if (head.kind !== 'constant') return false;
    const constructor = this.environment.find(head.name);
    if (constructor?.kind !== 'constructor') return false;
    if (argumentCount(made) !== constructor.parameterCount + constructor.fieldCount) return false;
    if (this.structureOf(constructor.inductive) === undefined) return false;
    if (!this.isEqual(this.inferKnown(term), this.inferKnown(made))) return false;
    return argumentsOf(made)
      .slice(constructor.parameterCount)
      .every((field, index) =>
        this.isEqual(this.store.projection(constructor.inductive, index, term), field),
      );
  }

  /** A string literal and a term that makes its string in another way. */
  #isStringEqual(literal: Expression, other: Expression): boolean {
    if (literal.kind !== 'string' || other.kind !== 'application') return false;
    const value = this.context.primitives.stringValue(literal.text);
    return value !== undefined && this.isEqual(value, other);
  }

  /** All terms of a structure without fields are equal. */
  #areUnitsEqual(left: Expression, right: Expression): boolean {
    const type = this.whnf(this.inferKnown(left));
    const head = applicationHead(type);
    if (head.kind !== 'constant') return false;
    const structure = this.structureOf(head.name);
    return structure?.constructor.fieldCount === 0 && this.isEqual(type, this.inferKnown(right));
  }
}
