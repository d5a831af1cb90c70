/** Steps that the shape of a goal suggests, with no knowledge of the project. */
import { STEP_TIMEOUT_MS, type Candidate, type Ingredient } from './candidate.ts';
import type { Definitions, KnownDefinition } from './definitions.ts';
import {
  isFact,
  looksLikeProposition,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { COINDUCTION_HYPOTHESIS } from './recursion.ts';
import { dependents, generalised, rememberedIndices } from './strategies.ts';
import {
  boundBy,
  EXISTENTIAL,
  headOf,
  splitArrows,
  subterms,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import { combinedWitnesses, hiddenCost, witnessTerms } from './witnesses.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';

const PRODUCT = new Set(['forall', '∀', '->', '→', 'let']);
const NEGATION = new Set(['~', '¬', 'not', '<>', '≠']);
export const CONJUNCTION = new Set(['/\\', '∧']);
export const DISJUNCTION = new Set(['\\/', '∨']);
export const EQUIVALENCE = new Set(['<->', '↔']);
const EQUALITY = new Set(['=', '≡']);

const MAXIMUM_HYPOTHESES = 10;
const INDUCTION_HYPOTHESIS_BONUS = 0.8;
/** Nothing but its place among the hypotheses says that it states something. */
const DOUBTFUL_FACT_COST = 0.3;

export function structuralCandidates(
  view: GoalView,
  definitions: Definitions,
  ssreflect: boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (tactic: string, cost: number, ingredient: Ingredient = 'structure'): void => {
    candidates.push({ tactic, cost, timeoutMs: STEP_TIMEOUT_MS, ingredient });
  };
  const { conclusion } = view;
  const head = conclusion.symbol;
  if (PRODUCT.has(head)) introduction(view, definitions, ssreflect, add);
  else if (NEGATION.has(head))
    add(`intros ${freshHypothesis(view.locals, 0)}`, head === '<>' || head === '≠' ? 1.6 : 0.8);
  if (CONJUNCTION.has(head) || EQUIVALENCE.has(head)) add('split', 0.5);
  if (DISJUNCTION.has(head)) {
    add('left', 1.4);
    add('right', 1.4);
  }
  const hidden = hiddenCost(conclusion, definitions);
  if (hidden !== undefined) {
    add('eexists', 1.6 + hidden);
    for (const { text, cost } of hidden === 0 ? witnessTerms(view) : combinedWitnesses(view))
      add(`exists ${text}`, cost + hidden);
  }
  if (EQUALITY.has(head)) equality(view, add);
  if (!PRODUCT.has(head)) {
    add('constructor', 2.6);
    add('econstructor', 3.4);
  }
  add('simpl', 2.2);
  add('simpl in *', 3.0);
  add('cbn', 3.6);
  if (view.hypotheses.some((hypothesis) => isVariableEquation(hypothesis, view))) add('subst', 1.5);
  if (view.hypotheses.some((hypothesis) => NEGATION.has(hypothesis.term.symbol))) add('exfalso', 3.2);
  coinduction(view, definitions, add);
  caseSplits(view, add);
  hypothesisSteps(view, definitions, add);
  unfolding(view, definitions, add);
  return candidates;
}

type Add = (tactic: string, cost: number, ingredient?: Ingredient) => void;

function introduction(view: GoalView, definitions: Definitions, ssreflect: boolean, add: Add): void {
  const names = introductionNames(view.conclusion, view.locals);
  const opened = openedPremises(view.conclusion, names, view.locals, definitions);
  if (opened !== undefined) add(`intros ${opened}`, 1.2);
  if (names.length > 0) {
    add(`${ssreflect ? 'move=>' : 'intros'} ${names.join(' ')}`, 0.5);
    if (names.length > 1) add(`${ssreflect ? 'move=>' : 'intros'} ${names[0] ?? ''}`, 2.2);
  }
  add('intros', names.length > 0 ? 1.5 : 0.5);
  const { bound } = splitArrows(view.conclusion);
  bound.slice(0, 5).forEach((name, index) => {
    if (!PLAIN_NAME.test(name) || view.locals.has(name)) return;
    add(`induction ${name}`, 2.0 + 0.25 * index);
    add(`destruct ${name}`, 2.8 + 0.25 * index);
    if (ssreflect) add(`elim: ${name}`, 2.4 + 0.25 * index);
  });
}

/**
 * The names with a pattern for each premise that is a conjunction or says that something exists, as it stands or through
 * a definition; undefined when there is none.
 */
function openedPremises(
  conclusion: Term,
  names: readonly string[],
  locals: ReadonlySet<string>,
  definitions: Definitions,
): string | undefined {
  const taken = new Set([...locals, ...names]);
  const rest = [...names];
  const patterns: string[] = [];
  let opens = false;
  let at: Term | undefined = conclusion;
  while (at !== undefined && rest.length > 0) {
    if (at.symbol === 'forall' || at.symbol === '∀') {
      patterns.push(...rest.splice(0, boundBy(at).length));
      at = at.children.at(-1);
      continue;
    }
    const [premise, body]: readonly Term[] = at.children;
    const [name] = rest.splice(0, 1);
    if (premise === undefined || name === undefined) break;
    const symbol = headOf(premise);
    if (EXISTENTIAL.has(symbol) || CONJUNCTION.has(symbol) || definitions.of(symbol) !== undefined) {
      const part = freshName(CONJUNCTION.has(symbol) ? 'H' : 'k', taken);
      taken.add(part);
      patterns.push(`[${part} ${name}]`);
      opens = true;
    } else patterns.push(name);
    at = body;
  }
  return opens ? patterns.join(' ') : undefined;
}

/** Takes the goal, for all objects that it speaks of, as a hypothesis that may be used behind a constructor. */
function coinduction(view: GoalView, definitions: Definitions, add: Add): void {
  const { conclusion } = splitArrows(view.conclusion);
  if (!definitions.isCoinductive(headOf(conclusion)) || view.locals.has(COINDUCTION_HYPOTHESIS)) return;
  const step = `cofix ${COINDUCTION_HYPOTHESIS}`;
  const general = variablesWithFacts(view);
  if (general === '') add(step, 1.0);
  else add(`revert ${general}; ${step}; intros ${general}`, 1.0);
}

function variablesWithFacts(view: GoalView): string {
  const named = new Set([...subterms(view.conclusion)].map(({ symbol }) => symbol));
  const spoken = view.hypotheses.filter(
    (hypothesis) => named.has(hypothesis.name) && !isFact(hypothesis, view),
  );
  const about = new Set(spoken.map(({ name }) => name));
  const facts = view.hypotheses.filter(
    (hypothesis) =>
      isFact(hypothesis, view) && [...subterms(hypothesis.term)].some(({ symbol }) => about.has(symbol)),
  );
  return [...spoken, ...facts].map(({ name }) => name).join(' ');
}

function equality(view: GoalView, add: Add): void {
  add('reflexivity', 1.2);
  const [left, right] = view.conclusion.children;
  if (left === undefined || right === undefined) return;
  add('symmetry', 4.2);
  if (
    left.symbol === right.symbol &&
    left.children.length === right.children.length &&
    left.children.length > 0
  )
    add('f_equal', 1.8);
  if (left.symbol === 'fun' || right.symbol === 'fun') add('extensionality x', 3);
}

/** What a `match` or an `if` of the goal, or of its last hypotheses, waits for, as printed. */
export function caseSubjects(view: GoalView, hypotheses: number): string[] {
  const subjects = new Set<string>();
  const collect = (term: Term, text: string): void => {
    for (const part of subterms(term)) {
      const scrutinee = part.symbol === 'match' || part.symbol === 'if' ? part.children[0] : undefined;
      if (scrutinee === undefined) continue;
      const printed = text.slice(scrutinee.start, scrutinee.end).replace(/\s+as\s+\S+$/u, '');
      if (!/\b(?:match|fun|with)\b/u.test(printed)) subjects.add(printed);
    }
  };
  collect(view.conclusion, view.goal.conclusion);
  for (const hypothesis of view.hypotheses.slice(-hypotheses)) collect(hypothesis.term, hypothesis.type);
  return [...subjects];
}

function caseSplits(view: GoalView, add: Add): void {
  for (const [rank, subject] of caseSubjects(view, 4).slice(0, 3).entries()) {
    if (view.locals.has(subject)) add(`destruct ${subject}`, 1.2 + 0.4 * rank);
    else add(`destruct (${subject}) eqn:${freshName('E', view.locals)}`, 1.2 + 0.4 * rank);
  }
}

/** `x = t` for a local `x`: `subst` can use it. */
export function isVariableEquation(hypothesis: HypothesisView, view: GoalView): boolean {
  return (
    hypothesis.term.symbol === '=' &&
    hypothesis.term.children.some((side) => side.children.length === 0 && view.locals.has(side.symbol))
  );
}

function hypothesisSteps(view: GoalView, definitions: Definitions, add: Add): void {
  const recent = [...view.hypotheses].reverse().slice(0, MAXIMUM_HYPOTHESES);
  const goalHead = splitArrows(view.conclusion).conclusion.symbol;
  recent.forEach((hypothesis, index) => {
    const { name, term } = hypothesis;
    // A step that can use the induction hypothesis is what the induction was for.
    const age = name.startsWith('IH') ? -INDUCTION_HYPOTHESIS_BONUS : 0.12 * index;
    const { conclusion, premises, bound } = splitArrows(term);
    const head = conclusion.symbol;
    if (!isFact(hypothesis, view)) {
      if (premises.length === 0 && bound.length === 0 && view.goal.conclusion.includes(name)) {
        add(`destruct ${name}`, 2.8 + age);
        add(`induction ${name}`, 3.0 + age);
        const general = generalised(view, name);
        if (general !== '') add(`${general}induction ${name}`, 3.1 + age);
        const others = dependents(view, name, name).map((other) => other.name);
        if (others.length > 0) add(`revert ${others.join(' ')}; induction ${name}; intros`, 3.4 + age);
      }
      if (premises.length === 0) return;
    }
    const plain = premises.length === 0 && bound.length === 0;
    if (plain && CONJUNCTION.has(head))
      add(`destruct ${name} as [${name} ${freshName(name, view.locals)}]`, 0.8 + age);
    else if (plain && EQUIVALENCE.has(head))
      add(`destruct ${name} as [${name} ${freshName(name, view.locals)}]`, 1.8 + age);
    else if (plain && DISJUNCTION.has(head)) add(`destruct ${name} as [${name}|${name}]`, 1.1 + age);
    else if (plain && EXISTENTIAL.has(head)) add(`destruct ${name}`, 0.8 + age);
    else if (plain && head === 'False') add(`destruct ${name}`, 0.1);
    else if (plain && EQUALITY.has(head)) {
      add(`discriminate ${name}`, 3.0 + age);
      add(`injection ${name} as ${name}`, 3.0 + age);
      add(`inversion ${name}; subst`, 3.2 + age);
    } else if (plain && !NEGATION.has(head)) {
      const doubt = looksLikeProposition(term) ? 0 : DOUBTFUL_FACT_COST;
      add(`inversion ${name}; subst`, 2.6 + doubt + age);
      add(`destruct ${name}`, 2.6 + 2 * doubt + age);
      add(`induction ${name}`, 3.0 + 2 * doubt + age);
      const remembered = rememberedIndices(hypothesis, view);
      if (remembered !== undefined)
        add(`${remembered.tactic}; induction ${name}; try discriminate`, 3.3 + 2 * doubt + age);
    }
    if (head === goalHead || view.locals.has(head) || bound.includes(head)) {
      add(plain ? `exact ${name}` : `apply ${name}`, 1.2 + age);
      if (!plain) add(`eapply ${name}`, 1.7 + age);
    }
    const hidden = plain ? definitions.of(headOf(conclusion)) : undefined;
    if (hidden !== undefined) {
      // What it abbreviates may be a rule: `incl r s`, `transitive r`.
      const cost = (hidden === 'own' ? 1.9 : 2.6) + age;
      add(`apply ${name}`, cost);
      add(`eapply ${name}`, cost + 0.3);
      for (const other of recent.slice(0, 4))
        if (other !== hypothesis && isFact(other, view)) add(`apply ${name} in ${other.name}`, cost + 1);
    }
    if (NEGATION.has(head) || head === 'False') add(plain ? `destruct ${name}` : `apply ${name}`, 2.2 + age);
    if (EQUALITY.has(head) || EQUIVALENCE.has(head)) {
      add(`rewrite ${name}`, 1.5 + age);
      add(`rewrite <- ${name}`, 2.3 + age);
      recent.slice(0, 4).forEach((other) => {
        if (other !== hypothesis && looksLikeProposition(other.term))
          add(`rewrite ${name} in ${other.name}`, 3.0 + age);
      });
    }
    if (!plain)
      for (const other of recent.slice(0, 6)) {
        const premise = premises[0];
        if (other === hypothesis || premise === undefined) continue;
        if (premise.symbol === other.term.symbol || bound.includes(premise.symbol))
          add(`apply ${name} in ${other.name}`, 2.4 + age);
      }
  });
}

const UNFOLDED_AT_ONCE = 4;
/** Unfolding what abbreviates a type shows nothing new. */
const TYPE_COST = 2;

function unfolding(view: GoalView, definitions: Definitions, add: Add): void {
  const inGoal = definedNames([view.conclusion], definitions);
  const inHypotheses = definedNames(
    view.hypotheses.slice(-6).map(({ term }) => term),
    definitions,
  ).filter(({ name }) => !inGoal.some((other) => other.name === name));
  // `red` also shows a product that `intros` does not see through a definition.
  const head = definitions.of(headOf(splitArrows(view.conclusion).conclusion));
  if (head !== undefined) {
    add('red', head === 'own' ? 2.2 : 3.4);
    add('red; intros', head === 'own' ? 2.0 : 3.2);
  }
  const logical = definitions.logicalNames(view);
  if (logical.length > 1) add(`unfold ${logical.join(', ')} in *`, 1.7);
  const own = inGoal.filter((known) => known.kind === 'own' && !isType(known)).map(({ name }) => name);
  if (own.length > 1) add(`unfold ${own.slice(0, UNFOLDED_AT_ONCE).join(', ')}`, 2.0);
  for (const [rank, known] of inGoal.entries())
    add(`unfold ${known.name}`, unfoldingCost(known) + 0.3 * rank);
  const more = inHypotheses.filter((known) => known.kind === 'own' && !isType(known));
  const everywhere = [...own, ...more.map(({ name }) => name)];
  if (everywhere.length > 0) add(`unfold ${everywhere.slice(0, UNFOLDED_AT_ONCE).join(', ')} in *`, 2.5);
  for (const [rank, known] of inHypotheses.entries())
    add(`unfold ${known.name} in *`, unfoldingCost(known) + 0.7 + 0.3 * rank);
}

function unfoldingCost(known: KnownDefinition): number {
  return (known.kind === 'own' ? 2.0 : 3.2) + (isType(known) ? TYPE_COST : 0);
}

function isType({ content }: KnownDefinition): boolean {
  return content === 'type' || content === 'type of predicates';
}

function definedNames(terms: readonly Term[], definitions: Definitions): KnownDefinition[] {
  const found = new Map<string, KnownDefinition>();
  for (const term of terms)
    for (const { symbol } of subterms(term)) {
      const known = definitions.find(symbol);
      if (known !== undefined) found.set(known.name, known);
    }
  return [...found.values()];
}
