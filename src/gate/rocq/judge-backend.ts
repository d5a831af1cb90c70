/**
 * What the Rocq judge needs of a prover: to compile a text and, in a process that never ran a line of it, to say what
 * the result rests on. Implemented by `native-judge.ts` (coqc, files) and `session-judge.ts` (any prover session).
 */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ReasonCode } from '../../core/reason.ts';
import type { RocqProject } from '../../provers/rocq/project.ts';

export interface Limits {
  readonly timeoutMs: number;
  readonly memoryLimit: number;
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
  | Unknown;

export interface Assumptions {
  /** Full names of the axioms; a name without its library's prefix belongs to the judged unit itself. */
  readonly axioms: readonly AssumedAxiom[];
  /** Kernel checks that something below was declared without, in the prover's words. */
  readonly disabledChecks: readonly string[];
}

export type AssumptionsAnswer =
  { readonly status: 'done'; readonly of: ReadonlyMap<string, Assumptions> } | Unknown;

export interface AssumedAxiom {
  readonly name: string;
  /** Declared in the judged unit; `name` is then qualified by the modules inside the file only. */
  readonly local: boolean;
}

export interface CompiledUnit {
  /** The compiled file, for the comparison of kernel objects; absent when the backend makes no files. */
  readonly bytes?: Uint8Array;
  /** Where an installed library would be found by its full name (`Coq.Lists.List`); undefined when it is not installed. */
  installedLibrary?(name: string): string | undefined;
  /** The assumptions of constants of the unit (names inside the file), asked in a fresh process where possible. */
  assumptions(names: readonly string[], limits: Limits): Promise<AssumptionsAnswer>;
  /** Forgets everything about the unit. */
  dispose(): Promise<void>;
}

export interface JudgeBackend {
  readonly name: string;
  /** As in `8.16.1`. */
  version(): Promise<string>;
  compile(request: CompileRequest): Promise<CompileResult>;
}
