/** Asks the prover whether a changed proof still closes what it is to close; what two changes share is run once. */
import { orZero } from '../../core/entry.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { Goal } from '../../core/proof-state.ts';
import { scriptSentences, type ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { isGuarded } from '../candidates/recursion.ts';
import { scriptOf, usesTactic, writtenTree, type TacticTree } from '../candidates/tactic-tree.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { STANDS_STILL } from '../../sessions/session-by-work.ts';

/** Of the prover's work, as all that is counted here: what comes out must not depend on what else the machine does. */
const STEP_LIMIT_MS = 3000;
const LEAST_STEP_MS = 300;
const SLOWER = 1.5;

/** What may stay open behind a script: what its hole did not have in focus. */
export interface OpenBefore {
  readonly unfocused: number;
  readonly shelved: number;
  readonly givenUp: number;
}

export class ScriptChecker {
  readonly #session: ProverSession;
  readonly #root: StateId;
  readonly #openBefore: OpenBefore;
  readonly #recursive: boolean;
  readonly #signal: AbortSignal;
  readonly #ran = new Map<string, { readonly state: StateId | undefined; readonly ms: number }>();
  #workedMs = 0;

  constructor(
    session: ProverSession,
    root: StateId,
    openBefore: OpenBefore,
    options: {
      /** Whether the theorem stands among its own hypotheses. */
      readonly recursive: boolean;
      readonly signal: AbortSignal;
    },
  ) {
    this.#session = session;
    this.#root = root;
    this.#openBefore = openBefore;
    this.#recursive = options.recursive;
    this.#signal = options.signal;
  }

  /** How many sentences the prover was asked to run. */
  get ran(): number {
    return this.#ran.size;
  }

  /** What they took of the prover's work, in milliseconds. */
  get workedMs(): number {
    return this.#workedMs;
  }

  /** What a step may take that is to make a script better that was run: not much more than all of the script did. */
  stepMsFor(script: ScriptTree): number {
    return Math.max(LEAST_STEP_MS, SLOWER * this.#tookMs(script));
  }

  #tookMs(script: ScriptTree): number {
    let prefix = '';
    return scriptSentences(script).reduce((sum, sentence) => {
      prefix += `\n${sentence}`;
      return sum + orZero(this.#ran.get(prefix)?.ms);
    }, 0);
  }

  /**
   * Whether the sentences close every goal in focus at the root.
   * @param stepMs What each that was not run yet may take, at most as long as any step of a script.
   */
  async passes(tree: TacticTree, stepMs = STEP_LIMIT_MS): Promise<boolean> {
    const state = await this.#run(scriptSentences(scriptOf(tree)), Math.min(stepMs, STEP_LIMIT_MS));
    if (state === undefined) return false;
    const proof = await this.#session.goals(state);
    const { unfocused, shelved, givenUp } = this.#openBefore;
    const closed =
      proof?.goals.length === 0 &&
      proof.givenUp <= givenUp &&
      proof.shelved <= shelved &&
      proof.unfocused.reduce((total, count) => total + count, 0) <= unfocused;
    const recurs = this.#recursive || ['fix', 'cofix'].some((head) => usesTactic(tree, head));
    return closed && (!recurs || (await isGuarded(this.#session, state, this.#signal)));
  }

  passesScript(script: ScriptTree, stepMs?: number): Promise<boolean> {
    return this.passes(writtenTree(script), stepMs);
  }

  /** The goals in focus behind the sentences; undefined when the prover refuses one. */
  async goalsAfter(sentences: readonly string[]): Promise<readonly Goal[] | undefined> {
    const state = await this.#run(sentences, STEP_LIMIT_MS);
    return state === undefined ? undefined : (await this.#session.goals(state))?.goals;
  }

  /** Prefixes are remembered, so that a change near the end costs only what follows it. */
  async #run(sentences: readonly string[], workMs: number): Promise<StateId | undefined> {
    let state: StateId = this.#root;
    let prefix = '';
    for (const sentence of sentences) {
      prefix += `\n${sentence}`;
      const known = this.#ran.get(prefix);
      if (known !== undefined) {
        if (known.state === undefined) return undefined;
        state = known.state;
        continue;
      }
      const result = await this.#session.run(state, asSentence(sentence), {
        ...{ workMs, timeoutMs: workMs * STANDS_STILL },
        signal: this.#signal,
      });
      const reached = result.status === 'done' ? result.state : undefined;
      const ms = result.workedMs ?? result.elapsedMs;
      this.#ran.set(prefix, { state: reached, ms });
      this.#workedMs += ms;
      if (result.status !== 'done') return undefined;
      state = result.state;
    }
    return state;
  }
}
