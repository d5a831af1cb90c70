/** Tactics that solve goals by themselves: which there are, and when they are worth trying. */
import { candidate, type AutomationTactic, type Candidate } from './candidate.ts';
import type { CostName, Costs } from './costs.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { subterms } from '../../provers/rocq/goals/term.ts';
import { atom, sequence, solve } from './tactic.ts';

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
const NUMBERS = ['nat', 'N', 'Z', 'positive'];
const REALS = new Set(['R', 'Rle', 'Rlt', '+', '*', '<', '<=', '/', '-']);
const RINGS = new Set(['+', '*', '-', '^', '/']);

/** Arithmetic behind connectives and premises, which `lia` alone does not look into. */
export const INTUITION_LIA = atom('intuition', 'lia');

/** In the order in which they are tried; those that the file cannot name are dropped after a probe. */
const KNOWN_AUTOMATION: readonly (Omit<AutomationTactic, 'cost'> & { readonly cost: CostName })[] = [
  { tactic: atom('done'), cost: 'automation.done', timeoutMs: 200 },
  { tactic: atom('auto'), cost: 'automation.auto', timeoutMs: 200 },
  { tactic: atom('easy'), cost: 'automation.easy', timeoutMs: 250, dear: true },
  { tactic: atom('congruence'), cost: 'automation.congruence', timeoutMs: 250 },
  { tactic: atom('lia'), cost: 'automation.lia', timeoutMs: 400, about: ARITHMETIC },
  { tactic: atom('lra'), cost: 'automation.lra', timeoutMs: 400, about: REALS },
  { tactic: atom('eauto'), cost: 'automation.eauto', timeoutMs: 300 },
  { tactic: atom('ring'), cost: 'automation.ring', timeoutMs: 400, about: RINGS },
  { tactic: atom('field'), cost: 'automation.field', timeoutMs: 500, about: RINGS },
  { tactic: atom('tauto'), cost: 'automation.tauto', timeoutMs: 300 },
  { tactic: atom('set_solver'), cost: 'automation.set_solver', timeoutMs: 700 },
  { tactic: atom('naive_solver'), cost: 'automation.naive_solver', timeoutMs: 700 },
  { tactic: atom('intuition', 'eauto'), cost: 'automation.intuition-eauto', timeoutMs: 500 },
  { tactic: atom('intuition', 'congruence'), cost: 'automation.intuition-congruence', timeoutMs: 500 },
  {
    tactic: INTUITION_LIA,
    cost: 'automation.intuition-lia',
    timeoutMs: 500,
    about: ARITHMETIC,
  },
  { tactic: atom('nia'), cost: 'automation.nia', timeoutMs: 800, about: ARITHMETIC },
  { tactic: atom('nra'), cost: 'automation.nra', timeoutMs: 800, about: REALS },
  { tactic: atom('firstorder'), cost: 'automation.firstorder', timeoutMs: 600 },
  { tactic: atom('kat'), cost: 'automation.kat', timeoutMs: 800 },
  { tactic: atom('ra'), cost: 'automation.ra', timeoutMs: 500 },
  { tactic: atom('lattice'), cost: 'automation.lattice', timeoutMs: 500 },
  { tactic: atom('sauto'), cost: 'automation.sauto', timeoutMs: 1500 },
  { tactic: atom('hauto'), cost: 'automation.hauto', timeoutMs: 1200 },
  { tactic: atom('sfirstorder'), cost: 'automation.sfirstorder', timeoutMs: 1000 },
  // Calls the provers of CoqHammer and rebuilds what they find: slow to start, so it comes late.
  { tactic: atom('hammer'), cost: 'automation.hammer', timeoutMs: 8000 },
  {
    tactic: atom('eauto', 'with arith'),
    cost: 'automation.eauto-with-arith',
    timeoutMs: 400,
    about: ARITHMETIC,
  },
  { tactic: atom('auto', 'with *'), cost: 'automation.auto-with-all', timeoutMs: 500 },
  { tactic: atom('typeclasses', 'eauto'), cost: 'automation.typeclasses-eauto', timeoutMs: 400 },
  { tactic: atom('apply', '_'), cost: 'automation.apply-anything', timeoutMs: 400 },
  { tactic: sequence(atom('cbv'), atom('reflexivity')), cost: 'automation.compute', timeoutMs: 600 },
];

/** All automation that there is to know of, whether or not the file can name it. */
export function knownAutomation(costs: Costs): AutomationTactic[] {
  return KNOWN_AUTOMATION.map((known) => ({ ...known, cost: costs[known.cost] }));
}

const LONGER = [
  { cost: 'automation.longer.more', factor: 5 },
  { cost: 'automation.longest.more', factor: 20 },
] as const;

/** Those that may have something to say about the goal. */
export function automationFor(
  view: GoalView,
  automation: readonly AutomationTactic[],
): readonly AutomationTactic[] {
  return about(symbolsOf(view), automation);
}

/** Those that may have something to say where functions and rules of numbers were opened. */
export function automationBehind(
  view: GoalView,
  automation: readonly AutomationTactic[],
): readonly AutomationTactic[] {
  const symbols = symbolsOf(view);
  return about(NUMBERS.some((type) => symbols.has(type)) ? symbols.add('<=') : symbols, automation);
}

function about(
  symbols: ReadonlySet<string>,
  automation: readonly AutomationTactic[],
): readonly AutomationTactic[] {
  return automation.filter(
    (known) => known.about === undefined || [...known.about].some((symbol) => symbols.has(symbol)),
  );
}

function symbolsOf(view: GoalView): Set<string> {
  const symbols = new Set<string>();
  for (const part of subterms(view.conclusion)) symbols.add(part.symbol);
  for (const hypothesis of view.hypotheses.slice(-6))
    for (const part of subterms(hypothesis.term)) symbols.add(part.symbol);
  return symbols;
}

export function automationCandidates(
  view: GoalView,
  automation: readonly AutomationTactic[],
  costs: Costs,
): Candidate[] {
  return automationFor(view, automation).flatMap(({ tactic, cost, timeoutMs }) => {
    const quick = candidate(solve(tactic), { cost, timeoutMs, ingredient: 'automation', closing: true });
    const slower = LONGER.map((longer) => ({
      ...quick,
      cost: cost + costs[longer.cost],
      timeoutMs: Math.min(10_000, timeoutMs * longer.factor),
    }));
    return [quick, ...slower];
  });
}
