/**
 * Has found proofs judged beside the search. What is found while a judgement runs is judged together next, since most of
 * the cost (a fresh prover, the file, the walk through what the proofs rest on) is the same for one proof and for many.
 * When several are refused together each is judged alone, so one bad proof costs no other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../core/position.ts';
import type { TheoremItem } from '../provers/rocq/syntax/outline.ts';
import type { Judge } from './prove-request.ts';

export interface Replacement {
  readonly span: Span;
  readonly text: string;
}

/** After a judgement the search has the machine for itself this many times as long. */
const PAUSE_FACTOR = 3;

interface Found {
  readonly theorem: TheoremItem;
  readonly replacement: Replacement;
  readonly resolve: (refused: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class Judging {
  readonly #text: string;
  readonly #judge: Judge;
  readonly #ended = new AbortController();
  #waiting: Found[] = [];
  #busy = false;

  constructor(text: string, judge: Judge) {
    this.#text = text;
    this.#judge = judge;
  }

  /** Undefined when the proof is accepted, otherwise why not. */
  submit(theorem: TheoremItem, replacement: Replacement): Promise<string | undefined> {
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
      const refused = await this.#judge({
        text: replaced(this.#text, batch),
        theorems: batch.map(({ theorem }) => theorem),
      });
      if (refused === undefined || batch.length === 1) for (const { resolve } of batch) resolve(refused);
      else for (const found of batch) await this.#decide([found]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function replaced(text: string, batch: readonly Found[]): string {
  let result = text;
  const fromTheEnd = batch
    .map(({ replacement }) => replacement)
    .sort((left, right) => right.span.start - left.span.start);
  for (const { span, text: proof } of fromTheEnd)
    result = result.slice(0, span.start) + proof + result.slice(span.end);
  return result;
}
