/**
 * The principles of definition. Each gives new names a meaning without making anything provable that mentions only old
 * names: the premise shows that something of that kind exists, and everything that a definition mentions is settled
 * before (see signature.ts). Names are qualified: `theory$name`. Each answers with what the definition states; the
 * kernel makes it a theorem.
 */
import { NO_HYPOTHESES } from './hypotheses.ts';
import { Refusal } from './refusal.ts';
import type { ConstantId } from './signature.ts';
import { ABSTRACTION, APPLICATION, BOUND, CONSTANT, FREE, type TermId } from './term.ts';
import type { KernelView, TheoremId } from './theorems.ts';
import type { OperatorId, TypeId } from './types.ts';

/** `c = term` for a new constant c; the term is closed and its type variables occur in its type. */
export function constantDefinition(kernel: KernelView, name: string, term: TermId): TermId {
  const { logic, terms } = kernel;
  const expected = logic.definitions.get(name);
  if (expected !== undefined && kernel.signature.isOwn(name)) {
    if (expected !== term) {
      throw new Refusal('logic-redefined', `${name} is not defined as the rules of the kernel need it.`);
    }
    const constant = terms.constant(kernel.signature.constant(name), terms.typeOf(term));
    return logic.makeEquality(constant, term);
  }
  const use = usesOf(kernel, term);
  insistClosed(use);
  insistVariablesCovered(kernel, use, terms.typeOf(term));
  kernel.signature.settle(use.constants, use.operators);
  const constant = kernel.signature.introduceConstant(name, terms.typeOf(term));
  return logic.makeEquality(terms.constant(constant, terms.typeOf(term)), term);
}

/** `⊢ ∃x1 … xn. p` to `⊢ p[c1/x1, …]`. */
export function constantSpecification(
  kernel: KernelView,
  names: readonly string[],
  theorem: TheoremId,
): TermId {
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
    const type = terms.binderOf(predicate);
    insistVariablesCovered(kernel, use, type);
    const constant = signature.introduceConstant(name, type);
    body = terms.reduce(predicate, terms.constant(constant, type));
  }
  return body;
}

/** `{x1 = t1, …} ⊢ p` to `⊢ p[c1/x1, …]`, where each ti is closed and ci is named after xi. */
export function equationalSpecification(
  kernel: KernelView,
  names: readonly string[],
  theorem: TheoremId,
): TermId {
  const { logic, signature, terms } = kernel;
  insistDistinct(names);
  const byLocalName = new Map(names.map((name) => [localName(name), name]));
  const equations = kernel.hypotheses.members(kernel.hypothesesOf(theorem));
  if (equations.length !== names.length || byLocalName.size !== names.length) {
    throw malformed('there is not one hypothesis for each new constant');
  }
  const checked = equations.map((equation) => {
    const variable = logic.isEquality(equation) ? logic.leftSide(equation) : undefined;
    if (variable === undefined || terms.kind(variable) !== FREE)
      throw malformed('a hypothesis does not equate a variable');
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
  return terms.substitute(kernel.conclusion(theorem), substitution);
}

/** `⊢ ∃x. P x` to `⊢ ∃rep. TYPE_DEFINITION P rep` for a new type whose parameters are the type variables of P. */
export function typeDefinition(
  kernel: KernelView,
  name: string,
  parameters: readonly TypeId[] | undefined,
  theorem: TheoremId,
): TermId {
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
  return kernel.logic.makeTypeDefinition(predicate, types.apply(operator, given));
}

/** What an axiom that may be asserted is called: one of the four, in theory `bool` or where no theory is named. */
export function axiomNamed(kernel: KernelView, statement: TermId): string | undefined {
  const { ownTheory } = kernel.signature;
  return ownTheory === undefined || ownTheory === 'bool' ? kernel.logic.axioms.get(statement) : undefined;
}

/** A connective of `bool` specified by `∃c. c = …`. */
function specifyLogical(
  kernel: KernelView,
  name: string,
  names: readonly string[],
  statement: TermId,
): TermId {
  const { terms, logic } = kernel;
  const equation = terms.bodyOf(existentialPredicate(kernel, statement));
  if (names.length !== 1 || !logic.isEquality(equation) || terms.kind(logic.leftSide(equation)) !== BOUND) {
    throw new Refusal('logic-redefined', `${name} is not defined as the rules of the kernel need it.`);
  }
  return constantDefinition(kernel, name, logic.rightSide(equation));
}

interface Use {
  readonly free: Set<TermId>;
  readonly typeVariables: Set<TypeId>;
  readonly constants: Set<ConstantId>;
  readonly operators: Set<OperatorId>;
}

function usesOf(kernel: KernelView, term: TermId): Use {
  const { terms, types } = kernel;
  const use: Use = { free: new Set(), typeVariables: new Set(), constants: new Set(), operators: new Set() };
  const seen = new Set<TypeId>();
  terms.forEachLeafAndBinder(term, (part) => {
    const kind = terms.kind(part);
    const type = kind === ABSTRACTION ? terms.binderOf(part) : terms.typeOf(part);
    types.collect(type, use.typeVariables, use.operators, seen);
    if (kind === FREE) use.free.add(part);
    else if (kind === CONSTANT) use.constants.add(terms.constantOf(part));
  });
  return use;
}

function existentialPredicate(kernel: KernelView, statement: TermId): TermId {
  const { logic, terms } = kernel;
  const predicate = logic.isUnary(statement, logic.exists) ? terms.argumentOf(statement) : undefined;
  if (predicate === undefined || terms.kind(predicate) !== ABSTRACTION)
    throw malformed('the premise has too few existential quantifiers');
  return predicate;
}

/** P of `∃x. P x`. */
function definingPredicate(kernel: KernelView, statement: TermId): TermId {
  const { terms } = kernel;
  const wrong = malformed('the premise is not of the form ∃x. P x');
  const body = terms.bodyOf(existentialPredicate(kernel, statement));
  if (terms.kind(body) !== APPLICATION) throw wrong;
  const [predicate, argument] = [terms.functionOf(body), terms.argumentOf(body)];
  if (terms.kind(argument) !== BOUND || terms.indexOf(argument) !== 0 || terms.looseBound(predicate) > 0)
    throw wrong;
  return predicate;
}

function insistNoHypotheses(kernel: KernelView, theorem: TheoremId): void {
  if (kernel.hypothesesOf(theorem) !== NO_HYPOTHESES) throw malformed('the premise has hypotheses');
}

function insistClosed(use: Use): void {
  if (use.free.size > 0) throw malformed('there are free variables');
}

/** A type variable that is not in the constant's type would let one constant stand for many values. */
function insistVariablesCovered(kernel: KernelView, use: Use, type: TypeId): void {
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

function compareNames(kernel: KernelView, one: TypeId, other: TypeId): number {
  const [a, b] = [kernel.types.nameOfVariable(one), kernel.types.nameOfVariable(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function malformed(what: string): Refusal {
  return new Refusal('definition-malformed', `The definition breaks a condition of its principle: ${what}.`);
}
