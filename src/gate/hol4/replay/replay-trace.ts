/**
 * Replays the text trace of one theory: every step goes through the kernel, every import is compared with what was
 * replayed before, every exported statement with what its proof gave. docs/judge/hol4-replay.md describes the format.
 *
 * What a step merely asserts is reported and then believed, so that one run finds all such places; a step that does not
 * follow ends the replay of the theory. A theory with findings never becomes part of what is known.
 */
import { STANDARD_OPERATORS } from '../kernel/characteristic-equations.ts';
import { Kernel, type Compute } from '../kernel/kernel.ts';
import { Refusal, type RefusalCode } from '../kernel/refusal.ts';
import { encodeStatement, printStatement, type StatementText } from '../kernel/statement.ts';
import type { Postulate, TheoremId } from '../kernel/theorems.ts';
import type {
  ReplayedTheories,
  ReplayedTheorem,
  ReplayedTheory,
  VisibleTheories,
} from './replayed-theories.ts';
import { MalformedTrace, TraceReader } from '../trace/trace-reader.ts';
import type { ReplayFinding, ReplayPace } from './replay-finding.ts';
import { readTraceHeader, type TraceHeader } from './trace-header.ts';
import { RULES, type TraceStep } from './trace-rules.ts';
import { TheoryRecord } from './theory-record.ts';
import { TraceArguments, expectedTerms } from './trace-arguments.ts';

/** Statements that may be asserted besides the four axioms, each with the name that it is reported under. */
export type AllowedAxioms = ReadonlyMap<StatementText, string>;

export interface TraceOptions {
  readonly allowed?: AllowedAxioms | undefined;
  /** After so many findings the replay ends; Infinity for a target, of which everything must be seen. */
  readonly findingLimit?: number;
  /** Tags that exports may carry: what they stand for is decided by the proofs. */
  readonly oracles?: ReadonlySet<string>;
}

export interface TraceReplayResult {
  /** Complete only when there are no findings. */
  readonly theory: ReplayedTheory;
  readonly findings: readonly ReplayFinding[];
}

const FINDING_LIMIT = 100;
const STEPS_BETWEEN_TICKS = 4096;

export function replayTrace(
  bytes: Uint8Array,
  sha256: string,
  known: ReplayedTheories,
  {
    allowed = new Map(),
    findingLimit = FINDING_LIMIT,
    oracles = new Set(),
    ...pace
  }: ReplayPace & TraceOptions,
): TraceReplayResult {
  const reader = new TraceReader(bytes);
  const header = readTraceHeader(reader);
  return new TraceReplay({ reader, header, sha256, known, pace, allowed, findingLimit, oracles }).run();
}

interface TraceReplaySettings {
  readonly reader: TraceReader;
  readonly header: TraceHeader;
  readonly sha256: string;
  readonly known: ReplayedTheories;
  readonly pace: ReplayPace;
  readonly allowed: AllowedAxioms;
  readonly findingLimit: number;
  readonly oracles: ReadonlySet<string>;
}

class TraceReplay extends TraceArguments implements TraceStep {
  readonly #settings: TraceReplaySettings;
  readonly #visible: VisibleTheories;
  readonly #record: TheoryRecord;
  readonly #uses: ReadonlyMap<string, string>;
  readonly #findings: ReplayFinding[] = [];
  readonly #computers = new Map<string, Compute>();
  #rule: string | undefined;
  #untilTick = STEPS_BETWEEN_TICKS;

  constructor(settings: TraceReplaySettings) {
    const { reader, header, known, pace } = settings;
    const uses = new Map<string, string>();
    const visible = known.visibleFrom(header.parents, ({ name, sha256 }) => uses.set(name, sha256));
    const kernel = new Kernel({
      ownTheory: header.name,
      foreign: visible,
      termLimit: pace.termLimit,
      expectedTerms: expectedTerms(reader),
    });
    super(kernel, reader);
    this.#settings = settings;
    this.#visible = visible;
    this.#uses = uses;
    this.#record = new TheoryRecord(kernel);
  }

