/** One live prover of the pool, the states that it holds, and the way to others. */
import type { Diagnostic } from '../core/diagnostic.ts';
import { entryAt, orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import type { ProverSession, StateId, StepResult } from '../core/prover.ts';
import type { ReasonCode } from '../core/reason.ts';
import type { ScriptState } from './script-state.ts';

export interface BringOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each sentence that has to be run again. Default 120,000. */
  readonly sentenceTimeoutMs?: number;
  /** Told while sentences are run on the way to the state. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A sentence on the way to a state is refused. */
export class UnreachableState extends Error {
  override readonly name = 'UnreachableState';
  /** The last state that could be reached. */
  readonly reached: ScriptState;
  /** The state after the sentence that is refused. */
  readonly refused: ScriptState;
  readonly reason: ReasonCode | undefined;
  readonly diagnostic: Diagnostic;

  constructor(refused: ScriptState, reached: ScriptState, diagnostic: Diagnostic, reason?: ReasonCode) {
    super(diagnostic.message);
    this.refused = refused;
    this.reached = reached;
    this.diagnostic = diagnostic;
    this.reason = reason;
  }
}

export interface KnownState {
  readonly id: StateId;
  readonly messages: readonly Diagnostic[];
}

/** Costs only steer: the oldest are forgotten. */
const COSTS_KEPT = 300_000;

export function recordCost(costs: Map<string, number>, key: string, elapsedMs: number): void {
  costs.set(key, elapsedMs);
  if (costs.size <= COSTS_KEPT) return;
  const [oldest] = costs.keys();
  if (oldest !== undefined) costs.delete(oldest);
}

export class Engine {
  readonly session: ProverSession;
  /** Key of the root of the context that it was started for. */
  readonly rootKey: string;
  readonly #root: ScriptState;
  readonly #states = new Map<string, KnownState>();
  /** The path that it ran last, from the root: what it can go on from at once. */
  #live: ScriptState[];
  readonly #depths = new Map<string, number>();
  /** Not to be used again. */
  broken = false;
  sentencesRun = 0;
  readonly #startedAt = performance.now();
  #busy = false;
  #changedHandsAt = performance.now();

  constructor(session: ProverSession, root: ScriptState) {
    this.session = session;
    this.rootKey = root.key;
    this.#root = root;
    this.#live = [root];
    this.#depths.set(root.key, 0);
    this.#states.set(root.key, { id: session.root, messages: [] });
  }

  get busy(): boolean {
    return this.#busy;
  }

  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** How long it has been busy, or idle. */
  get inPresentUseMs(): number {
    return performance.now() - this.#changedHandsAt;
  }

  take(): void {
    this.#busy = true;
    this.#changedHandsAt = performance.now();
  }

  giveBack(): void {
    this.#busy = false;
    this.#changedHandsAt = performance.now();
  }

  known(state: ScriptState): KnownState | undefined {
    return this.#states.get(state.key);
  }

  /** The last state on the way to `state` that is on the live path. */
  nearest(state: ScriptState): ScriptState {
    let at: ScriptState | undefined = state;
    while (at !== undefined && !this.#depths.has(at.key)) at = at.parent;
    return at ?? this.#root;
  }

  /** What the live path behind a state (all of it when undefined) has cost. */
  worthBehind(state: ScriptState | undefined, costs: ReadonlyMap<string, number>): number {
    const depth = state === undefined ? 0 : orZero(this.#depths.get(state.key));
    let cost = 0;
    for (let index = depth + 1; index < this.#live.length; index += 1) {
      cost += orZero(costs.get(entryAt(this.#live, index, 'state').key));
    }
    return cost;
  }

  async bring(state: ScriptState, options: BringOptions, costs: Map<string, number>): Promise<StateId> {
    const missing: ScriptState[] = [];
    let at: ScriptState = state;
    while (!this.#states.has(at.key) && at.parent !== undefined) {
      missing.push(at);
      at = at.parent;
    }
    let reached = at;
    let id = this.#states.get(at.key)?.id ?? this.session.root;
    for (const [done, next] of missing.reverse().entries()) {
      options.onProgress?.(done, missing.length);
      const result = await this.session.run(
        id,
        { text: next.sentence },
        {
          timeoutMs: options.sentenceTimeoutMs ?? 120_000,
          signal: options.signal,
          expected: true,
        },
      );
      switch (result.status) {
        case 'done':
          recordCost(costs, next.key, result.elapsedMs);
          this.note(reached, next, result);
          reached = next;
          id = result.state;
          break;
        case 'failed':
          throw new UnreachableState(next, reached, result.error);
        case 'unknown':
          if (result.reason === 'interrupted') throw new QuodError('interrupted', result.message);
          // The next one to come starts with a fresh prover.
          this.broken = result.reason !== 'timeout';
          throw new UnreachableState(
            next,
            reached,
            { severity: 'error', message: result.message },
            result.reason,
          );
      }
    }
    this.#moveTo(state);
    return id;
  }

  note(parent: ScriptState, after: ScriptState, result: StepResult & { status: 'done' }): void {
    this.sentencesRun += 1;
    this.#states.set(after.key, { id: result.state, messages: result.messages });
    this.#moveTo(parent);
    this.#extend(after);
  }

  /** Makes the live path end at a state that the prover holds. */
  #moveTo(state: ScriptState): void {
    const common = this.nearest(state);
    const depth = orZero(this.#depths.get(common.key));
    for (const dropped of this.#live.splice(depth + 1)) this.#depths.delete(dropped.key);
    const missing: ScriptState[] = [];
    for (let at = state; at.key !== common.key && at.parent !== undefined; at = at.parent) missing.push(at);
    for (const next of missing.reverse()) this.#extend(next);
  }

  #extend(state: ScriptState): void {
    this.#depths.set(state.key, this.#live.length);
    this.#live.push(state);
  }
}
