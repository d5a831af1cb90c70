/**
 * The rules of a text trace: how each reads its arguments, in the order in which they stand there, and what of the
 * kernel it asks. Each rule is one line.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { TermId } from '../kernel/term.ts';
import type { TheoremId } from '../kernel/theorems.ts';
import type { TypeId } from '../kernel/types.ts';

/** One step of a trace: its arguments, read one after the other, and what is more than a rule. */
export interface TraceStep {
  readonly kernel: Kernel;
  term(): TermId;
  /** Undefined where the trace has -1. */
  optionalTerm(): TermId | undefined;
  terms(): TermId[];
  type(): TypeId;
  typeList(): TypeId[];
  theorem(): TheoremId;
  pairs<A, B>(read: () => readonly [A, B]): (readonly [A, B])[];
  name(): string;
  names(): string[];
  compute(): TheoremId;
  /** Notes what the definition of these constants states. */
  define(names: readonly string[], theorem: TheoremId): TheoremId;
  defineOperator(name: string, theorem: TheoremId): TheoremId;
  import(): TheoremId;
  axiom(): TheoremId;
  withoutProof(what: string): TheoremId;
}

export const RULES: ReadonlyMap<string, (step: TraceStep) => TheoremId> = new Map<
  string,
  (step: TraceStep) => TheoremId
>([
  ['REFL', (s) => s.kernel.equality.reflexivity(s.term())],
  ['ALPHA', (s) => s.kernel.equality.alpha(s.term(), s.term())],
  ['BETA_CONV', (s) => s.kernel.equality.betaConversion(s.term())],
  ['ASSUME', (s) => s.kernel.propositional.assume(s.term())],
  ['SYM', (s) => s.kernel.equality.symmetry(s.theorem())],
  ['TRANS', (s) => s.kernel.equality.transitivity(s.theorem(), s.theorem())],
  ['EQ_MP', (s) => s.kernel.equality.equalityModusPonens(s.theorem(), s.theorem())],
  ['EQ_IMP_RULE1', (s) => s.kernel.equality.equalityToImplication(s.theorem(), 'forward')],
  ['EQ_IMP_RULE2', (s) => s.kernel.equality.equalityToImplication(s.theorem(), 'backward')],
  ['deductAntisym', (s) => s.kernel.equality.deductAntisymmetric(s.theorem(), s.theorem())],
  ['AP_TERM', (s) => s.kernel.equality.applyTerm(s.term(), s.theorem())],
  [
    'AP_THM',
    (s) => flip(s.term(), s.theorem(), (term, theorem) => s.kernel.equality.applyTheorem(theorem, term)),
  ],
  ['MK_COMB', (s) => s.kernel.equality.combine(s.theorem(), s.theorem())],
  ['ABS', (s) => s.kernel.equality.abstraction(s.term(), s.theorem())],
  ['GEN_ABS', (s) => s.kernel.equality.abstractionUnderBinder(s.theorem(), s.optionalTerm(), s.terms())],
  ['Beta', (s) => s.kernel.equality.betaRight(s.theorem())],
  ['Mk_comb', (s) => s.kernel.equality.combineRight(s.theorem(), s.theorem(), s.theorem())],
  [
    'Mk_abs',
    (s) => flip(s.term(), s.theorem(), (v, whole) => s.kernel.equality.abstractRight(whole, v, s.theorem())),
  ],
  ['DISCH', (s) => s.kernel.propositional.discharge(s.term(), s.theorem())],
  ['MP', (s) => s.kernel.propositional.modusPonens(s.theorem(), s.theorem())],
  ['NOT_INTRO', (s) => s.kernel.propositional.negationIntroduction(s.theorem())],
  ['NOT_ELIM', (s) => s.kernel.propositional.negationElimination(s.theorem())],
  ['CCONTR', (s) => s.kernel.propositional.contradiction(s.term(), s.theorem())],
  ['CONJ', (s) => s.kernel.propositional.conjunction(s.theorem(), s.theorem())],
  ['CONJUNCT1', (s) => s.kernel.propositional.conjunct(s.theorem(), 'left')],
  ['CONJUNCT2', (s) => s.kernel.propositional.conjunct(s.theorem(), 'right')],
  [
    'DISJ1',
    (s) =>
      flip(s.term(), s.theorem(), (term, proved) => s.kernel.propositional.disjunction(proved, term, 'left')),
  ],
  [
    'DISJ2',
    (s) =>
      flip(s.term(), s.theorem(), (term, proved) =>
        s.kernel.propositional.disjunction(proved, term, 'right'),
      ),
  ],
  ['DISJ_CASES', (s) => s.kernel.propositional.disjunctionCases(s.theorem(), s.theorem(), s.theorem())],
  ['EXISTS', (s) => s.kernel.quantifiers.exists(s.term(), s.term(), s.theorem())],
  ['CHOOSE', (s) => s.kernel.quantifiers.choose(s.term(), s.theorem(), s.theorem())],
  ['GEN', (s) => s.kernel.quantifiers.generalize([s.term()], s.theorem())],
  [
    'GENL',
    (s) =>
      flip(s.theorem(), s.terms(), (theorem, variables) =>
        s.kernel.quantifiers.generalize(variables, theorem),
      ),
  ],
  ['SPEC', (s) => s.kernel.quantifiers.specialize(s.term(), s.theorem())],
  ['Specialize', (s) => s.kernel.quantifiers.specialize(s.term(), s.theorem())],
  [
    'INST',
    (s) =>
      s.kernel.substitution.instantiate(
        s.theorem(),
        s.pairs(() => [s.term(), s.term()]),
      ),
  ],
  [
    'INST_TYPE',
    (s) =>
      s.kernel.substitution.instantiateTypes(
        s.theorem(),
        s.pairs(() => [s.type(), s.type()]),
      ),
  ],
  [
    'SUBST',
    (s) =>
      s.kernel.substitution.replace(
        s.term(),
        s.theorem(),
        s.pairs(() => [s.term(), s.theorem()]),
      ),
  ],
  ['COMPUTE', (s) => s.compute()],
  [
    'DEF_CONST',
    (s) => flip(s.term(), s.name(), (term, name) => s.define([name], s.kernel.defineConstant(name, term))),
  ],
  [
    'DEF_SPEC',
    (s) => flip(s.theorem(), s.names(), (th, names) => s.define(names, s.kernel.specifyConstants(names, th))),
  ],
  [
    'DEF_CONST_LIST',
    (s) =>
      flip(s.theorem(), s.names(), (th, names) => s.define(names, s.kernel.specifyByEquations(names, th))),
  ],
  [
    'DEF_TYOP',
    (s) =>
      flip(s.theorem(), s.name(), (theorem, name) =>
        s.defineOperator(name, s.kernel.defineType(name, s.typeList(), theorem)),
      ),
  ],
  ['DISK', (s) => s.import()],
  ['AXIOM', (s) => s.axiom()],
  ['DELETED', (s) => s.withoutProof('deleted')],
  ['EXPORTED', (s) => s.withoutProof('kept in another file')],
]);

/** Arguments stand in the trace in another order than the rule takes them; they are read in the order of the trace. */
function flip<A, B>(first: A, second: B, use: (first: A, second: B) => TheoremId): TheoremId {
  return use(first, second);
}
