/**
 * Live provers, shared by all sessions. Who wants to work at a state gets a prover that is at it or can be brought
 * there soonest, alone, for as long as the work takes; others with the same beginning find it warm afterwards.
 * There are at most `maximum` provers, each with its share of the memory; when one more is needed, the one whose
 * loss costs least goes.
 */
import { QuodError } from '../core/errors.ts';
import type { Prover, ProverSession, StateId, StepResult } from '../core/prover.ts';
import { leastOf } from '../core/lists/many.ts';
import { Engine, recordCost, type BringOptions, type KnownState } from './engine.ts';
import type { ScriptState } from './script-state.ts';
import type { PoolLimits } from './session-limits.ts';

/** A prover at a state, for one piece of work. */
export interface ProverAt {
  readonly session: ProverSession;
  readonly state: StateId;
  /** Remembers a state that `session.run` led to, for whoever comes next. */
  readonly note: (parent: ScriptState, after: ScriptState, result: StepResult & { status: 'done' }) => void;
  /** The prover's own id of a state that it holds, and what it said on the way there from the parent. */
  readonly known: (state: ScriptState) => KnownState | undefined;
}

/** What starting a prover is taken to cost before one was started. */
const ASSUMED_START_MS = 500;
/** An idle prover that nobody wanted for this long may be given up for another file. */
const UNWANTED_MS = 1000;
/** A prover that has lived this many times what it cost to start may be given up whenever it is idle. */
const PAID_OFF = 10;
/**
 * What a call that waits may cost more than another, in milliseconds for each millisecond that it has waited
 * longer.
 */
const WAITING_WEIGHS = 0.1;
/** A prover is kept idle for this many times what it would cost to have it back. */
const IDLE_WEIGHS = 100;
/** A prover that has run this many sentences is replaced when it is idle: it never forgets a state. */
const SENTENCES_BEFORE_RENEWAL = 200_000;

export class ProverPool {
  readonly #prover: Prover;
  readonly #limits: PoolLimits;
  readonly #engines = new Set<Engine>();
  /** The calls that wait, by their place in the queue. */
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  /** Milliseconds that each sentence took, by the key of the state behind it. */
  readonly #costs = new Map<string, number>();
  #starting = 0;
  #startMs = ASSUMED_START_MS;
  #closed = false;
  readonly #sweeper: NodeJS.Timeout | undefined;

  constructor(prover: Prover, limits: PoolLimits) {
    this.#prover = prover;
    this.#limits = limits;
    const { idleMs } = limits;
    if (idleMs !== undefined)
      this.#sweeper = setInterval(() => this.#endIdle(idleMs), Math.min(idleMs, 30_000)).unref();
  }

  get identity(): Prover['identity'] {
    return this.#prover.identity;
  }

  /** How many provers live. */
  get size(): number {
    return this.#engines.size;
  }

