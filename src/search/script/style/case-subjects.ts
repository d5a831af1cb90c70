/** A case analysis of whatever a goal shows, said of what it does show. */
import { orNothing } from '../../../core/entry.ts';
import type { Goal } from '../../../core/proof-state.ts';
import { viewGoal } from '../../../provers/rocq/goals/goal-view.ts';
import { caseSubjects } from '../../candidates/goal-shape-steps.ts';

/** As the search's strategies write it. */
export const OF_ANY_CASE =
  /^(?:repeat )?\(?match goal with \|- context \[match \?x with _ => _ end\] => destruct x(?<equation> eqn:\?)? end(?<rest>[^]*)$/u;

export function* ofSubjects(sentence: string, goal: Goal): Generator<string> {
  const { equation, rest } = OF_ANY_CASE.exec(sentence)?.groups ?? {};
  if (rest === undefined) return;
  const view = viewGoal(goal);
  const behind = sentence.includes('(match goal') ? rest.replace(')', '') : rest;
  for (const subject of caseSubjects(view, 0)) {
    const bare = view.locals.has(subject) || subject.startsWith('(') ? subject : `(${subject})`;
    yield `destruct ${bare}${scopeBehind(subject, goal.conclusion)}${orNothing(equation)}${behind}`;
  }
}

/** `%Z` where the goal has the term, with its parentheses or without, as `(a + b)%Z`. */
function scopeBehind(term: string, conclusion: string): string {
  const whole = term.startsWith('(') ? term : `(${term})`;
  const at = conclusion.indexOf(whole);
  return at < 0 ? '' : orNothing(/^%\w+/u.exec(conclusion.slice(at + whole.length))?.[0]);
}
