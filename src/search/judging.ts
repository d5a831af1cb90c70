/**
 * Has found proofs judged beside the search. What is found while a judgement runs is judged together next, since
 * most of the cost (a fresh prover, the file, the walk through what the proofs rest on) is the same for one proof
 * and for many. Every judgement is of the file with all proofs that were accepted before, so the last one that
 * accepts has seen the very text that can be written, and says what each proof rests on there. When several are not
 * accepted together each is judged alone, so one bad proof costs no other. Proofs of the file that Rocq refuses are
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
  readonly onAccepted?: (judged: AcceptedTogether) => void;
  readonly pauseFactor?: number;
}

export class Judging {
  readonly #outline: FileOutline;
  readonly #judge: Judge;
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
    this.#judge = judge;
    this.#options = options;
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

  async #decide(batch: readonly Found[]): Promise<void> {
    this.#withdrawn = new Set();
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
      const judged = await this.#timed(batch, {
        target,
        text: replaced(text, [...setAside, ...replacements]),
        theorems: this.#theoremsIn(target, theorems, setAside),
      });
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
        return;
      }
      if (batch.length === 1) for (const { resolve } of batch) resolve(judged);
      else for (const found of batch) await this.#decide([found]);
    } catch (error) {
      // Nobody waits for a judgement of what was accepted before: whoever asked for it is told.
      if (batch.length === 0) throw error;
      if (batch.length > 1) for (const found of batch) await this.#decide([found]);
      else for (const { reject } of batch) reject(error);
    }
  }

  async #timed(batch: readonly Found[], filled: Parameters<Judge>[0]): Promise<ProofsJudged> {
    const begun = performance.now();
    try {
      return await this.#judge(filled);
    } finally {
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
