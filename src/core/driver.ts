/**
 * What a prover must be able to do so that the session engine (src/sessions/replayed-session.ts) can make a session of
 * it. A driver speaks for one running process: it executes steps, goes back or keeps states, shows goals, and stops
 * when it is asked to. It knows nothing of state ids, of replay, or of time.
 *
 * Calls are made one at a time. They never reject: what goes wrong is part of the answer.
 */
import type { Diagnostic } from './diagnostic.ts';
import type { BackgroundGoals, ProofState } from './proof-state.ts';
import type { ProverCapabilities, ProverIdentity, Sentence, SessionContext } from './prover.ts';
import type { ReasonCode } from './reason.ts';

/** The prover is gone or of no use any more; the driver has already made sure that nothing of it runs. */
export interface Lost {
  readonly status: 'lost';
  readonly reason: ReasonCode;
  readonly message: string;
  /** The process was given up, not what was asked of it: another one can do that. */
  readonly onlyProcess?: true;
}

/** Stopped by `interrupt`; the prover stands where the call began. */
export interface Interrupted {
  readonly status: 'interrupted';
}

export type ExecuteAnswer<Step, Place> =
  | {
      readonly status: 'done';
      /** Where the prover stands now. */
      readonly place: Place;
      readonly messages: readonly Diagnostic[];
      /** When asked for: the proof state after the step, null when no proof is open. */
      readonly proof?: ProofState | null;
      /** A shorter way to the same place: this one step, in the place of the last `steps` and the one executed. */
      readonly shortcut?: { readonly steps: number; readonly step: Step };
    }
  | { readonly status: 'failed'; readonly error: Diagnostic; readonly messages: readonly Diagnostic[] }
  | Interrupted
  | Lost;

export type ExecuteAllAnswer<Place> =
  | { readonly status: 'done'; readonly places: readonly Place[]; readonly messages: readonly Diagnostic[] }
  | { readonly status: 'failed'; readonly index: number; readonly error: Diagnostic }
  /** Nothing was done: the steps have to be executed one at a time. */
  | { readonly status: 'apart' }
  | Interrupted
  | Lost;

export type AskAnswer<Value> =
  | { readonly status: 'done'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: Diagnostic }
  | Interrupted
  | Lost;

/**
 * How likely a step is to work and to stay: one that a search tries, one of a text that is run through, or one that has
 * succeeded at that place before. Only the time depends on it.
 */
export type ExecutionMode = 'tried' | 'expected' | 'repeated';

/**
 * @typeParam Step What is executed at once: a sentence as the prover's syntax cuts it, with what was read of it.
 * @typeParam Place The driver's handle on a state of its process. It means nothing to the process that replaces it.
 */
export interface ProverDriver<Step extends Sentence, Place> {
  /** The place at which the process began: before the first step, or the saved place that it was started from. */
  readonly root: Place;
  /**
   * True when a place stays good after steps from other places: going back costs nothing and throws nothing away.
   * False when the driver holds one path of steps: an `execute` throws away what stood behind its base.
   */
  readonly keepsStates: boolean;
  /** False for a place that is lost although no step threw it away. Absent: none is. */
  holds?(place: Place): boolean;
  /**
   * Executes one step at `base`, a place that it holds, and goes back to it first when it must. Spans count UTF-16
   * units from the start of the step's text. After anything but `done` the process stands at `base`; it may put the
   * going back off until the next call.
   */
  execute(
    base: Place,
    step: Step,
    withGoals: boolean,
    mode: ExecutionMode,
  ): Promise<ExecuteAnswer<Step, Place>>;
  /**
   * Executes steps, at least one, as `execute` does those that are expected, in one exchange. Absent where that saves
   * nothing.
   */
  executeAll?(base: Place, steps: readonly Step[]): Promise<ExecuteAllAnswer<Place>>;
  /** True: the process should be replaced before the next call. Absent: it never is. */
  isWorn?(): boolean;
  /** True when `goals` and `background` leave the process where it is; otherwise they throw away as `execute` does. */
  readonly readsAnywhere: boolean;
  goals(at: Place): Promise<AskAnswer<ProofState | null>>;
  /** As `goals`, with everything written out. Absent where there is no such form. */
  explicitGoals?(at: Place): Promise<AskAnswer<ProofState | null>>;
  /** Absent where goals out of focus cannot be read. */
  background?(at: Place): Promise<AskAnswer<BackgroundGoals | null>>;
  /** A command that only asks. The place stays as it is, or the driver is worn afterwards. Other places may be lost. */
  query(at: Place, command: Sentence): Promise<AskAnswer<readonly Diagnostic[]>>;
  /**
   * Saves a place, where the process stands, so that a process can be started from it; undefined when that does not
   * work. Other places may be lost by it. Absent where the prover cannot.
   */
  save?(at: Place): Promise<SavedPlace | undefined>;
  /**
   * Work of the process until now, in milliseconds of a machine that has nothing else to do; undefined where the system
   * does not tell. Absent where the driver cannot know it.
   */
  workDone?(): number | undefined;
  /** Milliseconds that a call has to obey an interrupt before the process is killed. Absent: one second. */
  readonly graceMs?: number;
  /** Asks the call that runs to stop. Nothing happens when none runs. */
  interrupt(): void;
  /** Ends the process and everything it started; the call that runs is answered `lost`. Idempotent. */
  kill(): Promise<void>;
}

/** A file that a driver wrote: what a process needs to begin at a saved place. */
export type SavedPlace = string;

/** Starts the processes of one session, one after the other. */
export interface DriverSource<
  Step extends Sentence,
  Place,
  Driver extends ProverDriver<Step, Place> = ProverDriver<Step, Place>,
> {
  /** @throws QuodError when it cannot start. */
  start(options: { readonly signal?: AbortSignal; readonly saved?: SavedPlace }): Promise<Driver>;
  /** Removes what the processes left behind. Called once, after the last of them was killed. */
  close?(): Promise<void>;
}

/** A prover on this machine, before it is behind the port: who it is, and how its processes are started for a file. */
export interface ProverAdapter<Step extends Sentence, Place> {
  readonly identity: ProverIdentity;
  readonly capabilities: ProverCapabilities;
  /** @throws QuodError `prover-missing`, `library-missing`. */
  sourceFor(context: SessionContext): Promise<DriverSource<Step, Place>>;
}