  /**
   * Works with a prover at a state. @throws UnreachableState when a sentence on the way is refused, QuodError
   * `interrupted`, `prover-crashed`, `memory-exceeded`, `library-missing`, `stale-state` (closed).
   */
  async at<Result>(
    state: ScriptState,
    options: BringOptions,
    work: (prover: ProverAt) => Promise<Result>,
  ): Promise<Result> {
    const engine = await this.#acquire(state, options.signal);
    try {
      const id = await engine.bring(state, options, this.#costs);
      return await work({
        session: engine.session,
        state: id,
        note: (parent, after, result) => {
          recordCost(this.#costs, after.key, result.elapsedMs);
          engine.note(parent, after, result);
        },
        known: (known) => engine.known(known),
      });
    } finally {
      this.#release(engine);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    this.#wakeAll();
    await Promise.all([...this.#engines].map((engine) => this.#discard(engine)));
  }

  async #acquire(state: ScriptState, signal: AbortSignal): Promise<Engine> {
    const since = performance.now();
    const place = (this.#calls += 1);
    for (;;) {
      if (this.#closed) throw new QuodError('stale-state', 'The provers were shut down.');
      if (signal.aborted) throw cancelledWhileWaiting();
      const choice = this.#choose(state, performance.now() - since);
      switch (choice.kind) {
        case 'use':
          choice.engine.take();
          return choice.engine;
        case 'start':
          if (choice.instead !== undefined) this.#discard(choice.instead).catch(() => undefined);
          return this.#start(state, signal);
        case 'wait':
          await this.#untilReleased(place, { state, since }, signal, choice.patienceMs);
      }
    }
  }

  /** The cheapest way to the state: an idle prover, a new one (perhaps in place of an idle one), or waiting. */
  #choose(state: ScriptState, waitedMs: number): Choice {
    const fromScratch = this.#startMs + this.#costOf(state, undefined);
    const related = [...this.#engines]
      .filter((engine) => engine.rootKey === state.rootKey)
      .map((engine) => {
        const common = engine.nearest(state);
        /** What others lose when this prover is taken to the state. */
        const loss = engine.worthBehind(common, this.#costs);
        return { engine, bring: this.#costOf(state, common), loss };
      });
    const [best] = related
      .filter(({ engine }) => !engine.busy)
      .toSorted((one, other) => one.bring + one.loss - (other.bring + other.loss));
    if (best !== undefined && best.bring + best.loss <= fromScratch)
      return { kind: 'use', engine: best.engine };
    // A busy prover that is nearly there is worth waiting for, unless its work takes longer than a new one would.
    // Behind many short calls one waits in a queue; a second prover shortens it when there is room, never at
    // another's cost.
    const atMost = Math.min(fromScratch, best?.bring ?? Infinity);
    const patienceMs = related.reduce(
      (most, { engine, bring }) =>
        engine.busy ? Math.max(most, atMost - bring - engine.inPresentUseMs) : most,
      0,
    );
    const roomForMore = this.#engines.size + this.#starting < this.#limits.maximum;
    const longEnough = waitedMs >= fromScratch;
    const spare = longEnough && !roomForMore && best === undefined ? this.#spareFor(state) : undefined;
    if (patienceMs > 0 && !(longEnough && roomForMore) && spare === undefined)
      return { kind: 'wait', patienceMs };
    if (roomForMore) return { kind: 'start' };
    if (spare !== undefined) return { kind: 'start', instead: spare };
    if (best !== undefined && best.bring <= fromScratch) return { kind: 'use', engine: best.engine };
    return this.#displace();
  }

  /**
   * A new prover in place of an idle one: of those that nobody has wanted for a while, or that have paid for
   * themselves, the one whose loss costs least. Without this restraint, clients of more files than there are
   * provers would spend their time on starting provers for one another to end.
   */
  #displace(): Choice {
    const idle = [...this.#engines]
      .filter(({ busy }) => !busy)
      .map((engine) => {
        const price = this.#startMs + engine.worthBehind(undefined, this.#costs);
        const unwantedInMs = Math.min(price, UNWANTED_MS) - engine.inPresentUseMs;
        const paidOffInMs = price * PAID_OFF - engine.ageMs;
        return { engine, price, freeInMs: Math.min(unwantedInMs, paidOffInMs) };
      });
    const [least] = idle
      .filter(({ freeInMs }) => freeInMs <= 0)
      .toSorted(
        (one, other) => one.price - other.price || other.engine.inPresentUseMs - one.engine.inPresentUseMs,
      );
    if (least !== undefined) return { kind: 'start', instead: least.engine };
    const patienceMs = leastOf(idle.map(({ freeInMs }) => freeInMs));
    return { kind: 'wait', ...(Number.isFinite(patienceMs) && { patienceMs }) };
  }

  /** An idle prover of a file that has another one, that nobody waits for, and that has paid for itself. */
  #spareFor({ rootKey }: ScriptState): Engine | undefined {
    const engines = [...this.#engines];
    const wanted = new Set([...this.#waiting.values()].map(({ state }) => state.rootKey));
    return engines.find(
      (engine) =>
        engine.rootKey !== rootKey &&
        !engine.busy &&
        !wanted.has(engine.rootKey) &&
        engine.ageMs >= this.#startMs * PAID_OFF &&
        engines.some((other) => other !== engine && other.rootKey === engine.rootKey),
    );
  }

  /** What the sentences behind `from` (the root when undefined) are known to take. */
  #costOf(state: ScriptState, from: ScriptState | undefined): number {
    let cost = 0;
    for (let at = state; at.parent !== undefined && at.key !== from?.key; at = at.parent) {
      cost += this.#costs.get(at.key) ?? 1;
    }
    return cost;
  }

  async #start(state: ScriptState, signal: AbortSignal): Promise<Engine> {
    this.#starting += 1;
    const started = performance.now();
    try {
      const session = await this.#prover.openSession({
        file: state.context.file,
        signal,
        onlyProves: true,
        memoryLimit: Math.floor(this.#limits.memory / this.#limits.maximum),
      });
      this.#startMs = performance.now() - started;
      const engine = new Engine(session, rootOf(state));
      engine.take();
      this.#engines.add(engine);
      if (this.#closed) {
        await this.#discard(engine);
        throw new QuodError('stale-state', 'The provers were shut down.');
      }
      return engine;
    } catch (error) {
      this.#wakeAll();
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }

  #release(engine: Engine): void {
    engine.giveBack();
    if (engine.broken || engine.sentencesRun > SENTENCES_BEFORE_RENEWAL)
      this.#discard(engine).catch(() => undefined);
    this.#wakeAll();
  }

  /** A page that is open all day would hold a prover for each of its files. */
  #endIdle(idleMs: number): void {
    for (const engine of this.#engines) {
      const price = this.#startMs + engine.worthBehind(undefined, this.#costs);
      if (!engine.busy && engine.inPresentUseMs > Math.max(idleMs, price * IDLE_WEIGHS))
        this.#discard(engine).catch(() => undefined);
    }
  }

  async #discard(engine: Engine): Promise<void> {
    this.#engines.delete(engine);
    await engine.session.close();
  }

  #untilReleased(
    place: number,
    call: Pick<Waiting, 'state' | 'since'>,
    signal: AbortSignal,
    patienceMs: number | undefined,
  ): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(place);
        resolve();
      };
      const timer = patienceMs === undefined ? undefined : setTimeout(wake, patienceMs);
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.set(place, { ...call, wake });
    });
  }

