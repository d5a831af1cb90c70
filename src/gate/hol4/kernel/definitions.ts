/**
 * The principles of definition. Each gives new names a meaning without making anything provable that mentions only old
 * names: the premise shows that something of that kind exists, and everything that a definition mentions is settled
 * before (see signature.ts). Names are qualified: `theory$name`.
 */
import { NO_HYPOTHESES } from './hypotheses.ts';
import type { Kernel, TheoremId } from './kernel.ts';
import { Refusal } from './refusal.ts';
import { ABSTRACTION, APPLICATION, BOUND, CONSTANT, FREE, type TermId } from './terms.ts';
import type { TypeId } from './types.ts';

/** `c = term` for a new constant c; the term is closed and its type variables occur in its type. */
export function defineConstant(kernel: Kernel, name: string, term: TermId): TheoremId {
  const { logic, terms } = kernel;
  const expected = logic.definitions.get(name);
  if (expected !== undefined && kernel.signature.isOwn(name)) {
    if (expected !== term) {
      throw new Refusal('logic-redefined', `${name} is not defined as the rules of the kernel need it.`);
    }
    const constant = terms.constant(kernel.signature.constant(name), terms.typeOf(term));
    return kernel.add(logic.makeEquality(constant, term));
  }
  const use = usesOf(kernel, term);
  insistClosed(use);
  insistVariablesCovered(kernel, use, terms.typeOf(term));
  kernel.signature.settle(use.constants, use.operators);
  const constant = kernel.signature.introduceConstant(name, terms.typeOf(term));
  return kernel.add(logic.makeEquality(terms.constant(constant, terms.typeOf(term)), term));
}

/** `⊢ ∃x1 … xn. p` to `⊢ p[c1/x1, …]`. */
export function specifyConstants(kernel: Kernel, names: readonly string[], theorem: TheoremId): TheoremId {
  const { logic, signature, terms } = kernel;
  insistNoHypotheses(kernel, theorem);
  insistDistinct(names);
  const statement = kernel.conclusion(theorem);
  const use = usesOf(kernel, statement);
  insistClosed(use);
  const [only] = names;
  if (only !== undefined && logic.definitions.has(only) && signature.isOwn(only)) {
    return specifyLogical(kernel, only, names, statement);
  }
  signature.settle(use.constants, use.operators);

  // Witnesses are checked against the type variables of the whole statement: quantifiers bring no further ones.
  let body = statement;
  for (const name of names) {
    const predicate = existentialPredicate(kernel, body);
    const type = terms.left(predicate);
    insistVariablesCovered(kernel, use, type);
    const constant = signature.introduceConstant(name, type);
    body = terms.reduce(predicate, terms.constant(constant, type));
  }
  return kernel.add(body);
}

/** `{x1 = t1, …} ⊢ p` to `⊢ p[c1/x1, …]`, where each ti is closed and ci is named after xi. */
export function specifyByEquations(kernel: Kernel, names: readonly string[], theorem: TheoremId): TheoremId {
  const { logic, signature, terms } = kernel;
  insistDistinct(names);
  const byLocalName = new Map(names.map((name) => [localName(name), name]));
  const equations = kernel.hypotheses.members(kernel.hypothesesOf(theorem));
  if (equations.length !== names.length || byLocalName.size !== names.length) {
    throw malformed('there is not one hypothesis for each new constant');
  }
  const checked = equations.map((equation) => {
    const variable = logic.isEquality(equation) ? logic.leftSide(equation) : -1;
    if (terms.kind(variable) !== FREE) throw malformed('a hypothesis does not equate a variable');
    const name = byLocalName.get(terms.nameOfFree(variable));
    if (name === undefined) throw malformed('a variable of the hypotheses is not that of a new constant');
    byLocalName.delete(terms.nameOfFree(variable));
    const use = usesOf(kernel, logic.rightSide(equation));
    insistClosed(use);
    insistVariablesCovered(kernel, use, terms.typeOf(variable));
    return { variable, name, use };
  });
  const statementUse = usesOf(kernel, kernel.conclusion(theorem));
  const variables = new Set(checked.map(({ variable }) => variable));
  if ([...statementUse.free].some((variable) => !variables.has(variable))) {
    throw malformed('the conclusion has free variables of its own');
  }
  // The conclusion follows from the equations, so that only their right sides are what the definition rests on.
  for (const { use } of checked) signature.settle(use.constants, use.operators);
  const substitution = new Map(
    checked.map(({ variable, name }) => {
      const type = terms.typeOf(variable);
      return [variable, terms.constant(signature.introduceConstant(name, type), type)];
    }),
  );
  return kernel.add(terms.substitute(kernel.conclusion(theorem), substitution));
}

