/**
 * A text of a file as somebody types it, run sentence by sentence as far as it was asked for. Results are kept by
 * the state that a sentence leads to, so that a later version of the text runs only what stands behind the first
 * change, and every place that was run can be looked at without running anything again. Behind an error it goes on:
 * the rest of a proof that is refused is skipped and the statement admitted, a command that is refused is left out.
 */
import { InOrder } from '../../../core/concurrency/in-order.ts';
import type { Diagnostic } from '../../../core/diagnostic.ts';
import { QuodError } from '../../../core/errors.ts';
import type { StepResult } from '../../../core/prover.ts';
import type { TheoremItem } from '../../../provers/rocq/syntax/outline.ts';
import { asSentence } from '../../../provers/rocq/syntax/sentences.ts';
import { endOfProof } from '../../../provers/rocq/syntax/theorem-text.ts';
import type { ProverAt, ProverPool } from '../../../sessions/prover-pool.ts';
import { ImportHints, type RefusedText } from '../../../sessions/rocq/imports/import-hint.ts';
import { rootState, stateAfter, type ScriptState } from '../../../sessions/script-state.ts';
import type { RocqFile } from '../session/rocq-file.ts';
import { heldBackOf, type HeldBack } from './held-back.ts';
import type { SentenceMemory, SentenceRun } from './sentence-memory.ts';

export type SentenceStatus = 'ran' | 'refused' | 'skipped';

export interface CheckedSentence {
  readonly status: SentenceStatus;
  /** The state behind it; where it was not accepted, the last one before it that there is. */
  readonly state: ScriptState;
  readonly run: SentenceRun | undefined;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each sentence. */
  readonly sentenceTimeoutMs: number;
  /** `performance.now()` at which to stop for now; at least one sentence is run. */
  readonly until: number;
  /** Is told the number of each sentence that is run, before it is. */
  readonly onSentence?: (index: number) => void;
}

/** The text of a version cannot change; how much of it was run can. */
export class CheckedText {
  readonly file: RocqFile;
  readonly checked: CheckedSentence[] = [];
  readonly #memory: SentenceMemory;
  readonly #heldBack: HeldBack;
  readonly #theoremOf: (TheoremItem | undefined)[];
  /** The state that is gone on from. */
  #from: ScriptState;
  readonly #turns = new InOrder();
  readonly #imports = new ImportHints();
  /** The number of the sentence that runs. */
  #running: number | undefined;
  /** The statement of a proof that was refused is admitted next. */
  #admits = false;
  /** The state before the statement whose proof is being run. */
  #beforeProof: ScriptState;

  /** @param saved The file as it is on the disk; undefined where there is none. */
  constructor(file: RocqFile, memory: SentenceMemory, saved: RocqFile | undefined) {
    this.file = file;
    this.#memory = memory;
    this.#from = rootState(file.context);
    this.#beforeProof = this.#from;
    this.#theoremOf = file.outline.sentences.map(() => undefined);
    for (const theorem of file.outline.statements)
      for (let index = theorem.sentence; index < endOfProof(theorem); index += 1)
        this.#theoremOf[index] = theorem;
    this.#heldBack = heldBackOf(file, saved, this.#theoremOf);
    this.#settleKnown();
  }

