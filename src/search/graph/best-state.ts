/**
 * The goals that a search in vain came to: the fewest that prove the root together. Of as many it takes those that an
 * induction hypothesis led to, or a step that left others which are solved, computed as far as they were, and not what
 * any step makes of a goal.
 */
import type { Goal } from '../../core/proof-state.ts';
import { usesInductionHypothesis } from '../candidates/authored-tactic.ts';
import type { Costs } from '../candidates/costs.ts';
import { tacticText } from '../candidates/tactic.ts';
import { difficulty } from './goal-cost.ts';
import type { GoalNode, StepNode } from './proof-graph.ts';

/** 0: none. 1: a goal beside it is solved. 2: an induction hypothesis was used. */
type Progress = 0 | 1 | 2;

interface Frontier {
  readonly goals: readonly Goal[];
  /** One of them says the theorem over again. */
  readonly restates: boolean;
  readonly progress: Progress;
  readonly cost: number;
}

/** Goals that are no place to stand at. */
export interface NotAt {
  /** No way goes through them either. */
  readonly isFalse: (goal: Goal) => boolean;
  /** They say what the root says: nothing is reached with them, though much may be behind them. */
  readonly restates: (goal: Goal) => boolean;
}

const NONE: NotAt = { isFalse: () => false, restates: () => false };

/**
 * Where no step came further: the cases of an induction, which say more than the statement does, and without any the
 * goals of the root itself.
 */
export function bestState(
  root: GoalNode,
  costs: Costs,
  { isFalse, restates }: NotAt = NONE,
): readonly Goal[] {
  const known = new Map<string, Frontier>();
  const onTheWay = new Set<GoalNode>();
  const mayHold = ({ children }: StepNode): boolean =>
    children.every((child) => child.solution !== undefined || !child.goals.some(isFalse));
  const frontierOf = (node: GoalNode, progress: Progress): Frontier => {
    const itself: Frontier = {
      ...{ goals: node.goals, progress, cost: node.cost + difficulty(node, costs) },
      restates: node !== root && node.goals.some(restates),
    };
    const key = `${node.id} ${progress}`;
    const before = known.get(key);
    if (before !== undefined || onTheWay.has(node)) return before ?? itself;
    onTheWay.add(node);
    let best: Frontier = itself;
    for (const step of node.steps.filter(mayHold)) {
      const open = step.children.filter((child) => child.solution === undefined);
      const made = Math.max(progress, progressOf(step, open, costs)) as Progress;
      const parts = open.map((child) => frontierOf(child, made));
      const behind: Frontier = {
        goals: parts.flatMap(({ goals }) => goals),
        restates: parts.some((part) => part.restates),
        progress: parts.reduce<Progress>((most, part) => (part.progress > most ? part.progress : most), made),
        cost: parts.reduce((all, part) => all + part.cost, 0),
      };
      const order =
        Number(behind.restates) - Number(best.restates) ||
        behind.goals.length - best.goals.length ||
        best.progress - behind.progress ||
        (best !== itself ? behind.cost - best.cost : progress > 0 && isComputing(step) ? -1 : 0);
      if (order < 0) best = behind;
    }
    onTheWay.delete(node);
    known.set(key, best);
    return best;
  };
  const { goals } = frontierOf(root, 0);
  if (goals !== root.goals) return goals;
  const [cases] = root.steps
    .filter((step) => isInduction(step) && mayHold(step))
    .map(({ children }) =>
      children.flatMap((child) => (child.solution === undefined ? frontierOf(child, 1).goals : [])),
    )
    .sort((one, other) => one.length - other.length);
  return cases ?? goals;
}

function progressOf(
  { tactics, parent, children }: StepNode,
  open: readonly GoalNode[],
  costs: Costs,
): Progress {
  // Backwards, a hypothesis makes of a goal a longer one at will.
  const isSimpler = open.every((child) => difficulty(child, costs) <= difficulty(parent, costs));
  if (isSimpler && tactics.some(usesInductionHypothesis)) return 2;
  return open.length < children.length ? 1 : 0;
}

function isInduction({ tactics }: StepNode): boolean {
  return tactics.some((tactic) => /^induction\b/u.test(tacticText(tactic)));
}

/** Whether it shows a goal as a reader would have it. */
function isComputing({ tactics }: StepNode): boolean {
  return tactics.every((tactic) => /^(?:simpl|cbn)\b/u.test(tacticText(tactic)));
}
