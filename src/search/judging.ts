/**
 * Has found proofs judged beside the search. What is found while a judgement runs is judged together next, since most of
 * the cost (a fresh prover, the file, the walk through what the proofs rest on) is the same for one proof and for many.
 * When several are refused together each is judged alone, so one bad proof costs no other. Proofs of the file that Rocq
 * refuses are set aside in both texts, as `Admitted`: the statements stay what they are, and what is found behind them
 * can be judged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { outlineOf, type FileOutline, type TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Judge } from './prove-request.ts';
import { offsetAfter, replaced, type Replacement } from './replacement.ts';

/** After a judgement the search has the machine for itself this many times as long. */
const PAUSE_FACTOR = 3;

export interface Judged {
  /** Why the proof is not accepted; undefined when it is. */
  readonly refused?: string;
  /** What was set aside before the theorem. */
  readonly without: readonly Replacement[];
}

interface Found {
  readonly theorem: TheoremItem;
  readonly replacement: Replacement;
  readonly resolve: (judged: Judged) => void;
  readonly reject: (error: unknown) => void;
}

export class Judging {
  readonly #outline: FileOutline;
  readonly #judge: Judge;
  readonly #setAside: () => readonly Replacement[];
  readonly #ended = new AbortController();
  #waiting: Found[] = [];
  #busy = false;

  /** `setAside` answers what is known by now of proofs that Rocq refuses. */
  constructor(outline: FileOutline, judge: Judge, setAside: () => readonly Replacement[] = () => []) {
    this.#outline = outline;
    this.#judge = judge;
    this.#setAside = setAside;
  }

  submit(theorem: TheoremItem, replacement: Replacement): Promise<Judged> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ theorem, replacement, resolve, reject });
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let batch = this.#waiting; batch.length > 0; batch = this.#waiting) {
      const started = performance.now();
      this.#waiting = [];
      await this.#decide(batch);
      await this.#pause(PAUSE_FACTOR * (performance.now() - started));
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
    try {
      const proofs = batch.map(({ replacement }) => replacement);
      const setAside = this.#setAside().filter((part) => !proofs.some((proof) => overlap(part, proof)));
      const { text } = this.#outline;
      const target = replaced(text, setAside);
      const refused = await this.#judge({
        target,
        text: replaced(text, [...setAside, ...proofs]),
        theorems: this.#theoremsIn(target, batch, setAside),
      });
      if (refused === undefined || batch.length === 1) {
        for (const { theorem, resolve } of batch) {
          const without = setAside.filter(({ span }) => span.end <= startOf(this.#outline, theorem));
          resolve({ ...(refused !== undefined && { refused }), without });
        }
      } else for (const found of batch) await this.#decide([found]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** The same theorems where parts of the text are set aside. */
  #theoremsIn(
    target: string,
    batch: readonly Found[],
    setAside: readonly Replacement[],
  ): readonly TheoremItem[] {
    if (setAside.length === 0) return batch.map(({ theorem }) => theorem);
    const outline = outlineOf(target);
    const byOffset = new Map(outline.statements.map((item) => [startOf(outline, item), item]));
    return batch.flatMap(
      ({ theorem }) => byOffset.get(offsetAfter(startOf(this.#outline, theorem), setAside)) ?? [],
    );
  }
}

function startOf({ sentences }: FileOutline, { sentence }: TheoremItem): number {
  return sentences[sentence]?.span.start ?? 0;
}

function overlap(one: Replacement, other: Replacement): boolean {
  return one.span.start < other.span.end && other.span.start < one.span.end;
}