  /** The numbers of the sentences that are not run before they are saved. */
  get heldBack(): readonly number[] {
    return [...this.#heldBack.keys()];
  }

  get complete(): boolean {
    return this.#next() === undefined;
  }

  /** Whether a sentence states a theorem or belongs to a proof; others are run without looking at goals. */
  isInTheorem(sentence: number): boolean {
    return this.#theoremOf[sentence] !== undefined;
  }

  /** Whether a sentence belongs to a proof, behind what it proves. */
  isInProof(sentence: number): boolean {
    const theorem = this.#theoremOf[sentence];
    return theorem !== undefined && theorem.sentence < sentence;
  }

  /** Whether the first `count` sentences have all of the proof to which a sentence belongs. */
  isBehindProof(sentence: number, count: number): boolean {
    const theorem = this.#theoremOf[sentence];
    return theorem !== undefined && endOfProof(theorem) <= count;
  }

  /** How many sentences end at an offset of the text or before it. */
  sentencesBefore(offset: number): number {
    const { sentences } = this.file.outline;
    let low = 0;
    let high = sentences.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = sentences[middle]?.span.end;
      if (end !== undefined && end <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Runs on from where it is. Of several calls each waits for those before it: a sentence is run at the state that the one
   * before it led to, and once. One that has no time waits for none. @throws QuodError `interrupted`, and what the pool throws.
   */
  async check(pool: ProverPool, options: CheckOptions): Promise<void> {
    const { length } = this.checked;
    if (this.#running !== undefined) {
      options.onSentence?.(this.#running);
      if (performance.now() >= options.until) return;
    }
    await this.#turns.run(async () => {
      // What another call ran meanwhile may be enough.
      if (this.checked.length > length && performance.now() >= options.until) return;
      try {
        do {
          if (this.complete) return;
          await pool.at(this.#from, options, (prover) => this.#runWith(prover, options));
        } while (performance.now() < options.until);
      } finally {
        this.#running = undefined;
      }
    }, options.signal);
  }

  /** Runs on for as long as this prover is at the state that is gone on from. */
  async #runWith(prover: ProverAt, options: CheckOptions): Promise<void> {
    let id = prover.state;
    do {
      const next = this.#next();
      if (next === undefined) return;
      const from = this.#from;
      this.#running = this.checked.length;
      options.onSentence?.(this.#running);
      const result = await prover.session.run(id, next, {
        timeoutMs: options.sentenceTimeoutMs,
        signal: options.signal,
        withGoals: !this.#admits && this.#theoremOf[this.checked.length] !== undefined,
        expected: true,
      });
      const after = stateAfter(from, next.text);
      if (result.status === 'done') prover.note(from, after, result);
      const { session } = prover;
      const hint =
        result.status === 'failed' &&
        (await this.#hint({
          ...{ session, at: id, sentence: next, error: result.error },
          signal: options.signal,
        }));
      this.#memory.keep(after.key, { ...runOf(result), ...(typeof hint === 'string' && { hint }) });
      this.#settleKnown();
      const known = prover.known(this.#from);
      if (known === undefined) return;
      ({ id } = known);
    } while (performance.now() < options.until);
  }

  /** Rocq inside Node loads a library for seconds, in which nobody who types could look at a goal. */
  #hint(refused: RefusedText): Promise<string | undefined> {
    const isInsideNode = refused.session.identity.backend === 'embedded';
    return isInsideNode ? Promise.resolve(undefined) : this.#imports.of(refused);
  }

  #next(): { readonly text: string } | undefined {
    return this.#admits ? ADMITTED : this.file.outline.sentences[this.checked.length];
  }

  /** Settles everything of which it is known what it does, by this version of the text or another. */
  #settleKnown(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const after = stateAfter(this.#from, next.text);
      // What another version of the text could run is held back here all the same.
      const held = this.#admits ? undefined : this.#heldBack.get(this.checked.length);
      const run = held ?? this.#memory.get(after.key);
      if (run === undefined) return;
      if (this.#admits) {
        this.#admits = false;
        this.#from = run.error === undefined ? after : this.#beforeProof;
      } else this.#settle(after, run);
    }
  }

  #settle(after: ScriptState, run: SentenceRun): void {
    const index = this.checked.length;
    const theorem = this.#theoremOf[index];
    if (theorem?.sentence === index) this.#beforeProof = this.#from;
    if (run.error === undefined) {
      this.checked.push({ status: 'ran', state: after, run });
      this.#from = after;
      return;
    }
    const state = this.#from;
    this.checked.push({ status: 'refused', state, run });
    if (theorem === undefined) return;
    while (this.checked.length < endOfProof(theorem))
      this.checked.push({ status: 'skipped', state, run: undefined });
    this.#admits = theorem.sentence < index;
  }
}

const ADMITTED = asSentence('Admitted.');

function runOf(result: StepResult): SentenceRun {
  switch (result.status) {
    case 'done':
      return {
        elapsedMs: result.elapsedMs,
        messages: result.messages,
        error: undefined,
        reason: undefined,
        proof: result.proof,
      };
    case 'failed':
      return {
        elapsedMs: result.elapsedMs,
        messages: result.messages,
        error: result.error,
        reason: undefined,
        proof: undefined,
      };
    case 'unknown': {
      if (result.reason === 'interrupted') throw new QuodError('interrupted', result.message);
      const error: Diagnostic = { severity: 'error', message: result.message };
      return { elapsedMs: result.elapsedMs, messages: [], error, reason: result.reason, proof: undefined };
    }
  }
}
