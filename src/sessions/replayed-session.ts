/**
 * The prover port over a driver: the one session engine of all provers. A state is a path of steps from the root. The
 * process behind the driver holds some states, the *live* ones. To run from another, the engine goes to the nearest live
 * state on the way and executes the rest again. The process can be replaced at any time: then nothing is live but where
 * it began, and everything is executed again when it is needed.
 *
 * The engine keeps the order of calls, their limits, the generations of the process, and what is tried again; what a
 * step is and what a place is, only the driver knows.
 */
import type {
  AskAnswer,
  DriverSource,
  ExecuteAnswer,
  ExecutionManner,
  Interrupted,
  Lost,
  ProverDriver,
} from '../core/driver.ts';
import { QuodError } from '../core/errors.ts';
import { InOrder } from '../core/in-order.ts';
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
import type { ReasonCode } from '../core/reason.ts';
import { type Bounded, type Limits, type StopReason, underLimits } from '../process/interrupt-ladder.ts';
import { Checkpoints } from './checkpoints.ts';
import { ancestorOf, LiveStates, type SessionState, SessionStates } from './states.ts';

/** What a call is answered when it could not be made or was stopped. */
export interface Trouble {
  readonly status: 'unknown';
  readonly reason: ReasonCode;
  readonly message: string;
}

export type CallLimits = Pick<StepOptions, 'timeoutMs' | 'workMs' | 'signal'>;

export interface WorkOptions extends CallLimits {
  /** Not done once more when the prover dies of it. */
  readonly once?: boolean;
}

export interface SessionTuning {
  /** Milliseconds of steps after which a place is saved, where the driver can. Default a second. */
  readonly checkpointMs?: number;
}

/** A step that is executed again may take this many times what it took the first time, and this long at least. */
const REPLAY_SLOWNESS = 20;
const REPLAY_LEAST_MS = 60_000;
/** Reading goals has no limit of its own in the port; a prover that does not answer by then is replaced. */
const READ_LIMIT_MS = 60_000;
/** Attempts to bring a state back before the prover is called unusable. */
const ATTEMPTS = 3;
/** Proof states kept, so that reading goals that were just shown costs nothing. */
const PROOFS_KEPT = 512;

export class ReplayedSession<
  Step extends Sentence,
  Place,
  Driver extends ProverDriver<Step, Place> = ProverDriver<Step, Place>,
