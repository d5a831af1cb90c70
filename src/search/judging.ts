/**
 * Has found proofs judged beside the search. What is found while a judgement runs is judged together next, since
 * most of the cost (a fresh prover, the file, the walk through what the proofs rest on) is the same for one proof
 * and for many. Every judgement is of the file with all proofs that were accepted before, so the last one that
 * accepts has seen the very text that can be written, and says what each proof rests on there. When several are not
 * accepted together they are judged in halves, so one bad proof costs no other. Proofs of the file that Rocq refuses are
 * set aside in both texts, as `Admitted`: the statements stay what they are, and what is found behind them can be
 * judged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { orZero } from '../core/entry.ts';
import { sha256 } from '../core/sha256.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { AcceptedTogether, Judge, ProofRestsOn, ProofsJudged } from './prove-request.ts';
import { offsetAfter, replaced, type Replacement } from '../core/replacement.ts';
import { statementOf } from '../provers/rocq/syntax/theorem-text.ts';
import { QuodError } from '../core/errors.ts';
import { greatestOf } from '../core/lists/many.ts';
import { PatientJudge } from './patient-judge.ts';

/** After a judgement the search has the machine for itself this many times as long, where nothing else is asked for. */
const PAUSE_FACTOR = 1;

export type Judged =
  | {
      readonly kind: 'accepted';
      readonly warnings: readonly string[];
      /** What was set aside before the theorem. */
      readonly without: readonly Replacement[];
    }
  | Exclude<ProofsJudged, { readonly kind: 'accepted' }>;

type NotLookedAt = Extract<ProofsJudged, { readonly kind: 'unknown' }>;

const BEHIND_ENDLESS: NotLookedAt = {
  kind: 'unknown',
  reason: 'timeout',
  message: 'The gate was not asked: it would run that, too.',
};
const NOT_ASKED: NotLookedAt = {
  kind: 'unknown',
  reason: 'timeout',
  message: 'The gate came to no end with another proof of the file, and was not asked about this one.',
};

interface Proof {
  readonly theorem: TheoremItem;
  readonly replacement: Replacement;
}

interface Found extends Proof {
  readonly resolve: (judged: Judged) => void;
  readonly reject: (error: unknown) => void;
}

export interface JudgingOptions {
  /** What is known by now of proofs that Rocq refuses. */
  readonly setAside?: () => readonly Replacement[];
  /** Where sentences of the file begin that do not end, and that are not set aside. */
  readonly endless?: () => readonly number[];
  /** As {@link PatientJudge} has it. */
  readonly fileMs?: (theorem: TheoremItem) => Promise<number>;
  /** A judgement is waited for at least so long; default: five minutes. */
  readonly leastMs?: number;
  /** Whether the judge runs all of the file; default: up to the proofs. */
  readonly judgesAll?: boolean;
  readonly onAccepted?: (judged: AcceptedTogether) => void;
  /** Told what the judge is at, and in the end that it is at nothing. */
  readonly onJudging?: (theorems: readonly TheoremItem[]) => void;
  readonly pauseFactor?: number;
}

export class Judging {
  readonly #outline: FileOutline;
  readonly #judge: PatientJudge;
  readonly #options: JudgingOptions;
  readonly #ended = new AbortController();
  #accepted: readonly Proof[] = [];
  readonly #restOn = new Map<TheoremItem, ProofRestsOn>();
  readonly #workMs = new Map<TheoremItem, number>();
  #waiting: Found[] = [];
  #busy = false;
  /** Proofs were withdrawn after the last judgement. */
  #isStale = false;
  /** Since the latest judgement began. */
  #withdrawn = new Set<TheoremItem>();

