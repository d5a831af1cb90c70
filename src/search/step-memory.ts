/** What earlier proofs did: each step with the goal it was made on, found again by similarity of goals. */
import type { Goal } from '../core/proof-state.ts';
import { goalFeatures } from './goal-features.ts';
import { viewGoal, type GoalView } from './goal-view.ts';
import { NearestIndex } from './nearest.ts';

export interface RecordedStep {
  readonly goal: Goal;
  /** One tactic without its final dot. */
  readonly tactic: string;
  /** How many steps the proof of this goal took from here, this one included. */
  readonly remaining: number;
  /** Where it comes from: a file path or a library's logical name. */
  readonly origin: string;
  readonly theorem: string;
}

export interface SimilarStep {
  readonly step: RecordedStep;
  readonly view: GoalView;
  /** Similarity of the goals, weighted by how near the origin is. */
  readonly weight: number;
}

const SAME_FILE_FACTOR = 1.25;

export class StepMemory {
  readonly #index = new NearestIndex<RecordedStep>();
  readonly #views = new WeakMap<RecordedStep, GoalView>();
  readonly #closing = new Map<string, number>();
  readonly #frequency = new Map<string, number>();
  readonly #home: string;

  /** `home` is the origin whose steps weigh more: the file that is being proved. */
  constructor(home: string) {
    this.#home = home;
  }

  get size(): number {
    return this.#index.size;
  }

  add(step: RecordedStep): void {
    const view = viewGoal(step.goal);
    this.#index.add(step, goalFeatures(view));
    const mentionsLocal = [...view.locals].some((name) => mentions(step.tactic, name));
    if (mentionsLocal) return;
    this.#frequency.set(step.tactic, (this.#frequency.get(step.tactic) ?? 0) + 1);
    if (step.remaining === 1) this.#closing.set(step.tactic, (this.#closing.get(step.tactic) ?? 0) + 1);
  }

  nearest(view: GoalView, count: number): SimilarStep[] {
    return this.#index.nearest(goalFeatures(view), count).map(({ item, similarity }) => ({
      step: item,
      view: this.#viewOf(item),
      weight: similarity * (item.origin === this.#home ? SAME_FILE_FACTOR : 1),
    }));
  }

  /** Tactics that closed goals without naming anything local, most frequent first. */
  closers(count: number): { tactic: string; uses: number }[] {
    return mostFrequent(this.#closing, count);
  }

  /** Tactics that name nothing local, most frequent first. */
  commonTactics(count: number): { tactic: string; uses: number }[] {
    return mostFrequent(this.#frequency, count);
  }

  #viewOf(step: RecordedStep): GoalView {
    let view = this.#views.get(step);
    if (view === undefined) this.#views.set(step, (view = viewGoal(step.goal)));
    return view;
  }
}

function mentions(tactic: string, name: string): boolean {
  const at = tactic.indexOf(name);
  if (at < 0) return false;
  const before = tactic[at - 1] ?? ' ';
  const after = tactic[at + name.length] ?? ' ';
  return !/[\p{L}\p{N}_']/u.test(before) && !/[\p{L}\p{N}_']/u.test(after);
}

function mostFrequent(
  counts: ReadonlyMap<string, number>,
  count: number,
): { tactic: string; uses: number }[] {
  return [...counts]
    .map(([tactic, uses]) => ({ tactic, uses }))
    .sort((left, right) => right.uses - left.uses || (left.tactic < right.tactic ? -1 : 1))
    .slice(0, count);
}
