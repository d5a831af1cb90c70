/**
 * What the Rocq judge needs of a prover: to compile a text and, in a process that never ran a line of it, to say what
 * the result rests on. Implemented by `native-judge.ts` (coqc, files) and `session-judge.ts` (any prover session).
 */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { Incident, Isolation } from '../../process/sandbox.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';

export interface Limits {
  readonly timeoutMs: number;
  readonly memoryLimit: number;
  readonly processorSeconds?: number;
  readonly processes?: number;
  readonly diskBytes?: number;
  readonly outputBytes?: number;
  /** Refuse to run foreign code without a sandbox. */
  readonly requireSandbox?: boolean;
  readonly signal?: AbortSignal;
}

export interface Unknown {
  readonly status: 'unknown';
  readonly reason: ReasonCode;
  readonly message: string;
}

export interface CompileRequest {
  /** Where the file stands, for what a session finds by it. */
  readonly path: string;
  readonly text: string;
  /** The last part of the library's name; target and submission are compiled under the same one. */
  readonly moduleName: string;
  readonly project: RocqProject;
  readonly limits: Limits;
}

export type CompileResult =
  | { readonly status: 'compiled'; readonly unit: CompiledUnit }
  | { readonly status: 'failed'; readonly error: Diagnostic }
  /** The text did what it may not: more than its limits, or out of the sandbox. There is at least one incident. */
  | { readonly status: 'stopped'; readonly incidents: readonly Incident[] }
  | Unknown;

export interface Assumptions {
  /** The statement as the prover prints it, on one line, when it was asked for. */
  readonly printed?: string;
  /** Full names of the axioms; a name without its library's prefix belongs to the judged unit itself. */
  readonly axioms: readonly AssumedAxiom[];
  /** Kernel checks that something below was declared without, in the prover's words. */
  readonly disabledChecks: readonly string[];
}

export type AssumptionsAnswer =
  { readonly status: 'done'; readonly of: ReadonlyMap<string, Assumptions> } | Unknown;

export interface QuestionSettings {
  /** Whether the statements are printed, too. */
  readonly printed: boolean;
}

export type RecheckAnswer =
  | { readonly status: 'accepted'; readonly by: string }
  | { readonly status: 'refused'; readonly message: string }
  /** There is no separate checker. */
  | { readonly status: 'missing' }
  | Unknown;

export interface AssumedAxiom {
  readonly name: string;
  /** Declared in the judged unit; `name` is then qualified by the modules inside the file only. */
  readonly local: boolean;
}

export interface CompiledUnit {
  /** The compiled file, for the comparison of kernel objects; absent when the backend makes no files. */
  readonly bytes?: Uint8Array;
  /** Where an installed library would be found by its full name (`Coq.Lists.List`). */
  installedLibrary?(name: string): string | undefined;
  /** Where any library would be found: those of the project, then installed ones. The files need not exist. */
  libraryFiles?(name: string): readonly string[];
  /** The assumptions of constants of the unit (names inside the file), asked in a fresh process where possible. */
  assumptions(
    names: readonly string[],
    limits: Limits,
    settings?: QuestionSettings,
  ): Promise<AssumptionsAnswer>;
  /** Has the compiled file checked by the prover's separate checker, in a process of its own. */
  recheck?(limits: Limits): Promise<RecheckAnswer>;
  /** Forgets everything about the unit. */
  dispose(): Promise<void>;
}

export interface JudgeBackend {
  readonly name: string;
  /** As in `8.16.1`. */
  version(): Promise<string>;
  /** In what it runs foreign code; undefined for a prover that reaches nothing of this machine. */
  isolation(): Promise<Isolation | undefined>;
  /** User and system time of the processes that it has run until now, where it knows. */
  readonly processorMs?: number;
  compile(request: CompileRequest): Promise<CompileResult>;
}
