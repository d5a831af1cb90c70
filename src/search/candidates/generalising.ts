/**
 * What an induction inside an induction needs first: the statement with less in it. A call on both sides of an equation
 * becomes any value (`generalize (rev l)`), where it is on one side only because the induction hypothesis hides it,
 * it is brought to the other first; what a predicate says of a call inside another becomes a rule, `sorted k -> sorted
 * (insert x k)`, with what is known of the call as its premise; and of a function that is stuck before a constructor it
 * is guessed that the constructor comes out (`plus x (Su y) = Su (plus x y)`).
 */
import { isFact, isPredicate, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import {
  boundBy,
  BINDERS,
  sameTerm,
  splitArrows,
  subterms,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import type { Definitions } from '../libraries/definitions.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Setting } from './candidate.ts';
import { crush } from './compound-steps.ts';
import { atom, first, sequence, type Tactic } from './tactic.ts';

const GENERALISED_AT_ONCE = 3;
const GUESSES = 2;
const ROUNDS = 6;
const WHOLE_TIMEOUT_MS = 1500;
const OPERATORS = new Set(['+', '-', '*', '^', '++']);

/** @param quick What closes what is left after each round of a proof of a guess. */
export function generalisingCandidates(
  view: GoalView,
  quick: Tactic,
  { definitions, costs }: Setting,
): Candidate[] {
  const weighed = { timeoutMs: STEP_TIMEOUT_MS, ingredient: 'conjectures' } as const;
  if (view.conclusion.symbol !== '=') return [];
  const fact = freshHypothesis(view.locals, 0);
  const ending = crush({ quick, last: quick, splits: [], rewrites: [atom('rewrite', fact)] }, ROUNDS);
  const value = view.locals.has('k') ? freshName('k', view.locals) : 'k';
  const generalised = [
    ...generalisations(view, definitions).map((tactic) => ({ tactic, late: 0 })),
    ...fertilisations(view, definitions).map((tactic) => ({
      tactic,
      late: -costs['conjecture.general.crossed.less'],
    })),
  ].flatMap(({ tactic, late }) => {
    const induction = [atom('intros', value), atom('induction', value), atom('intros'), ...ending];
    return [
      candidate(tactic, { ...weighed, cost: costs['conjecture.general'] + late }),
      candidate(sequence(tactic, ...induction), {
        ...weighed,
        cost: costs['conjecture.general.whole'] + late,
        timeoutMs: WHOLE_TIMEOUT_MS,
        closing: true,
      }),
    ];
  });
  const guessed = constructorsMovedOut(view, definitions).flatMap(({ statement, names }, rank) => {
    const assertion = atom('assert', `(${fact} : ${statement})`);
    const late = costs['conjecture.constructor.each'] * rank;
    const inductions = names.map((name) => sequence(atom('induction', name), atom('intros'), ...ending));
    return [
      candidate(assertion, { ...weighed, cost: costs['conjecture.constructor'] + late }),
      candidate(sequence(assertion, first(sequence(atom('rewrite', fact), ...ending), ...inductions)), {
        ...weighed,
        cost: costs['conjecture.constructor.whole'] + late,
        timeoutMs: WHOLE_TIMEOUT_MS,
        closing: true,
      }),
    ];
  });
  return [...generalised, ...guessed];
}

/** Calls that stand on both sides become any values, of which the hypotheses of the induction say nothing. */
function generalisations(view: GoalView, definitions: Definitions): readonly Tactic[] {
  const calls = repeatedCalls(view, definitions).slice(0, GENERALISED_AT_ONCE);
  return calls.length === 0 ? [] : [anyValues(calls, view)];
}

function anyValues(calls: readonly string[], view: GoalView): Tactic {
  const known = view.hypotheses.filter(({ name }) => name.startsWith('IH')).map(({ name }) => name);
  const forgotten = known.length === 0 ? [] : [atom('clear', known.join(' '))];
  return sequence(...forgotten, atom('generalize', calls.map((call) => `(${call})`).join(' ')));
}

/** The largest calls about objects at hand that both sides have. */
function repeatedCalls(view: GoalView, definitions: Definitions): readonly string[] {
  const [left, right] = view.conclusion.children;
  if (left === undefined || right === undefined) return [];
  const others = subterms(right);
  const found: Term[] = [];
  const collect = (term: Term): void => {
    const isRepeated =
      isCall(term, view, definitions) && others.some((other) => sameTerm(other, term)) && !opensBinder(term);
    if (!isRepeated) for (const child of term.children) collect(child);
    else if (!found.some((known) => sameTerm(known, term))) found.push(term);
  };
  // A side that is all of it leaves an equation of a variable.
  for (const child of left.children) collect(child);
  return found.map(({ start, end }) => withoutOuter(view.goal.conclusion.slice(start, end)));
}

function isCall({ symbol, children }: Term, { locals }: GoalView, definitions: Definitions): boolean {
  const isFunction = OPERATORS.has(symbol) || definitions.find(symbol)?.content === 'other';
  return (
    isFunction && children.length > 0 && children.flatMap(subterms).some((part) => locals.has(part.symbol))
  );
}

function opensBinder(term: Term): boolean {
  return subterms(term).some(
    ({ symbol, children }) => symbol === 'match' || (children.length > 0 && BINDERS.has(symbol)),
  );
}

function withoutOuter(text: string): string {
  return /^\([^()]*\)$/u.test(text) ? text.slice(1, -1) : text;
}

/**
 * Where `g (f x) = x` is known of the induction and one side says `x` where the other says `f x`: with `g (f x)` in its
 * place, `f x` is any value.
 */
function fertilisations(view: GoalView, definitions: Definitions): readonly Tactic[] {
  const { conclusion, goal } = view;
  return view.hypotheses.flatMap(({ name, term, type }) => {
    if (!name.startsWith('IH') || term.symbol !== '=' || splitArrows(term).bound.length > 0) return [];
    const [known, object] = term.children;
    if (known === undefined || object === undefined || object.children.length > 0) return [];
    const shown = withoutOuter(type.slice(known.start, known.end));
    return conclusion.children.flatMap((side, index) => {
      const other = conclusion.children[1 - index];
      const places = subterms(side).filter(({ symbol }) => symbol === object.symbol);
      const [place] = places;
      if (place === undefined || places.length > 1 || place === side || other === undefined) return [];
      const inside = known.children
        .flatMap(subterms)
        .find(
          (part) => isCall(part, view, definitions) && subterms(other).some((there) => sameTerm(there, part)),
        );
      if (inside === undefined) return [];
      const before = goal.conclusion.slice(side.start, side.end);
      const after = `${goal.conclusion.slice(side.start, place.start)}(${shown})${goal.conclusion.slice(place.end, side.end)}`;
      const call = withoutOuter(type.slice(inside.start, inside.end));
      return [
        sequence(
          atom('replace', `(${before}) with (${after}) by (rewrite ${name}; reflexivity)`),
          anyValues([call], view),
        ),
      ];
    });
  });
}

/** @param ending What is done in each case of an induction on what is known of the call. */
export function keepingCandidates(
  view: GoalView,
  ending: readonly Tactic[],
  { definitions, costs }: Setting,
): Candidate[] {
  const rule = keepingRule(view, definitions);
  if (rule === undefined) return [];
  const weighed = { timeoutMs: STEP_TIMEOUT_MS, ingredient: 'conjectures' } as const;
  const value = view.locals.has('k') ? freshName('k', view.locals) : 'k';
  const fact = freshHypothesis(view.locals, 0);
  return [
    candidate(rule, { ...weighed, cost: costs['conjecture.rule'] }),
    candidate(sequence(rule, atom('intros', `${value} ${fact}`), atom('induction', fact), ...ending), {
      ...weighed,
      cost: costs['conjecture.rule.whole'],
      timeoutMs: WHOLE_TIMEOUT_MS,
      closing: true,
    }),
  ];
}

/** Of what a predicate says of a call inside another: the same for any value of which it says what is known of the call. */
function keepingRule(view: GoalView, definitions: Definitions): Tactic | undefined {
  const { conclusion, hypotheses, goal } = view;
  if (!isPredicate(conclusion)) return undefined;
  const isOwnCall = (term: Term): boolean =>
    definitions.find(term.symbol)?.kind === 'own' && isCall(term, view, definitions) && !opensBinder(term);
  const [call] = subterms(conclusion)
    .filter(isOwnCall)
    .flatMap(({ children }) => children.filter(isOwnCall));
  if (call === undefined) return undefined;
  const known = hypotheses.filter(
    (fact) => isFact(fact, view) && subterms(fact.term).some((part) => sameTerm(part, call)),
  );
  const [premise, ...more] = known;
  if (premise === undefined || more.length > 0) return undefined;
  const text = withoutOuter(goal.conclusion.slice(call.start, call.end));
  return sequence(atom('revert', premise.name), atom('generalize', `(${text})`));
}

interface Guess {
  readonly statement: string;
  /** What may be gone by induction on. */
  readonly names: readonly string[];
}

/** `plus x (Su y) = Su (plus x y)` where the goal has a call whose last argument such a constructor makes. */
function constructorsMovedOut(view: GoalView, definitions: Definitions): readonly Guess[] {
  const bound = new Set(
    subterms(view.conclusion).flatMap((part) => (BINDERS.has(part.symbol) ? boundBy(part) : [])),
  );
  const guesses = subterms(view.conclusion).flatMap(({ symbol, children }): readonly Guess[] => {
    const last = children.at(-1);
    const [inside] = last?.children ?? [];
    const isStuck =
      children.length > 1 &&
      children.slice(0, -1).every((child) => !isMade(child, definitions) && !bound.has(child.symbol));
    if (last === undefined || inside === undefined || !isStuck) return [];
    if (last.children.length > 1 || !isMade(last, definitions)) return [];
    const known = definitions.find(symbol);
    if (known?.kind !== 'own' || known.recursionDepth === 0) return [];
    const taken = new Set(view.locals);
    const names = children.map(() => {
      const name = freshName('x', taken);
      taken.add(name);
      return name;
    });
    const given = names.slice(0, -1).join(' ');
    const moved = String(names.at(-1));
    const constructor = last.symbol;
    return [
      {
        statement: `forall ${names.join(' ')}, ${symbol} ${given} (${constructor} ${moved}) = ${constructor} (${symbol} ${given} ${moved})`,
        names: names.slice(0, 1),
      },
    ];
  });
  const byStatement = new Map(guesses.map((guess) => [guess.statement, guess]));
  return [...byStatement.values()].slice(0, GUESSES);
}

/** Applies what is no definition: mostly a constructor. */
function isMade({ symbol, children }: Term, definitions: Definitions): boolean {
  return children.length > 0 && PLAIN_NAME.test(symbol) && definitions.find(symbol) === undefined;
}
