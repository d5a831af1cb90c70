/**
 * Case distinctions on comparisons of numbers. A library that computes `x <=? y` also states what either answer says:
 * `destruct (Nat.leb_spec x y)` leaves `x <= y` and `y < x`, with which arithmetic can go on, where the cases of the
 * boolean leave equations that it does not read. What a hypothesis says of an answer is read in the same way.
 */
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { subterms, type Term } from '../../provers/rocq/goals/term.ts';
import type { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Knowledge } from './candidate.ts';
import { atom, type Tactic } from './tactic.ts';

/** With the lemmas that say what either answer means. */
const COMPARISONS = {
  leb: { notation: '<=?', true: 'leb_le', false: 'leb_gt' },
  ltb: { notation: '<?', true: 'ltb_lt', false: 'ltb_ge' },
  eqb: { notation: '=?', true: 'eqb_eq', false: 'eqb_neq' },
} as const;
const MODULES = ['Nat', 'Z', 'N'];
const SPLITS = 3;

/** A comparison with the lemma that says what it decides, by the name that resolves. */
export interface Comparison {
  readonly notation: string;
  readonly lemma: string;
  readonly compares: string;
  /** What says the same of an answer that is known. */
  readonly answers: Readonly<Record<Answer, string>>;
}

type Answer = 'true' | 'false';

/** Those of which the libraries that are loaded say what they decide. */
export function knownComparisons(lemmas: LemmaMemory): readonly Comparison[] {
  return MODULES.flatMap((module) =>
    Object.entries(COMPARISONS).flatMap(([name, { notation, ...means }]) => {
      const own = `${module}.${name}`;
      const lemma = lemmas.find(`${own}_spec`)?.name;
      if (lemma !== `${own}_spec` && lemma?.endsWith(`.${own}_spec`) !== true) return [];
      const home = lemma.slice(0, -`${name}_spec`.length);
      const answers = { true: `${home}${means.true}`, false: `${home}${means.false}` };
      return [{ notation, lemma, compares: `${home}${name}`, answers }];
    }),
  );
}

/** Takes the first comparison of the conclusion apart, whatever it compares. */
export function splitAny({ lemma, compares }: Comparison): Tactic {
  return atom('match', `goal with |- context [${compares} ?x ?y] => destruct (${lemma} x y) end`);
}

/** Says without booleans what a hypothesis says of a comparison; undefined where none is known. */
export function readAny(known: readonly Comparison[]): Tactic | undefined {
  const readings = known.flatMap(({ compares, answers }) =>
    ANSWERS.map((answer) => `H : ${compares} _ _ = ${answer} |- _ => apply ${answers[answer]} in H`),
  );
  return readings.length === 0 ? undefined : atom('match', `goal with ${readings.join(' | ')} end`);
}

/** The same of each hypothesis for which it can be said. */
export function comparisonReadings(
  { hypotheses }: GoalView,
  known: readonly Comparison[],
): readonly Tactic[] {
  return hypotheses.flatMap(({ name, term }) => {
    const [left, right] = term.symbol === '=' ? term.children : [];
    const answer = ANSWERS.find((one) => one === right?.symbol);
    if (left?.children.length !== 2 || answer === undefined) return [];
    return known
      .filter(({ notation, compares }) => left.symbol === notation || left.symbol === compares)
      .map(({ answers }) => atom('apply', `${answers[answer]} in ${name}`));
  });
}

const ANSWERS = ['true', 'false'] as const satisfies readonly Answer[];

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
  const known = knownComparisons(lemmas);
  return [...comparisonSplits(view, known), ...comparisonReadings(view, known)].map((tactic, rank) =>
    candidate(tactic, {
      cost: costs['case-comparison'] + costs['case-comparison.each'] * rank,
      timeoutMs: STEP_TIMEOUT_MS,
      ingredient: 'structure',
    }),
  );
}
