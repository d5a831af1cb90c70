/**
 * Case distinctions on comparisons of numbers. A library that computes `x <=? y` also states what either answer says:
 * `destruct (Nat.leb_spec x y)` leaves `x <= y` and `y < x`, with which arithmetic can go on, where the cases of the
 * boolean leave equations that it does not read.
 */
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { subterms, type Term } from '../../provers/rocq/goals/term.ts';
import type { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Knowledge } from './candidate.ts';
import { atom, type Tactic } from './tactic.ts';

const NOTATIONS = { leb: '<=?', ltb: '<?', eqb: '=?' } as const;
const MODULES = ['Nat', 'Z', 'N'];
const SPLITS = 3;

/** A comparison with the lemma that says what it decides, by the name that resolves. */
export interface Comparison {
  readonly notation: string;
  readonly lemma: string;
  readonly compares: string;
}

/** Those of which the libraries that are loaded say what they decide. */
export function knownComparisons(lemmas: LemmaMemory): readonly Comparison[] {
  return MODULES.flatMap((module) =>
    Object.entries(NOTATIONS).flatMap(([name, notation]) => {
      const own = `${module}.${name}`;
      const lemma = lemmas.find(`${own}_spec`)?.name;
      if (lemma !== `${own}_spec` && lemma?.endsWith(`.${own}_spec`) !== true) return [];
      return [{ notation, lemma, compares: lemma.slice(0, -'_spec'.length) }];
    }),
  );
}

/** Takes the first comparison of the conclusion apart, whatever it compares. */
export function splitAny({ lemma, compares }: Comparison): Tactic {
  return atom('match', `goal with |- context [${compares} ?x ?y] => destruct (${lemma} x y) end`);
}

/** Case distinctions on the comparisons that the conclusion shows. */
export function comparisonSplits(view: GoalView, known: readonly Comparison[]): readonly Tactic[] {
  const printed = ({ start, end, children }: Term): string => {
    const text = view.goal.conclusion.slice(start, end);
    return children.length === 0 || /^\(.*\)$/u.test(text) ? text : `(${text})`;
  };
  const splits = subterms(view.conclusion).flatMap(({ symbol, children: [left, right, ...others] }) => {
    if (left === undefined || right === undefined || others.length > 0) return [];
    return known
      .filter(({ notation, compares }) => symbol === notation || symbol === compares)
      .map(({ lemma }) => `(${lemma} ${printed(left)} ${printed(right)})`);
  });
  return [...new Set(splits)].slice(0, SPLITS).map((split) => atom('destruct', split));
}

export function comparisonCandidates(
  view: GoalView,
  { lemmas, costs }: Pick<Knowledge, 'lemmas' | 'costs'>,
): readonly Candidate[] {
  return comparisonSplits(view, knownComparisons(lemmas)).map((tactic, rank) =>
    candidate(tactic, {
      cost: costs['case-comparison'] + costs['case-comparison.each'] * rank,
      timeoutMs: STEP_TIMEOUT_MS,
      ingredient: 'structure',
    }),
  );
}
