/**
 * Checks a whole export with the kernel, from an empty environment, and then what was asked for: that theorems are there, which
 * axioms each of them rests on, and that they say what a target says.
 *
 * `accepted` means that every declaration of the file was accepted by the kernel, that the file declares what was asked for,
 * and that nothing asked for rests on an axiom that is not allowed. A file that declares nothing is never accepted. One that
 * cannot be read to its end, or that the kernel declines, is `unknown`: nobody may conclude anything.
 */
import { createHash } from 'node:crypto';
import { QuodError } from '../../core/errors.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { Finding } from '../verdict.ts';
import { axiomFinding } from './axiom-finding.ts';
import { type Declaration, type ConstantDeclaration, constantsOf } from './declaration.ts';
import { withDeepStack } from './deep-stack.ts';
import type { DeepStackLimits } from './deep-stack.ts';
import { Environment } from './environment.ts';
import { fileLines, readExport } from './export/export-file.ts';
import type { ExportOrigin } from './export/read-ndjson.ts';
import type { KernelAnswer } from './kernel/answer.ts';
import { DEFAULT_LIMITS, Kernel } from './kernel/kernel.ts';
import type { Name } from './name.ts';
import { printTerm } from './print-term.ts';
import { statementDifference } from './same-statement.ts';
import { STANDARD_AXIOMS, saysTheStandard } from './standard-axioms.ts';
import { TermStore } from './term-store.ts';
import { UsedAxioms } from './used-axioms.ts';

export interface ExportCheckRequest {
  readonly path: string;
  /**
   * Full names of theorems that must be there. Without any, all constants of the file are asked for; then nothing tells whether
   * the file is whole.
   */
  readonly theorems?: readonly string[];
  /** An export in which these theorems stand as they should, or all of its theorems when none are named. */
  readonly target?: string;
  /** The axioms that what is asked for may rest on; `any` lists them only. Default: the three standard ones. */
  readonly axioms?: readonly string[] | 'any';
  /** Steps of the kernel for one declaration. */
  readonly steps?: number;
}

export interface CheckedStatement {
  readonly name: string;
  readonly levelParameters: readonly string[];
  /** As it is read by people, and bounded. */
  readonly type: string;
  /** The axioms that it rests on, to the end. */
  readonly axioms: readonly string[];
}

/** Data only, so that it can be sent between threads and printed as JSON. */
export interface ExportCheck {
  readonly kind: 'accepted' | 'rejected' | 'unknown';
  /** Why it was rejected; of the kernel's refusals only the first. */
  readonly findings: readonly Finding[];
  /** Why nothing may be concluded. */
  readonly reason: ReasonCode | undefined;
  readonly message: string | undefined;
  /** How many were accepted before the end or the problem. */
  readonly declarations: number;
  readonly constants: number;
  /** The theorems that were asked for; when none were, the first of all. */
  readonly statements: readonly CheckedStatement[];
  readonly theoremCount: number;
  /** Axioms that the file declares, whether anything rests on them or not. */
  readonly declaredAxioms: readonly string[];
  /** What allowed axioms besides the standard ones say: they were allowed by their names. */
  readonly allowedByName: readonly { readonly name: string; readonly type: string }[];
  /** Unsafe and partial constants: not checked, and nothing that was checked rests on them. */
  readonly unchecked: readonly string[];
  /** The two terms that should be equal and are not, when that is why the kernel refused. */
  readonly terms: readonly [string, string] | undefined;
  readonly origin: ExportOrigin | undefined;
  /** Of the file as it was read; undefined when a problem stopped the reading. */
  readonly sha256: string | undefined;
  readonly targetSha256: string | undefined;
}

/** How many theorems are listed when none were asked for. */
const MOST_LISTED = 100;

/** As `checkExportHere`, in a thread with a deep stack. @throws QuodError `interrupted`. */
export async function checkExport(
  request: ExportCheckRequest,
  limits: DeepStackLimits = {},
): Promise<ExportCheck> {
  try {
    return (await withDeepStack(new URL(import.meta.url), 'checkExportHere', request, limits)) as ExportCheck;
  } catch (error) {
    if (error instanceof QuodError && error.reason === 'memory-exceeded')
      return new CheckOfExport(request).unknown(error);
    throw error;
  }
}

export function checkExportHere(request: ExportCheckRequest): ExportCheck {
  const check = new CheckOfExport(request);
  try {
    return check.check();
  } catch (error) {
    if (error instanceof QuodError) return check.unknown(error);
    throw error;
  }
}

