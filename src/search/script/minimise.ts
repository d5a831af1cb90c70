/**
 * Makes a found proof smaller while it still passes: one closer for a whole branch, sentences dropped, alternatives of
 * `solve [a | b]` and pieces of `a; b; c` cut to what is needed. Every change is checked by the prover at once.
 */
import type { Tactic } from '../candidates/tactic.ts';
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

/** Changes of one place, the ones that save most first. Each is strictly smaller in sentences or in characters. */
function* smallerTrees(tree: TacticTree, closers: readonly Tactic[]): Generator<TacticTree> {
  if (tacticCount(tree) > 1) for (const closer of closers) yield { tactics: [closer], children: [] };
  const only = tree.children.length === 1 ? tree.children[0] : undefined;
  if (only !== undefined) yield only;
  for (const [index, child] of tree.children.entries())
    for (const smaller of smallerTrees(child, closers))
      yield { ...tree, children: tree.children.with(index, smaller) };
  for (const [index, tactic] of tree.tactics.entries())
    for (const shorter of shorterTactics(tactic))
      yield { ...tree, tactics: tree.tactics.with(index, shorter) };
}
