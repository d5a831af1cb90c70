/**
 * Replays the text trace of one theory: every step goes through the kernel, every import is compared with what was
 * replayed before, every exported statement with what its proof gave. docs/hol4-replay.md describes the format.
 *
 * What a step merely asserts is reported and then believed, so that one run finds all such places; a step that does not
 * follow ends the replay of the theory. A theory with findings never becomes part of what is known.
 */
import { Computer, STANDARD_OPERATORS } from './kernel/compute.ts';
import {
  assertAxiom,
  defineConstant,
  defineType,
  specifyByEquations,
  specifyConstants,
} from './kernel/definitions.ts';
import type { HypothesesId } from './kernel/hypotheses.ts';
import { Kernel, type TheoremId } from './kernel/kernel.ts';
import { Refusal, type RefusalCode } from './kernel/refusal.ts';
import {
  encodeStatement,
  encodeType,
  printStatement,
  type StatementText,
  unescapeName,
} from './kernel/statement.ts';
import type { TermId } from './kernel/terms.ts';
import type { TypeId } from './kernel/types.ts';
import type {
  ParentTheory,
  ReplayedConstant,
  ReplayedOperator,
  ReplayedTheories,
  ReplayedTheorem,
  ReplayedTheory,
  VisibleTheories,
} from './replayed-theories.ts';
import { MalformedTrace, TraceReader } from './trace-reader.ts';
import { UncheckedTerms } from './unchecked-terms.ts';

export interface ReplayFinding {
  readonly code: RefusalCode;
  readonly theory: string;
  /** Line of the trace (byte, if it is binary), from 1; absent when it concerns the theory as a whole. */
  readonly line?: number;
  /** Number of the step among the theory's theorems, from 0; absent outside steps. */
  readonly step?: number;
  readonly rule?: string;
  /** The theorem or constant concerned. */
  readonly subject?: string;
  readonly message: string;
}

export interface ReplayPace {
  /** Called now and then; throws `LimitReached` when the time is over. */
  readonly tick: (done: { readonly theory: string; readonly steps: number; readonly bytes: number }) => void;
  readonly termLimit: number;
}

export interface TraceReplayResult {
  /** Complete only when there are no findings. */
  readonly theory: ReplayedTheory;
  readonly findings: readonly ReplayFinding[];
}

const FINDING_LIMIT = 100;
const STEPS_BETWEEN_TICKS = 4096;
/** A trace has about one term for so many bytes. */
const BYTES_FOR_A_TERM = 20;

/** The sort of each argument decides how it is read; each rule is one line. */
const RULES: ReadonlyMap<string, (step: TraceReplay) => TheoremId> = new Map<
  string,
  (step: TraceReplay) => TheoremId
