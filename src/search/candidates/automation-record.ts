/**
 * How closing tactics fared so far in this search, and what follows from it for the time and the cost of the next
 * try.
 */
import { withoutNames } from './authored-tactic.ts';
import { tacticText, type Tactic } from './tactic.ts';

/** A tactic that took so much and solved nothing has had its chance, however often it was tried. */
const WASTED_MS = 2000;
const WASTED_SHARE = 0.25;

/** How an automation tactic fared so far: what it solved against the time it took. */
export class AutomationRecord {
  readonly #uses = new Map<string, { tries: number; solved: number; elapsedMs: number }>();
  readonly #kinds = new WeakMap<Tactic, string>();

  note(tactic: Tactic, solved: boolean, elapsedMs: number): void {
    const kind = this.#kindOf(tactic);
    const entry = this.#uses.get(kind) ?? { tries: 0, solved: 0, elapsedMs: 0 };
    this.#uses.set(kind, {
      tries: entry.tries + 1,
      solved: entry.solved + (solved ? 1 : 0),
      elapsedMs: entry.elapsedMs + elapsedMs,
    });
  }

  /** Whether it may be given that much time: what never solved anything gets a small part of a search, not more. */
  mayTake(tactic: Tactic, timeoutMs: number, searchedMs: number): boolean {
    const entry = this.#uses.get(this.#kindOf(tactic));
    if (entry === undefined || entry.solved > 0) return true;
    return entry.elapsedMs + timeoutMs < WASTED_MS + WASTED_SHARE * searchedMs;
  }

  /** Milliseconds a try took on the average; 0 before the first. */
  averageMs(tactic: Tactic): number {
    const entry = this.#uses.get(this.#kindOf(tactic));
    return entry === undefined ? 0 : entry.elapsedMs / entry.tries;
  }

  /** Added to a candidate's cost: dear and never successful is put off, cheap or successful comes sooner. */
  adjustment(tactic: Tactic): number {
    const entry = this.#uses.get(this.#kindOf(tactic));
    const wasteful = entry !== undefined && entry.solved === 0 && entry.elapsedMs > WASTED_MS;
    if (entry === undefined || (entry.tries < 4 && !wasteful)) return 0;
    const rate = (entry.solved + 0.5) / (entry.tries + 1);
    const secondsPerTry = entry.elapsedMs / entry.tries / 1000;
    return Math.max(-0.5, Math.min(4, Math.log((0.1 + secondsPerTry * 5) / (rate + 0.02)) * 0.7));
  }

  /** What a tactic has in common with those that are made alike for other goals. */
  #kindOf(tactic: Tactic): string {
    let kind = this.#kinds.get(tactic);
    if (kind === undefined) this.#kinds.set(tactic, (kind = tacticText(withoutNames(tactic))));
    return kind;
  }
}
