/**
 * Replays PFT traces. Unlike a text trace, such a trace has no theories: one space of names for all files of a run, in
 * which everything is declared before it is used, and theorems that are saved and loaded by name.
 */
import { STANDARD_OPERATORS } from '../kernel/characteristic-equations.ts';
import { Kernel, type Compute } from '../kernel/kernel.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { encodeStatement, type StatementText } from '../kernel/statement.ts';
import type { ConstantId } from '../kernel/signature.ts';
import { ABSTRACTION, CONSTANT, FREE, type TermId } from '../kernel/term.ts';
import type { TheoremId } from '../kernel/theorems.ts';
import type { TypeId } from '../kernel/types.ts';
import { isBinaryPft, readPft, type PftCommand } from '../trace/pft-reader.ts';
import { PftArguments } from './pft-arguments.ts';
import type { ReplayFinding, ReplayPace } from './replay-finding.ts';
import { MalformedTrace } from '../trace/trace-reader.ts';

export interface PftResult {
  readonly steps: number;
  /** How many theorems were saved under a name. */
  readonly statements: number;
  readonly axioms: readonly string[];
  readonly findings: readonly ReplayFinding[];
}

export function isPft(bytes: Buffer): boolean {
  return isBinaryPft(bytes) || bytes[0] === '{'.charCodeAt(0);
}

const STEPS_BETWEEN_TICKS = 4096;

/** All traces of one run: names and saved theorems of earlier ones can be used by later ones. */
export class PftReplay {
  readonly #kernel: Kernel;
  readonly #saved = new Map<string, TheoremId>();

  constructor(termLimit: number) {
    const foreign = { arity: (): undefined => undefined, typeOf: (): undefined => undefined };
    this.#kernel = new Kernel({ ownTheory: undefined, foreign, termLimit });
  }