  run(): TraceReplayResult {
    try {
      const { known, header, findingLimit } = this.#settings;
      known.checkParents(header.name, header.parents);
      while (!this.#line()) if (this.#findings.length >= findingLimit) break;
      // Every step without a proof was reported where it stands. Should one not have been, the kernel knows of it.
      const [unproved] = this.#record.unproved;
      if (unproved !== undefined && this.#findings.length === 0)
        this.#report('unproved-statement', 'It rests on a statement without proof.', unproved.name);
    } catch (error) {
      if (error instanceof MalformedTrace) {
        throw new MalformedTrace(`Line ${this.reader.lineNumber}: ${error.message}`);
      }
      if (!(error instanceof Refusal)) throw error;
      this.#report(error.code, error.message);
    }
    const { header, sha256 } = this.#settings;
    return { theory: this.#record.theory({ ...header, sha256, uses: this.#uses }), findings: this.#findings };
  }

  // Steps that are more than a rule

  /** COMPUTE m n t… (NAME t)…: the term, the code equations, the characteristic equations. */
  compute(): TheoremId {
    const term = this.term();
    const codeCount = this.reader.natural();
    const codes = Array.from({ length: Math.min(codeCount, 1_000_000) }, () => this.theorem());
    const equations = this.many((): [string, TheoremId] => [this.name(), this.theorem()]);
    const key = equations.map(([name, theorem]) => `${name} ${theorem}`).join(' ');
    let compute = this.#computers.get(key);
    if (compute === undefined) {
      const { kernel } = this;
      const constants = new Map(
        [...STANDARD_OPERATORS].map(([operator, name]) => [operator, kernel.signature.constant(name)]),
      );
      const numberType = kernel.types.apply(kernel.signature.operator('num$num', 0), []);
      const valueType = kernel.types.apply(kernel.signature.operator('cv$cv', 0), []);
      compute = kernel.computer({ numberType, valueType, constants }, equations, () => {
        this.#tick();
      });
      this.#computers.set(key, compute);
    }
    return compute(term, codes);
  }

  define(names: readonly string[], theorem: TheoremId): TheoremId {
    this.#record.defineConstants(names, theorem);
    return theorem;
  }

  defineOperator(name: string, theorem: TheoremId): TheoremId {
    this.#record.defineOperator(name, theorem);
    return theorem;
  }

  /** DISK THEORY n NAME CONCL HYP… or DISK THEORY a INDEX CONCL HYP… */
  import(): TheoremId {
    const theory = this.name();
    const letter = this.reader.letter();
    if (letter !== 'n' && letter !== 'a') throw new MalformedTrace('An import names no theorem.');
    const id = letter === 'n' ? this.name() : this.reader.natural();
    const { conclusion, hypotheses } = this.sequent();
    const stored = this.#visible.theory(theory);
    const replayed = typeof id === 'string' ? stored.theorems.get(id) : stored.unnamed[id];
    const subject = `${theory}$${typeof id === 'string' ? id : `#${id}`}`;
    const here = encodeStatement(this.kernel, conclusion, hypotheses);
    const believe = (...because: Postulate[]): TheoremId =>
      this.kernel.postulate(conclusion, hypotheses, because);
    if (replayed === undefined) {
      this.#report('import-unknown', `${theory} exports no theorem ${id}.`, subject);
      return believe({ kind: 'import-unknown', subject });
    }
    if (replayed.statement !== here) {
      this.#report(
        'import-changed',
        `Imported as ${printStatement(here)}, but what was replayed is ${printStatement(replayed.statement)}.`,
        subject,
      );
      return believe({ kind: 'import-changed', subject });
    }
    const axioms = replayed.restsOn.map((name): Postulate => ({ kind: 'axiom', subject: name }));
    return believe({ kind: 'ancestor', subject: 'the theories that were replayed before' }, ...axioms);
  }

  axiom(): TheoremId {
    const { conclusion, hypotheses } = this.sequent();
    if (this.kernel.isAssertable(conclusion)) return this.kernel.assertAxiom(conclusion);
    const statement = encodeStatement(this.kernel, conclusion, hypotheses);
    const allowed = this.#settings.allowed.get(statement);
    if (allowed !== undefined) {
      this.#record.assertAxiom(statement);
      return this.kernel.postulate(conclusion, hypotheses, [{ kind: 'axiom', subject: allowed }]);
    }
    this.#report('unproved-statement', `${printStatement(statement)} is asserted without proof.`);
    return this.kernel.postulate(conclusion, hypotheses, [{ kind: 'unproved', subject: statement }]);
  }

  withoutProof(what: string): TheoremId {
    const { conclusion, hypotheses } = this.sequent();
    const subject = encodeStatement(this.kernel, conclusion, hypotheses);
    this.#report('proof-missing', `The proof of ${printStatement(subject)} was ${what}.`);
    return this.kernel.postulate(conclusion, hypotheses, [{ kind: 'proof-missing', subject }]);
  }

  /** Reads one line; true when it was the last. */
  #line(): boolean {
    const reader = this.reader;
    switch (reader.peek()) {
      case M:
        reader.letter();
        this.termLine();
        break;
      case T:
        switch (reader.word()) {
          case 't':
            this.#step();
            break;
          case 'type':
            this.#declareOperator();
            break;
          default:
            throw new MalformedTrace('An unknown line.');
        }
        break;
      case Y:
        reader.letter();
        this.typeLine();
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
        this.#compareExport(theorem, `#${this.#record.unnamedCount}`);
        this.#record.exportUnnamed(theorem);
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

  #step(): void {
    this.#rule = this.reader.word();
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
    const kind = KINDS.get(this.reader.letter());
    if (kind === undefined) throw new MalformedTrace('An unknown kind of theorem.');
    const theorem = this.theorem();
    const oracles = this.reader
      .word()
      .replace(/^\[|\]$/g, '')
      .split(',');
    this.reader.word();
    this.#compareExport(theorem, name);
    const bad = oracles.filter(
      (oracle) => oracle !== '' && oracle !== 'DISK_THM' && !this.#settings.oracles.has(oracle),
    );
    if (bad.length > 0) this.#report('oracle-tag', `It rests on the oracle ${bad.join(', ')}.`, name);
    if (!this.#record.export(name, kind, theorem))
      this.#report('duplicate-name', 'The theory exports this name twice.', name);
  }

  #compareExport(theorem: TheoremId, name: string): void {
    const { conclusion, hypotheses } = this.sequent();
    const { kernel } = this;
    if (kernel.conclusion(theorem) === conclusion && kernel.hypothesesOf(theorem) === hypotheses) return;
    const exported = printStatement(encodeStatement(kernel, conclusion, hypotheses));
    this.#report(
      'export-changed',
      `Exported as ${exported}, but its proof gives ${printStatement(this.#record.statementOf(theorem))}.`,
      name,
    );
  }

  /** end TYPES TERMS THEOREMS */
  #end(): void {
    const counts = [this.reader.natural(), this.reader.natural(), this.reader.natural()];
    this.reader.endLine();
    const seen = [this.typeCount, this.termCount, this.kernel.theoremCount];
    if (seen.join(' ') !== counts.join(' ') || !this.reader.atEnd) {
      throw new MalformedTrace(
        `The trace has ${seen.join(', ')} types, terms, theorems, but says ${counts.join(', ')}.`,
      );
    }
  }