class CheckOfExport {
  readonly #request: ExportCheckRequest;
  readonly #store = new TermStore();
  readonly #environment = new Environment();
  readonly #kernel: Kernel;
  readonly #used = new UsedAxioms(this.#store);
  readonly #unchecked = new Set<Name>();
  readonly #declaredAxioms: Name[] = [];
  readonly #theorems: Name[] = [];
  readonly #others: Name[] = [];
  readonly #findings: Finding[] = [];
  #declarations = 0;
  #constants = 0;
  #origin: ExportOrigin | undefined;
  #sha256: string | undefined;
  #targetSha256: string | undefined;

  constructor(request: ExportCheckRequest) {
    this.#request = request;
    this.#kernel = new Kernel(this.#store, this.#environment, {
      steps: request.steps ?? DEFAULT_LIMITS.steps,
    });
  }

  check(): ExportCheck {
    const target = this.#readTarget();
    const hash = createHash('sha256');
    const lines = fileLines(this.#request.path, (piece) => hash.update(piece));
    for (const declaration of readExport(lines, this.#store, (origin) => (this.#origin = origin))) {
      const answer = this.#kernel.add(declaration);
      // What comes after could rest on it.
      if (answer.kind !== 'accepted') return this.#refused(answer);
      this.#note(declaration);
    }
    this.#sha256 = hash.digest('hex');
    if (this.#constants === 0)
      this.#find(
        'missing',
        undefined,
        'the export declares nothing',
        'Export the theorem and what it rests on.',
      );
    const asked = this.#asked(target);
    const found = asked.filter((name) => this.#requireTheorem(name));
    for (const name of found) this.#compare(name, target);
    const allowedByName = this.#checkAxioms(asked.length > 0 ? found : [...this.#theorems, ...this.#others]);
    const listed = asked.length > 0 ? found : this.#theorems.slice(0, MOST_LISTED);
    return {
      ...this.#result(this.#findings.length === 0 ? 'accepted' : 'rejected'),
      statements: listed.map((name) => this.#statement(name)),
      allowedByName,
    };
  }

  unknown(error: QuodError): ExportCheck {
    return { ...this.#result('unknown'), reason: error.reason, message: error.toString() };
  }

  #note(declaration: Declaration): void {
    this.#declarations++;
    this.#used.add(declaration);
    for (const name of this.#kernel.unchecked.slice(this.#unchecked.size)) this.#unchecked.add(name);
    for (const { kind, name } of constantsOf(declaration)) {
      this.#constants++;
      if (kind === 'axiom') this.#declaredAxioms.push(name);
      else if (this.#unchecked.has(name)) continue;
      else if (kind === 'theorem') this.#theorems.push(name);
      else this.#others.push(name);
    }
  }

  #asked(target: ReadTarget | undefined): readonly Name[] {
    const { theorems = [] } = this.#request;
    const named = theorems.map((text) => this.#store.names.parse(text));
    return named.length === 0 && target !== undefined ? target.theorems : [...new Set(named)];
  }

  #requireTheorem(name: Name): boolean {
    const text = name.toString();
    const constant = this.#environment.find(name);
    if (constant?.kind === 'theorem') return true;
    if (constant === undefined)
      this.#find('missing', text, `the export has no ${text}`, 'Export it, under its full name.');
    else if (constant.kind === 'axiom')
      this.#find('new-axiom', text, `${text} is an axiom, not a theorem`, 'Prove it.');
    else if (this.#unchecked.has(name))
      this.#find(
        'unsafe-code',
        text,
        `${text} is unsafe or partial, so nothing was checked`,
        'Prove it safely.',
      );
    else
      this.#find(
        'statement-changed',
        text,
        `${text} is no theorem (${constant.kind})`,
        'State it as a theorem.',
      );
    return false;
  }

  #compare(name: Name, target: ReadTarget | undefined): void {
    if (target === undefined) return;
    const there = statementDifference(name, target.find, (other) => this.#environment.find(other));
    if (there === undefined) return;
    const [text, other] = [name.toString(), there.name.toString()];
    if (there.name === name)
      this.#find(
        'statement-changed',
        text,
        `${text} has ${there.what} than in the target`,
        'Prove the statement as the target has it.',
      );
    else
      this.#find(
        'definition-changed',
        other,
        `${other}, which ${text} speaks of, has ${there.what} than in the target`,
        'Leave it as the target has it.',
      );
  }

  /** What the axioms say that were allowed by their names alone. */
  #checkAxioms(constants: readonly Name[]): { readonly name: string; readonly type: string }[] {
    const { axioms = STANDARD_AXIOMS } = this.#request;
    const parsed = axioms === 'any' ? axioms : new Set(axioms.map((text) => this.#store.names.parse(text)));
    const allowed = new Set<Name>();
    for (const name of constants) {
      const used = this.#used.of(name);
      const forbidden = parsed === 'any' ? [] : used.filter((axiom) => !parsed.has(axiom));
      if (forbidden.length > 0) this.#findings.push(axiomFinding(this.#request.path, name, forbidden));
      for (const axiom of used) if (!forbidden.includes(axiom)) allowed.add(axiom);
    }
    const standard = new Set(STANDARD_AXIOMS.map((text) => this.#store.names.parse(text)));
    for (const axiom of allowed) {
      if (axioms === 'any' || !standard.has(axiom)) continue;
      if (saysTheStandard(this.#store, (name) => this.#environment.find(name), axiom)) continue;
      const text = axiom.toString();
      this.#find(
        'new-axiom',
        text,
        `the axiom ${text} does not say what it says in Lean's library: ${this.#typeOf(axiom)}`,
        'Use the axiom of the library.',
      );
    }
    return [...allowed]
      .filter((axiom) => axioms === 'any' || !standard.has(axiom))
      .map((axiom) => ({ name: axiom.toString(), type: this.#typeOf(axiom) }));
  }

  #statement(name: Name): CheckedStatement {
    return {
      name: name.toString(),
      levelParameters: this.#constant(name).levelParameters.map((parameter) => parameter.toString()),
      type: this.#typeOf(name),
      axioms: this.#used.of(name).map((axiom) => axiom.toString()),
    };
  }

  #typeOf(name: Name): string {
    return printTerm(this.#constant(name).type);
  }

  #constant(name: Name): ConstantDeclaration {
    const constant = this.#environment.find(name);
    if (constant === undefined)
      throw new QuodError('internal', `${name.toString()} is not in the environment.`);
    return constant;
  }

  #readTarget(): ReadTarget | undefined {
    const { target, theorems = [] } = this.#request;
    if (target === undefined) return undefined;
    const place = { file: target };
    const hash = createHash('sha256');
    const constants = new Map<Name, ConstantDeclaration>();
    for (const declaration of readExport(
      fileLines(target, (piece) => hash.update(piece)),
      this.#store,
    ))
      for (const constant of constantsOf(declaration)) {
        const { name } = constant;
        if (constants.has(name))
          throw new QuodError('invalid-input', `The target declares ${name.toString()} twice.`, { place });
        constants.set(name, constant);
      }
    this.#targetSha256 = hash.digest('hex');
    const found = [...constants.values()].filter(({ kind }) => kind === 'theorem').map(({ name }) => name);
    if (found.length === 0) throw new QuodError('invalid-input', 'The target states no theorem.', { place });
    for (const text of theorems) {
      if (constants.get(this.#store.names.parse(text))?.kind !== 'theorem')
        throw new QuodError('invalid-input', `The target does not state ${text}.`, { place });
    }
    return { theorems: found, find: (name) => constants.get(name) };
  }

  #refused(answer: Exclude<KernelAnswer, { kind: 'accepted' }>): ExportCheck {
    const subject = answer.declaration?.toString() ?? 'a declaration without a name';
    if (answer.kind === 'declined')
      return {
        ...this.#result('unknown'),
        reason: 'unsupported',
        message: `The kernel declines ${subject}: ${answer.problem}.`,
      };
    this.#find(
      'kernel-rejected',
      subject,
      `the kernel rejects ${subject}: ${answer.problem}`,
      'Export it again; if Lean accepts it, something has changed its environment.',
    );
    const { terms } = answer;
    return { ...this.#result('rejected'), terms: terms && [printTerm(terms[0]), printTerm(terms[1])] };
  }

  #find(kind: Finding['kind'], subject: string | undefined, message: string, remedy: string): void {
    const { path: file } = this.#request;
    this.#findings.push({ kind, file, ...(subject !== undefined && { subject }), message, remedy });
  }

  #result(kind: ExportCheck['kind']): ExportCheck {
    return {
      kind,
      findings: this.#findings,
      reason: undefined,
      message: undefined,
      declarations: this.#declarations,
      constants: this.#constants,
      statements: [],
      theoremCount: this.#theorems.length,
      declaredAxioms: this.#declaredAxioms.map((name) => name.toString()),
      allowedByName: [],
      unchecked: [...this.#unchecked].map((name) => name.toString()),
      terms: undefined,
      origin: this.#origin,
      sha256: this.#sha256,
      targetSha256: this.#targetSha256,
    };
  }
}

interface ReadTarget {
  readonly theorems: readonly Name[];
  readonly find: (name: Name) => ConstantDeclaration | undefined;
}
