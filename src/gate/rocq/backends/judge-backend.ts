/**
 * What the Rocq judge needs of a prover: to compile a text and, in a process that never ran a line of it, to say what
 * the result rests on. Implemented by `native-judge.ts` (coqc) and `embedded-judge.ts` (the Rocq inside Node).
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import type { Incident, Isolation } from '../../../process/sandbox.ts';
import type { LibraryPlaces } from '../library-fingerprint.ts';
import type { RocqProject } from '../../../provers/rocq/project/project.ts';

export interface Limits {
  readonly timeoutMs: number;
  readonly memoryLimit: number;
  readonly processorSeconds?: number;
  readonly processes?: number;
  /** As of a sandbox. */
  readonly startsPrograms?: boolean;
  readonly diskBytes?: number;
  readonly outputBytes?: number;
  /** As of a sandbox. */
  readonly givesWay?: boolean;
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
  /** Whether it is to be `unknown` where the prover reads other sentences in the text than Quod does. */
  readonly confirmCuts?: boolean;
  /** The library's name behind the gate's own; target and submission are compiled under the same one. */
  readonly moduleName: string;
  readonly project: RocqProject;
  readonly limits: Limits;
  /** The plugins besides the prover's own that it may load, as the prover names them. Default: all. */
  readonly plugins?: readonly string[];
}

export type CompileResult =
  | { readonly status: 'compiled'; readonly unit: CompiledUnit }
  /** `lacksPlugin`: what it may not load, and seems to have failed for. */
  | { readonly status: 'failed'; readonly error: Diagnostic; readonly lacksPlugin?: string }
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
  | { readonly status: 'missing'; readonly message: string }
  | Unknown;

export interface AssumedAxiom {
  readonly name: string;
  /** As the prover prints it, on one line. */
  readonly type: string;
  /** Declared in the judged unit; `name` is then qualified by the modules inside the file only. */
  readonly local: boolean;
}

export interface CompiledUnit {
  /** The compiled file, for the comparison of kernel objects. */
  readonly bytes: Uint8Array;
  /**
   * True when kernel checks were off at some time while it was compiled, as far as the backend has watched. Parts of a
   * proof can then have escaped the checks without a trace in the compiled file, which only a separate checker finds.
   */
  readonly hadChecksOff?: boolean;
  /** What identifies a library that is installed with the prover, by its full name (`Coq.Lists.List`): as dependent files record it. */
  installedDigest(name: string): Promise<string | undefined>;
  /** The compiled files that any library could be: those of the project, then the installed one. */
  libraryFiles(name: string): AsyncIterable<Uint8Array>;
  /** Whether asking for assumptions takes longer than following the compiled files does. */
  readonly asksSlowly?: boolean;
  /** The assumptions of constants of the unit (names inside the file), asked in a fresh process where possible. */
  assumptions(
    names: readonly string[],
    limits: Limits,
    settings?: QuestionSettings,
  ): Promise<AssumptionsAnswer>;
  /**
   * Which constants have types that are propositions. What cannot be asked about is none. It is for targets: the answer
   * is printed by a process that loaded the unit.
   */
  propositions(names: readonly string[], limits: Limits): Promise<ReadonlySet<string>>;
  /** The plugins that are loaded with it, as the prover names them. Undefined for a prover that loads none. */
  plugins?(limits: Limits): Promise<readonly string[]>;
  /** Has the compiled file checked by the prover's separate checker, in a process of its own. */
  recheck?(limits: Limits): Promise<RecheckAnswer>;
}

/** What is to be loaded for a submission that is not there yet. */
export interface AheadRequest extends Pick<CompileRequest, 'moduleName' | 'project' | 'limits'> {
  /** The libraries, by their full names. */
  readonly libraries: readonly string[];
  /** A compiled file that requires them and declares nothing, and its name behind the gate's own. */
  readonly loader: { readonly moduleName: string; readonly bytes: Uint8Array };
  /** Whether the separate checker will be asked. */
  readonly isRechecked: boolean;
}

/** Compiled libraries, by their full names. */
export interface LibrariesToCheck extends Pick<CompileRequest, 'project' | 'limits'> {
  /** Those that are checked. */
  readonly names: readonly string[];
  /** Also what they rest on that is not installed with the prover. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Processes that load the libraries of a submission while it is not there yet, to be asked about it and to check it. */
export interface LoadedAhead {
  /** Ends what was not needed. */
  end(): void;
}

export interface JudgeBackend {
  readonly name: string;
  /** As in `8.16.1`. */
  version(): Promise<string>;
  /** In what it runs foreign code; undefined for a prover that reaches nothing of this machine. */
  isolation(): Promise<Isolation | undefined>;
  /** User and system time of the processes that it has run until now, where it knows. */
  readonly processorMs?: number;
  /** All places where it would find a library. */
  libraryPlaces(project: RocqProject): Promise<LibraryPlaces>;
  compile(request: CompileRequest): Promise<CompileResult>;
  /** The same for the text of the request and what follows it, while the prover reads; undefined where that is not possible. */
  compileGrowing?(request: CompileRequest, rest: Promise<string>): Promise<CompileResult>;
  /** Undefined where a process cannot wait for what it is to look at. */
  loadAhead?(request: AheadRequest): LoadedAhead;
  /** Has libraries checked by the prover's separate checker, as the bytes that are given. */
  recheckLibraries?(request: LibrariesToCheck): Promise<RecheckAnswer>;
  /** What was compiled before by the same request. @param ahead what may be asked about it first. */
  unitOf(request: CompileRequest, bytes: Uint8Array, ahead?: LoadedAhead): Promise<CompiledUnit>;
}

export function unknownAnswer(reason: Unknown['reason'], message: string): Unknown {
  return { status: 'unknown', reason, message };
}
