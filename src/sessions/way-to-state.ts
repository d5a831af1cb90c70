/**
 * The process behind a session, and the way to any state: it is started, brought to a state by executing what is
 * missing, stopped when a limit is reached, and replaced when it was lost. What was going on when it was lost is
 * done once more.
 */
import type { DriverSource, ExecuteAnswer, Interrupted, Lost, ProverDriver } from '../core/driver.ts';
import { QuodError } from '../core/errors.ts';
import type { Sentence, StateId, StepOptions, StepResult } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import { type Bounded, type Limits, type StopReason, underLimits } from '../process/interrupt-ladder.ts';
import { Checkpoints } from './checkpoints.ts';
import { LiveStates, type SessionState } from './states.ts';

/** What a call is answered when it could not be made or was stopped. */
export interface ReplayFailure {
  readonly status: 'unknown';
  readonly reason: ReasonCode;
  readonly message: string;
  /** The state that could not be executed again, when it was that. */
  readonly stuckAt?: StateId;
}

/** What an attempt took. */
type Times = Pick<StepResult, 'elapsedMs' | 'workedMs'>;

export type CallLimits = Pick<StepOptions, 'timeoutMs' | 'workMs' | 'signal'>;

export interface WorkOptions extends CallLimits {
  /** Not done once more when the prover dies of it. */
  readonly once?: boolean;
}

export interface ReplayTuning {
  /** Milliseconds of steps after which a place is saved, where the driver can. Default a second. */
  readonly checkpointMs?: number;
  /** Nothing is done once more when the prover dies of it. */
  readonly once?: boolean;
}

/** A step that is executed again may take this many times what it took the first time, and this long at least. */
const REPLAY_SLOWNESS = 20;
const REPLAY_LEAST_MS = 60_000;
/** Saving a place has no limit of its own. */
const SAVE_LIMIT_MS = 60_000;
/** Attempts to bring a state back before the prover is called unusable. */
const ATTEMPTS = 3;

export class Replayer<Step extends Sentence, Place, Driver extends ProverDriver<Step, Place>> {
  readonly #source: DriverSource<Step, Place, Driver>;
  readonly #checkpoints: Checkpoints<Step>;
  readonly #once: boolean;
  #live: LiveStates<Step, Place, Driver> | undefined;
  #generation = 1;
  #isClosed = false;

  constructor(
    source: DriverSource<Step, Place, Driver>,
    driver: Driver,
    root: SessionState<Step>,
    { checkpointMs, once = false }: ReplayTuning,
  ) {
    this.#source = source;
    this.#checkpoints = new Checkpoints(checkpointMs);
    this.#once = once;
    this.#live = new LiveStates(driver, root);
  }

  get generation(): number {
    return this.#generation;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the process; nothing is brought back any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#live?.driver.kill();
  }

  /** Removes what the processes left behind, when nobody waits for one any more. */
  async cleanUp(): Promise<void> {
    // A process may have been started while the session was closed.
    await this.#live?.driver.kill();
    await this.#source.close?.();
  }

  /** The process is about to go back to a state that it holds. */
  goBackTo(state: SessionState<Step>): void {
    this.#live?.truncate(state);
  }

  /** The process has come to a state, from its parent. */
  reached(state: SessionState<Step>, place: Place): void {
    this.#live?.extend(state, place);
    this.#checkpoints.executed(state.elapsedMs);
  }

