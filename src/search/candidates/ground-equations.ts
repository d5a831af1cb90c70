/**
 * Two ways to decide an equation by others. Laws of an operation (of a monoid, a group) are said of all the small terms
 * that a goal is about, and then `congruence` decides equations without variables at once; with the laws themselves it
 * would go on for ever, so these are set aside. Or both sides are brought to one form: computed, functions moved inward
 * (`rev (x ++ y) = rev y ++ rev x`), brackets moved to the right. What the proof does not need is dropped from it later.
 */
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import {
  BINDERS,
  sameTerm,
  splitArrows,
  subterms,
  withoutParentheses,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import { mayOccur } from '../../provers/rocq/goals/matching.ts';
import type { LemmaMemory, LemmaView } from '../../retrieval/lexical/lemma-similarity.ts';
import { candidate, type Candidate, type Knowledge } from './candidate.ts';
import { atom, sequence, type Tactic } from './tactic.ts';

/** Of laws with one variable, with two, with three: about so many terms; and about more where that was not enough. */
const TERMS = [
  [40, 11, 5],
  [40, 11, 7],
] as const;
const MOST_VARIABLES = 3;
const INSTANCES = 450;
const LAWS = 6;
const LEMMAS = 4;
const TIMEOUT_MS = 1500;

interface Law {
  readonly name: string;
  readonly variables: number;
  readonly term: Term;
}

export function groundCandidates(
  view: GoalView,
  { lemmas, costs }: Pick<Knowledge, 'lemmas' | 'costs'>,
): readonly Candidate[] {
  if (view.conclusion.symbol !== '=') return [];
  const laws = lawsOf(view);
  if (laws.length < 2) return [];
  const about = groundTerms(view, laws);
  // Those of one variable have few instances, and are kept where there are too many.
  const used = [...laws.slice(0, LAWS), ...lemmasAlike(lemmas, laws)].sort(
    (one, other) => one.variables - other.variables,
  );
  const forgotten = atom('clear', laws.map(({ name }) => name).join(' '));
  return TERMS.map((most, more) => {
    const posed = used.flatMap(({ name, variables }) =>
      tuples(about.slice(0, most[variables - 1]), variables).map((given): Tactic => ({
        kind: 'try',
        tactic: { kind: 'pose', lemma: name, everyArgument: false, arguments: given },
      })),
    );
    return candidate(
      sequence(...posed.slice(0, INSTANCES), { kind: 'try', tactic: forgotten }, atom('congruence')),
      {
        cost: costs['strategy.ground-laws'] + costs['strategy.ground-laws.more'] * more,
        timeoutMs: TIMEOUT_MS,
        ingredient: 'strategies',
        closing: true,
      },
    );
  });
}

/** Hypotheses that are equations of all objects, without those of an induction. */
export function lawsOf(view: GoalView): readonly Law[] {
  return view.hypotheses.flatMap(({ name, term }) => {
    const { bound, premises, conclusion } = splitArrows(term);
    const isLaw = conclusion.symbol === '=' && premises.length === 0 && !name.startsWith('IH');
    if (!isLaw || bound.length === 0 || bound.length > MOST_VARIABLES) return [];
    return [{ name, variables: bound.length, term }];
  });
}

/** Equations of the file that speak of the same operations and of nothing else, the newest first. */
function lemmasAlike(lemmas: LemmaMemory, laws: readonly Law[]): readonly Law[] {
  const symbols = new Set(laws.flatMap(({ term }) => subterms(term).map(({ symbol }) => symbol)));
  return lemmas.own
    .filter(({ conclusion, premises, bound }) => {
      if (conclusion.symbol !== '=' || premises.length > 0) return false;
      if (bound.size === 0 || bound.size > MOST_VARIABLES) return false;
      return subterms(conclusion).every(({ symbol }) => bound.has(symbol) || symbols.has(symbol));
    })
    .slice(-LEMMAS)
    .reverse()
    .map(({ name, bound, term }) => ({ name, variables: bound.size, term }));
}

/** Objects that the goal and the facts about them name, what single functions make of them, and then all they name. */
function groundTerms(view: GoalView, laws: readonly Law[]): readonly string[] {
  const types = new Set(laws.flatMap(({ term }) => typesBound(term)));
  const isObject = (name: string): boolean =>
    view.hypotheses.some((other) => other.name === name && types.has(other.type));
  const lawful = new Set(laws.map(({ name }) => name));
  const facts = view.hypotheses.filter(({ name, term }) => term.symbol === '=' && !lawful.has(name));
  const shown = [
    { term: view.conclusion, text: view.goal.conclusion },
    ...facts.map(({ term, type }) => ({ term, text: type })),
  ].flatMap(({ term, text }) =>
    term.children.flatMap(subterms).map((part) => ({ part, text: text.slice(part.start, part.end) })),
  );
  const parts = laws.flatMap(({ term }) => subterms(splitArrows(term).conclusion));
  const functions = [
    ...new Set(parts.filter(({ children }) => children.length === 1).map(({ symbol }) => symbol)),
  ];
  const objects = shown.filter(({ part }) => part.children.length === 0 && isObject(part.symbol));
  const named = parts.filter(({ symbol, children }) => children.length === 0 && isObject(symbol));
  const made = shown.filter(
    ({ part: { symbol, children } }) => functions.includes(symbol) && children.length === 1,
  );
  const others = shown.filter(
    ({ part: { symbol, children } }) => children.length > 1 && !BINDERS.has(symbol),
  );
  const simple = objects.map(({ text }) => text);
  const once = simple.flatMap((text) => functions.map((name) => `(${name} ${text})`));
  const first = [
    ...simple,
    ...made.map(({ text }) => argument(text)),
    ...named.map(({ symbol }) => symbol),
    ...once,
  ];
  const twice = first
    .filter((text) => text.startsWith('(') && text.length < LONGEST)
    .flatMap((text) => functions.map((name) => `(${name} ${text})`));
  return [...new Set([...first, ...twice, ...others.map(({ text }) => argument(text))])];
}

const LONGEST = 20;

function typesBound(term: Term): readonly string[] {
  return subterms(term)
    .filter(({ symbol, children }) => symbol === ':' && children.length === 2)
    .flatMap(({ children }) => (children[1]?.children.length === 0 ? [children[1].symbol] : []));
}

function argument(text: string): string {
  const bare = withoutParentheses(text);
  return /\s/u.test(bare) ? `(${bare})` : bare;
}

function tuples(terms: readonly string[], count: number): readonly (readonly string[])[] {
  let made: readonly (readonly string[])[] = [[]];
  for (let place = 0; place < count; place += 1)
    made = made.flatMap((some) => terms.map((term) => [...some, term]));
  return made;
}

const TOWARDS_FORM = 5;
const FORM_ROUNDS = 12;
const CONSTRUCTORS = new Set(['::', 'cons', 'S']);

/** @param ranked Lemmas that speak of the goal, the nearest first. @param finish What closes what is left. */
export function normalFormCandidates(
  view: GoalView,
  ranked: readonly LemmaView[],
  finish: Tactic,
  { costs }: Pick<Knowledge, 'costs'>,
): readonly Candidate[] {
  if (view.conclusion.symbol !== '=') return [];
  const symbols = new Set(subterms(view.conclusion).map(({ symbol }) => symbol));
  const equations = [...new Set(ranked.flatMap((lemma) => towardsForm(lemma, symbols) ?? []))];
  if (equations.length === 0) return [];
  const known = view.hypotheses.flatMap(({ name, term }) => {
    const { conclusion } = splitArrows(term);
    const [left, right] = conclusion.symbol === '=' ? conclusion.children : [];
    if (!name.startsWith('IH') || left === undefined || right === undefined) return [];
    // `l = rev l` would go round for ever.
    return subterms(right).some((part) => sameTerm(part, left)) ? [`<- ${name}`] : [name];
  });
  const rewriting = [...known, ...equations.slice(0, TOWARDS_FORM)].map((name) => atom('rewrite', name));
  const steps = [...rewriting, atom('progress', 'simpl')];
  return [
    candidate(sequence({ kind: 'rounds', times: FORM_ROUNDS, steps, tidies: false }, finish), {
      cost: costs['strategy.normal-form'],
      timeoutMs: TIMEOUT_MS,
      ingredient: 'strategies',
      closing: true,
    }),
  ];
}

/** What to rewrite with, in the direction in which it ends; undefined for what has none. */
function towardsForm(
  { name, bound, premises, conclusion }: LemmaView,
  symbols: ReadonlySet<string>,
): string | undefined {
  const [left, right] = conclusion.symbol === '=' ? conclusion.children : [];
  if (left === undefined || right === undefined || premises.length > 0) return undefined;
  const isSpokenOf = subterms(left).every(({ symbol }) => bound.has(symbol) || symbols.has(symbol));
  if (bound.has(left.symbol) || !isSpokenOf || CONSTRUCTORS.has(left.symbol)) return undefined;
  if (movesBrackets(left, right)) return name;
  if (movesBrackets(right, left)) return `<- ${name}`;
  if (mayOccur(left, right, bound)) return undefined;
  const isNested = left.children.some(({ symbol, children }) => children.length > 0 && !bound.has(symbol));
  return isNested || bound.has(right.symbol) ? name : undefined;
}

/** `(x + y) + z = x + (y + z)`. */
function movesBrackets({ symbol, children: [inner, z] }: Term, right: Term): boolean {
  const [x, y] = inner?.symbol === symbol ? inner.children : [];
  const [first, rest] = right.symbol === symbol ? right.children : [];
  const [second, third] = rest?.symbol === symbol ? rest.children : [];
  const pairs = [
    [x, first],
    [y, second],
    [z, third],
  ];
  return pairs.every(
    ([one, other]) => one !== undefined && one.children.length === 0 && one.symbol === other?.symbol,
  );
}
