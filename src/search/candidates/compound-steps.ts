/**
 * Compound steps that people write again and again: induction followed by what simple cases need, splitting every
 * `match`, saturating with a hypothesis. Each is a plain sentence of Ltac (or SSReflect) that depends on nothing.
 */
import { isFact, isPredicate, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { orNothing } from '../../core/entry.ts';
import { freshName } from '../../provers/rocq/goals/names.ts';
import { EXISTENTIAL, headOf, mentionsName, splitArrows, type Term } from '../../provers/rocq/goals/term.ts';
import { candidate, type Candidate, type Setting } from './candidate.ts';
import { choices } from './goal-shape-steps.ts';
import {
  caseTargets,
  comparedObjects,
  dependents,
  generalised,
  inductionTargets,
  likeObjects,
  rememberedIndices,
  type InductionTarget,
} from './induction-targets.ts';
import { atom, first, sequence, solve, using, type Saturation, type Tactic } from './tactic.ts';
import { hiddenCost, witnessTerms } from './witnesses.ts';

const INTROS = atom('intros');
const SUBST = atom('subst');
const SIMPLIFY = atom('simpl', 'in *');

/** Boolean connectives wait for what stands first in them. */
const CONNECTIVES = [
  ['|- context [', ']'],
  ['H : ', ' = _ |- _'],
].map(([before, behind]) => {
  const cases = ['andb ?x _', 'orb ?x _', 'negb ?x'].map(
    (shown) => `${before}${shown}${behind} => destruct x eqn:?`,
  );
  return atom('match', `goal with ${cases.join(' | ')} end`);
});

/**
 * One round of what makes a goal simpler without a choice: compute, split a comparison or a `match`, rewrite with an
 * equation at hand.
 */
const round = (splits: readonly Tactic[]): readonly Tactic[] => [
  atom('progress', 'simpl in *'),
  ...splits,
  atom('match', 'goal with |- context [match ?x with _ => _ end] => destruct x eqn:? end'),
  atom('match', 'goal with H : context [match ?x with _ => _ end] |- _ => destruct x eqn:? end'),
  atom('match', 'goal with H : ?a = _ |- context [?a] => rewrite H end'),
  atom('match', 'goal with H : forall _, _ = _ |- _ => rewrite H end'),
  atom('match', 'goal with H : forall _ _, _ = _ |- _ => rewrite H end'),
  ...CONNECTIVES,
];

/** What an equation says of its parts, and what a hypothesis says where the equation is its premise. */
const ONWARDS = [
  atom('match', 'goal with H : _ = _ |- _ => progress (injection H; clear H; intros; subst) end'),
  atom('match', 'goal with H : forall _, _, K : _ = _ |- _ => apply H in K end'),
  ...['_', '_ _'].map((given) =>
    atom('match', `goal with H : forall ${given}, _ = _ -> _ |- _ => specialize (H ${given} eq_refl) end`),
  ),
];
const ONWARDS_ROUNDS = 10;

/** What hypotheses say of the facts at hand, taken apart. */
export const FEEDING: readonly Tactic[] = [
  atom(
    'match',
    'goal with H : ?P -> _, K : ?P |- _ => match type of P with Prop => specialize (H K) end end',
  ),
  ...['_', '_ _'].map((given) =>
    atom(
      'match',
      `goal with H : forall ${given}, _ -> _, K : ?P |- _ => match type of P with Prop => apply H in K end end`,
    ),
  ),
  atom(
    'match',
    'goal with H : _ /\\ _ |- _ => destruct H | H : exists _, _ |- _ => destruct H | H : _ \\/ _ |- _ => destruct H end',
  ),
];
/** What a fact waits for: not what a premise does, which may never be met. */
const STUCK_FACTS = atom(
  'match',
  'goal with H : match ?x with _ => _ end = _ |- _ => destruct x eqn:? | H : match ?x with _ => _ end |- _ => destruct x eqn:? end',
);

/** What closes the goals that a strategy leaves: `quick` is tried in every round, `last` once at the end. */
export interface Finish {
  readonly quick: Tactic;
  readonly last: Tactic;
  /** Equations worth rewriting with, from left to right, wherever they apply. */
  readonly equations: readonly string[];
  /** Rules about what the goal speaks of, for `eauto using`. */
  readonly rules: readonly string[];
  /** Case distinctions on comparisons, each on the first that it finds. */
  readonly splits: readonly Tactic[];
  /** What solves arithmetic behind connectives and premises, where that is available and spoken of. */
  readonly arithmetic?: Tactic;
}

const STRATEGY_TIMEOUT_MS = 1500;
const LOGIC_TIMEOUT_MS = 300;
const WITNESSES_TRIED = 10;
const ONE_RESULT_WAYS = 4;

/** Simplifies as far as the rounds go, tries the closers on what is left after each. */
export function crush(
  {
    quick,
    last,
    splits,
    rewrites,
  }: Pick<Finish, 'quick' | 'last' | 'splits'> & { readonly rewrites: readonly Tactic[] },
  times: number,
): readonly Tactic[] {
  return [{ kind: 'rounds', times, steps: [quick, ...round(splits), ...rewrites], tidies: true }, last];
}

function saturate(what: Saturation): Tactic {
  return { kind: 'saturate', what };
}

/** Derives a predicate by its rules, trying them in turn, so many deep. */
function derive(depth: number, leaf: Tactic = solve(atom('auto'))): Tactic {
  // Apart, so that a proof that is written out says which of them it was.
  const leaves = [
    atom('eassumption'),
    ...(leaf.kind === 'solve' ? leaf.alternatives.map((one) => solve(one)) : [leaf]),
  ];
  return depth === 0
    ? first(...leaves)
    : first(...leaves, sequence(atom('econstructor'), derive(depth - 1, leaf)));
}

/** `finish` after inverting one of the hypotheses, the newest first. */
function invertOne(finish: Tactic): Tactic {
  return { kind: 'some-hypothesis', use: 'invert', finish };
}

/** An object at hand, or the next number, for what is said to exist. */
function give(last: Tactic): Tactic {
  const ends = solve(last, sequence(atom('simpl'), last));
  const finish = first(ends, sequence(atom('left'), ends), sequence(atom('right'), ends));
  return first(
    { kind: 'some-hypothesis', use: 'give', finish },
    { kind: 'some-hypothesis', use: 'give-next', finish },
    sequence(atom('exists', '0'), finish),
  );
}

/** Computes and splits what the hypotheses say, and hands it to those that wait for it. */
function opening(splits: readonly Tactic[]): Tactic {
  const steps = [atom('progress', 'simpl in *'), ...FEEDING, ...splits, STUCK_FACTS, ...CONNECTIVES];
  return { kind: 'rounds', times: ONWARDS_ROUNDS, steps, tidies: true };
}

/** One of the two sides by its rules or by lemmas, or the second because no rule can make what it denies. */
function choose({ rules, last }: Finish): Tactic {
  const close = first(derive(2), solve(using('eauto', rules), last));
  return first(
    sequence(atom('left'), close),
    sequence(atom('right'), close),
    sequence(atom('right'), atom('intros', '?'), invertOne(last)),
  );
}

/**
 * That a relation has one result: an induction on one derivation, whose hypothesis speaks of every other result, and in each
 * case the rules that the other derivation may end with. Two rules for one object contradict each other, at once or a rule
 * further in.
 */
function oneResult(view: GoalView): (readonly Tactic[])[] {
  if (view.conclusion.symbol !== '=') return [];
  const derivations = view.hypotheses.filter(
    (hypothesis) => isFact(hypothesis, view) && isPredicate(hypothesis.term),
  );
  const done = solve(atom('auto'), atom('congruence'));
  const apart = invertOne(first(atom('congruence'), invertOne(atom('congruence'))));
  const merged = sequence(saturate('merge-equals'), done);
  const close = first(done, sequence(atom('f_equal'), solve(atom('eauto'))), apart, merged);
  return derivations.flatMap((one) =>
    derivations.flatMap((other) => {
      const isPair = one !== other && headOf(one.term) === headOf(other.term);
      const results = view.hypotheses.filter(
        ({ name }) => mentionsName(other.type, name) && !mentionsName(one.type, name),
      );
      const depends = results.flatMap(({ name }) => dependents(view, name, other.name));
      if (!isPair || results.length === 0 || depends.length > 0) return [];
      const taken = new Set(view.locals);
      const names = [...results, other].map(({ name }) => {
        const fresh = freshName(name, taken);
        taken.add(fresh);
        return fresh;
      });
      const general = results.map(({ name }) => atom('generalize', `dependent ${name}`)).toReversed();
      const derivation = orNothing(names.at(-1));
      return [
        [
          ...general,
          atom('induction', one.name),
          atom('intros', names.join(' ')),
          ...[atom('inversion', derivation), SUBST, close],
        ],
      ];
    }),
  );
}

/** One tactic that fails unless one of the closers solves the goal. */
export function finisher(closers: readonly Tactic[]): Tactic {
  return closers.length > 0 ? solve(...closers) : solve(atom('auto'));
}

/** Introduces, computes, splits and rewrites until the closers succeed. */
export function rollOut(quick: Tactic, splits: readonly Tactic[]): Tactic {
  return sequence(INTROS, SIMPLIFY, SUBST, ...crush({ quick, last: quick, splits, rewrites: [] }, 6));
}

type Add = (steps: readonly Tactic[], cost: number, timeoutMs?: number) => void;

/** {@link crush} with the equations at hand. */
function crushWith({ equations, ...ends }: Omit<Finish, 'rules'>, times: number): readonly Tactic[] {
  return crush({ ...ends, rewrites: equations.map((name) => atom('rewrite', name)) }, times);
}

/** What is done in a case of an induction. */
export function caseEnding(finish: Omit<Finish, 'rules'>): readonly Tactic[] {
  return [INTROS, SIMPLIFY, SUBST, ...crushWith(finish, 6)];
}

/** The same where a predicate is derived by its rules. */
export function derivationEnding(finish: Omit<Finish, 'rules'>): readonly Tactic[] {
  return caseEnding({ ...finish, last: derive(3, finish.last) });
}

export function strategyCandidates(view: GoalView, finish: Finish, setting: Setting): Candidate[] {
  const { definitions, costs } = setting;
  const candidates: Candidate[] = [];
  const add: Add = (steps, cost, timeoutMs = STRATEGY_TIMEOUT_MS) => {
    candidates.push(
      candidate(sequence(...steps), { cost, timeoutMs, ingredient: 'strategies', closing: true }),
    );
  };
  const derivable = isPredicate(splitArrows(view.conclusion).conclusion);
  for (const [index, target] of inductionTargets(view, definitions).entries())
    inductions(view, finish, setting, { target, late: costs['strategy.target.each'] * index, add });
  const hiding = definitions.logicalNames(view);
  if (hiding.length > 0) {
    const open = [atom('unfold', `${hiding.join(', ')} in *`), saturate('take-apart')];
    add([...open, solve(using('eauto 8', finish.rules))], costs['strategy.unfolded.eauto'], LOGIC_TIMEOUT_MS);
    add(
      [...open, { kind: 'some-hypothesis', use: 'refute', finish: derive(3) }],
      costs['strategy.unfolded.refute'],
      LOGIC_TIMEOUT_MS,
    );
    add([...open, derive(3)], costs['strategy.unfolded.derive'], LOGIC_TIMEOUT_MS);
    // Often at once, sometimes after a second, mostly never.
    const leaf = sequence(SUBST, using('eauto', finish.rules));
    const logic = [...open, solve({ kind: 'firstorder', leaf })];
    add(logic, costs['strategy.unfolded.firstorder'], LOGIC_TIMEOUT_MS);
    add(logic, costs['strategy.unfolded.firstorder.longer']);
  }
  if (derivable) {
    add([INTROS, derive(3)], costs['strategy.derive']);
    add([INTROS, invertOne(derive(2))], costs['strategy.derive.inverting']);
  }
  if (choices(splitArrows(view.conclusion).conclusion).length === 2) {
    add([INTROS, choose(finish)], costs['strategy.choice']);
    for (const { name, other, introduced } of comparedObjects(view)) {
      const cases = [atom('induction', name), atom('intros', other), atom('destruct', other)];
      const known: Tactic = { kind: 'try', tactic: atom('destruct', `(IH${name} ${other})`) };
      add([...introduced, ...cases, known, choose(finish)], costs['strategy.choice.induction']);
    }
  }
  add([INTROS, SIMPLIFY, SUBST, finish.last], costs['strategy.simplify']);
  add([rollOut(finish.quick, finish.splits)], costs['strategy.roll-out']);
  const breaking = [INTROS, saturate('break-hypotheses')];
  add([...breaking, SIMPLIFY, SUBST, ...crushWith(finish, 4)], costs['strategy.rounds']);
  if (view.hypotheses.some(({ term }) => showsEquals(term)))
    add([...breaking, saturate('merge-equals'), finish.last], costs['strategy.merge-equals']);
  const hidden = hiddenCost(view.conclusion, setting);
  if (hidden !== undefined) {
    const cheapest = witnessTerms(view, costs)
      .sort((left, right) => left.cost - right.cost)
      .slice(0, WITNESSES_TRIED);
    const tries = [atom('eexists'), ...cheapest.map(({ text }) => atom('exists', text))];
    add(
      [first(...tries.map((witness) => sequence(witness, SUBST, finish.last)))],
      costs['strategy.witnesses'] + hidden / 2,
    );
  }
  for (const [rank, steps] of oneResult(view).slice(0, ONE_RESULT_WAYS).entries())
    add(steps, costs['strategy.one-result'] + costs['strategy.target.each'] * rank);
  const inversionEnd = derivable ? { ...finish, last: derive(2, finish.last) } : finish;
  for (const [index, name] of caseTargets(view).entries()) {
    const each = costs['strategy.case.each'] * index;
    add([atom('destruct', name), SIMPLIFY, INTROS, SUBST, finish.last], costs['strategy.destruct'] + each);
    if (index < 3)
      add(
        [atom('inversion', name), SUBST, SIMPLIFY, ...crushWith(inversionEnd, 3)],
        costs['strategy.inversion'] + each,
      );
  }
  return candidates;
}

/** Inductions on one target, each with what its cases may need. */
function inductions(
  view: GoalView,
  finish: Finish,
  { ssreflect, costs }: Setting,
  { target, late, add }: { readonly target: InductionTarget; readonly late: number; readonly add: Add },
): void {
  const { introduced, name, induction, fact, derivation } = target;
  const { premises, conclusion } = splitArrows(view.conclusion);
  const general = introduced.length === 0 ? generalised(view, name) : [];
  const ways = general.length === 0 ? [introduced] : [general, []];
  for (const [rank, before] of ways.entries()) {
    const start = [...before, ...induction];
    const cost = late + costs['strategy.not-generalised.more'] * rank;
    add([...start, SIMPLIFY, INTROS, SUBST, finish.last], costs['strategy.induction'] + cost);
    add([...start, ...caseEnding(finish)], costs['strategy.induction.rounds'] + cost);
    if (finish.arithmetic !== undefined && premises.length > 0)
      add([...start, SIMPLIFY, finish.arithmetic], costs['strategy.induction.intuition'] + cost);
    if (premises.some(({ symbol }) => symbol === '=')) {
      const onwards = { ...finish, splits: [...finish.splits, ...ONWARDS] };
      add(
        [...start, INTROS, SIMPLIFY, SUBST, ...crushWith(onwards, ONWARDS_ROUNDS)],
        costs['strategy.induction.onwards'] + cost,
      );
      const [other] = likeObjects(view, name);
      if (other !== undefined)
        add(
          [...start, INTROS, atom('destruct', other), SIMPLIFY, SUBST, ...crushWith(onwards, ONWARDS_ROUNDS)],
          costs['strategy.induction.onwards.both'] + cost,
        );
    }
    if (derivation)
      add(
        [...start, INTROS, solve(atom('eauto'), finish.last)],
        costs['strategy.induction.derivation'] + cost,
      );
    if (conclusion.symbol !== '=')
      add(
        [...start, INTROS, saturate('break-hypotheses'), solve(using('eauto 7', finish.rules), finish.last)],
        costs['strategy.induction.using'] + cost,
      );
    if (choices(conclusion).length === 2)
      add(
        [...start, INTROS, saturate('break-hypotheses'), choose(finish)],
        costs['strategy.choice.induction'] + cost,
      );
    if (isPredicate(conclusion)) {
      add(
        [...start, INTROS, first(derive(2), invertOne(derive(2)))],
        costs['strategy.induction.derive'] + cost,
      );
      add([...start, ...derivationEnding(finish)], costs['strategy.induction.rules'] + cost);
    }
    if (EXISTENTIAL.has(conclusion.symbol))
      add(
        [...start, INTROS, saturate('break-hypotheses'), SUBST, give(finish.last)],
        costs['strategy.induction.witnesses'] + cost,
      );
    if (EXISTENTIAL.has(conclusion.symbol) && premises.length > 0)
      add(
        [...start, INTROS, opening(finish.splits), SUBST, give(finish.last)],
        costs['strategy.induction.witnesses.fed'] + cost,
      );
  }
  const hypothesis = fact ? view.hypotheses.find((other) => other.name === name) : undefined;
  const remembered = hypothesis && rememberedIndices(hypothesis, view);
  if (remembered !== undefined) {
    const { tactics, equations } = remembered;
    const inverting = equations.flatMap((equation) => [atom('inversion', equation), SUBST]);
    const clear = first(atom('discriminate'), sequence(...inverting, finish.last));
    add(
      [...tactics, atom('induction', name), SIMPLIFY, INTROS, clear],
      costs['strategy.induction.remembering'] + late,
    );
  }
  if (ssreflect && introduced.length === 0) {
    const byElimination = atom('by elim:', `${name} => //= *`);
    add([byElimination, atom('rewrite', '?IH //')], costs['strategy.elim'] + late);
    add([byElimination, atom('congruence')], costs['strategy.elim'] + late);
  }
}

/** `forall …, … -> x = y`: a rule by which two objects are one. */
function showsEquals(term: Term): boolean {
  const { bound, premises, conclusion } = splitArrows(term);
  return (
    conclusion.symbol === '=' &&
    premises.length > 0 &&
    conclusion.children.every(({ symbol, children }) => children.length === 0 && bound.includes(symbol))
  );
}
