/** What might be there where a goal says that something is, and what to give a hypothesis that asks for objects. */
import type { Setting } from './candidate.ts';
import type { Costs } from './costs.ts';
import { isFact, looksLikeProposition, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import {
  boundBy,
  EXISTENTIAL,
  headOf,
  mentionsName,
  sameTerm,
  subterms,
  withoutParentheses,
  type Term,
} from '../../provers/rocq/goals/term.ts';

/** A term to give for what is said to exist; the cost is as a candidate's. */
export interface Witness {
  readonly text: string;
  readonly cost: number;
}

/** 0 for a conclusion that says that something exists, more where a definition hides that; undefined for others. */
export function hiddenCost(
  conclusion: Term,
  { definitions, costs }: Pick<Setting, 'definitions' | 'costs'>,
): number | undefined {
  if (EXISTENTIAL.has(conclusion.symbol)) return 0;
  const definition = definitions.find(headOf(conclusion));
  if (definition?.existential !== true) return undefined;
  return costs[`exists.behind-${definition.kind}-definition.more`];
}

/** Objects at hand, parts of the goal, numbers, and what operations make of these. */
export function witnessTerms(view: GoalView, costs: Costs): Witness[] {
  const found: Witness[] = [];
  const opens = EXISTENTIAL.has(view.conclusion.symbol);
  const type = opens && view.conclusion.children.length > 1 ? view.conclusion.children[0] : undefined;
  const wanted = type?.symbol === ':' ? type.children[1] : undefined;
  for (const hypothesis of [...view.hypotheses].reverse()) {
    if (found.length >= 6 || looksLikeProposition(hypothesis.term)) continue;
    if (wanted !== undefined && !sameTerm(wanted, hypothesis.term)) continue;
    found.push({
      text: hypothesis.name,
      cost: costs['witness.object'] + costs['witness.object.each'] * found.length,
    });
  }
  // Terms of the goal that do not speak of the witness itself, the small ones first; then the numbers.
  const bound = new Set(opens ? boundBy(view.conclusion) : []);
  const texts = new Set<string>();
  for (const part of subterms(view.conclusion)) {
    const text = view.goal.conclusion.slice(part.start, part.end);
    const speaks = [...subterms(part)].some(({ symbol }) => bound.has(symbol) || symbol === ':');
    if (!speaks && part !== view.conclusion && text.length < 60) texts.add(withoutParentheses(text));
  }
  const terms = [...texts]
    .filter((text) => !view.locals.has(text))
    .sort((left, right) => left.length - right.length);
  for (const [rank, text] of ['0', '1', ...terms.slice(0, 6), '2', '3'].entries())
    found.push({
      text: /^\S+$/u.test(text) ? text : `(${text})`,
      cost: costs['witness.term'] + costs['witness.term.each'] * rank,
    });
  return [...found, ...combinedWitnesses(view, costs)];
}

const OBJECTS_TRIED = 3;

/** So many objects of the goal that stand beside one another, the newest first. */
export function objectsFor(count: number, view: GoalView): readonly (readonly string[])[] {
  const objects = view.hypotheses
    .filter((hypothesis) => !isFact(hypothesis, view) && mentionsName(view.goal.conclusion, hypothesis.name))
    .map(({ name }) => name);
  return objects
    .map((_, at) => objects.slice(at, at + count))
    .filter((some) => some.length === count)
    .toReversed()
    .slice(0, OBJECTS_TRIED);
}

const OPERATORS = ['*', '+', '++'];

/** Witnesses made of the two newest objects of one type with an operation that the goal or its hypotheses speak of. */
export function combinedWitnesses(view: GoalView, costs: Costs): Witness[] {
  const objects = view.hypotheses.filter(({ term }) => !looksLikeProposition(term)).toReversed();
  const [newest] = objects;
  const other = objects.find(({ name, type }) => name !== newest?.name && type === newest?.type);
  if (newest === undefined || other === undefined) return [];
  const symbols = new Set(
    [view.conclusion, ...view.hypotheses.map(({ term }) => term)].flatMap((term) =>
      [...subterms(term)].map(({ symbol }) => symbol),
    ),
  );
  return OPERATORS.filter((operator) => symbols.has(operator)).flatMap((operator, rank) => [
    {
      text: `(${newest.name} ${operator} ${other.name})`,
      cost: costs['witness.combined'] + costs['witness.combined.each'] * rank,
    },
    {
      text: `(${other.name} ${operator} ${newest.name})`,
      cost: costs['witness.combined.other-way'] + costs['witness.combined.each'] * rank,
    },
  ]);
}
