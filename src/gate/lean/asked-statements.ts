/**
 * Whether constants that the kernel has accepted are what was asked for: theorems that must be there, that rest on
 * no other axioms than those that are allowed, and that say what a target says.
 */
import { QuodError } from '../../core/errors.ts';
import type { Finding } from '../verdict.ts';
import { axiomFinding } from './axiom-finding.ts';
import type { ConstantDeclaration } from './declaration.ts';
import { cautionOf } from './kernel/inference.ts';
import type { Name } from './name.ts';
import { printTerm } from './print-term.ts';
import { statementDifference } from './same-statement.ts';
import { STANDARD_AXIOMS, saysTheStandard } from './standard-axioms.ts';
import { namesBehindStrings } from './behind-strings.ts';
import type { TermStore } from './term-store.ts';

/** The axioms that may be used; `any` lists them only. */
export type AllowedAxioms = readonly string[] | 'any';

export interface CheckedStatement {
  readonly name: string;
  readonly levelParameters: readonly string[];
  /** As it is read by people, and bounded. */
  readonly type: string;
  /** The axioms that it rests on, to the end. */
  readonly axioms: readonly string[];
}

export interface AllowedByName {
  readonly name: string;
  readonly type: string;
}

/** What was checked. Terms are of one store. */
export interface CheckedConstants {
  readonly path: string;
  readonly store: TermStore;
  readonly find: (name: Name) => ConstantDeclaration | undefined;
  readonly axiomsOf: (name: Name) => readonly Name[];
}

export class AskedStatements {
  readonly findings: Finding[] = [];
  readonly #checked: CheckedConstants;

  constructor(checked: CheckedConstants) {
    this.#checked = checked;
  }

  /** Whether the name is that of a theorem; otherwise a finding says what it is. */
  requireTheorem(name: Name): boolean {
    const text = name.toString();
    const constant = this.#checked.find(name);
    if (constant === undefined)
      this.find(
        'missing',
        text,
        `there is no ${text}`,
        'Export it, and name it in full, as in Nat.add_comm.',
      );
    else if (cautionOf(constant) !== undefined)
      this.find(
        'unsafe-code',
        text,
        `${text} is unsafe or partial, so nothing was checked`,
        'Prove it safely.',
      );
    else if (constant.kind === 'axiom')
      this.find('new-axiom', text, `${text} is an axiom, not a theorem`, 'Prove it.');
    else if (constant.kind !== 'theorem')
      this.find(
        'statement-changed',
        text,
        `${text} is no theorem (${constant.kind})`,
        'State it as a theorem.',
      );
    else return true;
    return false;
  }

  /** Compares a theorem, and what it speaks of, with the target's. */
  compare(name: Name, target: CheckedConstants['find']): void {
    const text = name.toString();
    const what = this.#compared(name, target, text);
    if (what !== undefined)
      this.find(
        'statement-changed',
        text,
        `${text} has ${what}, against the target`,
        'Prove the statement as the target has it.',
      );
  }

  /** @returns what it has otherwise than the target's; that what it speaks of is another is found here. @param called For people. */
  #compared(name: Name, target: CheckedConstants['find'], called: string): string | undefined {
    const { find, store } = this.#checked;
    const there = statementDifference(name, target, find, namesBehindStrings(store));
    if (there === undefined || there.name === name) return there?.what;
    const other = there.name.toString();
    this.find(
      'definition-changed',
      other,
      `${other}, which ${called} speaks of, has ${there.what}, against the target`,
      'Leave it as the target has it.',
    );
    return undefined;
  }

  /**
   * Answers what the axioms say that were allowed by their names alone: an axiom whose name the target declares has to
   * be the target's.
   */
  checkAxioms(
    constants: readonly Name[],
    axioms: AllowedAxioms = STANDARD_AXIOMS,
    target?: CheckedConstants['find'],
  ): AllowedByName[] {
    const { path, store, find, axiomsOf } = this.#checked;
    const namesOf = (texts: readonly string[]): ReadonlySet<Name> =>
      new Set(texts.map((text) => store.names.parse(text)));
    const allowed = axioms === 'any' ? undefined : namesOf(axioms);
    const used = new Set<Name>();
    for (const name of constants) {
      const forbidden: Name[] = [];
      for (const axiom of axiomsOf(name)) {
        if (allowed?.has(axiom) === false) forbidden.push(axiom);
        else used.add(axiom);
      }
      if (forbidden.length > 0) this.findings.push(axiomFinding(path, name, forbidden));
    }
    const standard = axioms === 'any' ? new Set<Name>() : namesOf(STANDARD_AXIOMS);
    for (const axiom of used) {
      if (!standard.has(axiom) || saysTheStandard(store, find, axiom)) continue;
      const text = axiom.toString();
      this.find(
        'new-axiom',
        text,
        `the axiom ${text} does not say what it says in Lean's library: ${this.#typeOf(axiom)}`,
        'Use the axiom of the library.',
      );
    }
    const known = [...used].filter((axiom) => target?.(axiom) !== undefined);
    if (target !== undefined) for (const axiom of known) this.#compareAxiom(axiom, target);
    return [...used]
      .filter((axiom) => !standard.has(axiom) && !known.includes(axiom))
      .map((axiom) => ({ name: axiom.toString(), type: this.#typeOf(axiom) }));
  }

  /** An axiom that is in use, with the target's declaration of that name, and what both speak of. */
  #compareAxiom(axiom: Name, target: CheckedConstants['find']): void {
    const text = axiom.toString();
    const what = this.#compared(axiom, target, `the axiom ${text}`);
    if (what !== undefined)
      this.find(
        'new-axiom',
        text,
        `the axiom ${text} has ${what} than in the target: ${this.#typeOf(axiom)}`,
        'Use the axiom as the target declares it.',
      );
  }

  statement(name: Name): CheckedStatement {
    return {
      name: name.toString(),
      levelParameters: this.#constant(name).levelParameters.map((parameter) => parameter.toString()),
      type: this.#typeOf(name),
      axioms: this.#checked.axiomsOf(name).map((axiom) => axiom.toString()),
    };
  }

  find(kind: Finding['kind'], subject: string | undefined, message: string, remedy: string): void {
    const { path: file } = this.#checked;
    this.findings.push({ kind, file, ...(subject !== undefined && { subject }), message, remedy });
  }

  #typeOf(name: Name): string {
    return printTerm(this.#constant(name).type);
  }

  #constant(name: Name): ConstantDeclaration {
    const constant = this.#checked.find(name);
    if (constant === undefined)
      throw new QuodError('internal', `${name.toString()} was checked and is gone.`);
    return constant;
  }
}
