/**
 * Makes a found proof smaller while it still passes: one closer for a whole branch, sentences dropped, alternatives of
 * `solve [a | b]` and pieces of `a; b; c` cut to what is needed. Every change is checked by the prover at once.
 */
import type { Tactic } from '../candidates/tactic.ts';
import { tacticText } from '../candidates/tactic.ts';
import { scriptOf, tacticCount, type TacticTree } from '../candidates/tactic-tree.ts';
import type { ScriptChecker } from './script-checker.ts';
import { shorterTactics } from './shorter-tactics.ts';

export interface MinimiseOptions {
  /** Tactics that may close a whole branch, the most welcome first. */
  readonly closers: readonly Tactic[];
  /** How many changed proofs may be tried. */
  readonly attempts: number;
  /** Milliseconds of the prover's work (`ScriptChecker.workedMs`) after which nothing is tried. */
  readonly workMs: number | undefined;
  readonly signal: AbortSignal;
}

export async function minimise(
  tree: TacticTree,
  checker: ScriptChecker,
  options: MinimiseOptions,
): Promise<TacticTree> {
  // What is measured has no place in a run that can be repeated.
  const stepMs = options.workMs === undefined ? undefined : checker.stepMsFor(scriptOf(tree));
  const end = checker.workedMs + (options.workMs ?? Infinity);
  let best = tree;
  let attempts = 0;
  for (let changed = true; changed;) {
    changed = false;
    for (const smaller of smallerTrees(best, options.closers)) {
      if (attempts >= options.attempts || checker.workedMs > end || options.signal.aborted) return best;
      attempts += 1;
      if (await checker.passes(smaller, stepMs)) {
        best = smaller;
        changed = true;
        break;
      }
    }
  }
  return best;
}

/** The tactic with which all branches end; undefined where they end otherwise, or there are none. */
function commonEnd(tree: TacticTree): Tactic | undefined {
  if (tree.children.length === 0) return undefined;
  const ends = leavesOf(tree).map(({ tactics }) => tactics.at(-1));
  const [first] = ends;
  if (first === undefined) return undefined;
  const text = tacticText(first);
  return ends.every((one) => one !== undefined && tacticText(one) === text) ? first : undefined;
}

function leavesOf(tree: TacticTree): TacticTree[] {
  return tree.children.length === 0 ? [tree] : tree.children.flatMap(leavesOf);
}

/** Without the step that leaves branches: its goal may need no more than one of them does, and others are in focus, too. */
function* withoutLast({ tactics, children }: TacticTree): Generator<TacticTree> {
  if (children.length < 2 || tactics.length === 0) return;
  for (const fewer of children.keys())
    if (children.length - fewer > 1) yield { tactics: tactics.slice(0, -1), children: children.slice(fewer) };
}

/** Changes of one place, the ones that save most first. Each is strictly smaller in sentences or in characters. */
function* smallerTrees(tree: TacticTree, closers: readonly Tactic[]): Generator<TacticTree> {
  if (tacticCount(tree) > 1) for (const closer of closers) yield { tactics: [closer], children: [] };
  const end = commonEnd(tree);
  if (tacticCount(tree) > 1 && end !== undefined && !closers.includes(end))
    yield { tactics: [end], children: [] };
  yield* withoutLast(tree);
  const only = tree.children.length === 1 ? tree.children[0] : undefined;
  if (only !== undefined) yield only;
  for (const [index, child] of tree.children.entries())
    for (const smaller of smallerTrees(child, closers))
      yield { ...tree, children: tree.children.with(index, smaller) };
  for (const [index, tactic] of tree.tactics.entries())
    for (const shorter of shorterTactics(tactic))
      yield { ...tree, tactics: tree.tactics.with(index, shorter) };
}
