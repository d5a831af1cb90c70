/**
 * Checks a whole export with the kernel alone, from an empty environment. Stops at the first declaration that is not accepted:
 * what comes after could rest on it.
 */
import { createHash } from 'node:crypto';
import { constantsOf } from './declaration.ts';
import { withDeepStack } from './deep-stack.ts';
import type { DeepStackLimits } from './deep-stack.ts';
import { Environment } from './environment.ts';
import { fileLines, readExport } from './export/export-file.ts';
import type { KernelAnswer } from './kernel/answer.ts';
import { DEFAULT_LIMITS, Kernel } from './kernel/kernel.ts';
import { printTerm } from './print-term.ts';
import { TermStore } from './term-store.ts';

export interface ExportCheckRequest {
  readonly path: string;
  /** The only axioms that may be declared; all are allowed without this list. */
  readonly axioms?: readonly string[];
  /** Steps of the kernel for one declaration. */
  readonly steps?: number;
}

/** Data only, so that it can be sent between threads and printed as JSON. */
export interface ExportCheck {
  readonly kind: KernelAnswer['kind'];
  /** How many were accepted before the end or the problem. */
  readonly declarations: number;
  readonly constants: number;
  readonly axioms: readonly string[];
  /** Unsafe and partial constants: not checked, and nothing that was checked rests on them. */
  readonly unchecked: readonly string[];
  readonly problem: ExportProblem | undefined;
  /** Of the file as it was read; undefined when a problem stopped the reading. */
  readonly sha256: string | undefined;
}

export interface ExportProblem {
  readonly declaration: string | undefined;
  readonly message: string;
  /** The two terms that should be equal and are not. */
  readonly terms: readonly [string, string] | undefined;
}

/** As `checkExportHere`, in a thread with a deep stack. */
export async function checkExport(
  request: ExportCheckRequest,
  limits: DeepStackLimits = {},
): Promise<ExportCheck> {
  return (await withDeepStack(new URL(import.meta.url), 'checkExportHere', request, limits)) as ExportCheck;
}

/** Throws a QuodError when the file cannot be read as an export. */
export function checkExportHere(request: ExportCheckRequest): ExportCheck {
  const store = new TermStore();
  const kernel = new Kernel(store, new Environment(), { steps: request.steps ?? DEFAULT_LIMITS.steps });
  const allowed = request.axioms === undefined ? undefined : new Set(request.axioms);
  const axioms: string[] = [];
  const hash = createHash('sha256');
  let declarations = 0;
  let constants = 0;
  const result = (kind: ExportCheck['kind'], problem?: ExportProblem): ExportCheck => ({
    kind,
    declarations,
    constants,
    axioms,
    unchecked: kernel.unchecked.map((name) => name.toString()),
    problem,
    sha256: problem === undefined ? hash.digest('hex') : undefined,
  });
  const lines = fileLines(request.path, (piece) => hash.update(piece));
  for (const declaration of readExport(lines, store)) {
    if (declaration.kind === 'axiom') {
      const name = declaration.name.toString();
      if (allowed?.has(name) === false) {
        const message = 'the axiom is not among those that are allowed';
        return result('rejected', { declaration: name, message, terms: undefined });
      }
      axioms.push(name);
    }
    const answer = kernel.add(declaration);
    if (answer.kind !== 'accepted') return result(answer.kind, problemOf(answer));
    declarations++;
    constants += constantsOf(declaration).length;
  }
  return result('accepted');
}

function problemOf(answer: Exclude<KernelAnswer, { kind: 'accepted' }>): ExportProblem {
  const terms = answer.kind === 'rejected' ? answer.terms : undefined;
  return {
    declaration: answer.declaration?.toString(),
    message: answer.problem,
    terms: terms && [printTerm(terms[0]), printTerm(terms[1])],
  };
}
