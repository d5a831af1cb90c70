/**
 * The port through which Quod talks to every prover. A session promises:
 * - every state id it ever returned can be run from until the session is closed, whatever happened to the process
 *   behind it; it replays what it must;
 * - a step that times out or is cancelled costs that step and nothing else;
 * - `close` leaves no process, thread or file behind.
 * Calls on one session are answered in the order they were made; different sessions do not wait for each other.
 */
import type { Diagnostic } from './diagnostic.ts';
import type { BackgroundGoals, ProofState } from './proof-state.ts';
import type { ReasonCode } from './reason.ts';

declare const stateIdBrand: unique symbol;

/**
 * The smallest unit that a prover executes, as the prover's own syntax cuts a text. Whoever makes one vouches that
 * it is one sentence: nobody below the port splits it again, and provers drop in silence what follows the first.
 */
export interface Sentence {
  readonly text: string;
}

/** A handle on one state of one session. Opaque; never reused within a session. */
export type StateId = string & { readonly [stateIdBrand]: true };

export interface ProverIdentity {
  readonly prover: 'rocq' | 'lean' | 'fstar' | 'hol4';
  /** The adapter: `coqidetop`, `embedded`, … */
  readonly backend: string;
  /** As the prover prints it: `8.16.1`. */
  readonly version: string;
  /** The executable or package behind it. */
  readonly location: string;
}

export interface ProverCapabilities {
  /** How a running step is stopped: inside the prover, or only by killing the process and replaying. */
  readonly interrupt: 'in-process' | 'restart';
  /** Goals that are not in focus can be read with their hypotheses. */
  readonly backgroundGoals: boolean;
  /** `Compile`d files and native plugins of the machine can be loaded. */
  readonly installedLibraries: boolean;
  /**
   * False: errors come without the part of the sentence that they are about. Otherwise they have it when the prover
   * does.
   */
  readonly errorPlaces?: false;
}

export interface SessionContext {
  /** Absolute path of the file that the session speaks for; it need not exist. Load paths follow from its project. */
  readonly file: string;
  /** Stops the opening; a session that is open is ended by `close`. */
  readonly signal?: AbortSignal;
  /** Resident memory in bytes at which the prover is killed and the running step answered with `memory-exceeded`. */
  readonly memoryLimit?: number;
  /** Nobody waits for it yet: other work goes before its own where there are too few processors. */
  readonly givesWay?: boolean;
  /** Whether steps come from somebody who may do no more than prove: then nothing that they run starts a program. */
  readonly onlyProves?: boolean;
}

/**
 * How long what takes many steps may go on: by the clock, or by what is run. By sentences nothing depends on what else the
 * machine does, so a run that is to give the same answer again counts those.
 */
export type StepBudget = { readonly milliseconds: number } | { readonly sentences: number };

export interface StepOptions {
  /** Milliseconds; without it a step may run for ever. */
  readonly timeoutMs?: number;
  /**
   * Milliseconds of the prover's own work, which other programs on the machine do not lengthen: processor time, or
   * steps of the prover that count as such. What needs more is answered `timeout`, also when it came to an end
   * meanwhile. `timeoutMs` then only ends what does not work at all. A backend that cannot tell its work goes by
   * `timeoutMs`.
   */
  readonly workMs?: number;
  readonly signal?: AbortSignal;
  /** Also answer the proof state after the step (saves a round trip). Default false. */
  readonly withGoals?: boolean;
  /**
   * The sentence is a text's own, which very probably works and is gone on from: a backend need not prepare for its
   * failure or for going back. Never changes the answer. Default false: a step of a search.
   */
  readonly expected?: boolean;
}

/** What a step took of the prover's own work; only where a limit of it was given (`workMs`), and the backend can tell. */
type WorkedMs = number;

export type StepResult =
  | {
      readonly status: 'done';
      readonly state: StateId;
      readonly messages: readonly Diagnostic[];
      readonly elapsedMs: number;
      readonly workedMs?: WorkedMs;
      /** With `withGoals`: the proof state, or null when no proof is open. */
      readonly proof?: ProofState | null;
    }
  | {
      readonly status: 'failed';
      /** `span` counts from the start of the sentence that was run. */
      readonly error: Diagnostic;
      readonly messages: readonly Diagnostic[];
      readonly elapsedMs: number;
      readonly workedMs?: WorkedMs;
    }
  | {
      readonly status: 'unknown';
      readonly reason: ReasonCode;
      readonly message: string;
      readonly elapsedMs: number;
      readonly workedMs?: WorkedMs;
    };

export interface ScriptResult {
  /** Index of the sentence whose result this is: the first that did not work, or the last. */
  readonly index: number;
  readonly result: StepResult;
}

export type QueryResult =
  | { readonly status: 'done'; readonly messages: readonly Diagnostic[] }
  | { readonly status: 'failed'; readonly error: Diagnostic }
  | { readonly status: 'unknown'; readonly reason: ReasonCode; readonly message: string };

/** @typeParam Step What a session executes: a sentence, with what the prover's syntax has read of it. */
export interface ProverSession<Step extends Sentence = Sentence> {
  readonly identity: ProverIdentity;
  /** The state before the first sentence. */
  readonly root: StateId;
  /** Increases by one each time the process behind the session was replaced. */
  readonly generation: number;
  /**
   * Runs one sentence after the state `from`. Leading blanks and comments are allowed.
   * @throws QuodError `stale-state` for an id of another session or after `close`.
   */
  run(from: StateId, sentence: Step, options?: StepOptions): Promise<StepResult>;
  /**
   * Runs sentences one behind the other, together faster than by `run`; they are taken to be `expected`. Stops at the
   * first that does not work. Absent where a backend has no faster way.
   */
  runAll?(from: StateId, sentences: readonly Step[], options?: StepOptions): Promise<ScriptResult>;
  /** The proof state, or null when no proof is open there. @throws QuodError when the prover cannot be brought back. */
  goals(at: StateId): Promise<ProofState | null>;
  /**
   * As `goals`, with everything that a prover leaves out for readers written out. Absent, or no different, where
   * there is no such form.
   */
  explicitGoals?(at: StateId): Promise<ProofState | null>;
  background(at: StateId): Promise<BackgroundGoals | null>;
  /** A command that only asks (`Check`, `Print`, `Search`, `About`): nothing it does is visible from any state. */
  query(at: StateId, command: Sentence, options?: StepOptions): Promise<QueryResult>;
  /** Ends the session and everything it started. Idempotent. */
  close(): Promise<void>;
}

export interface Prover<Step extends Sentence = Sentence> {
  readonly identity: ProverIdentity;
  readonly capabilities: ProverCapabilities;
  /** @throws QuodError `prover-missing`, `library-missing`, `prover-crashed`, `interrupted`. */
  openSession(context: SessionContext): Promise<ProverSession<Step>>;
}
