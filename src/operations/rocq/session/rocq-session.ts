/**
 * A live session of a client: a place in a file, or behind a preamble, from which it works. States of the session have
 * short names of their own; each is a path of sentences, so none is ever lost. Two calls never disturb one another: a
 * call says from which state it works, and a state does not change.
 */
import { counted } from '../../../core/counted.ts';
import { QuodError } from '../../../core/errors.ts';
import { openGoalCount, type ProofState } from '../../../core/proof-state.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { sentencesTo, type ScriptState } from '../../../sessions/script-state.ts';
import type { LiveSession } from '../../../sessions/session-registry.ts';
import type { RocqFile } from './rocq-file.ts';

export interface Target {
  readonly item: TheoremItem;
  /** The state behind the statement, before `Proof`. */
  readonly stated: ScriptState;
}

export interface StateSummary {
  readonly inProof: boolean;
  /** In focus, set aside, shelved and given up. */
  readonly goalsLeft: number;
}

export class RocqSession implements LiveSession {
  /** The version of the file that the session was opened on; undefined with a preamble. */
  readonly file: RocqFile | undefined;
  readonly target: Target | undefined;
  /** Where the session starts: behind `Proof`, at the position, behind the preamble. */
  readonly base: ScriptState;
  readonly #names = new Map<string, string>();
  readonly #states = new Map<string, ScriptState>();
  readonly #summaries = new Map<string, StateSummary>();

  constructor(start: { readonly file?: RocqFile; readonly target?: Target; readonly base: ScriptState }) {
    this.file = start.file;
    this.target = start.target;
    this.base = start.base;
    this.nameOf(start.base);
  }

  /**
   * The session's name of a state; the same state has the same name. @param proof The proof there, when it is
   * known.
   */
  nameOf(state: ScriptState, proof?: ProofState | null): string {
    if (proof !== undefined) this.#summaries.set(state.key, summaryOf(proof));
    const known = this.#names.get(state.key);
    if (known !== undefined) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(state.key, name);
    this.#states.set(name, state);
    return name;
  }

  /** @throws QuodError `stale-state` when the session never had such a state. */
  stateNamed(name: string): ScriptState {
    const state = this.#states.get(name);
    if (state !== undefined) return state;
    throw new QuodError('stale-state', `This session has no state ${name}.`, {
      remedy: `It has ${counted(this.#states.size, 'state')}, from s0 (its start) to s${this.#states.size - 1}.`,
    });
  }

  /** How far the proof is at a state, when somebody has looked. */
  summaryOf(state: ScriptState): StateSummary | undefined {
    return this.#summaries.get(state.key);
  }

  /**
   * The sentences that lead to a state from the start of the session, or from the statement when they have a
   * `Proof`.
   */
  scriptTo(state: ScriptState): readonly string[] {
    const starts = [this.base.key, this.target?.stated.key];
    return sentencesTo(state, ({ key }) => starts.includes(key)).sentences;
  }

  /** Every state that the session named, in the order of their names. */
  get states(): readonly ScriptState[] {
    return [...this.#states.values()];
  }

  close(): Promise<void> {
    this.#names.clear();
    this.#states.clear();
    this.#summaries.clear();
    return Promise.resolve();
  }
}

function summaryOf(proof: ProofState | null): StateSummary {
  return { inProof: proof !== null, goalsLeft: proof === null ? 0 : openGoalCount(proof) };
}
