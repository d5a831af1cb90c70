/** Tactics that solve goals by themselves: which of them exist here, when they are worth trying, and how they fare. */
import type { AutomationTactic, Candidate } from './candidate.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { subterms } from '../../provers/rocq/goals/term.ts';

const ARITHMETIC = new Set([
  '+',
  '-',
  '*',
  '<',
  '<=',
  '>',
  '>=',
  '≤',
  '≥',
  '=',
  '<>',
  '≠',
  'S',
  'O',
  '0',
  'le',
  'lt',
  'Nat.add',
  '.+1',
  '~',
  'False',
  'max',
  'min',
  'Nat.max',
  'Nat.min',
  'length',
  '/',
]);
const REALS = new Set(['R', 'Rle', 'Rlt', '+', '*', '<', '<=', '/', '-']);
const RINGS = new Set(['+', '*', '-', '^', '/']);

/** In the order in which they are tried; those that the file cannot name are dropped after a probe. */
export const KNOWN_AUTOMATION: readonly AutomationTactic[] = [
  { tactic: 'done', cost: 0.4, timeoutMs: 200 },
  { tactic: 'auto', cost: 0.5, timeoutMs: 200 },
  { tactic: 'easy', cost: 0.9, timeoutMs: 250, dear: true },
  { tactic: 'congruence', cost: 1.0, timeoutMs: 250 },
  { tactic: 'lia', cost: 1.0, timeoutMs: 400, about: ARITHMETIC },
  { tactic: 'lra', cost: 1.4, timeoutMs: 400, about: REALS },
  { tactic: 'eauto', cost: 1.3, timeoutMs: 300 },
  { tactic: 'ring', cost: 1.8, timeoutMs: 400, about: RINGS },
  { tactic: 'field', cost: 2.4, timeoutMs: 500, about: RINGS },
  { tactic: 'tauto', cost: 1.6, timeoutMs: 300 },
  { tactic: 'set_solver', cost: 1.8, timeoutMs: 700 },
  { tactic: 'naive_solver', cost: 2.2, timeoutMs: 700 },
  { tactic: 'intuition eauto', cost: 2.4, timeoutMs: 500 },
  { tactic: 'intuition congruence', cost: 2.9, timeoutMs: 500 },
  { tactic: 'nia', cost: 3.0, timeoutMs: 800, about: ARITHMETIC },
  { tactic: 'nra', cost: 3.2, timeoutMs: 800, about: REALS },
  { tactic: 'firstorder', cost: 3.0, timeoutMs: 600 },
  { tactic: 'kat', cost: 2.0, timeoutMs: 800 },
  { tactic: 'ra', cost: 1.6, timeoutMs: 500 },
  { tactic: 'lattice', cost: 1.6, timeoutMs: 500 },
  { tactic: 'sauto', cost: 3.2, timeoutMs: 1500 },
  { tactic: 'hauto', cost: 3.0, timeoutMs: 1200 },
  { tactic: 'sfirstorder', cost: 2.8, timeoutMs: 1000 },
  // Calls the provers of CoqHammer and rebuilds what they find: slow to start, so it comes late.
  { tactic: 'hammer', cost: 5, timeoutMs: 8000 },
  { tactic: 'eauto with arith', cost: 2.6, timeoutMs: 400, about: ARITHMETIC },
  { tactic: 'auto with *', cost: 3.0, timeoutMs: 500 },
  { tactic: 'typeclasses eauto', cost: 3.2, timeoutMs: 400 },
  { tactic: 'apply _', cost: 3.0, timeoutMs: 400 },
  { tactic: 'cbv; reflexivity', cost: 3.4, timeoutMs: 600 },
];

const LONGER = [
  { cost: 3, factor: 5 },
  { cost: 5.5, factor: 20 },
];

export function automationCandidates(view: GoalView, automation: readonly AutomationTactic[]): Candidate[] {
  const symbols = new Set<string>();
  const collect = (): void => {
    for (const part of subterms(view.conclusion)) symbols.add(part.symbol);
    for (const hypothesis of view.hypotheses.slice(-6))
      for (const part of subterms(hypothesis.term)) symbols.add(part.symbol);
  };
  collect();
  const candidates: Candidate[] = [];
  for (const { tactic, cost, timeoutMs, about } of automation) {
    if (about !== undefined && ![...about].some((symbol) => symbols.has(symbol))) continue;
    const entry = { tactic: `solve [${tactic}]`, ingredient: 'automation', closing: true } as const;
    candidates.push({ ...entry, cost, timeoutMs });
    for (const longer of LONGER)
      candidates.push({
        ...entry,
        cost: cost + longer.cost,
        timeoutMs: Math.min(10_000, timeoutMs * longer.factor),
      });
  }
  return candidates;
}

/** As much for nothing says enough of a tactic, however often it was tried. */
const WASTED_MS = 2000;
const WASTED_SHARE = 0.25;

/** How an automation tactic fared so far: what it solved against the time it took. */
export class AutomationRecord {
  readonly #uses = new Map<string, { tries: number; solved: number; elapsedMs: number }>();

  note(sentence: string, solved: boolean, elapsedMs: number): void {
    const tactic = kindOf(sentence);
    const entry = this.#uses.get(tactic) ?? { tries: 0, solved: 0, elapsedMs: 0 };
    this.#uses.set(tactic, {
      tries: entry.tries + 1,
      solved: entry.solved + (solved ? 1 : 0),
      elapsedMs: entry.elapsedMs + elapsedMs,
    });
  }

  /** Whether it may be given that much time: what never solved anything gets a small part of a search, not more. */
  mayTake(sentence: string, timeoutMs: number, searchedMs: number): boolean {
    const entry = this.#uses.get(kindOf(sentence));
    if (entry === undefined || entry.solved > 0) return true;
    return entry.elapsedMs + timeoutMs < WASTED_MS + WASTED_SHARE * searchedMs;
  }

  /** Milliseconds a try took on the average; 0 before the first. */
  averageMs(tactic: string): number {
    const entry = this.#uses.get(kindOf(tactic));
    return entry === undefined ? 0 : entry.elapsedMs / entry.tries;
  }

  /** Added to a candidate's cost: dear and never successful is put off, cheap or successful comes sooner. */
  adjustment(tactic: string): number {
    const entry = this.#uses.get(kindOf(tactic));
    const wasteful = entry !== undefined && entry.solved === 0 && entry.elapsedMs > WASTED_MS;
    if (entry === undefined || (entry.tries < 4 && !wasteful)) return 0;
    const rate = (entry.solved + 0.5) / (entry.tries + 1);
    const secondsPerTry = entry.elapsedMs / entry.tries / 1000;
    return Math.max(-0.5, Math.min(4, Math.log((0.1 + secondsPerTry * 5) / (rate + 0.02)) * 0.7));
  }
}

/** What a sentence has in common with those that are made alike for other goals. */
function kindOf(sentence: string): string {
  return sentence.replace(/^unfold [^;]*; /u, 'unfold; ').replace(/ using [^|)\]]*/gu, '');
}
