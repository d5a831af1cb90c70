/**
 * What an induction or a case analysis may go by, and what is done before it: hypotheses made general that it would
 * fix, compound arguments remembered that it would forget.
 */
import { countOf, orNothing } from '../../core/entry.ts';
import {
  isFact,
  isPredicate,
  looksLikeProposition,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import {
  boundBy,
  headOf,
  mentionsName,
  splitArrows,
  subterms,
  withoutParentheses,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import type { Definitions } from '../libraries/definitions.ts';
import { derivationTogether } from './mutual-induction.ts';
import { atom, sequence, type Tactic } from './tactic.ts';

const MAXIMUM_TARGETS = 4;
const FACTS_READ = 6;

/** Makes the induction hypothesis speak of all values of what the goal is about besides the target. */
export function generalised(view: GoalView, target: string): readonly Tactic[] {
  const own = view.hypotheses.find(({ name }) => name === target);
  if (own === undefined) return [];
  const names = view.hypotheses.filter(({ name, type, term, hasBody }) => {
    if (name === target || hasBody || mentionsName(own.type, name) || mentionsName(type, target))
      return false;
    if (/(?:^|\s)(?:Type|Set|Prop)$/u.test(type) || splitArrows(term).premises.length > 0) return false;
    if (looksLikeProposition(term) || !mentionsName(view.goal.conclusion, name)) return false;
    // What other data is built on (the operation of a section) stays.
    return dependents(view, name, target).every((other) => isFact(other, view));
  });
  return names.map(({ name }) =>
    dependents(view, name, target).length === 0
      ? atom('revert', name)
      : atom('generalize', `dependent ${name}`),
  );
}

const REMEMBERED_AT_ONCE = 2;

/**
 * Names for the compound arguments of an inductive fact, with equations for what they were: an induction on the fact
 * would forget them. Undefined when it would forget nothing.
 */
export function rememberedIndices(
  { type, term }: HypothesisView,
  view: GoalView,
): { readonly tactics: readonly Tactic[]; readonly equations: readonly string[] } | undefined {
  const compound = term.children.filter(({ children }) => children.length > 0);
  if (compound.length === 0 || compound.length > REMEMBERED_AT_ONCE) return undefined;
  const taken = new Set(view.locals);
  const equations: string[] = [];
  const tactics = compound.map((argument) => {
    const name = freshName('x', taken);
    taken.add(name);
    const equation = freshName('Heq', taken);
    taken.add(equation);
    const text = withoutParentheses(type.slice(argument.start, argument.end));
    equations.push(equation);
    return atom('remember', `(${text}) as ${name} eqn:${equation}`);
  });
  return { tactics, equations };
}

/** The hypotheses that speak of a name, without the target of the induction. */
export function dependents(view: GoalView, name: string, target: string): HypothesisView[] {
  return view.hypotheses.filter((other) => other.name !== target && mentionsName(other.type, name));
}

export interface InductionTarget {
  /** What introduces it: nothing for what is there already, or what `induction` introduces by itself. */
  readonly introduced: readonly Tactic[];
  readonly name: string;
  /** What goes by induction on it. */
  readonly induction: readonly Tactic[];
  readonly fact: boolean;
  /** It states a named predicate, which may have rules. */
  readonly derivation: boolean;
}

export function inductionTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const { bound } = splitArrows(view.conclusion);
  const targets: InductionTarget[] = [
    ...premiseTargets(view, definitions),
    ...bound
      .filter((name) => PLAIN_NAME.test(name) && !view.locals.has(name))
      .map((name) => ({ introduced: [], ...plainInduction(name), fact: false, derivation: false })),
  ];
  for (const hypothesis of [...view.hypotheses].reverse()) {
    if (splitArrows(hypothesis.term).premises.length > 0) continue;
    if (definitions.of(headOf(hypothesis.term)) !== undefined) continue;
    const fact = isFact(hypothesis, view);
    if (fact || mentionsName(view.goal.conclusion, hypothesis.name))
      targets.push({
        introduced: [],
        ...plainInduction(hypothesis.name),
        fact,
        derivation: fact && isPredicate(hypothesis.term),
      });
  }
  return [...recursionTargets(view, definitions), ...targets.slice(0, MAXIMUM_TARGETS)];
}

function plainInduction(name: string): Pick<InductionTarget, 'name' | 'induction'> {
  return { name, induction: [atom('induction', name)] };
}

const DEEP_TARGETS = 2;
const MAXIMUM_DEPTH = 4;

/** What the functions of the goal suggest that do not call themselves with their argument's parts. */
export function recursionTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  return [
    ...deepTargets(view, definitions),
    ...measuredTargets(view, definitions),
    ...togetherTargets(view, definitions),
  ];
}

