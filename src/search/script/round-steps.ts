/** The single steps of a strategy's rounds, as they stand in a proof that is written out, in the order in which they are tried. */
import { looksLikeProposition, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { freshHypothesis, freshName } from '../../provers/rocq/goals/names.ts';
import { mayMatch } from '../../provers/rocq/goals/matching.ts';
import { EXISTENTIAL, sameTerm, splitArrows, subterms } from '../../provers/rocq/goals/term.ts';
import {
  caseSubjects,
  choices,
  CONJUNCTION,
  EQUIVALENCE,
  isVariableEquation,
} from '../candidates/goal-shape-steps.ts';
import { comparisonReadings, comparisonSplits, type Comparison } from '../candidates/comparisons.ts';
import { atom, sequence, type Tactic } from '../candidates/tactic.ts';

/** What merging equal objects may have shown. */
export function* equalities({ hypotheses }: GoalView): Generator<Tactic> {
  for (const [at, one] of hypotheses.entries())
    for (const other of hypotheses.slice(at + 1))
      if (one.type === other.type && !looksLikeProposition(one.term))
        yield atom('assert', `(${one.name} = ${other.name}) by eauto 3`);
}

/** @param feeds Whether facts are handed to the hypotheses that wait for them, before anything else is split. */
export function* rounds(
  view: GoalView,
  { comparisons, feeds }: { readonly comparisons: readonly Comparison[]; readonly feeds: boolean },
): Generator<Tactic> {
  const { symbol } = view.conclusion;
  const names = introductionNames(view.conclusion, view.locals);
  if (names.length > 0) yield atom('intros', names.join(' '));
  if (symbol === '~' || symbol === '¬') yield atom('intros', freshHypothesis(view.locals, 0));
  if (CONJUNCTION.has(symbol) || EQUIVALENCE.has(symbol)) yield atom('split');
  if (view.hypotheses.some((hypothesis) => isVariableEquation(hypothesis, view))) yield atom('subst');
  for (const { name, term } of view.hypotheses) {
    const fresh = freshName(name, view.locals);
    if (CONJUNCTION.has(term.symbol)) yield atom('destruct', `${name} as [${name} ${fresh}]`);
    if (EXISTENTIAL.has(term.symbol))
      yield atom('destruct', `${name} as [${freshName('k', view.locals)} ${name}]`);
    if (choices(term).length === 2) yield atom('destruct', `${name} as [${name}|${name}]`);
  }
  yield atom('simpl');
  if (view.hypotheses.length > 0) yield atom('simpl', 'in *');
  if (feeds) yield* feeding(view);
  yield* comparisonSplits(view, comparisons);
  yield* comparisonReadings(view, comparisons);
  const stuck = feeds ? withoutRules(view) : view;
  for (const subject of caseSubjects(stuck, stuck.hypotheses.length))
    yield atom(
      'destruct',
      `${/^\S+$/u.test(subject) ? subject : `(${subject})`} eqn:${freshName('E', view.locals)}`,
    );
  yield* onwards(view);
  for (const { name, term } of view.hypotheses) {
    const { conclusion } = splitArrows(term);
    const [left] = conclusion.children;
    if (conclusion.symbol !== '=' || left === undefined) continue;
    for (const part of subterms(view.conclusion))
      if (part.symbol === left.symbol) {
        yield atom('rewrite', name);
        break;
      }
  }
}

/** What waits for a premise may never be met. */
function withoutRules(view: GoalView): GoalView {
  return {
    ...view,
    hypotheses: view.hypotheses.filter(({ term }) => splitArrows(term).premises.length === 0),
  };
}

/** What equations of the same constructors say of their parts, and what hypotheses say of which they are premises. */
function* onwards({ hypotheses }: GoalView): Generator<Tactic> {
  const equations = hypotheses.filter(({ term }) => term.symbol === '=');
  for (const { name, term } of equations) {
    const [left, right] = term.children;
    if (left !== undefined && left.children.length > 0 && left.symbol === right?.symbol)
      yield sequence(atom('injection', name), atom('clear', name), atom('intros'), atom('subst'));
  }
  for (const { name, term } of hypotheses) {
    const { premises, bound } = splitArrows(term);
    const [premise] = premises;
    if (premise === undefined || bound.length === 0) continue;
    for (const equation of equations)
      if (mayMatch(premise, equation.term, new Set(bound)))
        yield atom('apply', `${name} in ${equation.name}`);
    const given = bound.map(() => '_').join(' ');
    if (premise.symbol === '=') yield atom('specialize', `(${name} ${given} eq_refl)`);
  }
}

/** What hypotheses say of the facts at hand. */
function* feeding({ hypotheses }: GoalView): Generator<Tactic> {
  for (const { name, term } of hypotheses) {
    const { premises, bound } = splitArrows(term);
    const [premise] = premises;
    if (premise === undefined) continue;
    for (const fact of hypotheses) {
      if (fact.name === name) continue;
      if (bound.length === 0 && sameTerm(premise, fact.term))
        yield atom('specialize', `(${name} ${fact.name})`);
      if (bound.length > 0 && mayMatch(premise, fact.term, new Set(bound)))
        yield atom('apply', `${name} in ${fact.name}`);
    }
  }
}

/** What is done with derivations, by their names: one way for each that may be meant, or one for all of them. */
export function derivationSteps(
  { use, predicates, places, known }: Extract<Tactic, { readonly kind: 'derivations' }>,
  view: GoalView,
): readonly Tactic[] {
  const derivations = view.hypotheses
    .filter(({ term }) => predicates.includes(term.symbol) && term.children.length === places)
    .map(({ name }) => name);
  if (use === 'destruct') return derivations.toReversed().map((name) => atom('destruct', name));
  const taken = new Set(view.locals);
  const notes = derivations.map((name) => {
    const noted = freshName(known, taken);
    taken.add(noted);
    return atom('pose', `proof (${known}${' _'.repeat(places)} ${name}) as ${noted}`);
  });
  return [notes.length === 0 ? atom('idtac') : sequence(...notes)];
}
