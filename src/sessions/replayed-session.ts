/**
 * The prover port over a driver: the one session engine of all provers. A state is a path of steps from the root. The
 * process behind the driver holds some states, the *live* ones. To run from another, the engine goes to the nearest
 * live state on the way and executes the rest again. The process can be replaced at any time: then nothing is live
 * but where it began, and everything is executed again when it is needed.
 *
 * The engine keeps the order of calls, their limits, the generations of the process, and what is tried again; what a
 * step is and what a place is, only the driver knows.
 */
import type {
  AskAnswer,
  DriverSource,
  ExecuteAnswer,
  ExecutionMode,
  Interrupted,
  Lost,
  ProverDriver,
} from '../core/driver.ts';
import { QuodError } from '../core/errors.ts';
import { InOrder } from '../core/concurrency/in-order.ts';
import type { BackgroundGoals, ProofState } from '../core/proof-state.ts';
import type {
  ProverIdentity,
  ProverSession,
  QueryResult,
  ScriptResult,
  Sentence,
  StateId,
  StepOptions,
  StepResult,
} from '../core/prover.ts';
import type { StopReason } from '../process/interrupt-ladder.ts';
import { Replayer, type ReplayTuning, type ReplayFailure, type WorkOptions } from './way-to-state.ts';
import { ancestorOf, type SessionState, SessionStates } from './states.ts';

/** Reading goals has no limit of its own in the port; a prover that does not answer by then is replaced. */
const READ_LIMIT_MS = 60_000;
/** Proof states kept, so that reading goals that were just shown costs nothing. */
const PROOFS_KEPT = 512;

export class ReplayedSession<
  Step extends Sentence,
  Place,
  Driver extends ProverDriver<Step, Place> = ProverDriver<Step, Place>,
