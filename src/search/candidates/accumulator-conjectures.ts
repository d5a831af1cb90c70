/**
 * A statement that gives an accumulator its first value says too little to be proved by induction. Here it is guessed
 * what holds of every value: for `onto l [] = rev l` that `onto l acc = rev l ++ acc`. Each guess is a step that leaves
 * the guess and the goal to be proved, and one that proves both at once.
 */
import { underName } from '../../core/entry.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import { viewGoal, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { boundBy, BINDERS, splitArrows, subterms, type Term } from '../../provers/rocq/goals/term.ts';
import type { Definitions } from '../libraries/definitions.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Knowledge, type Setting } from './candidate.ts';
import { crush } from './compound-steps.ts';
import { rankLemmas, rewritingEquations } from './lemma-steps.ts';
import { atom, first, sequence, type Tactic } from './tactic.ts';

const CALLS = 2;
const GUESSES = 6;
const OWN_OPERATIONS = 4;
const ROUNDS = 6;
const WHOLE_TIMEOUT_MS = 1500;

/** Operations of which a value is the neutral element, on what was computed before and the accumulator. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  '[]': ['++'],
  nil: ['++'],
  '0': ['+'],
  '1': ['*'],
  true: ['&&'],
  false: ['||'],
};

/** A call that gives an accumulator a value. */
interface Accumulation {
  readonly call: Term;
  readonly given: Term;
}

/** A guess, whether it says of the call what the goal says of it, and what may be gone by induction on. */
interface Guess {
  readonly statement: string;
  readonly isOfGoal: boolean;
  readonly targets: readonly string[];
}

/** @param quick What closes what is left after each round. */
export function accumulatorCandidates(view: GoalView, quick: Tactic, knowledge: Knowledge): Candidate[] {
  const { costs } = knowledge;
  const fact = freshHypothesis(view.locals, 0);
  return guessesFor(view, knowledge).flatMap(({ statement, isOfGoal, targets }, rank) => {
    const assertion = atom('assert', `(${fact} : ${statement})`);
    const late =
      costs['conjecture.accumulator.each'] * rank +
      (isOfGoal ? 0 : costs['conjecture.accumulator.of-itself.more']);
    const rewrites = equationsFor(view, statement, knowledge).map((equation) => atom('rewrite', equation));
    const ending = [...crush({ quick, last: quick, splits: [], rewrites }, ROUNDS)];
    const whole = first(
      sequence(atom('rewrite', fact), ...ending),
      ...targets.map((name) => sequence(atom('induction', name), atom('intros'), ...ending)),
    );
    return [
      candidate(assertion, {
        cost: costs['conjecture.accumulator'] + late,
        timeoutMs: STEP_TIMEOUT_MS,
        ingredient: 'conjectures',
      }),
      candidate(sequence(assertion, whole), {
        cost: costs['conjecture.accumulator.whole'] + late,
        timeoutMs: WHOLE_TIMEOUT_MS,
        ingredient: 'conjectures',
        closing: true,
      }),
    ];
  });
}

/** Equations of lemmas about what the guess speaks of, in either direction where both sides say something. */
function equationsFor({ goal }: GoalView, statement: string, knowledge: Knowledge): readonly string[] {
  const guessed = viewGoal({ ...goal, conclusion: statement });
  const names = rewritingEquations(guessed, rankLemmas(guessed, knowledge, new Map()));
  const back = names.filter((name) => {
    const lemma = knowledge.lemmas.find(name);
    const right = lemma?.conclusion.children[1];
    return right !== undefined && right.children.length > 0 && lemma?.bound.has(right.symbol) === false;
  });
  return [...names, ...back.map((name) => `<- ${name}`)];
}

function guessesFor(view: GoalView, { definitions }: Setting): readonly Guess[] {
  const { conclusion } = view;
  const text = (term: Term): string => view.goal.conclusion.slice(term.start, term.end);
  const bound = new Set(
    subterms(conclusion).flatMap((part) => (BINDERS.has(part.symbol) ? boundBy(part) : [])),
  );
  const name = view.locals.has('acc') ? freshName('acc', view.locals) : 'acc';
  const guesses = accumulations(view, definitions)
    .filter(({ call }) => !subterms(call).some(({ symbol }) => bound.has(symbol)))
    .slice(0, CALLS)
    .flatMap(({ call, given }) => {
      const general = `${text({ ...call, end: given.start })}${name}${text({ ...call, start: given.end })}`;
      const [left, right] = conclusion.symbol === '=' ? conclusion.children : [];
      const other = left === call ? right : right === call ? left : undefined;
      const targets = call.children
        .filter(({ symbol, children }) => children.length === 0 && view.locals.has(symbol))
        .map(({ symbol }) => symbol);
      // What the goal says of the call, else what the call itself is with the value.
      const values = other === undefined ? [call] : [other, call];
      return values.flatMap((value) => {
        const own = ownOperations(value, definitions);
        return combined({ term: value, text: text(value) }, text(given), { name, own }).map(
          (result): Guess => ({
            statement: `forall ${name}, ${general} = ${result}`,
            isOfGoal: value === other,
            targets,
          }),
        );
      });
    });
  const byStatement = new Map(guesses.map((guess) => [guess.statement, guess]));
  return [...byStatement.values()].slice(0, GUESSES);
}

/** Calls about objects at hand that give an accumulator a closed value, of functions of which nothing general is known yet. */
function accumulations(view: GoalView, definitions: Definitions): readonly Accumulation[] {
  const isClosed = (term: Term): boolean => !subterms(term).some(({ symbol }) => view.locals.has(symbol));
  const isKnown = (name: string): boolean =>
    view.hypotheses.some(
      ({ term }) =>
        splitArrows(term).bound.length > 0 && subterms(term).some(({ symbol }) => symbol === name),
    );
  return subterms(view.conclusion).flatMap((call) => {
    const places = definitions.find(call.symbol)?.accumulating ?? [];
    if (places.length === 0 || isClosed(call) || isKnown(call.symbol)) return [];
    return places.flatMap((place) => {
      const given = call.children.at(-1 - place);
      return given === undefined || !isClosed(given) ? [] : [{ call, given }];
    });
  });
}

/** A value and the accumulator, joined by each operation that may be the one. */
function combined(
  value: Printed,
  given: string,
  { name, own }: { readonly name: string; readonly own: readonly string[] },
): string[] {
  return [
    ...(underName(OPERATIONS, given) ?? []).map(
      (operation) => `${besideOperator(value)} ${operation} ${name}`,
    ),
    ...own.map((operation) => `${operation} ${asArgument(value)} ${name}`),
  ];
}

/** A term with its text. */
interface Printed {
  readonly term: Term;
  readonly text: string;
}

const WORDS = new Set([...BINDERS, 'match', 'if']);

function asArgument({ term, text }: Printed): string {
  return term.children.length === 0 || term.symbol === '[' || /^\(.*\)$/u.test(text) ? text : `(${text})`;
}

function besideOperator(value: Printed): string {
  const { symbol } = value.term;
  return PLAIN_NAME.test(symbol) && !WORDS.has(symbol) ? value.text : asArgument(value);
}

/** What joins the parts of the results of the project's functions. */
function ownOperations(value: Term, definitions: Definitions): readonly string[] {
  const inside = subterms(value).flatMap(({ symbol }) => {
    const known = definitions.find(symbol);
    return known?.kind === 'own' ? known.joins : [];
  });
  return [...new Set(inside)].slice(0, OWN_OPERATIONS);
}
