/** What earlier proofs did: each step with the goal it was made on, found again by similarity of goals. */
import { countOf } from '../../core/entry.ts';
import type { Goal } from '../../core/proof-state.ts';
import { goalFeatures, type FeatureVector } from './goal-features.ts';
import { viewGoal, type GoalView } from '../../provers/rocq/goals/goal-view.ts';
import { NearestIndex } from './nearest.ts';
import { tacticWords } from '../../provers/rocq/goals/names.ts';

export interface RecordedStep {
  readonly goal: Goal;
  /** One tactic without its final dot. */
  readonly tactic: string;
  /** How many steps the proof of this goal took from here, this one included. */
  readonly remaining: number;
  /** Where it comes from: a file path or a library's logical name. */
  readonly origin: string;
  /** The step that was made behind it on the first goal it left. */
  next: RecordedStep | undefined;
}

/** A step. Its goal is read only when the step is a neighbour; most never are. */
export interface StoredStep {
  readonly tactic: string;
  readonly remaining: number;
  readonly origin: string;
  /** The tactic names a hypothesis or variable of its goal. */
  readonly mentionsLocal: boolean;
  readonly features: FeatureVector;
  readonly goal: () => Goal;
  next: StoredStep | undefined;
}

export interface SimilarStep {
  readonly step: StoredStep;
  readonly view: GoalView;
  /** Similarity of the goals, weighted by how near the origin is. */
  readonly weight: number;
}

const SAME_FILE_FACTOR = 1.25;
/** These put the goal itself among the hypotheses: only `Qed` shows whether the proof is one. */
const UNGUARDED = /^(?:co)?fix\b/u;

export class StepMemory {
  readonly #index = new NearestIndex<StoredStep>();
  readonly #views = new WeakMap<StoredStep, GoalView>();
  readonly #closing = new Map<string, number>();
  readonly #home: string;

  /** `home` is the origin whose steps weigh more: the file that is being proved. */
  constructor(home: string) {
    this.#home = home;
  }

  add(step: StoredStep): void {
    if (UNGUARDED.test(step.tactic)) return;
    this.#index.add(step, step.features);
    if (step.mentionsLocal || step.remaining !== 1) return;
    const uses = step.origin === this.#home ? 3 : 1;
    this.#closing.set(step.tactic, countOf(this.#closing, step.tactic) + uses);
  }

  nearest(view: GoalView, count: number): SimilarStep[] {
    return this.#index.nearest(goalFeatures(view), count).map(({ item, similarity }) => ({
      step: item,
      view: this.viewOf(item),
      weight: similarity * (item.origin === this.#home ? SAME_FILE_FACTOR : 1),
    }));
  }

  /** Tactics that closed goals without naming anything local, most frequent first. */
  closers(count: number): { tactic: string; uses: number }[] {
    return [...this.#closing]
      .map(([tactic, uses]) => ({ tactic, uses }))
      .sort((left, right) => right.uses - left.uses || (left.tactic < right.tactic ? -1 : 1))
      .slice(0, count);
  }

  viewOf(step: StoredStep): GoalView {
    let view = this.#views.get(step);
    if (view === undefined) this.#views.set(step, (view = viewGoal(step.goal())));
    return view;
  }
}

/** Makes steps that were just recorded ready for a memory, in the same order. */
export function storedSteps(steps: readonly RecordedStep[]): StoredStep[] {
  const stored = new Map(steps.map((step) => [step, storedStep(step)] as const));
  for (const [step, made] of stored) made.next = step.next && stored.get(step.next);
  return [...stored.values()];
}

function storedStep(step: RecordedStep): StoredStep {
  const view = viewGoal(step.goal);
  return {
    tactic: step.tactic,
    remaining: step.remaining,
    origin: step.origin,
    mentionsLocal: tacticWords(step.tactic).some(({ text }) => view.locals.has(text)),
    features: goalFeatures(view),
    goal: () => step.goal,
    next: undefined,
  };
}
