/** Steps of earlier proofs on similar goals, carried over to this one. */
import { orZero } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import { adaptTactic, namesIntroduced, substitute } from './adapt.ts';
import { candidate, STEP_TIMEOUT_MS, type Candidate, type Ingredient, type Knowledge } from './candidate.ts';
import type { Costs } from './costs.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import type { SimilarStep, StoredStep } from '../../retrieval/lexical/step-memory.ts';
import { recursUnseen } from './recursion.ts';
import { tacticWords } from '../../provers/rocq/goals/names.ts';
import { written } from './tactic.ts';

const NEIGHBOURS = 60;
const SUBSTITUTED = 12;
const LEMMA_ALTERNATIVES = 6;
/**
 * Similarities are sharpened by this power before they become shares: near neighbours say far more than distant
 * ones.
 */
const SHARPNESS = 3;

export interface ReuseResult {
  readonly candidates: readonly Candidate[];
  /** Lemma names that the neighbours' tactics mention, with their share of the neighbours' weight. */
  readonly lemmaVotes: ReadonlyMap<string, number>;
}

export function reuseCandidates(
  view: GoalView,
  knowledge: Knowledge,
  off: ReadonlySet<Ingredient>,
): ReuseResult {
  const neighbours = knowledge.steps
    .nearest(view, NEIGHBOURS)
    .filter(({ step }) => !recursUnseen(step.tactic));
  const votes = new Map<string, number>();
  const found = new Map<string, { weight: number; penalty: number; source: StoredStep }>();
  let total = 0;
  for (const neighbour of neighbours) {
    const weight = neighbour.weight ** SHARPNESS;
    total += weight;
    const words = tacticWords(neighbour.step.tactic);
    for (const word of new Set(words.map(({ text }) => text)))
      if (!neighbour.view.locals.has(word) && knowledge.lemmas.find(word) !== undefined)
        votes.set(word, orZero(votes.get(word)) + weight);
    for (const adapted of variants(neighbour, view, knowledge.costs, off)) {
      const known = found.get(adapted.text);
      if (known === undefined)
        found.set(adapted.text, { weight, penalty: adapted.penalty, source: neighbour.step });
      else {
        known.weight += weight;
        known.penalty = Math.min(known.penalty, adapted.penalty);
      }
    }
  }
  if (total === 0) return { candidates: [], lemmaVotes: votes };
  const candidates: Candidate[] = [...found].map(([text, { weight, penalty, source }]) =>
    candidate(written(text), {
      cost: -Math.log(weight / total) * knowledge.costs['reuse.share.factor'] + penalty,
      timeoutMs: STEP_TIMEOUT_MS,
      ingredient: 'reuse',
      source,
    }),
  );
  if (!off.has('adaptation')) appendAll(candidates, substitutions(neighbours, view, knowledge, total));
  for (const [name, weight] of votes) votes.set(name, weight / total);
  return { candidates, lemmaVotes: votes };
}

/** What came next in the proofs whose steps led to this goal. */
export function followingCandidates(
  following: readonly StoredStep[],
  view: GoalView,
  knowledge: Knowledge,
  off: ReadonlySet<Ingredient>,
): Candidate[] {
  const usable = following.filter(({ tactic }) => !recursUnseen(tactic));
  return usable.flatMap((step) =>
    variants({ step, view: knowledge.steps.viewOf(step), weight: 1 }, view, knowledge.costs, off).map(
      ({ text, penalty }) =>
        candidate(written(text), {
          cost: knowledge.costs['reuse.following'] + penalty,
          timeoutMs: STEP_TIMEOUT_MS,
          ingredient: 'reuse',
          source: step,
        }),
    ),
  );
}

function variants(
  neighbour: SimilarStep,
  view: GoalView,
  costs: Costs,
  off: ReadonlySet<Ingredient>,
): { text: string; penalty: number }[] {
  if (off.has('adaptation')) return [{ text: neighbour.step.tactic, penalty: 0 }];
  return adaptTactic(neighbour.step.tactic, neighbour.view, view, costs);
}

/** The same tactic with another lemma: one that is stated like the old one and shares symbols with this goal. */
function substitutions(
  neighbours: readonly SimilarStep[],
  view: GoalView,
  knowledge: Knowledge,
  total: number,
): Candidate[] {
  const { costs } = knowledge;
  const candidates = new Map<string, Candidate>();
  const near = new Map(
    knowledge.lemmas.similarToGoal(view, 60).map(({ lemma, score }) => [lemma.name, score] as const),
  );
  for (const neighbour of neighbours.slice(0, SUBSTITUTED)) {
    const base = adaptTactic(neighbour.step.tactic, neighbour.view, view, costs)[0];
    if (base === undefined) continue;
    const words = tacticWords(base.text);
    const introduced = namesIntroduced(base.text);
    const lemmas = [...new Set(words.map(({ text }) => text))].flatMap((word) => {
      const local = view.locals.has(word) || introduced.has(word);
      const lemma = local ? undefined : knowledge.lemmas.find(word);
      return lemma === undefined ? [] : [{ word, lemma }];
    });
    if (lemmas.length === 0 || lemmas.length > 3) continue;
    const share = -Math.log(neighbour.weight ** SHARPNESS / total) * costs['reuse.share.factor'];
    for (const { word, lemma } of lemmas) {
      const ranked = knowledge.lemmas
        .similarTo(lemma, 40)
        .map((like) => ({
          name: like.lemma.name,
          score: like.score * 0.5 + orZero(near.get(like.lemma.name)),
        }))
        .sort((left, right) => right.score - left.score)
        .slice(0, LEMMA_ALTERNATIVES);
      for (const [rank, { name, score }] of ranked.entries()) {
        if (score < 0.15) continue;
        const text = substitute(base.text, words, new Map([[word, name]]));
        const cost =
          share + base.penalty + costs['reuse.other-lemma.more'] + costs['reuse.other-lemma.each'] * rank;
        const known = candidates.get(text);
        if (known === undefined || known.cost > cost)
          candidates.set(
            text,
            candidate(written(text), {
              cost,
              timeoutMs: STEP_TIMEOUT_MS,
              ingredient: 'adaptation',
              source: neighbour.step,
            }),
          );
      }
    }
  }
  return [...candidates.values()];
}
