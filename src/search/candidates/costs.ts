/**
 * What it costs to try: every number by which the search weighs one step against another, in one table. A cost is
 * roughly the negative logarithm of the chance that a step is the right one; `…each` is added for each one of a
 * kind that comes before it, `…more` to the cost of something else. The table is a value that the search is given,
 * so that it can be printed, compared and changed for one run (`npm run costs`). Offsets by configuration are in
 * graph/portfolio.ts.
 */
import { QuodError } from '../../core/errors.ts';

export const COSTS = {
  // What the shape of the conclusion suggests.
  'introduce.named': 0.5,
  'introduce.first': 2.2,
  'introduce.all': 0.5,
  'introduce.all.beside-named': 1.5,
  'introduce.opened': 1.2,
  'introduce.negation': 0.8,
  'introduce.inequality': 1.6,
  'bound.induction': 2.0,
  'bound.destruct': 2.8,
  'bound.elim': 2.4,
  'bound.each': 0.25,
  split: 0.5,
  'left-or-right': 1.4,
  'decide-equality': 0.9,
  eexists: 1.6,
  constructor: 2.6,
  econstructor: 3.4,
  simpl: 2.2,
  /** In the cases of an induction nearly always comes first. */
  'simpl.behind-induction': 1.2,
  'simpl.everywhere': 3.0,
  cbn: 3.6,
  subst: 1.5,
  exfalso: 3.2,
  cofix: 1.0,
  reflexivity: 1.2,
  symmetry: 4.2,
  f_equal: 1.8,
  extensionality: 3,
  'boolean.case': 0.9,
  'boolean.split': 0.9,
  'case-subject': 1.2,
  'case-subject.each': 0.4,
  'case-answer': 2.2,
  'case-comparison': 1.1,
  'case-comparison.each': 0.3,

  // What is guessed and proved first: where there is anything to guess, little else helps.
  'conjecture.accumulator': 0.6,
  'conjecture.accumulator.each': 1.2,
  'conjecture.accumulator.of-itself.more': 2,
  'conjecture.accumulator.whole': 0.2,
  'conjecture.general': 0.8,
  'conjecture.general.whole': 0.6,
  /** Taken off: where the hypothesis of the induction was used for it, it is seldom wrong. */
  'conjecture.general.crossed.less': 0.4,
  'conjecture.rule': 0.9,
  'conjecture.rule.whole': 0.7,
  'conjecture.constructor': 1.6,
  'conjecture.constructor.each': 0.6,
  'conjecture.constructor.whole': 0.8,

  // What to give where something is said to exist.
  'exists.behind-own-definition.more': 0.4,
  'exists.behind-library-definition.more': 0.8,
  'witness.object': 1.6,
  'witness.object.each': 0.2,
  'witness.term': 2.2,
  'witness.term.each': 0.15,
  'witness.combined': 2.2,
  'witness.combined.other-way': 2.4,
  'witness.combined.each': 0.3,

  // What can be done with a hypothesis.
  'hypothesis.each': 0.12,
  /** Taken off: a step that can use the induction hypothesis is what the induction was for. */
  'hypothesis.of-induction.less': 0.8,
  /** Nothing but its place among the hypotheses says that it states something. */
  'hypothesis.doubtful.more': 0.3,
  'object.destruct': 2.8,
  'object.induction': 3.0,
  'object.induction.generalised': 3.1,
  'object.induction.with-dependents': 3.4,
  'object.induction.deep': 2.9,
  'fact.conjunction': 0.8,
  'fact.equivalence': 1.8,
  'fact.disjunction': 1.1,
  'fact.existential': 0.8,
  'fact.false': 0.1,
  'fact.inversion': 2.6,
  'fact.destruct': 2.6,
  'fact.induction': 3.0,
  'fact.induction.remembering': 3.3,
  'fact.negation': 2.2,
  'equation.discriminate': 3.0,
  'equation.injection': 3.0,
  'equation.inversion': 3.2,
  'equation.rewrite': 1.5,
  'equation.rewrite.back': 2.3,
  'equation.rewrite.in': 3.0,
  'hypothesis.choice': 1.8,
  'hypothesis.choice.each': 0.3,
  'hypothesis.apply': 1.2,
  'hypothesis.eapply': 1.7,
  'hypothesis.apply.in': 2.4,
  'hypothesis.hidden-rule.own': 1.9,
  'hypothesis.hidden-rule.library': 2.6,
  'hypothesis.hidden-rule.eapply.more': 0.3,
  'hypothesis.hidden-rule.in.more': 1,

  // Unfolding.
  'red.own': 2.2,
  'red.library': 3.4,
  'red.intros.own': 2.0,
  'red.intros.library': 3.2,
  'unfold.logical': 1.7,
  'unfold.own.together': 2.0,
  'unfold.own.together.everywhere': 2.5,
  'unfold.own': 2.0,
  'unfold.library': 3.2,
  'unfold.each': 0.3,
  'unfold.in-hypotheses.more': 0.7,
  /** Unfolding what abbreviates a type shows nothing new. */
  'unfold.type.more': 2,

  // Strategies: many steps in one sentence that closes the goal.
  'strategy.target.each': 0.5,
  'strategy.not-generalised.more': 0.3,
  'strategy.induction': 2.2,
  'strategy.induction.rounds': 2.4,
  'strategy.induction.derivation': 1.8,
  'strategy.induction.using': 2.5,
  'strategy.induction.derive': 2.0,
  'strategy.induction.rules': 2.1,
  'strategy.induction.onwards': 2.0,
  'strategy.induction.onwards.both': 2.1,
  'strategy.induction.witnesses': 1.9,
  'strategy.induction.witnesses.fed': 1.7,
  'strategy.induction.intuition': 2.1,
  'strategy.induction.remembering': 2.4,
  'strategy.elim': 3,
  'strategy.unfolded.eauto': 1.2,
  'strategy.unfolded.refute': 1.3,
  'strategy.unfolded.derive': 1.5,
  'strategy.unfolded.firstorder': 1.6,
  'strategy.unfolded.firstorder.longer': 3.6,
  'strategy.derive': 1.4,
  'strategy.derive.inverting': 2.4,
  'strategy.choice': 1.3,
  'strategy.choice.induction': 1.7,
  'strategy.simplify': 2.2,
  'strategy.roll-out': 2.0,
  'strategy.rounds': 2.6,
  'strategy.merge-equals': 2.0,
  'strategy.witnesses': 0.9,
  'strategy.computed-witnesses': 0.8,
  'strategy.computed-witnesses.automation': 1.6,
  'strategy.computed-instances': 1.2,
  'strategy.destruct': 2.8,
  'strategy.inversion': 3.1,
  'strategy.case.each': 0.2,
  'strategy.lemmas-once': 1.5,
  'strategy.lemmas-once.each': 1,
  'strategy.lemmas-once.use.each': 0.1,
  'strategy.rewrite-chain': 3,
  'strategy.rewrite-chain.each': 0.8,
  /** Early: each rewrite of it fails at once. */
  'strategy.rewrite-best': 1.6,
  'strategy.answers': 1.2,
  'strategy.one-result': 1.2,
  'strategy.ground-laws': 0.7,
  'strategy.ground-laws.more': 1.6,
  'strategy.normal-form': 1.5,
  'strategy.mutual-induction': 0.8,
  'strategy.eauto-using': 2.6,
  'strategy.eauto-using.each': 0.8,
  'strategy.instances': 2.3,
  'strategy.instances.each': 0.8,

  // Lemmas in scope. The logarithm of the rank is added to the first.
  lemma: 1.8,
  'lemma.dissimilar.more': 1.5,
  'lemma.apply.more': 0,
  'lemma.eapply.with-premises.more': 0.6,
  'lemma.eapply.without-premises.more': 1.2,
  'lemma.equivalence.more': 0.2,
  'lemma.rewrite.more': 0,
  'lemma.rewrite.back.more': 1.2,
  'lemma.rewrite.in.also-in-goal.more': 1.4,
  'lemma.rewrite.in.more': 0.8,
  'lemma.rewrite.boolean.more': 0.5,
  'lemma.rewrite.proposition.more': 2,
  'lemma.rewrite.setoid.more': 0.8,
  'lemma.apply.in.more': 1.2,
  'lemma.hidden-rule.more': 0.3,
  'lemma.hidden-rule.in.more': 0.6,
  'lemma.instance': 3.8,
  'lemma.instance.each': 0.3,
  'lemma.forward.refuting': 2.0,
  'lemma.forward': 2.8,
  'lemma.forward.each': 0.2,

  // Steps of earlier proofs. The first is a factor on the logarithm of the neighbours' share.
  'reuse.share.factor': 0.8,
  'reuse.following': 0.4,
  'reuse.other-lemma.more': 1.2,
  'reuse.other-lemma.each': 0.3,

  // What carrying a tactic over to another goal had to guess. The factor is on what the guesses add up to.
  'adapted.fresh-names.more': 0.2,
  'adapted.unplaced-name.each': 1.5,
  'adapted.penalty.factor': 0.7,
  'adapted.as-it-stood.more': 0.3,
  'adapted.alternative.each': 0.6,

  // Automation.
  'automation.done': 0.4,
  'automation.auto': 0.5,
  'automation.easy': 0.9,
  'automation.congruence': 1.0,
  'automation.lia': 1.0,
  'automation.lra': 1.4,
  'automation.eauto': 1.3,
  'automation.ring': 1.8,
  'automation.field': 2.4,
  'automation.tauto': 1.6,
  'automation.set_solver': 1.8,
  'automation.naive_solver': 2.2,
  'automation.intuition-eauto': 2.4,
  'automation.intuition-congruence': 2.9,
  'automation.intuition-lia': 2.7,
  'automation.nia': 3.0,
  'automation.nra': 3.2,
  'automation.firstorder': 3.0,
  'automation.kat': 2.0,
  'automation.ra': 1.6,
  'automation.lattice': 1.6,
  'automation.sauto': 3.2,
  'automation.hauto': 3.0,
  'automation.sfirstorder': 2.8,
  'automation.hammer': 5,
  'automation.eauto-with-arith': 2.6,
  'automation.auto-with-all': 3.0,
  'automation.typeclasses-eauto': 3.2,
  'automation.apply-anything': 3.0,
  'automation.compute': 3.4,
  'automation.of-the-project': 1.0,
  'automation.of-the-project.each': 0.15,
  'automation.longer.more': 3,
  'automation.longest.more': 5.5,
  /** Dearer automation ends no strategy. */
  'automation.finisher.limit': 1.05,
  /** Dearer automation closes no branch of a proof that is being made shorter. */
  'automation.short-closer.limit': 1.4,

  // The order in which goals and candidates are taken up.
  /** A second induction inside a first is seldom what a proof needs. */
  'induction.nested.each': 1.5,
  'candidate.put-off.more': 3,
  'candidate.second-chance.more': 3,
  /** Added to the cost of a goal for each sibling that has to be solved too. */
  'goal.sibling.each': 0.7,
  /** Taken off: the goal for which the induction was made. */
  'goal.by-induction-hypothesis.less': 1.5,
  /** An unfolded recursive function can seldom be worked with. */
  'goal.bare-fixpoint.more': 3,
  /** For each doubling of the size of the conclusion. */
  'goal.size.each': 0.15,
  'goal.beside.each': 0.3,
  /** A way to a known goal counts when it is this much cheaper. */
  'goal.cheaper-way.least': 0.5,
} as const satisfies Readonly<Record<string, number>>;

export type CostName = keyof typeof COSTS;

export type Costs = Readonly<Record<CostName, number>>;

/** The table with other numbers for some names. @throws QuodError `invalid-input` for a name that is not in it. */
export function costsWith(changes: Readonly<Record<string, number>>): Costs {
  for (const [name, cost] of Object.entries(changes)) {
    if (!Object.hasOwn(COSTS, name))
      throw new QuodError('invalid-input', `The search has no cost named ${name}.`, {
        remedy: '`npm run costs` prints all names.',
      });
    if (!Number.isFinite(cost)) throw new QuodError('invalid-input', `${name} needs a number as its cost.`);
  }
  return { ...COSTS, ...changes };
}

/** One line for each cost, in the order of the table. */
export function costLines(costs: Costs): string[] {
  return Object.entries(costs).map(([name, cost]) => `${name}\t${cost}`);
}
