/** Steps that the shape of a goal suggests, with no knowledge of the project. */
import { appendAll } from '../../core/lists/many.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Setting } from './candidate.ts';
import type { Costs } from './costs.ts';
import type { Definitions, KnownDefinition } from '../libraries/definitions.ts';
import {
  isFact,
  looksLikeProposition,
  type GoalView,
  type HypothesisView,
} from '../../provers/rocq/goals/goal-view.ts';
import { introductionNames } from '../../provers/rocq/goals/introduction-names.ts';
import { COINDUCTION_HYPOTHESIS } from './recursion.ts';
import { recursionTargets, dependents, generalised, rememberedIndices } from './induction-targets.ts';
import {
  boundBy,
  EXISTENTIAL,
  headOf,
  sameTerm,
  splitArrows,
  subterms,
  withoutParentheses,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import { combinedWitnesses, hiddenCost, objectsFor, witnessTerms } from './witnesses.ts';
import { freshHypothesis, freshName, PLAIN_NAME } from '../../provers/rocq/goals/names.ts';
import { atom, hypothesisStep, sequence, type Tactic } from './tactic.ts';

const PRODUCT = new Set(['forall', '∀', '->', '→', 'let']);
const NEGATION = new Set(['~', '¬', 'not', '<>', '≠']);
export const CONJUNCTION: ReadonlySet<string> = new Set(['/\\', '∧']);
const DISJUNCTION: ReadonlySet<string> = new Set(['\\/', '∨']);
export const EQUIVALENCE: ReadonlySet<string> = new Set(['<->', '↔']);
const EQUALITY = new Set(['=', '≡']);

const MAXIMUM_HYPOTHESES = 10;

export function structuralCandidates(view: GoalView, setting: Setting): Candidate[] {
  const { costs, definitions } = setting;
  const candidates: Candidate[] = [];
  const add: Add = (tactic, cost) => {
    candidates.push(candidate(tactic, { cost, timeoutMs: STEP_TIMEOUT_MS, ingredient: 'structure' }));
  };
  const { conclusion } = view;
  const head = conclusion.symbol;
  if (PRODUCT.has(head)) introduction(view, setting, add);
  else if (NEGATION.has(head))
    add(
      atom('intros', freshHypothesis(view.locals, 0)),
      costs[head === '<>' || head === '≠' ? 'introduce.inequality' : 'introduce.negation'],
    );
  if (CONJUNCTION.has(head) || EQUIVALENCE.has(head)) add(atom('split'), costs.split);
  if (DISJUNCTION.has(head)) {
    add(atom('left'), costs['left-or-right']);
    add(atom('right'), costs['left-or-right']);
  }
  // It introduces what it needs itself.
  if (decidesEquality(splitArrows(conclusion))) add(atom('decide', 'equality'), costs['decide-equality']);
  const hidden = hiddenCost(conclusion, setting);
  if (hidden !== undefined) {
    add(atom('eexists'), costs.eexists + hidden);
    for (const { text, cost } of hidden === 0 ? witnessTerms(view, costs) : combinedWitnesses(view, costs))
      add(atom('exists', text), cost + hidden);
  }
  if (EQUALITY.has(head)) equality(view, costs, add);
  if (!PRODUCT.has(head)) {
    add(atom('constructor'), costs.constructor);
    add(atom('econstructor'), costs.econstructor);
  }
  const isCase = view.hypotheses.some(({ name }) => name.startsWith('IH'));
  add(atom('simpl'), costs[isCase ? 'simpl.behind-induction' : 'simpl']);
  add(atom('simpl', 'in *'), costs['simpl.everywhere']);
  add(atom('cbn'), costs.cbn);
  if (view.hypotheses.some((hypothesis) => isVariableEquation(hypothesis, view)))
    add(atom('subst'), costs.subst);
  if (view.hypotheses.some((hypothesis) => NEGATION.has(hypothesis.term.symbol)))
    add(atom('exfalso'), costs.exfalso);
  coinduction(view, setting, add);
  for (const { introduced, name, induction } of recursionTargets(view, definitions))
    add(sequence(...introduced, ...generalised(view, name), ...induction), costs['object.induction.deep']);
  caseSplits(view, costs, add);
  hypothesisSteps(view, setting, add);
  unfolding(view, setting, add);
  return candidates;
}

type Add = (tactic: Tactic, cost: number) => void;

/** The two sides of `A \/ B` or `{A} + {B}`; empty for anything else. */
export function choices({ symbol, children }: Term): readonly Term[] {
  if (DISJUNCTION.has(symbol)) return children;
  if (symbol !== '+' || children.some((side) => side.symbol !== '{')) return [];
  return children.flatMap((side) => side.children);
}

/** Whether it says of two objects that they are equal or not, in either order. */
function decidesEquality({ premises, conclusion }: ReturnType<typeof splitArrows>): boolean {
  const [left, right] = choices(conclusion);
  if (premises.length > 0 || left === undefined || right === undefined) return false;
  const [equal, apart] = EQUALITY.has(left.symbol) ? [left, right] : [right, left];
  if (!EQUALITY.has(equal.symbol) || !NEGATION.has(apart.symbol)) return false;
  const [negated] = apart.children;
  if (apart.children.length === 1) return negated !== undefined && sameTerm(negated, equal);
  return apart.children.every((side, index) => {
    const other = equal.children[index];
    return other !== undefined && sameTerm(side, other);
  });
}

function introduction(view: GoalView, { definitions, ssreflect, costs }: Setting, add: Add): void {
  const names = introductionNames(view.conclusion, view.locals);
  const opened = openedPremises(view.conclusion, names, view.locals, definitions);
  if (opened !== undefined) add(atom('intros', opened), costs['introduce.opened']);
  const introduce = ssreflect ? 'move=>' : 'intros';
  const [first] = names;
  if (names.length > 0) {
    add(atom(introduce, names.join(' ')), costs['introduce.named']);
    if (first !== undefined && names.length > 1) add(atom(introduce, first), costs['introduce.first']);
  }
  add(atom('intros'), costs[names.length > 0 ? 'introduce.all.beside-named' : 'introduce.all']);
  const { bound } = splitArrows(view.conclusion);
  bound.slice(0, 5).forEach((name, index) => {
    if (!PLAIN_NAME.test(name) || view.locals.has(name)) return;
    const each = costs['bound.each'] * index;
    add(atom('induction', name), costs['bound.induction'] + each);
    add(atom('destruct', name), costs['bound.destruct'] + each);
    if (ssreflect) add(atom('elim:', name), costs['bound.elim'] + each);
  });
}

/**
 * The names with a pattern for each premise that is a conjunction or says that something exists, as it stands or
 * through a definition; undefined when there is none.
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
      appendAll(patterns, rest.splice(0, boundBy(at).length));
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
function coinduction(view: GoalView, { definitions, costs }: Setting, add: Add): void {
  const { conclusion } = splitArrows(view.conclusion);
  if (!definitions.isCoinductive(headOf(conclusion)) || view.locals.has(COINDUCTION_HYPOTHESIS)) return;
  const step = atom('cofix', COINDUCTION_HYPOTHESIS);
  const general = variablesWithFacts(view);
  if (general === '') add(step, costs.cofix);
  else add(sequence(atom('revert', general), step, atom('intros', general)), costs.cofix);
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

function equality(view: GoalView, costs: Costs, add: Add): void {
  add(atom('reflexivity'), costs.reflexivity);
  const [left, right] = view.conclusion.children;
  if (left === undefined || right === undefined) return;
  add(atom('symmetry'), costs.symmetry);
  if (
    left.symbol === right.symbol &&
    left.children.length === right.children.length &&
    left.children.length > 0
  )
    add(atom('f_equal'), costs.f_equal);
  if (left.symbol === 'fun' || right.symbol === 'fun') add(atom('extensionality', 'x'), costs.extensionality);
}

/** Of `let (x, y) := s in …`, too, and of boolean connectives, which wait for what stands first. */
function scrutineeOf({ symbol, children: [first, second] }: Term): Term | undefined {
  if (symbol === 'let') return first?.symbol === ',' ? second : undefined;
  return WAITING.has(symbol) ? first : undefined;
}

const WAITING = new Set(['match', 'if', '&&', '||', 'andb', 'orb', 'negb']);

/** What a `match` or an `if` of the goal, or of its last hypotheses, waits for, as printed. */
export function caseSubjects(view: GoalView, hypotheses: number): string[] {
  const subjects = new Set<string>();
  const collect = (term: Term, text: string): void => {
    for (const part of subterms(term)) {
      const scrutinee = scrutineeOf(part);
      if (scrutinee === undefined) continue;
      const printed = withoutParentheses(
        text.slice(scrutinee.start, scrutinee.end).replace(/\s+as\s+\S+$/u, ''),
      );
      if (!/\b(?:match|fun|with)\b/u.test(printed)) subjects.add(printed);
    }
  };
  collect(view.conclusion, view.goal.conclusion);
  for (const hypothesis of view.hypotheses.slice(-hypotheses)) collect(hypothesis.term, hypothesis.type);
  return [...subjects];
}

function caseSplits(view: GoalView, costs: Costs, add: Add): void {
  for (const [rank, subject] of caseSubjects(view, 4).slice(0, 3).entries()) {
    const cost = costs['case-subject'] + costs['case-subject.each'] * rank;
    if (view.locals.has(subject)) add(atom('destruct', subject), cost);
    else add(atom('destruct', `(${subject}) eqn:${freshName('E', view.locals)}`), cost);
  }
}

/** `x = t` for a local `x`: `subst` can use it. */
export function isVariableEquation(hypothesis: HypothesisView, view: GoalView): boolean {
  return (
    hypothesis.term.symbol === '=' &&
    hypothesis.term.children.some((side) => side.children.length === 0 && view.locals.has(side.symbol))
  );
}

function hypothesisSteps(view: GoalView, { definitions, costs }: Setting, add: Add): void {
  const recent = [...view.hypotheses].reverse().slice(0, MAXIMUM_HYPOTHESES);
  const goalHead = splitArrows(view.conclusion).conclusion.symbol;
  const parted = freshHypothesis(view.locals, 0);
  recent.forEach((hypothesis, index) => {
    const { name, term } = hypothesis;
    // A step that can use the induction hypothesis is what the induction was for.
    const age = name.startsWith('IH')
      ? -costs['hypothesis.of-induction.less']
      : costs['hypothesis.each'] * index;
    const { conclusion, premises, bound } = splitArrows(term);
    const head = conclusion.symbol;
    if (!isFact(hypothesis, view)) {
      if (premises.length === 0 && bound.length === 0 && view.goal.conclusion.includes(name)) {
        add(atom('destruct', name), costs['object.destruct'] + age);
        add(atom('induction', name), costs['object.induction'] + age);
        const general = generalised(view, name);
        if (general.length > 0)
          add(sequence(...general, atom('induction', name)), costs['object.induction.generalised'] + age);
        const others = dependents(view, name, name).map((other) => other.name);
        if (others.length > 0)
          add(
            sequence(atom('revert', others.join(' ')), atom('induction', name), atom('intros')),
            costs['object.induction.with-dependents'] + age,
          );
      }
      if (premises.length === 0) return;
    }
    const plain = premises.length === 0 && bound.length === 0;
    if (plain && CONJUNCTION.has(head))
      add(
        atom('destruct', `${name} as [${name} ${freshName(name, view.locals)}]`),
        costs['fact.conjunction'] + age,
      );
    else if (plain && EQUIVALENCE.has(head))
      add(
        atom('destruct', `${name} as [${name} ${freshName(name, view.locals)}]`),
        costs['fact.equivalence'] + age,
      );
    else if (plain && DISJUNCTION.has(head))
      add(atom('destruct', `${name} as [${name}|${name}]`), costs['fact.disjunction'] + age);
    else if (plain && EXISTENTIAL.has(head)) add(atom('destruct', name), costs['fact.existential'] + age);
    else if (plain && head === 'False') add(atom('destruct', name), costs['fact.false']);
    else if (plain && EQUALITY.has(head)) {
      add(atom('discriminate', name), costs['equation.discriminate'] + age);
      add(atom('injection', `${name} as ${name}`), costs['equation.injection'] + age);
      add(hypothesisStep('invert', name), costs['equation.inversion'] + age);
    } else if (plain && !NEGATION.has(head)) {
      const doubt = looksLikeProposition(term) ? 0 : costs['hypothesis.doubtful.more'];
      add(hypothesisStep('invert', name), costs['fact.inversion'] + doubt + age);
      add(atom('destruct', name), costs['fact.destruct'] + 2 * doubt + age);
      add(atom('induction', name), costs['fact.induction'] + 2 * doubt + age);
      const remembered = rememberedIndices(hypothesis, view);
      if (remembered !== undefined)
        add(
          sequence(...remembered.tactics, atom('induction', name), {
            kind: 'try',
            tactic: atom('discriminate'),
          }),
          costs['fact.induction.remembering'] + 2 * doubt + age,
        );
    }
    // Which of the two it is may differ from object to object: `IHn : forall m, n = m \/ n <> m`.
    if (bound.length > 0 && premises.length === 0 && choices(conclusion).length === 2)
      for (const [rank, objects] of objectsFor(bound.length, view).entries())
        add(
          atom('destruct', `(${name} ${objects.join(' ')}) as [${parted}|${parted}]`),
          costs['hypothesis.choice'] + costs['hypothesis.choice.each'] * rank + age,
        );
    if (head === goalHead || view.locals.has(head) || bound.includes(head)) {
      add(atom(plain ? 'exact' : 'apply', name), costs['hypothesis.apply'] + age);
      if (!plain) add(atom('eapply', name), costs['hypothesis.eapply'] + age);
    }
    const hidden = plain ? definitions.of(headOf(conclusion)) : undefined;
    if (hidden !== undefined) {
      // What it abbreviates may be a rule: `incl r s`, `transitive r`.
      const cost = costs[`hypothesis.hidden-rule.${hidden}`] + age;
      add(atom('apply', name), cost);
      add(atom('eapply', name), cost + costs['hypothesis.hidden-rule.eapply.more']);
      for (const other of recent.slice(0, 4))
        if (other !== hypothesis && isFact(other, view))
          add(atom('apply', `${name} in ${other.name}`), cost + costs['hypothesis.hidden-rule.in.more']);
    }
    if (NEGATION.has(head) || head === 'False')
      add(atom(plain ? 'destruct' : 'apply', name), costs['fact.negation'] + age);
    if (EQUALITY.has(head) || EQUIVALENCE.has(head)) {
      add(atom('rewrite', name), costs['equation.rewrite'] + age);
      add(atom('rewrite', `<- ${name}`), costs['equation.rewrite.back'] + age);
      recent.slice(0, 4).forEach((other) => {
        if (other !== hypothesis && looksLikeProposition(other.term))
          add(atom('rewrite', `${name} in ${other.name}`), costs['equation.rewrite.in'] + age);
      });
    }
    if (!plain)
      for (const other of recent.slice(0, 6)) {
        const premise = premises[0];
        if (other === hypothesis || premise === undefined) continue;
        if (premise.symbol === other.term.symbol || bound.includes(premise.symbol))
          add(atom('apply', `${name} in ${other.name}`), costs['hypothesis.apply.in'] + age);
      }
  });
}

const UNFOLDED_AT_ONCE = 4;

function unfolding(view: GoalView, { definitions, costs }: Setting, add: Add): void {
  const inGoal = definedNames([view.conclusion], definitions);
  const inHypotheses = definedNames(
    view.hypotheses.slice(-6).map(({ term }) => term),
    definitions,
  ).filter(({ name }) => !inGoal.some((other) => other.name === name));
  // `red` also shows a product that `intros` does not see through a definition.
  const head = definitions.of(headOf(splitArrows(view.conclusion).conclusion));
  if (head !== undefined) {
    add(atom('red'), costs[`red.${head}`]);
    add(sequence(atom('red'), atom('intros')), costs[`red.intros.${head}`]);
  }
  const logical = definitions.logicalNames(view);
  if (logical.length > 1) add(atom('unfold', `${logical.join(', ')} in *`), costs['unfold.logical']);
  const own = inGoal.filter((known) => known.kind === 'own' && !isType(known)).map(({ name }) => name);
  if (own.length > 1)
    add(atom('unfold', own.slice(0, UNFOLDED_AT_ONCE).join(', ')), costs['unfold.own.together']);
  for (const [rank, known] of inGoal.entries())
    add(atom('unfold', known.name), unfoldingCost(known, costs) + costs['unfold.each'] * rank);
  const more = inHypotheses.filter((known) => known.kind === 'own' && !isType(known));
  const everywhere = [...own, ...more.map(({ name }) => name)];
  if (everywhere.length > 0)
    add(
      atom('unfold', `${everywhere.slice(0, UNFOLDED_AT_ONCE).join(', ')} in *`),
      costs['unfold.own.together.everywhere'],
    );
  for (const [rank, known] of inHypotheses.entries())
    add(
      atom('unfold', `${known.name} in *`),
      unfoldingCost(known, costs) + costs['unfold.in-hypotheses.more'] + costs['unfold.each'] * rank,
    );
}

function unfoldingCost(known: KnownDefinition, costs: Costs): number {
  return costs[`unfold.${known.kind}`] + (isType(known) ? costs['unfold.type.more'] : 0);
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
