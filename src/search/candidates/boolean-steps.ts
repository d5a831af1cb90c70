/** SSReflect states facts as booleans: what takes `a && b` and `a || b` apart there, as logic's connectives elsewhere. */
import { isFact, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import type { Term } from '../../provers/rocq/goals/term.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Setting } from './candidate.ts';
import { atom, sequence, type Tactic } from './tactic.ts';

const FACTS_READ = 5;

export function booleanCandidates(view: GoalView, { ssreflect, costs }: Setting): Candidate[] {
  if (!ssreflect) return [];
  const candidates: Candidate[] = [];
  const add = (tactic: Tactic, cost: number): void => {
    candidates.push(candidate(tactic, { cost, timeoutMs: STEP_TIMEOUT_MS, ingredient: 'structure' }));
  };
  const { symbol, children } = view.conclusion;
  const [premise] = symbol === '->' || symbol === '→' ? children : [];
  const assumed = premise && connectiveOf(premise);
  if (assumed !== undefined) add(atom(`case/${VIEWS[assumed]}`), costs['boolean.case']);
  if (connectiveOf(view.conclusion) === 'and')
    add(sequence(atom('apply/andP'), atom('split')), costs['boolean.split']);
  const facts = view.hypotheses.slice(-FACTS_READ).filter((hypothesis) => isFact(hypothesis, view));
  for (const [index, { name, term }] of facts.entries()) {
    const stated = connectiveOf(term);
    if (stated !== undefined)
      add(
        atom(`case/${VIEWS[stated]}:`, name),
        costs['boolean.case'] + costs['hypothesis.each'] * (facts.length - index),
      );
  }
  return candidates;
}

type Connective = 'and' | 'or';

const VIEWS: Readonly<Record<Connective, string>> = { and: 'andP', or: 'orP' };

/** Of `a && b` and `[&& a, b & c]`. */
function connectiveOf({ symbol, children: [inside] }: Term): Connective | undefined {
  const shown = symbol === '[' ? innermost(inside) : symbol;
  if (shown === '&&') return 'and';
  return shown === '||' ? 'or' : undefined;
}

/** Brackets begin with what joins all that is in them: `[&& a, b & c]` is read as `(&& a), (b & c)`. */
function innermost(inside: Term | undefined): string | undefined {
  return inside?.symbol === ',' || inside?.symbol === '&' || inside?.symbol === '|'
    ? innermost(inside.children[0])
    : inside?.symbol;
}