>([
  ['REFL', (s) => s.kernel.reflexivity(s.term())],
  ['ALPHA', (s) => s.kernel.alpha(s.term(), s.term())],
  ['BETA_CONV', (s) => s.kernel.betaConversion(s.term())],
  ['ASSUME', (s) => s.kernel.assume(s.term())],
  ['SYM', (s) => s.kernel.symmetry(s.theorem())],
  ['TRANS', (s) => s.kernel.transitivity(s.theorem(), s.theorem())],
  ['EQ_MP', (s) => s.kernel.equalityModusPonens(s.theorem(), s.theorem())],
  ['EQ_IMP_RULE1', (s) => s.kernel.equalityToImplication(s.theorem(), 'forward')],
  ['EQ_IMP_RULE2', (s) => s.kernel.equalityToImplication(s.theorem(), 'backward')],
  ['deductAntisym', (s) => s.kernel.deductAntisymmetric(s.theorem(), s.theorem())],
  ['AP_TERM', (s) => s.kernel.applyTerm(s.term(), s.theorem())],
  ['AP_THM', (s) => flip(s.term(), s.theorem(), (term, theorem) => s.kernel.applyTheorem(theorem, term))],
  ['MK_COMB', (s) => s.kernel.combine(s.theorem(), s.theorem())],
  ['ABS', (s) => s.kernel.abstraction(s.term(), s.theorem())],
  ['GEN_ABS', (s) => s.kernel.abstractionUnderBinder(s.theorem(), s.optionalTerm(), s.terms())],
  ['Beta', (s) => s.kernel.betaRight(s.theorem())],
  ['Mk_comb', (s) => s.kernel.combineRight(s.theorem(), s.theorem(), s.theorem())],
  ['Mk_abs', (s) => flip(s.term(), s.theorem(), (v, whole) => s.kernel.abstractRight(whole, v, s.theorem()))],
  ['DISCH', (s) => s.kernel.discharge(s.term(), s.theorem())],
  ['MP', (s) => s.kernel.modusPonens(s.theorem(), s.theorem())],
  ['NOT_INTRO', (s) => s.kernel.negationIntroduction(s.theorem())],
  ['NOT_ELIM', (s) => s.kernel.negationElimination(s.theorem())],
  ['CCONTR', (s) => s.kernel.contradiction(s.term(), s.theorem())],
  ['CONJ', (s) => s.kernel.conjunction(s.theorem(), s.theorem())],
  ['CONJUNCT1', (s) => s.kernel.conjunct(s.theorem(), 'left')],
  ['CONJUNCT2', (s) => s.kernel.conjunct(s.theorem(), 'right')],
  ['DISJ1', (s) => flip(s.term(), s.theorem(), (term, proved) => s.kernel.disjunction(proved, term, 'left'))],
  [
    'DISJ2',
    (s) => flip(s.term(), s.theorem(), (term, proved) => s.kernel.disjunction(proved, term, 'right')),
  ],
  ['DISJ_CASES', (s) => s.kernel.disjunctionCases(s.theorem(), s.theorem(), s.theorem())],
  ['EXISTS', (s) => s.kernel.exists(s.term(), s.term(), s.theorem())],
  ['CHOOSE', (s) => s.kernel.choose(s.term(), s.theorem(), s.theorem())],
  ['GEN', (s) => s.kernel.generalize([s.term()], s.theorem())],
  [
    'GENL',
    (s) => flip(s.theorem(), s.terms(), (theorem, variables) => s.kernel.generalize(variables, theorem)),
  ],
  ['SPEC', (s) => s.kernel.specialize(s.term(), s.theorem())],
  ['Specialize', (s) => s.kernel.specialize(s.term(), s.theorem())],
  [
    'INST',
    (s) =>
      s.kernel.instantiate(
        s.theorem(),
        s.pairs(() => [s.term(), s.term()]),
      ),
  ],
  [
    'INST_TYPE',
    (s) =>
      s.kernel.instantiateTypes(
        s.theorem(),
        s.pairs(() => [s.type(), s.type()]),
      ),
  ],
  [
    'SUBST',
    (s) =>
      s.kernel.replace(
        s.term(),
        s.theorem(),
        s.pairs(() => [s.term(), s.theorem()]),
      ),
  ],
  ['COMPUTE', (s) => s.compute()],
  [
    'DEF_CONST',
    (s) => flip(s.term(), s.name(), (term, name) => s.define([name], defineConstant(s.kernel, name, term))),
  ],
  [
    'DEF_SPEC',
    (s) =>
      flip(s.theorem(), s.names(), (th, names) => s.define(names, specifyConstants(s.kernel, names, th))),
  ],
  [
    'DEF_CONST_LIST',
    (s) =>
      flip(s.theorem(), s.names(), (th, names) => s.define(names, specifyByEquations(s.kernel, names, th))),
  ],
  [
    'DEF_TYOP',
    (s) =>
      flip(s.theorem(), s.name(), (theorem, name) =>
        s.defineOperator(name, defineType(s.kernel, name, s.typeList(), theorem)),
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

export function replayTrace(
  bytes: Uint8Array,
  sha256: string,
  known: ReplayedTheories,
  pace: ReplayPace,
): TraceReplayResult {
  const reader = new TraceReader(bytes);
  const header = readHeader(reader);
  return new TraceReplay(reader, header, sha256, known, pace).run();
}

export interface TraceHeader {
  readonly name: string;
  readonly parents: readonly ParentTheory[];
}

/** The lines `theory NAME` and `parent NAME HASH` at the beginning. */
export function readHeader(reader: TraceReader): TraceHeader {
  if (reader.word() !== 'theory') throw new MalformedTrace('A trace begins with `theory NAME`.');
  const name = unescapeName(reader.word());
  reader.endLine();
  if (name === 'min' || name.includes('$')) throw new MalformedTrace(`No theory can be called ${name}.`);
  const parents: ParentTheory[] = [];
  while (reader.peek() === 'p'.charCodeAt(0)) {
    if (reader.word() !== 'parent') throw new MalformedTrace('An unknown line stands among the parents.');
    parents.push({ name: unescapeName(reader.word()), hash: reader.rest() });
    reader.endLine();
  }
  return { name, parents };
}

class TraceReplay {
  readonly kernel: Kernel;
  readonly #reader: TraceReader;
  readonly #header: TraceHeader;
  readonly #sha256: string;
  readonly #pace: ReplayPace;
  readonly #known: ReplayedTheories;
  readonly #visible: VisibleTheories;
  readonly #types: TypeId[] = [];
  readonly #terms: UncheckedTerms;
  readonly #uses = new Map<string, string>();
  readonly #definitions = new Map<string, StatementText>();
  readonly #theorems = new Map<string, ReplayedTheorem>();
  readonly #unnamed: StatementText[] = [];
  readonly #axioms: string[] = [];
  readonly #findings: ReplayFinding[] = [];
  readonly #computers = new Map<string, Computer>();
  #rule: string | undefined;
  #untilTick = STEPS_BETWEEN_TICKS;

  constructor(
    reader: TraceReader,
    header: TraceHeader,
    sha256: string,
    known: ReplayedTheories,
    pace: ReplayPace,
  ) {
    this.#reader = reader;
    this.#header = header;
    this.#sha256 = sha256;
    this.#pace = pace;
    this.#known = known;
    this.#visible = known.visibleFrom(header.parents, ({ name, sha256: hash }) => this.#uses.set(name, hash));
    this.kernel = new Kernel({
      ownTheory: header.name,
      foreign: this.#visible,
      termLimit: pace.termLimit,
      expectedTerms: Math.floor(reader.size / BYTES_FOR_A_TERM),
    });
    this.#terms = new UncheckedTerms(this.kernel.terms);
  }

  run(): TraceReplayResult {
    try {
      this.#known.checkParents(this.#header.name, this.#header.parents);
      while (!this.#line()) if (this.#findings.length >= FINDING_LIMIT) break;
    } catch (error) {
      if (error instanceof MalformedTrace) {
        throw new MalformedTrace(`Line ${this.#reader.lineNumber}: ${error.message}`);
      }
      if (!(error instanceof Refusal)) throw error;
      this.#report(error.code, error.message);
    }
    return { theory: this.#theory(), findings: this.#findings };
  }

  // Arguments of steps

  term(): TermId {
    return this.#terms.check(this.#reader.natural());
  }

  optionalTerm(): TermId | undefined {
    const term = this.#reader.optionalNatural();
    return term === undefined ? undefined : this.#terms.check(term);
  }

  terms(): TermId[] {
    return this.#many(() => this.term());
  }

  type(): TypeId {
    const type = this.#types[this.#reader.natural()];
    if (type === undefined) throw new MalformedTrace('A type is used before it is given.');
    return type;
  }

  typeList(): TypeId[] {
    return this.#many(() => this.type());
  }

  theorem(): TheoremId {
    const theorem = this.#reader.natural();
    if (theorem >= this.kernel.theoremCount) {
      throw new MalformedTrace(`The theorem ${theorem} is used before it is proved.`);
    }
    return theorem;
  }

  pairs<A, B>(read: () => readonly [A, B]): (readonly [A, B])[] {
    return this.#many(read);
  }

  name(): string {
    return unescapeName(this.#reader.word());
  }

  names(): string[] {
    return this.#many(() => this.name());
  }

  // Steps that are more than a rule

  /** COMPUTE m n t… (NAME t)…: the term, the code equations, the characteristic equations. */
  compute(): TheoremId {
    const term = this.term();
    const codeCount = this.#reader.natural();
    const codes = Array.from({ length: Math.min(codeCount, 1_000_000) }, () => this.theorem());
    const equations = this.#many((): [string, TheoremId] => [this.name(), this.theorem()]);
    const key = equations.map(([name, theorem]) => `${name} ${theorem}`).join(' ');
    let computer = this.#computers.get(key);
    if (computer === undefined) {
      const { kernel } = this;
      const constants = new Map(
        [...STANDARD_OPERATORS].map(([operator, name]) => [operator, kernel.signature.constant(name)]),
      );
      const numberType = kernel.types.apply(kernel.signature.operator('num$num', 0), []);
      const valueType = kernel.types.apply(kernel.signature.operator('cv$cv', 0), []);
      computer = new Computer(kernel, { numberType, valueType, constants }, equations, () => {
        this.#tick();
      });
      this.#computers.set(key, computer);
    }
    return computer.compute(term, codes);
  }

  define(names: readonly string[], theorem: TheoremId): TheoremId {
    const statement = this.#statement(theorem);
    for (const name of names) this.#definitions.set(name, statement);
    return theorem;
  }

  defineOperator(name: string, theorem: TheoremId): TheoremId {
    this.#definitions.set(`type ${name}`, this.#statement(theorem));
    return theorem;
  }

  /** DISK THEORY n NAME CONCL HYP… or DISK THEORY a INDEX CONCL HYP… */
  import(): TheoremId {
    const theory = this.name();
    const letter = this.#reader.letter();
    if (letter !== 'n' && letter !== 'a') throw new MalformedTrace('An import names no theorem.');
    const id = letter === 'n' ? this.name() : this.#reader.natural();
    const { conclusion, hypotheses } = this.#sequent();
    const stored = this.#visible.theory(theory);
    const replayed = typeof id === 'string' ? stored.theorems.get(id)?.statement : stored.unnamed[id];
    const subject = `${theory}$${typeof id === 'string' ? id : `#${id}`}`;
    const here = encodeStatement(this.kernel, conclusion, hypotheses);
    if (replayed === undefined) {
      this.#report('import-unknown', `${theory} exports no theorem ${id}.`, subject);
    } else if (replayed !== here) {
      this.#report(
        'import-changed',
        `Imported as ${printStatement(here)}, but what was replayed is ${printStatement(replayed)}.`,
        subject,
      );
    }
    return this.kernel.add(conclusion, hypotheses);
  }

  axiom(): TheoremId {
    const { conclusion, hypotheses } = this.#sequent();
    try {
      const theorem = assertAxiom(this.kernel, conclusion);
      this.#axioms.push(this.kernel.logic.axioms.get(conclusion) ?? '');
      return theorem;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const here = printStatement(encodeStatement(this.kernel, conclusion, hypotheses));
      this.#report(error.code, `${here} is asserted without proof.`);
      return this.kernel.add(conclusion, hypotheses);
    }
  }

  withoutProof(what: string): TheoremId {
    const { conclusion, hypotheses } = this.#sequent();
    const here = printStatement(encodeStatement(this.kernel, conclusion, hypotheses));
    this.#report('proof-missing', `The proof of ${here} was ${what}.`);
    return this.kernel.add(conclusion, hypotheses);
  }

  /** Reads one line; true when it was the last. */
  #line(): boolean {
    const reader = this.#reader;
    switch (reader.peek()) {
      case M:
        reader.letter();
        this.#termLine();
        break;
      case T:
        if (reader.word() === 't') this.#step();
        else this.#declareOperator();
        break;
      case Y:
        reader.letter();
        this.#typeLine();
        break;
      case C:
        this.#insistWord('const');
        this.kernel.signature.declareConstant(this.#qualified(this.name()), this.type());
        break;
      case N:
        this.#insistWord('named');
        this.#export();
        break;
      case A: {
        this.#insistWord('anon');
        const theorem = this.theorem();
        this.#compareExport(theorem, `#${this.#unnamed.length}`);
        this.#unnamed.push(this.#statement(theorem));
        break;
      }
      case E:
        this.#insistWord('end');
        this.#end();
        return true;
      default:
        throw new MalformedTrace('An unknown line.');
    }
    reader.endLine();
    return false;
  }

  #typeLine(): void {
    const { types, signature } = this.kernel;
    const letter = this.#reader.letter();
    const name = this.name();
    if (letter === 'v') this.#types.push(types.variable(name));
    else if (letter === 'o') {
      const args = this.typeList();
      this.#types.push(types.apply(signature.operator(name, args.length), args));
    } else throw new MalformedTrace('An unknown kind of type.');
  }

  #termLine(): void {
    const { terms, signature } = this.kernel;
    const reader = this.#reader;
    switch (reader.letter()) {
      case 'a':
        this.#terms.addApplication(reader.natural(), reader.natural());
        break;
      case 'l':
        this.#terms.addAbstraction(this.type(), reader.natural());
        break;
      case 'b':
        this.#terms.addBound(reader.natural());
        break;
      case 'f':
        this.#terms.addAtom(terms.free(this.name(), this.type()));
        break;
      case 'c': {
        const constant = signature.constant(this.name());
        const type = this.type();
        signature.checkInstance(constant, type);
        this.#terms.addAtom(terms.constant(constant, type));
        break;
      }
      default:
        throw new MalformedTrace('An unknown kind of term.');
    }
  }

  #step(): void {
    this.#rule = this.#reader.word();
    const rule = RULES.get(this.#rule);
    if (rule === undefined) throw new MalformedTrace(`There is no rule ${this.#rule}.`);
    rule(this);
    this.#rule = undefined;
    this.#untilTick -= 1;
    if (this.#untilTick === 0) this.#tick();
  }

  /** named NAME CLASS THEOREM [ORACLES] [AXIOMS] CONCL HYP… */
  #export(): void {
    const name = this.name();
    const kind = KINDS.get(this.#reader.letter());
    if (kind === undefined) throw new MalformedTrace('An unknown kind of theorem.');
    const theorem = this.theorem();
    const oracles = this.#reader
      .word()
      .replace(/^\[|\]$/g, '')
      .split(',');
    this.#reader.word();
    this.#compareExport(theorem, name);
    const bad = oracles.filter((oracle) => oracle !== '' && oracle !== 'DISK_THM');
    if (bad.length > 0) this.#report('oracle-tag', `It rests on the oracle ${bad.join(', ')}.`, name);
    if (this.#theorems.has(name)) this.#report('duplicate-name', 'The theory exports this name twice.', name);
    this.#theorems.set(name, { statement: this.#statement(theorem), kind });
  }

  #compareExport(theorem: TheoremId, name: string): void {
    const { conclusion, hypotheses } = this.#sequent();
    const { kernel } = this;
    if (kernel.conclusion(theorem) === conclusion && kernel.hypothesesOf(theorem) === hypotheses) return;
    const exported = printStatement(encodeStatement(kernel, conclusion, hypotheses));
    this.#report(
      'export-changed',
      `Exported as ${exported}, but its proof gives ${printStatement(this.#statement(theorem))}.`,
      name,
    );
  }

  /** end TYPES TERMS THEOREMS */
  #end(): void {
    const counts = [this.#reader.natural(), this.#reader.natural(), this.#reader.natural()];
    this.#reader.endLine();
    const seen = [this.#types.length, this.#terms.count, this.kernel.theoremCount];
    if (seen.join(' ') !== counts.join(' ') || !this.#reader.atEnd) {
      throw new MalformedTrace(
        `The trace has ${seen.join(', ')} types, terms, theorems, but says ${counts.join(', ')}.`,
      );
    }
  }

  #declareOperator(): void {
    this.kernel.signature.declareOperator(this.#qualified(this.name()), this.#reader.natural());
  }

  /** CONCL HYP… */
  #sequent(): { readonly conclusion: TermId; readonly hypotheses: HypothesesId } {
    const conclusion = this.term();
    const rest = this.terms();
    for (const term of [conclusion, ...rest]) {
      if (this.kernel.terms.typeOf(term) !== this.kernel.types.bool) {
        throw new Refusal('ill-typed', 'A statement is no proposition.');
      }
    }
    return { conclusion, hypotheses: this.kernel.hypotheses.of(rest) };
  }

  #statement(theorem: TheoremId): StatementText {
    return encodeStatement(this.kernel, this.kernel.conclusion(theorem), this.kernel.hypothesesOf(theorem));
  }

  #many<A>(read: () => A): A[] {
    const result: A[] = [];
    while (this.#reader.hasField()) result.push(read());
    return result;
  }

  #qualified(name: string): string {
    return `${this.#header.name}$${name}`;
  }

  #insistWord(expected: string): void {
    if (this.#reader.word() !== expected) throw new MalformedTrace('An unknown line.');
  }

  #tick(): void {
    this.#untilTick = STEPS_BETWEEN_TICKS;
    this.#pace.tick({
      theory: this.#header.name,
      steps: this.kernel.theoremCount,
      bytes: this.#reader.offset,
    });
  }

  #report(code: RefusalCode, message: string, subject?: string): void {
    this.#findings.push({
      code,
      theory: this.#header.name,
      line: this.#reader.lineNumber,
      ...(this.#rule !== undefined && { step: this.kernel.theoremCount, rule: this.#rule }),
      ...(subject !== undefined && { subject }),
      message,
    });
  }

  #theory(): ReplayedTheory {
    const { signature } = this.kernel;
    const constants = new Map<string, ReplayedConstant>();
    for (const { name, type } of signature.ownConstants()) {
      const definition = this.#definitions.get(name);
      constants.set(name, {
        type: encodeType(this.kernel, type),
        ...(definition !== undefined && { definition }),
      });
    }
    const operators = new Map<string, ReplayedOperator>();
    for (const { name, arity } of signature.ownOperators()) {
      const definition = this.#definitions.get(`type ${name}`);
      operators.set(name, { arity, ...(definition !== undefined && { definition }) });
    }
    return {
      ...this.#header,
      sha256: this.#sha256,
      uses: this.#uses,
      constants,
      operators,
      theorems: this.#theorems,
      unnamed: this.#unnamed,
      axioms: this.#axioms,
      steps: this.kernel.theoremCount,
    };
  }
}

const [M, T, Y, C, N, A, E] = ['m', 't', 'y', 'c', 'n', 'a', 'e'].map((letter) => letter.charCodeAt(0));
const KINDS: ReadonlyMap<string, ReplayedTheorem['kind']> = new Map([
  ['A', 'axiom'],
  ['D', 'definition'],
  ['T', 'theorem'],
]);
