/**
 * Checks a whole export with the kernel, from an empty environment, and then what was asked for: that theorems are
 * there, which axioms each of them rests on, and that they say what a target says.
 *
 * `accepted` means that every declaration of the file was accepted by the kernel, that the file declares what was
 * asked for, and that nothing asked for rests on an axiom that is not allowed. A file that declares nothing is
 * never accepted. One that cannot be read to its end, or that the kernel declines, is `unknown`: nobody may
 * conclude anything.
 */
import { createHash } from 'node:crypto';
import { QuodError } from '../../core/errors.ts';
import { AskedStatements } from './asked-statements.ts';
import { type ConstantDeclaration, type Declaration, constantsOf } from './declaration.ts';
import { withDeepStack } from '../deep-stack.ts';
import type { DeepStackLimits } from '../deep-stack.ts';
import { Environment } from './environment.ts';
import { fileLines, readExport } from './export/read-export.ts';
import type { ExportOrigin } from './export/read-ndjson.ts';
import type { KernelAnswer } from './kernel/answer.ts';
import { DEFAULT_LIMITS, Kernel } from './kernel/kernel.ts';
import { type KernelCheck, type KernelCheckRequest, MOST_LISTED, NOTHING_CHECKED } from './kernel-check.ts';
import type { Name } from './name.ts';
import { printTerm } from './print-term.ts';
import { TermStore } from './term-store.ts';
import { UsedAxioms } from './used-axioms.ts';

export interface ExportCheckRequest extends KernelCheckRequest {
  /** An export in which these theorems stand as they should, or all of its theorems when none are named. */
  readonly target?: string;
}

/** As `checkExportHere`, in a thread with a deep stack. @throws QuodError `interrupted`. */
export async function checkExport(
  request: ExportCheckRequest,
  limits: DeepStackLimits = {},
): Promise<KernelCheck> {
  try {
    return (await withDeepStack(new URL(import.meta.url), 'checkExportHere', request, limits)) as KernelCheck;
  } catch (error) {
    if (error instanceof QuodError && error.reason === 'memory-exceeded')
      return { ...NOTHING_CHECKED, kind: 'unknown', reason: error.reason, message: error.toString() };
    throw error;
  }
}

/** @public The thread calls it by its name. */
export function checkExportHere(request: ExportCheckRequest): KernelCheck {
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
  readonly #asked: AskedStatements;
  readonly #declaredAxioms: Name[] = [];
  readonly #theorems: Name[] = [];
  readonly #others: Name[] = [];
  #uncheckedCount = 0;
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
    this.#asked = new AskedStatements({
      path: request.path,
      store: this.#store,
      find: (name) => this.#environment.find(name),
      axiomsOf: (name) => this.#used.of(name),
    });
  }

  check(): KernelCheck {
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
    const asked = this.#asked;
    if (this.#constants === 0)
      asked.find('missing', undefined, 'the export declares nothing', 'Export it with what it rests on.');
    const named = this.#named(target);
    const found = named.filter((name) => asked.requireTheorem(name));
    if (target !== undefined) for (const name of found) asked.compare(name, target.find);
    const axiomsFor = named.length > 0 ? found : [...this.#theorems, ...this.#others];
    const allowedByName = asked.checkAxioms(axiomsFor, this.#request.axioms, target?.find);
    const listed = named.length > 0 ? found : this.#theorems.slice(0, MOST_LISTED);
    return {
      ...this.#result(asked.findings.length === 0 ? 'accepted' : 'rejected'),
      statements: listed.map((name) => asked.statement(name)),
      allowedByName,
    };
  }

  unknown(error: QuodError): KernelCheck {
    return { ...this.#result('unknown'), reason: error.reason, message: error.toString() };
  }

  #note(declaration: Declaration): void {
    this.#declarations++;
    this.#used.add(declaration);
    const constants = constantsOf(declaration);
    this.#constants += constants.length;
    const { length } = this.#kernel.unchecked;
    const wasChecked = length === this.#uncheckedCount;
    this.#uncheckedCount = length;
    for (const { kind, name } of constants) {
      if (kind === 'axiom') this.#declaredAxioms.push(name);
      else if (wasChecked) (kind === 'theorem' ? this.#theorems : this.#others).push(name);
    }
  }

  #named(target: ReadTarget | undefined): readonly Name[] {
    const { theorems = [] } = this.#request;
    const named = new Set(theorems.map((text) => this.#store.names.parse(text)));
    return named.size === 0 && target !== undefined ? target.theorems : [...named];
  }

  #readTarget(): ReadTarget | undefined {
    const { target, theorems = [] } = this.#request;
    if (target === undefined) return undefined;
    const place = { file: target };
    const hash = createHash('sha256');
    const constants = new Map<Name, ConstantDeclaration>();
    const lines = fileLines(target, (piece) => hash.update(piece));
    for (const declaration of readExport(lines, this.#store))
      for (const constant of constantsOf(declaration)) {
        const { name } = constant;
        if (constants.has(name))
          throw new QuodError('invalid-input', `The target declares ${name.toString()} twice.`, { place });
        constants.set(name, constant);
      }
    this.#targetSha256 = hash.digest('hex');
    const found = [...constants.values()].filter(({ kind }) => kind === 'theorem').map(({ name }) => name);
    if (found.length === 0) throw new QuodError('invalid-input', 'The target states no theorem.', { place });
    for (const text of theorems)
      if (constants.get(this.#store.names.parse(text))?.kind !== 'theorem')
        throw new QuodError('invalid-input', `The target does not state ${text}.`, { place });
    return { theorems: found, find: (name) => constants.get(name) };
  }

  #refused(answer: Exclude<KernelAnswer, { kind: 'accepted' }>): KernelCheck {
    const subject = answer.declaration?.toString() ?? 'a declaration without a name';
    if (answer.kind === 'declined')
      return {
        ...this.#result('unknown'),
        reason: 'unsupported',
        message: `The kernel declines ${subject}: ${answer.problem}.`,
      };
    this.#asked.find(
      'kernel-rejected',
      subject,
      `the kernel rejects ${subject}: ${answer.problem}`,
      'Export it again; if Lean accepts it, something has changed its environment.',
    );
    const { terms } = answer;
    return { ...this.#result('rejected'), terms: terms && [printTerm(terms[0]), printTerm(terms[1])] };
  }

  #result(kind: KernelCheck['kind']): KernelCheck {
    return {
      ...NOTHING_CHECKED,
      kind,
      findings: this.#asked.findings,
      declarations: this.#declarations,
      constants: this.#constants,
      theoremCount: this.#theorems.length,
      declaredAxioms: this.#declaredAxioms.map((name) => name.toString()),
      unchecked: this.#kernel.unchecked.map((name) => name.toString()),
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