> implements ProverSession<Step> {
  readonly identity: ProverIdentity;
  readonly #states = new SessionStates<Step>();
  readonly #proofs = new Map<StateId, ProofState | null>();
  readonly #calls = new InOrder();
  readonly #replayer: Replayer<Step, Place, Driver>;
  #closing: Promise<void> | undefined;

  /** Starts the prover. @throws QuodError as the source does. */
  static async open<Step extends Sentence, Place, Driver extends ProverDriver<Step, Place>>(
    identity: ProverIdentity | ((driver: Driver) => ProverIdentity),
    source: DriverSource<Step, Place, Driver>,
    signal?: AbortSignal,
    tuning: ReplayTuning = {},
  ): Promise<ReplayedSession<Step, Place, Driver>> {
    const driver = await startOrClean(source, signal);
    const known = typeof identity === 'function' ? identity(driver) : identity;
    return new ReplayedSession(known, source, driver, tuning);
  }

  private constructor(
    identity: ProverIdentity,
    source: DriverSource<Step, Place, Driver>,
    driver: Driver,
    tuning: ReplayTuning,
  ) {
    this.identity = identity;
    this.#replayer = new Replayer(source, driver, this.#states.root, tuning);
  }

  get root(): StateId {
    return this.#states.root.id;
  }

  get generation(): number {
    return this.#replayer.generation;
  }

  run(from: StateId, step: Step, options: StepOptions = {}): Promise<StepResult> {
    return this.#inOrder(from, (state) => this.#step(state, step, options));
  }

  runAll(from: StateId, steps: readonly Step[], options: StepOptions = {}): Promise<ScriptResult> {
    return this.#inOrder(from, (state) => this.#script(state, steps, options));
  }

  goals(at: StateId): Promise<ProofState | null> {
    return this.#inOrder(at, async (state) => {
      const known = this.#proofs.get(at);
      if (known !== undefined) return known;
      const proof = await this.#read(state, (driver, place) => driver.goals(place));
      this.#remember(at, proof);
      return proof;
    });
  }

  explicitGoals(at: StateId): Promise<ProofState | null> {
    return this.#inOrder(at, (state) =>
      this.#read(state, (driver, place) => driver.explicitGoals?.(place) ?? driver.goals(place)),
    );
  }

  background(at: StateId): Promise<BackgroundGoals | null> {
    return this.#inOrder(at, (state) =>
      this.#read(
        state,
        (driver, place) => driver.background?.(place) ?? Promise.resolve({ status: 'done', value: null }),
      ),
    );
  }

  query(at: StateId, command: Sentence, options: StepOptions = {}): Promise<QueryResult> {
    return this.#inOrder(at, async (state): Promise<QueryResult> => {
      const { answer } = await this.#replayer.attempt(state, options, (driver, place) =>
        driver.query(place, command),
      );
      switch (answer.status) {
        case 'done':
          return { status: 'done', messages: answer.value };
        case 'failed':
        case 'unknown':
          return answer;
      }
    });
  }

  /**
   * Does something with the driver at a state that is no step of the session: what the port has no words for. It waits
   * for its turn and keeps to the limits as a step does.
   */
  at<Answer extends { readonly status: string }>(
    state: StateId,
    options: WorkOptions,
    work: (driver: Driver, place: Place) => Promise<Answer | Interrupted | Lost>,
  ): Promise<{
    readonly answer: Exclude<Answer, Interrupted | Lost> | ReplayFailure;
    /** Why the work was asked to stop. It may have come to its end all the same. */
    readonly stopped: StopReason | undefined;
  }> {
    return this.#inOrder(state, (found) => this.#replayer.attempt(found, options, work));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#replayer.close();
    await this.#calls.idle();
    await this.#replayer.cleanUp();
  }

  #inOrder<Result>(id: StateId, work: (state: SessionState<Step>) => Promise<Result>): Promise<Result> {
    return this.#calls.run(() => work(this.#lookUp(id)));
  }

  #lookUp(id: StateId): SessionState<Step> {
    const state = this.#replayer.isClosed ? undefined : this.#states.find(id);
    if (state !== undefined) return state;
    const why = this.#replayer.isClosed ? 'The session was closed.' : `This session never had a state ${id}.`;
    throw new QuodError('stale-state', why, { remedy: 'Open a session and run from its root.' });
  }

  async #step(from: SessionState<Step>, step: Step, options: StepOptions): Promise<StepResult> {
    const withGoals = options.withGoals === true;
    const mode: ExecutionMode = options.expected === true ? 'expected' : 'tried';
    const { answer, times } = await this.#replayer.attempt(from, options, (driver, place) => {
      this.#replayer.goBackTo(from);
      return driver.execute(place, step, withGoals, mode);
    });
    switch (answer.status) {
      case 'done': {
        const { messages, proof } = answer;
        const state = this.#record(from, step, answer, times.elapsedMs);
        if (proof !== undefined) this.#remember(state.id, proof);
        await this.#replayer.checkpoint(state);
        const done = { status: 'done', state: state.id, messages, ...times } as const;
        return proof === undefined ? done : { ...done, proof };
      }
      case 'failed':
      case 'unknown':
        return { ...answer, ...times };
    }
  }

  async #script(
    from: SessionState<Step>,
    steps: readonly Step[],
    options: StepOptions,
  ): Promise<ScriptResult> {
    if (steps.length < 2 || options.withGoals === true) return await this.#oneByOne(from, steps, options);
    const { answer, times } = await this.#replayer.attempt(from, options, async (driver, place) => {
      if (driver.executeAll === undefined) return { status: 'apart' } as const;
      this.#replayer.goBackTo(from);
      return await driver.executeAll(place, steps);
    });
    switch (answer.status) {
      case 'done': {
        let state = from;
        for (const [index, step] of steps.entries()) {
          const place = answer.places[index];
          if (place === undefined) throw new QuodError('internal', 'A driver left out a step of a script.');
          state = this.#record(state, step, { place }, times.elapsedMs / steps.length);
        }
        const { messages } = answer;
        const result = { status: 'done', state: state.id, messages, ...times } as const;
        return { index: steps.length - 1, result };
      }
      case 'failed': {
        const { index, error } = answer;
        return { index, result: { status: 'failed', error, messages: [], ...times } };
      }
      case 'unknown':
        return { index: 0, result: { ...answer, ...times } };
      case 'apart':
        return await this.#oneByOne(from, steps, options);
    }
  }

  async #oneByOne(
    from: SessionState<Step>,
    steps: readonly Step[],
    options: StepOptions,
  ): Promise<ScriptResult> {
    let at = from;
    for (const [index, step] of steps.entries()) {
      const result = await this.#step(at, step, { ...options, expected: true });
      if (result.status !== 'done' || index === steps.length - 1) return { index, result };
      at = this.#lookUp(result.state);
    }
    throw new QuodError('invalid-input', 'A script needs a sentence.');
  }

  async #read<Value>(
    at: SessionState<Step>,
    ask: (driver: Driver, place: Place) => Promise<AskAnswer<Value>>,
  ): Promise<Value> {
    const { answer } = await this.#replayer.attempt(at, { timeoutMs: READ_LIMIT_MS }, (driver, place) => {
      if (!driver.readsAnywhere) this.#replayer.goBackTo(at);
      return ask(driver, place);
    });
    switch (answer.status) {
      case 'done':
        return answer.value;
      case 'failed':
        throw new QuodError('prover-crashed', `The prover cannot show its goals: ${answer.error.message}`);
      case 'unknown':
        throw new QuodError(this.#replayer.isClosed ? 'stale-state' : answer.reason, answer.message);
    }
  }

  #record(
    from: SessionState<Step>,
    step: Step,
    { place, shortcut }: Pick<Extract<ExecuteAnswer<Step, Place>, { status: 'done' }>, 'place' | 'shortcut'>,
    elapsedMs: number,
  ): SessionState<Step> {
    const state =
      shortcut === undefined
        ? this.#states.add(from, step, elapsedMs)
        : this.#states.add(ancestorOf(from, shortcut.steps), shortcut.step, elapsedMs);
    this.#replayer.reached(state, place);
    return state;
  }

  #remember(id: StateId, proof: ProofState | null): void {
    this.#proofs.set(id, proof);
    if (this.#proofs.size <= PROOFS_KEPT) return;
    const [oldest] = this.#proofs.keys();
    if (oldest !== undefined) this.#proofs.delete(oldest);
  }
}

async function startOrClean<Driver extends ProverDriver<Step, Place>, Step extends Sentence, Place>(
  source: DriverSource<Step, Place, Driver>,
  signal: AbortSignal | undefined,
): Promise<Driver> {
  try {
    return await source.start(signal === undefined ? {} : { signal });
  } catch (error) {
    await source.close?.();
    throw error;
  }
}
