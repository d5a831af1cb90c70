/**
 * What the rules take for granted: equality, implication and choice; the connectives that HOL4's theory `bool` defines
 * from them (with those definitions, so that `bool` itself can be checked); and the four axioms. Nothing else is
 * believed without proof. The definitions follow the summary in HOL4's kernel documentation (LOGIC and the `bool`
 * theory).
 */
import type { ConstantId, Signature } from './signature.ts';
import { APPLICATION, type TermId } from './term.ts';
import type { Terms } from './terms.ts';
import type { TypeId, Types } from './types.ts';

export class Logic {
  readonly #types: Types;
  readonly #terms: Terms;
  readonly #equalities = new Map<TypeId, TermId>();
  readonly equality: ConstantId;
  readonly #implication: TermId;
  readonly #implicationConstant: ConstantId;
  readonly forall: ConstantId;
  readonly exists: ConstantId;
  readonly negation: ConstantId;
  readonly conjunction: ConstantId;
  readonly disjunction: ConstantId;
  readonly falsity: TermId;
  readonly #select: ConstantId;
  readonly #typeDefinition: ConstantId;
  /** The right-hand sides that `bool` must give to these constants, by qualified name. */
  readonly definitions: ReadonlyMap<string, TermId>;
  /** The statements that theory `bool` may assert without proof. */
  readonly axioms: ReadonlyMap<TermId, string>;