  constructor(outline: FileOutline, judge: Judge, options: JudgingOptions = {}) {
    this.#outline = outline;
    const { fileMs, leastMs } = options;
    this.#judge = new PatientJudge({
      ...{ judge, ...(fileMs && { fileMs }), ...(leastMs !== undefined && { leastMs }) },
    });
    this.#options = options;
  }

  /** More is known of a sentence that begins there: that it does not end. */
  tellEndless(at: number): void {
    this.#judge.tellEndless(at);
  }

  submit(theorem: TheoremItem, replacement: Replacement): Promise<Judged> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ theorem, replacement, resolve, reject });
      if (!this.#busy) void this.#work();
    });
  }

  /** What an accepted proof rests on, by the latest judgement; each may find fewer open statements. */
  restsOn(theorem: TheoremItem): ProofRestsOn {
    const rests = this.#restOn.get(theorem);
    if (rests === undefined) throw new QuodError('internal', 'The proof was not accepted.');
    return rests;
  }

  /** Proofs that are not to stand in the file any more: what is judged from now on is the file without them. */
  withdraw(theorems: readonly TheoremItem[]): void {
    const kept = this.#accepted.filter(({ theorem }) => !theorems.includes(theorem));
    this.#isStale ||= kept.length < this.#accepted.length;
    this.#accepted = kept;
    for (const theorem of theorems) {
      this.#restOn.delete(theorem);
      this.#withdrawn.add(theorem);
    }
  }

  /**
   * Has what is left of the accepted proofs judged, where no later judgement has seen it. Nothing else may be judged meanwhile.
   * Where they are not accepted now, each keeps what was said of it: it was accepted beside those that were withdrawn.
   * @throws what the judge fails with.
   */
  async confirm(): Promise<void> {
    if (this.#isStale && this.#accepted.length > 0) await this.#decide([]);
  }

  /**
   * Milliseconds of judging that went into a theorem: its share where several were judged together. What it waited for
   * other judgements is nobody's work.
   */
  workMs(theorem: TheoremItem): number {
    return orZero(this.#workMs.get(theorem));
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let batch = this.#waiting; batch.length > 0; batch = this.#waiting) {
      const started = performance.now();
      this.#waiting = [];
      await this.#decide(batch);
      await this.#pause((this.#options.pauseFactor ?? PAUSE_FACTOR) * (performance.now() - started));
    }
    this.#busy = false;
  }

  /** The search is over: what waits is judged at once. */
  end(): void {
    this.#ended.abort();
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#ended.signal }).catch(() => undefined);
  }

  /**
   * @param isEndlessBehind Whether the judge may not run what stands behind the proofs.
   * @returns whether the judge came to no end.
   */
  async #decide(
    found: readonly Found[],
    isEndlessBehind = this.#options.judgesAll === true && this.#endless().length > 0,
  ): Promise<boolean> {
    this.#withdrawn = new Set();
    const batch = found.filter((one) => !this.#isBehindEndless(one));
    for (const one of found) if (!batch.includes(one)) one.resolve(BEHIND_ENDLESS);
    if (batch.length < found.length && batch.length === 0) return false;
    try {
      // A proof that comes later stands in the place of an earlier one of the same theorem.
      const others = this.#accepted.filter(
        ({ theorem }) => !batch.some((found) => found.theorem === theorem),
      );
      const proofs = [...others, ...batch];
      const replacements = proofs.map(({ replacement }) => replacement);
      const setAside = (this.#options.setAside?.() ?? []).filter(
        (part) => !replacements.some((proof) => replacementsOverlap(part, proof)),
      );
      const { text } = this.#outline;
      const target = replaced(text, setAside);
      const theorems = proofs.map(({ theorem }) => theorem);
      const mayRunAll = this.#options.judgesAll === true && !isEndlessBehind;
      const judged = await this.#timed(batch, {
        last: theorems.toSorted((one, other) => one.sentence - other.sentence).at(-1),
        end: mayRunAll ? text.length : greatestOf([0, ...theorems.map((one) => this.#startOf(one))]),
        filled: {
          target,
          text: replaced(text, [...setAside, ...replacements]),
          theorems: this.#theoremsIn(target, theorems, setAside),
          ...(isEndlessBehind && { isEndlessBehind }),
        },
      });
      if (judged === undefined) return await this.#decide(batch);
      if (judged.kind === 'accepted') {
        this.#take(proofs, judged.restOn);
        this.#isStale = false;
        this.withdraw([...this.#withdrawn]);
        this.#options.onAccepted?.({
          replacements,
          fileSha256: sha256(replaced(text, replacements)),
          judgedAsItIs: setAside.length === 0,
        });
        for (const { theorem, resolve } of batch) {
          const without = setAside.filter(
            ({ span }) => span.end <= statementOf(this.#outline, theorem).span.start,
          );
          resolve({ kind: judged.kind, warnings: judged.warnings, without });
        }
        return false;
      }
      const isOver = judged.kind === 'unknown' && judged.reason === 'timeout';
      // What hangs may stand behind the proofs.
      if (isOver && mayRunAll) return await this.#decide(batch, true);
      if (batch.length !== 1) return await this.#decideParts(batch, isOver);
      for (const { resolve } of batch) resolve(judged);
      return isOver;
    } catch (error) {
      // Nobody waits for a judgement of what was accepted before: whoever asked for it is told.
      if (batch.length === 0) throw error;
      if (batch.length > 1) return this.#decideParts(batch, false);
      for (const { reject } of batch) reject(error);
      return false;
    }
  }

  /**
   * In halves: one that is not accepted costs few judgements where there are many. Each for itself where the judge came to no
   * end with all of them; and where it comes to none with one, it is not asked about those that are left.
   */
  async #decideParts(batch: readonly Found[], isEachAlone: boolean): Promise<boolean> {
    const size = isEachAlone ? 1 : Math.ceil(batch.length / 2);
    let isOver = false;
    for (let at = 0; at < batch.length; at += size) {
      const part = batch.slice(at, at + size);
      if (isOver) for (const { resolve } of part) resolve(NOT_ASKED);
      else isOver = await this.#decide(part);
    }
    return isOver;
  }

  #endless(): readonly number[] {
    return this.#options.endless?.() ?? [];
  }

  #startOf(theorem: TheoremItem): number {
    return statementOf(this.#outline, theorem).span.start;
  }

  #isBehindEndless({ theorem }: Proof): boolean {
    return this.#endless().some((at) => at < this.#startOf(theorem));
  }

  async #timed(
    batch: readonly Found[],
    asked: Parameters<PatientJudge['ask']>[0],
  ): Promise<ProofsJudged | undefined> {
    const begun = performance.now();
    this.#options.onJudging?.(batch.map(({ theorem }) => theorem));
    try {
      return await this.#judge.ask(asked);
    } finally {
      this.#options.onJudging?.([]);
      const shareMs = (performance.now() - begun) / batch.length;
      for (const { theorem } of batch) this.#workMs.set(theorem, this.workMs(theorem) + shareMs);
    }
  }

  #take(proofs: readonly Proof[], restOn: readonly ProofRestsOn[]): void {
    if (restOn.length !== proofs.length)
      throw new QuodError('internal', 'The judge answers for other theorems than it was asked about.');
    this.#accepted = proofs.map(({ theorem, replacement }) => ({ theorem, replacement }));
    for (const [index, { theorem }] of proofs.entries()) {
      const rests = restOn[index];
      if (rests !== undefined) this.#restOn.set(theorem, rests);
    }
  }

  /** The same theorems where parts of the text are set aside. */
  #theoremsIn(
    target: string,
    theorems: readonly TheoremItem[],
    setAside: readonly Replacement[],
  ): readonly TheoremItem[] {
    if (setAside.length === 0) return theorems;
    const outline = outlineOf(target);
    const byOffset = new Map(outline.statements.map((item) => [statementOf(outline, item).span.start, item]));
    return theorems.map((theorem) => {
      const found = byOffset.get(offsetAfter(statementOf(this.#outline, theorem).span.start, setAside));
      if (found === undefined)
        throw new QuodError('internal', 'A statement is lost where a proof is set aside.');
      return found;
    });
  }
}

function replacementsOverlap(one: Replacement, other: Replacement): boolean {
  return one.span.start < other.span.end && other.span.start < one.span.end;
}