/** The first premise, or else the newest fact, that is derived by predicates that are defined together. */
function togetherTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const facts = [
    ...statedPremises(view).map(({ premise, names }) => ({
      name: orNothing(names.at(-1)),
      term: premise,
      introduced: names,
    })),
    ...view.hypotheses.toReversed().map(({ name, term }) => ({ name, term, introduced: [] })),
  ];
  return facts
    .flatMap((fact) => derivationTogether(view, fact, definitions) ?? [])
    .slice(0, 1)
    .map(({ fact, introduced, steps }) => ({
      ...{ introduced, name: fact, induction: steps },
      ...{ fact: false, derivation: true },
    }));
}

/** Calls of functions that end by a measure. */
function measuredTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const calls = subterms(view.conclusion)
    .filter(({ symbol, children }) => children.length > 0 && definitions.find(symbol)?.measured === true)
    .map(({ start, end }) => withoutParentheses(view.goal.conclusion.slice(start, end)));
  return [...new Set(calls)].slice(0, DEEP_TARGETS).map((call) => ({
    introduced: [],
    name: call,
    induction: [atom('functional', `induction (${call})`)],
    fact: false,
    derivation: false,
  }));
}

/** Objects that a function or a rule of the goal, or of its last facts, takes more than one constructor from at a time. */
function deepTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  const bound = new Set(splitArrows(view.conclusion).bound);
  const depths = new Map<string, number>();
  const facts = view.hypotheses.slice(-FACTS_READ).map(({ term }) => term);
  for (const part of [view.conclusion, ...facts].flatMap(subterms)) {
    const depth = Math.min(definitions.depthOf(part.symbol), MAXIMUM_DEPTH);
    if (depth < 2) continue;
    for (const { symbol, children } of part.children.flatMap(subterms))
      if (children.length === 0 && (view.locals.has(symbol) || bound.has(symbol)) && PLAIN_NAME.test(symbol))
        depths.set(symbol, Math.max(depth, countOf(depths, symbol)));
  }
  return [...depths].slice(0, DEEP_TARGETS).map(([name, depth]) => ({
    introduced: view.locals.has(name) ? [] : [atom('intros', `until ${name}`)],
    name,
    induction: deepInduction(view, name, depth),
    fact: false,
    derivation: false,
  }));
}

/**
 * Proves it by recursion on the object, with what holds of that many objects below it. Each is noted where the object
 * is taken apart, and then the statement itself is forgotten: nothing can use it of what is not smaller.
 */
function deepInduction(view: GoalView, name: string, depth: number): readonly Tactic[] {
  const taken = new Set(view.locals);
  const statement = `IH${name}`;
  const note = (level: number): Tactic => {
    const known = freshName(statement, taken);
    taken.add(known);
    const noted = atom('pose', `proof (${statement} ${name}) as ${known}`);
    return level === 1
      ? noted
      : sequence(noted, atom('destruct', name), { kind: 'try', tactic: note(level - 1) });
  };
  return [
    dependents(view, name, name).length === 0
      ? atom('revert', name)
      : atom('generalize', `dependent ${name}`),
    atom('fix', `${statement} 1`),
    atom('destruct', name),
    { kind: 'try', tactic: note(depth) },
    atom('clear', statement),
  ];
}