  /**
   * Those that wait choose again, in this order: first who costs an idle prover least, so that it need not run to and
   * fro between distant states; but the longer one has waited, the more one may cost. Among equals, who came first.
   */
  #wakeAll(): void {
    const now = performance.now();
    const idle = [...this.#engines].filter(({ busy }) => !busy);
    [...this.#waiting]
      .map(([place, { state, since, wake }]) => {
        const ways = idle
          .filter(({ rootKey }) => rootKey === state.rootKey)
          .map((engine) => this.#costOf(state, engine.nearest(state)));
        return { place, wake, rank: leastOf([this.#startMs, ...ways]) - WAITING_WEIGHS * (now - since) };
      })
      .sort((one, other) => one.rank - other.rank || one.place - other.place)
      .forEach(({ wake }) => wake());
  }
}

interface Waiting {
  readonly state: ScriptState;
  /** When the call came. */
  readonly since: number;
  readonly wake: () => void;
}

type Choice =
  | { readonly kind: 'use'; readonly engine: Engine }
  | { readonly kind: 'start'; readonly instead?: Engine }
  /** Until a prover is free, or until the patience is over and the choice is made again. */
  | { readonly kind: 'wait'; readonly patienceMs?: number };

function cancelledWhileWaiting(): QuodError {
  return new QuodError('interrupted', 'The call was cancelled while it waited for a prover.');
}

function rootOf(state: ScriptState): ScriptState {
  let at = state;
  while (at.parent !== undefined) at = at.parent;
  return at;
}
