/**
 * The states of one session. A state is a path of steps from the root; it is never forgotten, since anybody may
 * hold its id. Which of them the running process holds is known to {@link LiveStates}, one for each process.
 */
import { randomUUID } from 'node:crypto';
import type { ProverDriver } from '../core/driver.ts';
import { QuodError } from '../core/errors.ts';
import type { Sentence, StateId } from '../core/prover.ts';

export interface SessionState<Step> {
  readonly id: StateId;
  readonly parent: SessionState<Step> | undefined;
  /** What leads here from the parent; undefined at the root. */
  readonly step: Step | undefined;
  /** How long that took. */
  readonly elapsedMs: number;
}

export class SessionStates<Step> {
  readonly root: SessionState<Step>;
  readonly #prefix = randomUUID().slice(0, 8);
  readonly #states = new Map<string, SessionState<Step>>();

  constructor() {
    this.root = this.#record(undefined, undefined, 0);
  }

  add(parent: SessionState<Step>, step: Step, elapsedMs: number): SessionState<Step> {
    return this.#record(parent, step, elapsedMs);
  }

  find(id: StateId): SessionState<Step> | undefined {
    return this.#states.get(id);
  }

  #record(
    parent: SessionState<Step> | undefined,
    step: Step | undefined,
    elapsedMs: number,
  ): SessionState<Step> {
    const id = `${this.#prefix}.${this.#states.size}` as StateId;
    const state = { id, parent, step, elapsedMs };
    this.#states.set(id, state);
    return state;
  }
}

/** The state that lies a number of steps before another. */
export function ancestorOf<Step>(state: SessionState<Step>, steps: number): SessionState<Step> {
  let at: SessionState<Step> | undefined = state;
  for (let step = 0; step < steps; step += 1) at = at?.parent;
  if (at === undefined) throw new QuodError('internal', `A state has no ${steps} steps before it.`);
  return at;
}

/** The states that one process holds, and its own places for them. */
export class LiveStates<Step extends Sentence, Place, Driver extends ProverDriver<Step, Place>> {
  readonly driver: Driver;
  readonly #places = new Map<SessionState<Step>, Place>();
  /** Of a driver that holds one path: that path. */
  readonly #path: SessionState<Step>[] = [];

  /** @param start The state at which the process began. */
  constructor(driver: Driver, start: SessionState<Step>) {
    this.driver = driver;
    this.extend(start, driver.root);
  }

  /** The driver's place for a state; undefined when the process does not hold it. */
  placeOf(state: SessionState<Step>): { readonly place: Place } | undefined {
    const place = this.#places.get(state);
    if (place === undefined && !this.#places.has(state)) return undefined;
    const known = place as Place;
    return this.driver.holds?.(known) === false ? undefined : { place: known };
  }

  /** The process has come to a state, from its parent. */
  extend(state: SessionState<Step>, place: Place): void {
    this.#places.set(state, place);
    if (!this.driver.keepsStates) this.#path.push(state);
  }

  /** The process is about to go back to a state that it holds, and throws away what stands behind it. */
  truncate(state: SessionState<Step>): void {
    if (this.driver.keepsStates) return;
    for (let last = this.#path.at(-1); last !== undefined && last !== state; last = this.#path.at(-1)) {
      this.#places.delete(last);
      this.#path.pop();
    }
  }

  /**
   * The nearest state on the way to another that the process holds, and the states behind it; undefined if it holds
   * none.
   */
  wayTo(state: SessionState<Step>):
    | {
        readonly from: SessionState<Step>;
        readonly place: Place;
        readonly missing: readonly SessionState<Step>[];
      }
    | undefined {
    const missing: SessionState<Step>[] = [];
    for (let at: SessionState<Step> | undefined = state; at !== undefined; at = at.parent) {
      const held = this.placeOf(at);
      if (held !== undefined) return { from: at, place: held.place, missing: missing.reverse() };
      missing.push(at);
    }
    return undefined;
  }
}