  /** What a saved theorem states. */
  statementOf(name: string): StatementText | undefined {
    const theorem = this.#saved.get(name);
    return theorem === undefined
      ? undefined
      : encodeStatement(this.#kernel, this.#kernel.conclusion(theorem), this.#kernel.hypothesesOf(theorem));
  }

  replay(bytes: Buffer, pace: ReplayPace): PftResult {
    const file = new PftFile(this.#kernel, this.#saved, pace);
    const assertedBefore = this.#kernel.assertedAxioms.length;
    const savedBefore = this.#saved.size;
    const findings: ReplayFinding[] = [];
    let steps = 0;
    let place = 0;
    let rule = '';
    try {
      for (const { command, at } of readPft(bytes)) {
        place = at;
        rule = command.name;
        file.run(command);
        steps += 1;
        if (steps % STEPS_BETWEEN_TICKS === 0)
          pace.tick({ theory: '', steps, bytes: isBinaryPft(bytes) ? at : 0 });
      }
    } catch (error) {
      const where = isBinaryPft(bytes) ? `Byte ${place}` : `Line ${place}`;
      if (error instanceof MalformedTrace) throw new MalformedTrace(`${where}: ${error.message}`);
      if (!(error instanceof Refusal)) throw error;
      const code: RefusalCode = error.code;
      findings.push({ code, theory: '', line: place, step: steps, rule, message: error.message });
    }
    const statements = this.#saved.size - savedBefore;
    return { steps, statements, axioms: this.#kernel.assertedAxioms.slice(assertedBefore), findings };
  }
}

/** The numbers of one file; each space of them is used again and again. */
class PftFile {
  readonly #kernel: Kernel;
  readonly #saved: Map<string, TheoremId>;
  readonly #pace: ReplayPace;
  readonly #types = new Map<number, TypeId>();
  readonly #terms = new Map<number, TermId>();
  readonly #theorems = new Map<number, TheoremId>();
  readonly #computers = new Map<number, Compute>();

  constructor(kernel: Kernel, saved: Map<string, TheoremId>, pace: ReplayPace) {
    this.#kernel = kernel;
    this.#saved = saved;
    this.#pace = pace;
  }

  run(command: PftCommand): void {
    const args = new PftArguments(command, this.#types, this.#terms, this.#theorems);
    const { signature, terms, types } = this.#kernel;
    switch (command.name) {
      case 'TYVAR':
        this.#types.set(args.number('id'), types.variable(args.text('name')));
        return;
      case 'TYOP': {
        const inner = args.types('args');
        const operator = signature.operator(args.text('name'), inner.length);
        this.#types.set(args.number('id'), types.apply(operator, inner));
        return;
      }
      case 'VAR':
        this.#terms.set(args.number('id'), terms.free(args.text('name'), args.type('ty')));
        return;
      case 'CONST': {
        const constant = signature.constant(args.text('name'));
        signature.checkInstance(constant, args.type('ty'));
        this.#terms.set(args.number('id'), terms.constant(constant, args.type('ty')));
        return;
      }
      case 'COMB':
        this.#terms.set(args.number('id'), terms.apply(args.term('rator'), args.term('rand')));
        return;
      case 'ABS': {
        const variable = args.term('var');
        if (terms.kind(variable) !== FREE)
          throw new Refusal('ill-typed', 'An abstraction binds no variable.');
        this.#terms.set(args.number('id'), terms.abstract(variable, args.term('body')));
        return;
      }
      case 'NEW_CONST':
        signature.declareConstant(args.text('name'), args.type('ty'));
        return;
      case 'NEW_TYPE':
        signature.declareOperator(args.text('name'), args.number('arity'));
        return;
      case 'SAVE':
        if (this.#saved.has(args.text('name'))) {
          throw new Refusal('duplicate-name', `${args.text('name')} is saved twice.`);
        }
        this.#saved.set(args.text('name'), args.theorem('th'));
        return;
      case 'COMPUTE_INIT':
        this.#computers.set(args.number('id'), this.#computer(args));
        return;
      case 'LIMITS':
        return;
      default:
        this.#theorems.set(args.number('id'), this.#theorem(command.name, args));
    }
  }

  #theorem(name: string, args: PftArguments): TheoremId {
    const kernel = this.#kernel;
    switch (name) {
      case 'AXIOM':
        return kernel.assertAxiom(args.term('tm'));
      case 'LOAD': {
        const theorem = this.#saved.get(args.text('name'));
        if (theorem === undefined)
          throw new Refusal('import-unknown', `No theorem ${args.text('name')} was saved.`);
        return theorem;
      }
      case 'REFL':
        return kernel.equality.reflexivity(args.term('tm'));
      case 'ALPHA':
        return kernel.equality.alpha(args.term('tm1'), args.term('tm2'));
      case 'ASSUME':
        return kernel.propositional.assume(args.term('tm'));
      case 'BETA_CONV':
        return kernel.equality.betaConversion(args.term('tm'));
      case 'EQ_MP':
        return kernel.equality.equalityModusPonens(args.theorem('eq'), args.theorem('th'));
      case 'MP':
        return kernel.propositional.modusPonens(args.theorem('imp'), args.theorem('ant'));
      case 'SYM':
        return kernel.equality.symmetry(args.theorem('th'));
      case 'TRANS':
        return kernel.equality.transitivity(args.theorem('th1'), args.theorem('th2'));
      case 'CONJ':
        return kernel.propositional.conjunction(args.theorem('th1'), args.theorem('th2'));
      case 'CONJUNCT1':
        return kernel.propositional.conjunct(args.theorem('th'), 'left');
      case 'CONJUNCT2':
        return kernel.propositional.conjunct(args.theorem('th'), 'right');
      case 'DISCH':
        return kernel.propositional.discharge(args.term('tm'), args.theorem('th'));
      case 'DISJ1':
        return kernel.propositional.disjunction(args.theorem('th'), args.term('tm'), 'left');
      case 'DISJ2':
        return kernel.propositional.disjunction(args.theorem('th'), args.term('tm'), 'right');
      case 'DISJ_CASES':
        return kernel.propositional.disjunctionCases(
          args.theorem('disj'),
          args.theorem('left'),
          args.theorem('right'),
        );
      case 'NOT_ELIM':
        return kernel.propositional.negationElimination(args.theorem('th'));
      case 'NOT_INTRO':
        return kernel.propositional.negationIntroduction(args.theorem('th'));
      case 'CCONTR':
        return kernel.propositional.contradiction(args.term('tm'), args.theorem('th'));
      case 'EXISTS':
        return kernel.quantifiers.exists(args.term('tm1'), args.term('tm2'), args.theorem('th'));
      case 'CHOOSE':
        return kernel.quantifiers.choose(args.term('var'), args.theorem('existence'), args.theorem('body'));
      case 'GEN':
        return kernel.quantifiers.generalize([args.term('tm')], args.theorem('th'));
      case 'SPEC':
      case 'Specialize':
        return kernel.quantifiers.specialize(args.term('tm'), args.theorem('th'));
      case 'GENL':
        return kernel.quantifiers.generalize(args.terms('tms'), args.theorem('th'));
      case 'ABSL':
        return kernel.equality.abstractionUnderBinder(args.theorem('th'), undefined, args.terms('tms'));
      case 'GEN_ABS':
        return kernel.equality.abstractionUnderBinder(args.theorem('th'), args.term('tm'), args.terms('tms'));
      case 'ABS_THM':
        return kernel.equality.abstraction(args.term('tm'), args.theorem('th'));
      case 'AP_TERM':
        return kernel.equality.applyTerm(args.term('tm'), args.theorem('th'));
      case 'AP_THM':
        return kernel.equality.applyTheorem(args.theorem('th'), args.term('tm'));
      case 'MK_COMB':
        return kernel.equality.combine(args.theorem('th1'), args.theorem('th2'));
      case 'Beta':
        return kernel.equality.betaRight(args.theorem('th'));
      case 'Mk_abs':
        return this.#abstractRight(args.theorem('eq'), args.theorem('body'));
      case 'Mk_comb':
        return kernel.equality.combineRight(args.theorem('eq'), args.theorem('rator'), args.theorem('rand'));
      case 'EQ_IMP_RULE1':
        return kernel.equality.equalityToImplication(args.theorem('th'), 'forward');
      case 'EQ_IMP_RULE2':
        return kernel.equality.equalityToImplication(args.theorem('th'), 'backward');
      case 'INST':
        return kernel.substitution.instantiate(
          args.theorem('th'),
          args.pairs('subst', this.#terms, this.#terms),
        );
      case 'INST_TYPE':
        return kernel.substitution.instantiateTypes(
          args.theorem('th'),
          args.pairs('subst', this.#types, this.#types),
        );
      case 'SUBST': {
        const pairs = args.pairs('subst', this.#terms, this.#theorems);
        return kernel.substitution.replace(args.term('template'), args.theorem('th'), pairs);
      }
      case 'deductAntisym':
        return kernel.equality.deductAntisymmetric(args.theorem('th1'), args.theorem('th2'));
      case 'DEF_TYOP':
        return kernel.defineType(args.text('name'), undefined, args.theorem('th'));
      case 'DEF_SPEC':
        return kernel.specifyConstants(args.names('names'), args.theorem('th'));
      case 'DEF_SPEC_GEN':
        return kernel.specifyByEquations(args.names('names'), args.theorem('th'));
      case 'COMPUTE': {
        const compute = this.#computers.get(args.number('ci'));
        if (compute === undefined) throw new MalformedTrace('A compute context is used before it is given.');
        return compute(args.term('tm'), args.theorems('ths'));
      }
      default:
        throw new MalformedTrace(`The command ${name} makes no theorem.`);
    }
  }

  #computer(args: PftArguments): Compute {
    const { terms } = this.#kernel;
    const constants = new Map<string, ConstantId>();
    for (const [operator, number] of args.named('cval_terms')) {
      const term = args.lookUp(this.#terms, number);
      if (terms.kind(term) !== CONSTANT || !STANDARD_OPERATORS.has(operator)) {
        throw new Refusal('compute-equations', `The operator ${operator} is unknown or no constant.`);
      }
      constants.set(operator, terms.constantOf(term));
    }
    const equations = args
      .named('char_eqns')
      .map(([name, number]) => [name, args.lookUp(this.#theorems, number)] as const);
    const operators = { numberType: args.type('num_ty'), valueType: args.type('cval_ty'), constants };
    return this.#kernel.computer(operators, equations, () => {
      this.#pace.tick({ theory: '', steps: this.#kernel.theoremCount, bytes: 0 });
    });
  }

  /**
   * PFT does not say which variable the right side binds, because its terms keep the name. Ours do not: any
   * variable that makes the left side of the body agree will do, and one that occurs nowhere when the bound
   * variable does not occur.
   */
  #abstractRight(whole: TheoremId, body: TheoremId): TheoremId {
    const { logic, terms } = this.#kernel;
    const [equation, inner] = [this.#kernel.conclusion(whole), this.#kernel.conclusion(body)];
    const wrong = (what: string): Refusal =>
      new Refusal('wrong-inference', `The rule does not apply: ${what}.`);
    if (!logic.isEquality(equation) || !logic.isEquality(inner)) throw wrong('the conclusion is no equation');
    const [abstraction, left] = [logic.rightSide(equation), logic.leftSide(inner)];
    const candidates: TermId[] = [];
    if (terms.kind(abstraction) === ABSTRACTION) {
      const binder = terms.binderOf(abstraction);
      terms.forEachLeafAndBinder(left, (part) => {
        if (terms.kind(part) === FREE && terms.typeOf(part) === binder) candidates.push(part);
      });
      candidates.push(terms.free('a variable that occurs nowhere', binder));
    }
    const variable = candidates.find((candidate) => terms.abstract(candidate, left) === abstraction);
    if (variable === undefined) throw wrong('the body is not that of the right side');
    return this.#kernel.equality.abstractRight(whole, variable, body);
  }
}