/** `⊢ ∃x. P x` to `⊢ ∃rep. TYPE_DEFINITION P rep` for a new type whose parameters are the type variables of P. */
export function defineType(
  kernel: Kernel,
  name: string,
  parameters: readonly TypeId[] | undefined,
  theorem: TheoremId,
): TheoremId {
  const { signature, types } = kernel;
  insistNoHypotheses(kernel, theorem);
  const predicate = definingPredicate(kernel, kernel.conclusion(theorem));
  const use = usesOf(kernel, predicate);
  insistClosed(use);
  const given = parameters ?? [...use.typeVariables].sort((a, b) => compareNames(kernel, a, b));
  if (new Set(given).size !== given.length || given.length !== use.typeVariables.size) {
    throw malformed('the parameters are not the type variables of the predicate');
  }
  if (given.some((variable) => !use.typeVariables.has(variable))) {
    throw malformed('the parameters are not the type variables of the predicate');
  }
  signature.settle(use.constants, use.operators);
  const operator = signature.introduceOperator(name, given.length);
  return kernel.add(kernel.logic.makeTypeDefinition(predicate, types.apply(operator, given)));
}

/** A statement without proof: only the four axioms, only in theory `bool` (or where no theory is named). */
export function assertAxiom(kernel: Kernel, statement: TermId): TheoremId {
  const { ownTheory } = kernel.signature;
  if ((ownTheory === undefined || ownTheory === 'bool') && kernel.logic.axioms.has(statement)) {
    return kernel.add(statement);
  }
  throw new Refusal('unproved-statement', 'A statement is asserted without proof.');
}

/** A connective of `bool` specified by `∃c. c = …`. */
function specifyLogical(
  kernel: Kernel,
  name: string,
  names: readonly string[],
  statement: TermId,
): TheoremId {
  const { terms, logic } = kernel;
  const equation = terms.right(existentialPredicate(kernel, statement));
  if (names.length !== 1 || !logic.isEquality(equation) || terms.kind(logic.leftSide(equation)) !== BOUND) {
    throw new Refusal('logic-redefined', `${name} is not defined as the rules of the kernel need it.`);
  }
  return defineConstant(kernel, name, logic.rightSide(equation));
}

interface Use {
  readonly free: Set<TermId>;
  readonly typeVariables: Set<TypeId>;
  readonly constants: Set<number>;
  readonly operators: Set<number>;
}

function usesOf(kernel: Kernel, term: TermId): Use {
  const { terms, types } = kernel;
  const use: Use = { free: new Set(), typeVariables: new Set(), constants: new Set(), operators: new Set() };
  const seen = new Set<TypeId>();
  terms.forEachLeafAndBinder(term, (part) => {
    const kind = terms.kind(part);
    const type = kind === ABSTRACTION ? terms.left(part) : terms.typeOf(part);
    types.collect(type, use.typeVariables, use.operators, seen);
    if (kind === FREE) use.free.add(part);
    else if (kind === CONSTANT) use.constants.add(terms.left(part));
  });
  return use;
}

function existentialPredicate(kernel: Kernel, statement: TermId): TermId {
  const { logic, terms } = kernel;
  const predicate = logic.isUnary(statement, logic.exists) ? terms.right(statement) : -1;
  if (terms.kind(predicate) !== ABSTRACTION)
    throw malformed('the premise has too few existential quantifiers');
  return predicate;
}

/** P of `∃x. P x`. */
function definingPredicate(kernel: Kernel, statement: TermId): TermId {
  const { terms } = kernel;
  const body = terms.right(existentialPredicate(kernel, statement));
  const argument = terms.kind(body) === APPLICATION ? terms.right(body) : -1;
  const predicate = terms.left(body);
  if (terms.kind(argument) !== BOUND || terms.left(argument) !== 0 || terms.looseBound(predicate) > 0) {
    throw malformed('the premise is not of the form ∃x. P x');
  }
  return predicate;
}

function insistNoHypotheses(kernel: Kernel, theorem: TheoremId): void {
  if (kernel.hypothesesOf(theorem) !== NO_HYPOTHESES) throw malformed('the premise has hypotheses');
}

function insistClosed(use: Use): void {
  if (use.free.size > 0) throw malformed('there are free variables');
}

/** A type variable that is not in the constant's type would let one constant stand for many values. */
function insistVariablesCovered(kernel: Kernel, use: Use, type: TypeId): void {
  const covered = new Set<TypeId>();
  kernel.types.collect(type, covered, new Set(), new Set());
  if ([...use.typeVariables].some((variable) => !covered.has(variable))) {
    throw malformed('a type variable does not occur in the type of the new constant');
  }
}

function insistDistinct(names: readonly string[]): void {
  if (names.length === 0 || new Set(names).size !== names.length) {
    throw malformed('the names of the new constants are not distinct');
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf('$') + 1);
}

function compareNames(kernel: Kernel, one: TypeId, other: TypeId): number {
  const [a, b] = [kernel.types.nameOfVariable(one), kernel.types.nameOfVariable(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function malformed(what: string): Refusal {
  return new Refusal('definition-malformed', `The definition breaks a condition of its principle: ${what}.`);
}