> implements ProverSession<Step> {
  readonly identity: ProverIdentity;
  readonly #source: DriverSource<Step, Place, Driver>;
  readonly #states = new SessionStates<Step>();
  readonly #checkpoints: Checkpoints<Step>;
  readonly #proofs = new Map<StateId, ProofState | null>();
  readonly #calls = new InOrder();
  #live: LiveStates<Step, Place, Driver> | undefined;
  #generation = 1;
  #closing: Promise<void> | undefined;

  /** Starts the prover. @throws QuodError as the source does. */
  static async open<Step extends Sentence, Place, Driver extends ProverDriver<Step, Place>>(
    identity: ProverIdentity | ((driver: Driver) => ProverIdentity),
    source: DriverSource<Step, Place, Driver>,
    signal?: AbortSignal,
    tuning: SessionTuning = {},
  ): Promise<ReplayedSession<Step, Place, Driver>> {
    const driver = await startOrClean(source, signal);
    const known = typeof identity === 'function' ? identity(driver) : identity;
    return new ReplayedSession(known, source, driver, tuning);
  }

  private constructor(
    identity: ProverIdentity,
    source: DriverSource<Step, Place, Driver>,
    driver: Driver,
    { checkpointMs }: SessionTuning,
  ) {
    this.identity = identity;
    this.#source = source;
    this.#checkpoints = new Checkpoints(checkpointMs);
    this.#live = new LiveStates(driver, this.#states.root);
  }

  get root(): StateId {
    return this.#states.root.id;
  }

  get generation(): number {
    return this.#generation;
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
      const { answer } = await this.#attempt(state, options, (driver, place) => driver.query(place, command));
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
    readonly answer: Exclude<Answer, Interrupted | Lost> | Trouble;
    /** Why the work was asked to stop. It may have come to its end all the same. */
    readonly stopped: StopReason | undefined;
  }> {
    return this.#inOrder(state, (found) => this.#attempt(found, options, work));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#live?.driver.kill();
    await this.#calls.idle();
    // A process may have been started while the session was closed.
    await this.#live?.driver.kill();
    await this.#source.close?.();
  }

  /** Set from outside while a call is awaited, which the compiler cannot know. */
  #isClosed(): boolean {
    return this.#closing !== undefined;
  }

  #inOrder<Result>(id: StateId, work: (state: SessionState<Step>) => Promise<Result>): Promise<Result> {
    return this.#calls.run(() => work(this.#lookUp(id)));
  }

  #lookUp(id: StateId): SessionState<Step> {
    const state = this.#isClosed() ? undefined : this.#states.find(id);
    if (state !== undefined) return state;
    const why = this.#isClosed() ? 'The session was closed.' : `This session never had a state ${id}.`;
    throw new QuodError('stale-state', why, { remedy: 'Open a session and run from its root.' });
  }

  async #step(from: SessionState<Step>, step: Step, options: StepOptions): Promise<StepResult> {
    const withGoals = options.withGoals === true;
    const manner: ExecutionManner = options.expected === true ? 'expected' : 'tried';
    const { answer, elapsedMs } = await this.#attempt(from, options, (driver, place) => {
      this.#live?.truncate(from);
      return driver.execute(place, step, withGoals, manner);
    });
    switch (answer.status) {
      case 'done': {
        const { messages, proof } = answer;
        const state = this.#record(from, step, answer, elapsedMs);
        if (proof !== undefined) this.#remember(state.id, proof);
        await this.#checkpoint(state);
        const done = { status: 'done', state: state.id, messages, elapsedMs } as const;
        return proof === undefined ? done : { ...done, proof };
      }
      case 'failed':
      case 'unknown':
        return { ...answer, elapsedMs };
    }
  }

  async #script(
    from: SessionState<Step>,
    steps: readonly Step[],
    options: StepOptions,
  ): Promise<ScriptResult> {
    if (steps.length < 2 || options.withGoals === true) return await this.#oneByOne(from, steps, options);
    const { answer, elapsedMs } = await this.#attempt(from, options, async (driver, place) => {
      if (driver.executeAll === undefined) return { status: 'apart' } as const;
      this.#live?.truncate(from);
      return await driver.executeAll(place, steps);
    });
    switch (answer.status) {
      case 'done': {
        let state = from;
        for (const [index, step] of steps.entries()) {
          const place = answer.places[index];
          if (place === undefined) throw new QuodError('internal', 'A driver left out a step of a script.');
          state = this.#record(state, step, { place }, elapsedMs / steps.length);
        }
        const { messages } = answer;
        const result = { status: 'done', state: state.id, messages, elapsedMs } as const;
        return { index: steps.length - 1, result };
      }
      case 'failed': {
        const { index, error } = answer;
        return { index, result: { status: 'failed', error, messages: [], elapsedMs } };
      }
      case 'unknown':
        return { index: 0, result: { ...answer, elapsedMs } };
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
    const { answer } = await this.#attempt(at, { timeoutMs: READ_LIMIT_MS }, (driver, place) => {
      if (!driver.readsAnywhere) this.#live?.truncate(at);
      return ask(driver, place);
    });
    switch (answer.status) {
      case 'done':
        return answer.value;
      case 'failed':
        throw new QuodError('prover-crashed', `The prover cannot show its goals: ${answer.error.message}`);
      case 'unknown':
        throw new QuodError(this.#isClosed() ? 'stale-state' : answer.reason, answer.message);
    }
  }

  /**
   * Does `work` at a state, within the limits; bringing the state back is not counted against them. When the prover dies
   * or is interrupted for no reason of Quod's, everything is done once more.
   */
  async #attempt<Answer extends { readonly status: string }>(
    state: SessionState<Step>,
    limits: CallLimits & Pick<WorkOptions, 'once'>,
    work: (driver: Driver, place: Place) => Promise<Answer | Interrupted | Lost>,
  ): Promise<{
    readonly answer: Exclude<Answer, Interrupted | Lost> | Trouble;
    readonly stopped: StopReason | undefined;
    readonly elapsedMs: number;
  }> {
    for (let attempt = 1; ; attempt += 1) {
      const brought = await this.#bring(state, limits.signal);
      if ('status' in brought) return { answer: brought, stopped: undefined, elapsedMs: 0 };
      const { driver, place } = brought;
      const started = performance.now();
      const { answer, stopped } = await underLimits(driver, limitsFor(driver, limits), () =>
        work(driver, place),
      );
      const elapsedMs = performance.now() - started;
      const isFirst = attempt === 1 && limits.once !== true && stopped === undefined && !this.#isClosed();
      if (isLost(answer)) {
        this.#live = undefined;
        if (isFirst && answer.reason === 'prover-crashed') continue;
        return { answer: this.#trouble(stopped ?? answer.reason, answer.message), stopped, elapsedMs };
      }
      if (isInterrupted(answer)) {
        if (isFirst) continue;
        const trouble = this.#trouble(stopped ?? 'interrupted', 'The prover was interrupted.');
        return { answer: trouble, stopped, elapsedMs };
      }
      // More work than was allowed: which of the two came first depends on what else the machine does.
      if (stopped === 'timeout' && limits.workMs !== undefined)
        return { answer: this.#trouble('timeout', ''), stopped, elapsedMs };
      return { answer: answer as Exclude<Answer, Interrupted | Lost>, stopped, elapsedMs };
    }
  }

  /** Makes a state live. */
  async #bring(
    state: SessionState<Step>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly driver: Driver; readonly place: Place } | Trouble> {
    let why = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (this.#isClosed() || signal?.aborted === true) return this.#trouble('interrupted', '');
      try {
        await this.#ensureWayTo(state, signal);
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        return this.#trouble(error.reason, error.message);
      }
      // Undefined when the session was closed while the prover started.
      const live = this.#live;
      if (live === undefined) continue;
      const outcome = await this.#replay(live, state, signal);
      if ('place' in outcome) return { driver: live.driver, place: outcome.place };
      if (outcome.stopped === 'interrupted') return this.#trouble('interrupted', '');
      why = outcome.why;
      await live.driver.kill();
      this.#live = undefined;
    }
    return this.#trouble('prover-crashed', `The prover could not be brought back: ${why}`);
  }

  /** A process that is fit, and holds a state on the way to another. */
  async #ensureWayTo(state: SessionState<Step>, signal: AbortSignal | undefined): Promise<void> {
    const live = this.#live;
    if (live !== undefined && live.driver.isWorn?.() !== true && live.wayTo(state) !== undefined) return;
    await live?.driver.kill();
    this.#live = undefined;
    const { state: start, saved } = this.#checkpoints.nearest(state);
    const driver = await this.#source.start({
      ...(signal !== undefined && { signal }),
      ...(saved !== undefined && { saved }),
    });
    this.#generation += 1;
    if (this.#isClosed()) await driver.kill();
    else this.#live = new LiveStates(driver, start);
  }

  async #replay(
    live: LiveStates<Step, Place, Driver>,
    state: SessionState<Step>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly place: Place } | { readonly why: string; readonly stopped: StopReason | undefined }> {
    const way = live.wayTo(state);
    if (way === undefined) throw new QuodError('internal', 'A prover began beside the way to a state.');
    const { driver } = live;
    let { place } = way;
    if (way.missing.length > 0) live.truncate(way.from);
    for (const next of way.missing) {
      const { step } = next;
      if (step === undefined) throw new QuodError('internal', 'A state has no step that leads to it.');
      const timeoutMs = Math.max(REPLAY_LEAST_MS, next.elapsedMs * REPLAY_SLOWNESS);
      const { answer, stopped }: Bounded<ExecuteAnswer<Step, Place>> = await underLimits(
        driver,
        limitsFor(driver, { timeoutMs, ...(signal !== undefined && { signal }) }),
        () => driver.execute(place, step, false, 'repeated'),
      );
      if (answer.status !== 'done') return { why: replayTrouble(step, answer), stopped };
      ({ place } = answer);
      live.extend(next, place);
      this.#checkpoints.executed(next.elapsedMs);
    }
    return { place };
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
    this.#live?.extend(state, place);
    this.#checkpoints.executed(elapsedMs);
    return state;
  }

  /** Saves a place when much was executed since the last time; without it, coming back only takes longer. */
  async #checkpoint(state: SessionState<Step>): Promise<void> {
    const live = this.#live;
    const save = live?.driver.save?.bind(live.driver);
    if (live === undefined || save === undefined || !this.#checkpoints.isDue) return;
    const held = live.placeOf(state);
    if (held === undefined) return;
    const { answer } = await underLimits(live.driver, { timeoutMs: READ_LIMIT_MS }, () => save(held.place));
    if (answer !== undefined) this.#checkpoints.add(state, answer);
  }

  #remember(id: StateId, proof: ProofState | null): void {
    this.#proofs.set(id, proof);
    if (this.#proofs.size <= PROOFS_KEPT) return;
    const [oldest] = this.#proofs.keys();
    if (oldest !== undefined) this.#proofs.delete(oldest);
  }

  #trouble(reason: ReasonCode, message: string): Trouble {
    switch (reason) {
      case 'timeout':
        return { status: 'unknown', reason, message: 'The step ran longer than it was given.' };
      case 'interrupted':
        return {
          status: 'unknown',
          reason,
          message: this.#isClosed() ? 'The session was closed.' : 'The step was cancelled.',
        };
      default:
        return { status: 'unknown', reason, message };
    }
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

function limitsFor<Step extends Sentence, Place>(
  driver: ProverDriver<Step, Place>,
  { timeoutMs, workMs, signal }: CallLimits,
): Limits {
  const isTold = workMs !== undefined && driver.workDone?.() !== undefined;
  return {
    timeoutMs,
    signal,
    graceMs: driver.graceMs,
    ...(isTold && { work: { limit: workMs, spent: () => driver.workDone?.() ?? Infinity } }),
  };
}

function isLost(answer: { readonly status: string }): answer is Lost {
  return answer.status === 'lost';
}

function isInterrupted(answer: { readonly status: string }): answer is Interrupted {
  return answer.status === 'interrupted';
}

function replayTrouble<Step extends Sentence, Place>(
  { text }: Step,
  answer: Exclude<ExecuteAnswer<Step, Place>, { status: 'done' }>,
): string {
  const shown = JSON.stringify(text.trim().slice(0, 200));
  switch (answer.status) {
    case 'failed':
      return `${shown}: ${answer.error.message}`;
    case 'lost':
      return `${shown}: ${answer.message}`;
    case 'interrupted':
      return `${shown}: it took too long`;
  }
}