const PREMISES_TRIED = 2;

/** The first premises that a predicate states: introduced up to there, what stands behind stays general. */
function premiseTargets(view: GoalView, definitions: Definitions): InductionTarget[] {
  return statedPremises(view)
    .filter(({ premise }) => isPredicate(premise) && definitions.of(headOf(premise)) === undefined)
    .slice(0, PREMISES_TRIED)
    .map(({ names }) => ({
      introduced: [atom('intros', names.join(' '))],
      ...plainInduction(orNothing(names.at(-1))),
      fact: true,
      derivation: true,
    }));
}

/** The premises of the goal, each with the names up to its own. */
function statedPremises(
  view: GoalView,
): readonly { readonly premise: Term; readonly names: readonly string[] }[] {
  const names = introductionNames(view.conclusion, view.locals);
  const found: { readonly premise: Term; readonly names: readonly string[] }[] = [];
  let count = 0;
  let at: Term | undefined = view.conclusion;
  while (at !== undefined && count < names.length) {
    const [premise, body]: readonly Term[] = at.children;
    if (at.symbol === 'forall' || at.symbol === '∀') {
      count += boundBy(at).length;
      at = at.children.at(-1);
      continue;
    }
    count += 1;
    if (premise !== undefined && count <= names.length) found.push({ premise, names: names.slice(0, count) });
    at = body;
  }
  return found;
}

/**
 * The first two objects of one type that the goal speaks of: the one to go by induction on, and the one to take apart in
 * each case, which stays general till then. There is one pair at most.
 */
export function comparedObjects(
  view: GoalView,
): readonly { readonly name: string; readonly other: string; readonly introduced: readonly Tactic[] }[] {
  const { conclusion } = view;
  if (conclusion.symbol === 'forall' || conclusion.symbol === '∀') {
    const [name, other] = conclusion.children[0] === undefined ? [] : boundBy(conclusion);
    const areNew = [name, other].every(
      (bound) => bound !== undefined && PLAIN_NAME.test(bound) && !view.locals.has(bound),
    );
    return areNew && name !== undefined && other !== undefined ? [{ name, other, introduced: [] }] : [];
  }
  const objects = view.hypotheses.filter(
    (one) => !one.hasBody && !isFact(one, view) && mentionsName(view.goal.conclusion, one.name),
  );
  for (const [at, { name, type }] of objects.entries()) {
    const other = objects.slice(at + 1).find((one) => one.type === type);
    if (other !== undefined && dependents(view, other.name, name).length === 0)
      return [{ name, other: other.name, introduced: [atom('revert', other.name)] }];
  }
  return [];
}

export function caseTargets(view: GoalView): string[] {
  return [...view.hypotheses]
    .reverse()
    .filter((hypothesis) => splitArrows(hypothesis.term).premises.length === 0 && !hypothesis.hasBody)
    .slice(0, 6)
    .map((hypothesis) => hypothesis.name);
}

/** Other objects that the goal speaks of, of the same kind of type: two lists of whatever they hold. */
export function likeObjects(view: GoalView, target: string): readonly string[] {
  const kinds = new Map<string, string>();
  for (const { name, term } of view.hypotheses)
    if (mentionsName(view.goal.conclusion, name)) kinds.set(name, headOf(term));
  let at: Term | undefined = view.conclusion;
  for (; at?.symbol === 'forall' || at?.symbol === '∀'; at = at.children.at(-1))
    for (const group of at.children.slice(0, -1)) {
      const [names, type] = group.symbol === ':' ? group.children : [];
      if (names === undefined || type === undefined) continue;
      for (const { symbol } of [names, ...names.children]) kinds.set(symbol, headOf(type));
    }
  const kind = kinds.get(target);
  return [...kinds]
    .filter(([name, other]) => other === kind && name !== target && PLAIN_NAME.test(name))
    .map(([name]) => name);
}
