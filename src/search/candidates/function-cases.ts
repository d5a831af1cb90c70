/**
 * Functions that are variables, on types of few values: such a function is known by what it answers for each of them,
 * `f true` and `f false`, and a goal about it follows from those answers.
 */
import type { Definitions } from '../libraries/definitions.ts';
import { isFact, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { freshName } from '../../provers/rocq/goals/names.ts';
import { mentionsName, splitArrows, type Term } from '../../provers/rocq/goals/term.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Setting } from './candidate.ts';
import { atom, first, sequence, type Tactic } from './tactic.ts';

const MOST_VALUES = 5;
/** Of all functions and objects together: what there is to tell apart. */
const MOST_CASES = 128;
const TIMEOUT_MS = 1500;
const CLOSE = first(
  atom('congruence'),
  ...['left', 'right'].map((side) => sequence(atom(side), atom('congruence'))),
  sequence(atom('simpl', 'in *'), atom('congruence')),
);

export function functionCandidates(view: GoalView, { definitions, costs }: Setting): Candidate[] {
  const answers = answersOf(view, definitions);
  if (answers.length === 0) return [];
  const taken = new Set(view.locals);
  const splits = answers.map(({ text }) => {
    const equation = freshName('E', taken);
    taken.add(equation);
    return atom('destruct', `(${text}) eqn:${equation}`);
  });
  const [mentioned] = splits.filter((_, at) => answers[at]?.isMentioned);
  const steps: Candidate[] =
    mentioned === undefined
      ? []
      : [
          candidate(mentioned, {
            ...{ cost: costs['case-answer'], timeoutMs: STEP_TIMEOUT_MS, ingredient: 'structure' },
          }),
        ];
  const objects = objectsOf(view, definitions);
  const cases = [...objects, ...answers].reduce((product, { values }) => product * values, 1);
  if (cases > MOST_CASES) return steps;
  const whole: Tactic = sequence(...objects.map(({ name }) => atom('destruct', name)), ...splits, CLOSE);
  return [
    ...steps,
    candidate(whole, {
      ...{ cost: costs['strategy.answers'], timeoutMs: TIMEOUT_MS, ingredient: 'strategies', closing: true },
    }),
  ];
}

interface Answer {
  /** `f true`. */
  readonly text: string;
  /** How many there may be. */
  readonly values: number;
  /** The goal or a hypothesis has it. */
  readonly isMentioned: boolean;
}

function answersOf(view: GoalView, definitions: Definitions): Answer[] {
  const { goal, hypotheses } = view;
  const said = [goal.conclusion, ...hypotheses.map(({ type }) => type)];
  return hypotheses.flatMap((hypothesis) => {
    const { name, term } = hypothesis;
    const { premises, conclusion, bound } = splitArrows(term);
    const isSpokenOf = said.some((text) => mentionsName(text, name));
    if (premises.length === 0 || bound.length > 0 || !isSpokenOf) return [];
    const given = premises.map((type) => valuesOf(type, definitions));
    const values = valuesOf(conclusion, definitions).length;
    if (values === 0) return [];
    return tuples(given).map((some): Answer => {
      const text = [name, ...some].join(' ');
      return { text, values, isMentioned: said.some((other) => other.includes(text)) };
    });
  });
}

function tuples(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (before, list) => before.flatMap((some) => list.map((value) => [...some, value])).slice(0, MOST_CASES),
    [[]],
  );
}

/** Objects of such types that the conclusion speaks of. */
function objectsOf(view: GoalView, definitions: Definitions): { name: string; values: number }[] {
  return view.hypotheses
    .filter((hypothesis) => mentionsName(view.goal.conclusion, hypothesis.name) && !isFact(hypothesis, view))
    .map(({ name, term }) => ({ name, values: valuesOf(term, definitions).length }))
    .filter(({ values }) => values > 0);
}

/** All values of a type whose constructors take nothing; empty for any other. */
function valuesOf(type: Term, definitions: Definitions): readonly string[] {
  if (type.children.length > 0) return [];
  if (type.symbol === 'bool') return ['true', 'false'];
  const constructors = definitions.constructorsOf(type.symbol);
  const isPlain = constructors.every((one) => one.arguments.length === 0);
  return isPlain && constructors.length <= MOST_VALUES ? constructors.map(({ name }) => name) : [];
}
