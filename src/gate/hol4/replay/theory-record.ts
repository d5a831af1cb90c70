/** What the replay of a theory shows of it: how its names were introduced, what it exports, and what that rests on. */
import type { Kernel } from '../kernel/kernel.ts';
import { encodeStatement, encodeType, type StatementText } from '../kernel/statement.ts';
import type { TheoremId } from '../kernel/theorems.ts';
import type {
  ReplayedConstant,
  ReplayedOperator,
  ReplayedStatement,
  ReplayedTheorem,
  ReplayedTheory,
  UnprovedExport,
} from './replayed-theories.ts';

export class TheoryRecord {
  readonly #kernel: Kernel;
  readonly #constants = new Map<string, StatementText>();
  readonly #operators = new Map<string, StatementText>();
  readonly #theorems = new Map<string, ReplayedTheorem>();
  readonly #unnamed: ReplayedStatement[] = [];
  readonly #asserted = new Set<StatementText>();
  readonly #unproved: {
    readonly name: string;
    readonly theorem: TheoremId;
    readonly on: readonly string[];
  }[] = [];

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  get unnamedCount(): number {
    return this.#unnamed.length;
  }

  /** The exports that rest on something without proof, by the kernel's word. */
  get unproved(): readonly UnprovedExport[] {
    const isExact = this.#kernel.areTaintsExact;
    return this.#unproved
      .toSorted((one, other) => one.theorem - other.theorem)
      .map(({ name, on }) => ({ name, on, isExact }));
  }

  defineConstants(names: readonly string[], theorem: TheoremId): void {
    const statement = this.statementOf(theorem);
    for (const name of names) this.#constants.set(name, statement);
  }

  defineOperator(name: string, theorem: TheoremId): void {
    this.#operators.set(name, this.statementOf(theorem));
  }

  /** Notes an axiom that the caller allows. */
  assertAxiom(statement: StatementText): void {
    this.#asserted.add(statement);
  }

  exportUnnamed(theorem: TheoremId): void {
    this.#unnamed.push({
      statement: this.statementOf(theorem),
      restsOn: this.#restsOn(`#${this.#unnamed.length}`, theorem),
    });
  }

  /** False when the theory exports the name already. */
  export(name: string, kind: ReplayedTheorem['kind'], theorem: TheoremId): boolean {
    const isNew = !this.#theorems.has(name);
    const restsOn = this.#restsOn(name, theorem);
    this.#theorems.set(name, { statement: this.statementOf(theorem), kind, restsOn });
    return isNew;
  }

  statementOf(theorem: TheoremId): StatementText {
    const kernel = this.#kernel;
    return encodeStatement(kernel, kernel.conclusion(theorem), kernel.hypothesesOf(theorem));
  }

  theory(about: Pick<ReplayedTheory, 'name' | 'sha256' | 'parents' | 'uses'>): ReplayedTheory {
    const kernel = this.#kernel;
    const constants = new Map<string, ReplayedConstant>();
    for (const { name, type } of kernel.signature.ownConstants()) {
      const definition = this.#constants.get(name);
      constants.set(name, {
        type: encodeType(kernel, type),
        ...(definition !== undefined && { definition }),
      });
    }
    const operators = new Map<string, ReplayedOperator>();
    for (const { name, arity } of kernel.signature.ownOperators()) {
      const definition = this.#operators.get(name);
      operators.set(name, { arity, ...(definition !== undefined && { definition }) });
    }
    return {
      ...about,
      constants,
      operators,
      theorems: this.#theorems,
      unnamed: this.#unnamed,
      axioms: kernel.assertedAxioms,
      asserted: [...this.#asserted],
      unproved: this.unproved,
      steps: kernel.theoremCount,
    };
  }

  /** The axioms below a theorem. */
  #restsOn(name: string, theorem: TheoremId): readonly string[] {
    const axioms: string[] = [];
    const on: string[] = [];
    for (const { kind, subject } of this.#kernel.taintOf(theorem)) {
      if (kind === 'axiom') axioms.push(subject);
      else if (kind !== 'ancestor') on.push(subject);
    }
    if (on.length > 0) this.#unproved.push({ name, theorem, on });
    return axioms.sort();
  }
}