  #declareOperator(): void {
    this.kernel.signature.declareOperator(this.#qualified(this.name()), this.reader.natural());
  }

  #qualified(name: string): string {
    return `${this.#settings.header.name}$${name}`;
  }

  #insistWord(expected: string): void {
    if (this.reader.word() !== expected) throw new MalformedTrace('An unknown line.');
  }

  #tick(): void {
    this.#untilTick = STEPS_BETWEEN_TICKS;
    this.#settings.pace.tick({
      theory: this.#settings.header.name,
      steps: this.kernel.theoremCount,
      bytes: this.reader.offset,
    });
  }

  #report(code: RefusalCode, message: string, subject?: string): void {
    this.#findings.push({
      code,
      theory: this.#settings.header.name,
      line: this.reader.lineNumber,
      ...(this.#rule !== undefined && { step: this.kernel.theoremCount, rule: this.#rule }),
      ...(subject !== undefined && { subject }),
      message,
    });
  }
}

const [M, T, Y, C, N, A, E] = ['m', 't', 'y', 'c', 'n', 'a', 'e'].map((letter) => letter.charCodeAt(0));
const KINDS: ReadonlyMap<string, ReplayedTheorem['kind']> = new Map([
  ['A', 'axiom'],
  ['D', 'definition'],
  ['T', 'theorem'],
]);