  /**
   * Does `work` at a state, within the limits; bringing the state back is not counted against them. When the prover
   * dies, cannot go back or is interrupted for no reason of Quod's, everything is done once more.
   */
  async attempt<Answer extends { readonly status: string }>(
    state: SessionState<Step>,
    limits: CallLimits & Pick<WorkOptions, 'once'>,
    work: (driver: Driver, place: Place) => Promise<Answer | Interrupted | Lost>,
  ): Promise<{
    readonly answer: Exclude<Answer, Interrupted | Lost> | ReplayFailure;
    readonly stopped: StopReason | undefined;
    readonly times: Times;
  }> {
    for (let attempt = 1; ; attempt += 1) {
      const brought = await this.#bring(state, limits.signal);
      if ('status' in brought) return { answer: brought, stopped: undefined, times: { elapsedMs: 0 } };
      const { driver, place } = brought;
      const started = performance.now();
      const limited = limitsFor(driver, limits);
      const workedBefore = limited.work?.spent();
      const { answer, stopped } = await underLimits(driver, limited, () => work(driver, place));
      const times: Times = {
        elapsedMs: performance.now() - started,
        ...workedSince(workedBefore, limited.work?.spent()),
      };
      const once = this.#once || limits.once === true;
      const isFirst = attempt === 1 && !once && stopped === undefined && !this.isClosed;
      if (isLost(answer)) {
        this.#live = undefined;
        if (isFirst && (answer.reason === 'prover-crashed' || answer.onlyProcess === true)) continue;
        return { answer: this.failure(stopped ?? answer.reason, answer.message), stopped, times };
      }
      if (isInterrupted(answer)) {
        if (isFirst) continue;
        const failure = this.failure(stopped ?? 'interrupted', 'The prover was interrupted.');
        return { answer: failure, stopped, times };
      }
      // More work than was allowed: which of the two came first depends on what else the machine does.
      if (stopped === 'timeout' && limits.workMs !== undefined)
        return { answer: this.failure('timeout', ''), stopped, times };
      return { answer: answer as Exclude<Answer, Interrupted | Lost>, stopped, times };
    }
  }

  /** Makes a state live. */
  async #bring(
    state: SessionState<Step>,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly driver: Driver; readonly place: Place } | ReplayFailure> {
    let why = '';
    let stuckAt = state.id;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (this.isClosed || signal?.aborted === true) return this.failure('interrupted', '');
      try {
        await this.#ensureWayTo(state, signal);
      } catch (error) {
        if (!(error instanceof QuodError)) throw error;
        return this.failure(error.reason, error.message);
      }
      // Undefined when the session was closed while the prover started.
      const live = this.#live;
      if (live === undefined) continue;
      const outcome = await this.#replay(live, state, signal);
      if ('place' in outcome) return { driver: live.driver, place: outcome.place };
      if (outcome.stopped === 'interrupted') return this.failure('interrupted', '');
      ({ why, stuckAt } = outcome);
      await live.driver.kill();
      this.#live = undefined;
    }
    return { ...this.failure('prover-crashed', `The prover could not be brought back: ${why}`), stuckAt };
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
    if (this.isClosed) await driver.kill();
    else this.#live = new LiveStates(driver, start);
  }

  async #replay(
    live: LiveStates<Step, Place, Driver>,
    state: SessionState<Step>,
    signal: AbortSignal | undefined,
  ): Promise<
    | { readonly place: Place }
    | { readonly why: string; readonly stopped: StopReason | undefined; readonly stuckAt: StateId }
  > {
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
      if (answer.status !== 'done') return { why: replayFailure(step, answer), stopped, stuckAt: next.id };
      ({ place } = answer);
      live.extend(next, place);
      this.#checkpoints.executed(next.elapsedMs);
    }
    return { place };
  }

  /** Saves a place when much was executed since the last time; without it, coming back only takes longer. */
  async checkpoint(state: SessionState<Step>): Promise<void> {
    const live = this.#live;
    const save = live?.driver.save?.bind(live.driver);
    if (live === undefined || save === undefined || !this.#checkpoints.isDue) return;
    const held = live.placeOf(state);
    if (held === undefined) return;
    const { answer } = await underLimits(live.driver, { timeoutMs: SAVE_LIMIT_MS }, () => save(held.place));
    if (answer !== undefined) this.#checkpoints.add(state, answer);
  }

  failure(reason: ReasonCode, message: string): ReplayFailure {
    switch (reason) {
      case 'timeout':
        return { status: 'unknown', reason, message: 'The step ran longer than it was given.' };
      case 'interrupted':
        return {
          status: 'unknown',
          reason,
          message: this.isClosed ? 'The session was closed.' : 'The step was cancelled.',
        };
      default:
        return { status: 'unknown', reason, message };
    }
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

/** A process that is gone tells nothing any more. */
function workedSince(before: number | undefined, now: number | undefined): Pick<Times, 'workedMs'> {
  return before === undefined || now === undefined || !Number.isFinite(now - before)
    ? {}
    : { workedMs: now - before };
}

function isLost(answer: { readonly status: string }): answer is Lost {
  return answer.status === 'lost';
}

function isInterrupted(answer: { readonly status: string }): answer is Interrupted {
  return answer.status === 'interrupted';
}

function replayFailure<Step extends Sentence, Place>(
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
