/**
 * What a Rocq backend must be able to do so that {@link StmSession} can turn it into the prover port. Every Rocq before
 * coq-lsp drives the same document manager (the STM): sentences are added at the tip, going back to an earlier one
 * throws everything after it away. Petanque has states instead, which it keeps. A transport knows how to say that to one kind of prover; it knows nothing of states
 * of the port, of replay, or of time.
 *
 * Calls are made one at a time. They never reject: what goes wrong is part of the answer.
 */
import type { Diagnostic } from '../../../core/diagnostic.ts';
import type { BackgroundGoals, ProofState } from '../../../core/proof-state.ts';
import type { ReasonCode } from '../../../core/reason.ts';

/** The number by which the running prover knows a sentence. Means nothing to the process that replaces it. */
export type StmId = number;

/** The prover is gone or of no use any more; the transport has already made sure that nothing of it runs. */
export interface Lost {
  readonly status: 'lost';
  readonly reason: Extract<
    ReasonCode,
    'prover-crashed' | 'memory-exceeded' | 'protocol-error' | 'interrupted'
  >;
  readonly message: string;
}

/** Stopped by `interrupt`; the document stands at the sentence where the call began. */
export interface Interrupted {
  readonly status: 'interrupted';
}

export type ExecuteAnswer =
  | {
      readonly status: 'done';
      readonly id: StmId;
      readonly messages: readonly Diagnostic[];
      /** When asked for: the proof state after the sentence, null when no proof is open. */
      readonly proof?: ProofState | null;
    }
  | { readonly status: 'failed'; readonly error: Diagnostic; readonly messages: readonly Diagnostic[] }
  | Interrupted
  | Lost;

export type ExecuteAllAnswer =
  | { readonly status: 'done'; readonly ids: readonly StmId[]; readonly messages: readonly Diagnostic[] }
  | { readonly status: 'failed'; readonly index: number; readonly error: Diagnostic }
  | { readonly status: 'apart' }
  | Interrupted
  | Lost;

export type AskAnswer<Value> =
  | { readonly status: 'done'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: Diagnostic }
  | Interrupted
  | Lost;

/**
 * How likely a sentence is to work and to stay: one that a search tries, one of a text that is run through, or one that
 * has succeeded at that place before. Only the time depends on it.
 */
export type ExecutionManner = 'tried' | 'expected' | 'repeated';

export interface StmTransport {
  /** The sentence before the first. */
  readonly root: StmId;
  /**
   * Goes back to `base`, which is in the document, unless it is the tip, and executes one sentence there. `span`s count
   * UTF-16 units from the start of `sentence`. After anything but `done` the document ends at `base` (the transport may
   * put the going back off until the next call). `manner` is `tried` when absent.
   */
  execute(
    base: StmId,
    sentence: string,
    withGoals: boolean,
    manner?: ExecutionManner,
  ): Promise<ExecuteAnswer>;
  /**
   * Executes sentences, at least one, behind the tip as `execute` does one that is expected, in one exchange. Absent
   * where that saves nothing. `apart`: nothing was done, they have to be executed one at a time.
   */
  executeAll?(base: StmId, sentences: readonly string[]): Promise<ExecuteAllAnswer>;
  /**
   * True when every sentence ever executed stays in the document: going back costs nothing and throws nothing away, and
   * what is said below of the document's tip and end does not apply.
   */
  readonly keepsStates: boolean;
  /** Absent or false: the process is fit for more. True: what it keeps has grown so large that it should be replaced. */
  isWorn?(): boolean;
  /** True when `goals` and `background` leave the document as it is; otherwise they make `at` its tip. */
  readonly readsAnywhere: boolean;
  /** The proof state at `at`, a sentence of the document. */
  goals(at: StmId): Promise<AskAnswer<ProofState | null>>;
  /** As `goals`, printed with `Set Printing All`. */
  explicitGoals?(at: StmId): Promise<AskAnswer<ProofState | null>>;
  background(at: StmId): Promise<AskAnswer<BackgroundGoals | null>>;
  /** Runs a command at `at`, a sentence of the document, which stays as it is. */
  query(at: StmId, command: string): Promise<AskAnswer<readonly Diagnostic[]>>;
  /**
   * Work of the prover until now, in milliseconds of a machine that has nothing else to do; undefined where the system does
   * not tell. Absent where the transport cannot know it.
   */
  workDone?(): number | undefined;
  /** Asks the call that runs to stop. Nothing happens when none runs. */
  interrupt(): void;
  /** Ends the prover and everything it started; the call that runs is answered `lost`. Idempotent. */
  kill(): Promise<void>;
}

/** Starts one prover; used again each time the one before it was lost. @throws QuodError when it cannot start. */
export type StartStmTransport = (signal?: AbortSignal) => Promise<StmTransport>;
