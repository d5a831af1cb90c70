/**
 * The toy prover without a process, for tests that draw thousands of calls. It dies, wears out and keeps states as
 * it is told, and throws when the engine uses it in a way that its contract (src/core/driver.ts) does not allow.
 */
import type { ExecuteAnswer, Lost, ProverDriver } from '../../../core/driver.ts';
import type { Sentence } from '../../../core/prover.ts';
import { proofOfToy, runToy, TOY_ROOT, type ToyState } from './logic.ts';
import { splitToy } from './syntax.ts';

/**
 * Three provers in one: a `path` throws away what stands behind a place that it goes back to, a `tree` keeps all, and a
 * `world` keeps all until something is declared, cannot go back behind that, and can be saved.
 */
export type ToyKind = 'path' | 'tree' | 'world';

export interface ToyPlace {
  readonly state: ToyState;
  readonly world: number;
  /** Of a claim that is open: the sentences from its beginning. */
  readonly claim: readonly string[];
}

/** What all processes of a session share. */
export interface ToyFate {
  /** How many of the calls that come next die. */
  deaths: number;
  started: number;
  executed: string[];
  readonly saved: ToyState[];
}

/** A sentence that the prover never survives. */
export const DEADLY = 'die;';

const DEAD: Lost = { status: 'lost', reason: 'prover-crashed', message: 'The toy died.' };

export class MemoryToy implements ProverDriver<Sentence, ToyPlace> {
  readonly root: ToyPlace;
  readonly keepsStates: boolean;
  readonly readsAnywhere = true;
  readonly #kind: ToyKind;
  readonly #fate: ToyFate;
  #held: ToyPlace[];
  #world = 0;
  #isDead = false;
  #isStopAsked = false;
  worn = false;

  constructor(kind: ToyKind, fate: ToyFate, state: ToyState = TOY_ROOT) {
    this.#kind = kind;
    this.#fate = fate;
    this.keepsStates = kind !== 'path';
    this.root = { state, world: 0, claim: [] };
    this.#held = [this.root];
    fate.started += 1;
  }

  holds({ world }: ToyPlace): boolean {
    return this.#kind !== 'world' || world === this.#world;
  }

  execute(
    base: ToyPlace,
    { text }: Sentence,
    withGoals: boolean,
  ): Promise<ExecuteAnswer<Sentence, ToyPlace>> {
    const stopped = this.#begin(base) ?? (text === DEADLY ? DEAD : undefined);
    if (stopped !== undefined) return Promise.resolve(stopped);
    if (this.#kind === 'path') this.#held.length = this.#held.indexOf(base) + 1;
    this.#fate.executed.push(text);
    let { state } = base;
    for (const sentence of splitToy(text)) {
      const result = runToy(state, sentence.text);
      if (result.status === 'failed') {
        const error = { severity: 'error', message: result.message } as const;
        return Promise.resolve({ status: 'failed', error, messages: [] });
      }
      ({ state } = result);
    }
    const isDeclared = this.#kind === 'world' && state.goals === undefined;
    if (isDeclared) this.#world += 1;
    const claim = state.goals === undefined ? [] : [...base.claim, text];
    const place = { state, world: this.#world, claim };
    this.#held.push(place);
    const whole = [...base.claim, text].join(' ');
    const isProved = isDeclared && base.claim.length > 0;
    return Promise.resolve({
      status: 'done',
      place,
      messages: [],
      ...(withGoals && { proof: proofOfToy(state) }),
      ...(isProved && { shortcut: { steps: base.claim.length, step: { text: whole } } }),
    });
  }

  goals(at: ToyPlace) {
    return Promise.resolve(this.#begin(at) ?? ({ status: 'done', value: proofOfToy(at.state) } as const));
  }

  query(at: ToyPlace, { text }: Sentence) {
    const value = [{ severity: 'notice', message: String(at.state.numbers[text]) }] as const;
    return Promise.resolve(this.#begin(at) ?? ({ status: 'done', value } as const));
  }

  save(at: ToyPlace): Promise<string | undefined> {
    if (this.#kind !== 'world' || at.state.goals !== undefined) return Promise.resolve(undefined);
    this.#fate.saved.push(at.state);
    return Promise.resolve(String(this.#fate.saved.length - 1));
  }

  isWorn(): boolean {
    return this.worn;
  }

  interrupt(): void {
    this.#isStopAsked = true;
  }

  kill(): Promise<void> {
    this.#isDead = true;
    return Promise.resolve();
  }

  /** What a call is answered that is not executed. */
  #begin(at: ToyPlace): Lost | { readonly status: 'interrupted' } | undefined {
    if (this.#fate.deaths > 0) {
      this.#fate.deaths -= 1;
      this.#isDead = true;
    }
    if (this.#isDead) return DEAD;
    if (this.#isStopAsked) {
      this.#isStopAsked = false;
      return { status: 'interrupted' };
    }
    if (!this.#held.includes(at) || !this.holds(at)) throw new Error('The place was thrown away.');
    return undefined;
  }
}