  constructor(terms: Terms, signature: Signature) {
    const types = terms.types;
    this.#types = types;
    this.#terms = terms;
    const { bool, ind } = types;
    const [a, b] = [types.variable("'a"), types.variable("'b")];
    const fun = (...parts: TypeId[]): TypeId =>
      parts.reduceRight((range, domain) => types.fun(domain, range));
    const predicate = fun(a, bool);

    this.equality = signature.addLogical('min$=', fun(a, a, bool));
    this.#implicationConstant = signature.addLogical('min$==>', fun(bool, bool, bool));
    this.#implication = terms.constant(this.#implicationConstant, fun(bool, bool, bool));
    this.#select = signature.addLogical('min$@', fun(predicate, a));
    const truth = terms.constant(signature.addLogical('bool$T', bool), bool);
    this.forall = signature.addLogical('bool$!', fun(predicate, bool));
    this.exists = signature.addLogical('bool$?', fun(predicate, bool));
    this.falsity = terms.constant(signature.addLogical('bool$F', bool), bool);
    this.negation = signature.addLogical('bool$~', fun(bool, bool));
    this.conjunction = signature.addLogical('bool$/\\', fun(bool, bool, bool));
    this.disjunction = signature.addLogical('bool$\\/', fun(bool, bool, bool));
    this.#typeDefinition = signature.addLogical('bool$TYPE_DEFINITION', fun(predicate, fun(b, a), bool));
    const oneOne = signature.addLogical('bool$ONE_ONE', fun(fun(a, b), bool));
    const onto = signature.addLogical('bool$ONTO', fun(fun(a, b), bool));

    const variable = (name: string, type: TypeId): TermId => terms.free(name, type);
    const apply = (head: TermId, ...rest: TermId[]): TermId =>
      rest.reduce((fun_, argument) => terms.apply(fun_, argument), head);
    const lambda = (...parts: TermId[]): TermId =>
      parts.reduceRight((body, bound) => terms.abstract(bound, body));
    const forall = (...parts: TermId[]): TermId =>
      parts.reduceRight((body, bound) => this.makeForall(bound, body));
    const exists = (bound: TermId, body: TermId): TermId => this.makeExists(terms.abstract(bound, body));
    const equal = (left: TermId, right: TermId): TermId => this.makeEquality(left, right);
    const implies = (left: TermId, right: TermId): TermId => this.makeImplication(left, right);

    const [t, t1, t2] = [variable('t', bool), variable('t1', bool), variable('t2', bool)];
    const [x, y] = [variable('x', a), variable('y', b)];
    const P = variable('P', predicate);
    const choice = (over: TermId): TermId => apply(terms.constant(this.#select, fun(predicate, a)), over);
    const identity = lambda(t, t);
    const [f, rep] = [variable('f', fun(a, b)), variable('rep', fun(b, a))];
    const [x1, x2] = [variable('x1', a), variable('x2', a)];
    const [y1, y2] = [variable('y1', b), variable('y2', b)];

    this.definitions = new Map([
      ['bool$T', equal(identity, identity)],
      ['bool$!', lambda(P, equal(P, lambda(x, truth)))],
      ['bool$?', lambda(P, apply(P, choice(P)))],
      ['bool$F', forall(t, t)],
      ['bool$~', lambda(t, implies(t, this.falsity))],
      ['bool$/\\', lambda(t1, t2, forall(t, implies(implies(t1, implies(t2, t)), t)))],
      ['bool$\\/', lambda(t1, t2, forall(t, implies(implies(t1, t), implies(implies(t2, t), t))))],
      [
        'bool$TYPE_DEFINITION',
        lambda(
          P,
          rep,
          this.makeConjunction(
            forall(y1, y2, implies(equal(apply(rep, y1), apply(rep, y2)), equal(y1, y2))),
            forall(x, equal(apply(P, x), exists(y, equal(x, apply(rep, y))))),
          ),
        ),
      ],
      ['bool$ONE_ONE', lambda(f, forall(x1, x2, implies(equal(apply(f, x1), apply(f, x2)), equal(x1, x2))))],
      ['bool$ONTO', lambda(f, forall(y, exists(x, equal(y, apply(f, x)))))],
    ]);

    const g = variable('f', fun(ind, ind));
    const ofInd = (constant: ConstantId): TermId =>
      apply(terms.constant(constant, fun(fun(ind, ind), bool)), g);
    this.axioms = new Map([
      [forall(t, this.makeDisjunction(equal(t, truth), equal(t, this.falsity))), 'BOOL_CASES_AX'],
      [forall(f, equal(lambda(x, apply(f, x)), f)), 'ETA_AX'],
      [forall(P, x, implies(apply(P, x), apply(P, choice(P)))), 'SELECT_AX'],
      [exists(g, this.makeConjunction(ofInd(oneOne), this.makeNegation(ofInd(onto)))), 'INFINITY_AX'],
    ]);
  }

  /** The caller has checked that both sides have one type, or `apply` refuses. */
  makeEquality(left: TermId, right: TermId): TermId {
    const type = this.#terms.typeOf(left);
    let constant = this.#equalities.get(type);
    if (constant === undefined) {
      const { bool } = this.#types;
      constant = this.#terms.constant(this.equality, this.#types.fun(type, this.#types.fun(type, bool)));
      this.#equalities.set(type, constant);
    }
    return this.#terms.apply(this.#terms.apply(constant, left), right);
  }

  makeImplication(left: TermId, right: TermId): TermId {
    return this.#terms.apply(this.#terms.apply(this.#implication, left), right);
  }

  makeNegation(term: TermId): TermId {
    const { bool } = this.#types;
    return this.#terms.apply(this.#terms.constant(this.negation, this.#types.fun(bool, bool)), term);
  }

  makeConjunction(left: TermId, right: TermId): TermId {
    return this.#connective(this.conjunction, left, right);
  }

  makeDisjunction(left: TermId, right: TermId): TermId {
    return this.#connective(this.disjunction, left, right);
  }

  makeForall(variable: TermId, body: TermId): TermId {
    return this.#quantify(this.forall, this.#terms.abstract(variable, body));
  }

  makeExists(predicate: TermId): TermId {
    return this.#quantify(this.exists, predicate);
  }

  /** `∃rep. TYPE_DEFINITION predicate rep`, where `rep` goes from the new type to the old one. */
  makeTypeDefinition(predicate: TermId, newType: TypeId): TermId {
    const types = this.#types;
    const predicateType = this.#terms.typeOf(predicate);
    const repType = types.fun(newType, types.domain(predicateType));
    const constant = this.#terms.constant(
      this.#typeDefinition,
      types.fun(predicateType, types.fun(repType, types.bool)),
    );
    const rep = this.#terms.free('rep', repType);
    const body = this.#terms.apply(this.#terms.apply(constant, predicate), rep);
    return this.makeExists(this.#terms.abstract(rep, body));
  }

  /** Whether a term is `left = right`; then its sides are `leftSide` and `rightSide`. */
  isEquality(term: TermId): boolean {
    return this.isBinary(term, this.equality);
  }

  isBinary(term: TermId, constant: ConstantId): boolean {
    return this.#terms.isBinary(term, constant);
  }

  isImplication(term: TermId): boolean {
    return this.isBinary(term, this.#implicationConstant);
  }

  isUnary(term: TermId, constant: ConstantId): boolean {
    return (
      this.#terms.kind(term) === APPLICATION && this.#terms.isConstant(this.#terms.functionOf(term), constant)
    );
  }

  leftSide(binary: TermId): TermId {
    return this.#terms.argumentOf(this.#terms.functionOf(binary));
  }

  rightSide(binary: TermId): TermId {
    return this.#terms.argumentOf(binary);
  }

  #connective(constant: ConstantId, left: TermId, right: TermId): TermId {
    const { bool } = this.#types;
    const type = this.#types.fun(bool, this.#types.fun(bool, bool));
    return this.#terms.apply(this.#terms.apply(this.#terms.constant(constant, type), left), right);
  }

  #quantify(constant: ConstantId, predicate: TermId): TermId {
    const type = this.#types.fun(this.#terms.typeOf(predicate), this.#types.bool);
    return this.#terms.apply(this.#terms.constant(constant, type), predicate);
  }
}
