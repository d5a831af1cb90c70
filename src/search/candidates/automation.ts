/** Tactics that solve goals by themselves: which of them exist here, when they are worth trying, and how they fare. */
import type { AutomationTactic, Candidate } from './candidate.ts';
import type { CostName, Costs } from './costs.ts';
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
const KNOWN_AUTOMATION: readonly (Omit<AutomationTactic, 'cost'> & { readonly cost: CostName })[] = [
  { tactic: 'done', cost: 'automation.done', timeoutMs: 200 },
  { tactic: 'auto', cost: 'automation.auto', timeoutMs: 200 },
  { tactic: 'easy', cost: 'automation.easy', timeoutMs: 250, dear: true },
  { tactic: 'congruence', cost: 'automation.congruence', timeoutMs: 250 },
  { tactic: 'lia', cost: 'automation.lia', timeoutMs: 400, about: ARITHMETIC },
  { tactic: 'lra', cost: 'automation.lra', timeoutMs: 400, about: REALS },
  { tactic: 'eauto', cost: 'automation.eauto', timeoutMs: 300 },
  { tactic: 'ring', cost: 'automation.ring', timeoutMs: 400, about: RINGS },
  { tactic: 'field', cost: 'automation.field', timeoutMs: 500, about: RINGS },
  { tactic: 'tauto', cost: 'automation.tauto', timeoutMs: 300 },
  { tactic: 'set_solver', cost: 'automation.set_solver', timeoutMs: 700 },
  { tactic: 'naive_solver', cost: 'automation.naive_solver', timeoutMs: 700 },
  { tactic: 'intuition eauto', cost: 'automation.intuition-eauto', timeoutMs: 500 },
  { tactic: 'intuition congruence', cost: 'automation.intuition-congruence', timeoutMs: 500 },
  { tactic: 'nia', cost: 'automation.nia', timeoutMs: 800, about: ARITHMETIC },
  { tactic: 'nra', cost: 'automation.nra', timeoutMs: 800, about: REALS },
  { tactic: 'firstorder', cost: 'automation.firstorder', timeoutMs: 600 },
  { tactic: 'kat', cost: 'automation.kat', timeoutMs: 800 },
  { tactic: 'ra', cost: 'automation.ra', timeoutMs: 500 },
  { tactic: 'lattice', cost: 'automation.lattice', timeoutMs: 500 },
  { tactic: 'sauto', cost: 'automation.sauto', timeoutMs: 1500 },
  { tactic: 'hauto', cost: 'automation.hauto', timeoutMs: 1200 },
  { tactic: 'sfirstorder', cost: 'automation.sfirstorder', timeoutMs: 1000 },
  // Calls the provers of CoqHammer and rebuilds what they find: slow to start, so it comes late.
  { tactic: 'hammer', cost: 'automation.hammer', timeoutMs: 8000 },
  { tactic: 'eauto with arith', cost: 'automation.eauto-with-arith', timeoutMs: 400, about: ARITHMETIC },
  { tactic: 'auto with *', cost: 'automation.auto-with-all', timeoutMs: 500 },
  { tactic: 'typeclasses eauto', cost: 'automation.typeclasses-eauto', timeoutMs: 400 },
  { tactic: 'apply _', cost: 'automation.apply-anything', timeoutMs: 400 },
  { tactic: 'cbv; reflexivity', cost: 'automation.compute', timeoutMs: 600 },
];

/** All automation that there is to know of, whether or not the file can name it. */
export function knownAutomation(costs: Costs): AutomationTactic[] {
  return KNOWN_AUTOMATION.map((known) => ({ ...known, cost: costs[known.cost] }));
}

const LONGER = [
  { cost: 'automation.longer.more', factor: 5 },
  { cost: 'automation.longest.more', factor: 20 },
] as const;

export function automationCandidates(
  view: GoalView,
  automation: readonly AutomationTactic[],
  costs: Costs,
): Candidate[] {
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
        cost: cost + costs[longer.cost],
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
