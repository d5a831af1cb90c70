/**
 * A long chain of steps with fewer of them: groups are left out, at first large ones, then smaller, as long as the proof
 * still passes. It comes before a chain is written out, which would take as many sentences as it has steps.
 */
import { sequence, type Tactic } from '../candidates/tactic.ts';
import { scriptOf, type TacticTree } from '../candidates/tactic-tree.ts';
import type { ScriptChecker } from './script-checker.ts';

/** Shorter chains are written out and lose their steps one by one. */
const LONG = 12;
const MOST_ATTEMPTS = 150;
/** Pieces at the end of a chain that stay. */
const KEPT = 2;

/** @param workMs Of the prover's work, after which nothing is tried. */
export async function withoutPieces(
  tree: TacticTree,
  checker: ScriptChecker,
  workMs: number | undefined,
): Promise<TacticTree> {
  const stepMs = workMs === undefined ? undefined : checker.stepMsFor(scriptOf(tree));
  const latest = checker.workedMs + (workMs ?? Infinity);
  let best = tree;
  let attempts = 0;
  for (const path of longChains(tree, [])) {
    const all = piecesAt(best, path);
    // What sets things aside for the end keeps every try short.
    const end = all.slice(-KEPT);
    let pieces = all.slice(0, -KEPT);
    for (let size = pieces.length >> 1; size > 0; size = Math.min(size >> 1, pieces.length))
      for (let start = 0; start < pieces.length;) {
        if (attempts >= MOST_ATTEMPTS || checker.workedMs > latest) return best;
        attempts += 1;
        const fewer = pieces.toSpliced(start, size);
        const smaller = replacedAt(best, path, sequence(...fewer, ...end));
        if (await checker.passes(smaller, stepMs)) {
          best = smaller;
          pieces = fewer;
        } else start += size;
      }
  }
  return best;
}

/** Which child of which, and which of its tactics at the end. */
type Path = readonly number[];

function longChains({ tactics, children }: TacticTree, before: Path): readonly Path[] {
  return [
    ...tactics.flatMap((tactic, index) =>
      tactic.kind === 'sequence' && tactic.parts.length > LONG ? [[...before, index]] : [],
    ),
    ...children.flatMap((child, index) => longChains(child, [...before, index])),
  ];
}

function piecesAt({ tactics, children }: TacticTree, [index = 0, ...rest]: Path): readonly Tactic[] {
  const child = children[index];
  if (rest.length > 0) return child === undefined ? [] : piecesAt(child, rest);
  const tactic = tactics[index];
  return tactic?.kind === 'sequence' ? tactic.parts : tactic === undefined ? [] : [tactic];
}

function replacedAt(tree: TacticTree, [index = 0, ...rest]: Path, tactic: Tactic): TacticTree {
  if (rest.length === 0) return { ...tree, tactics: tree.tactics.with(index, tactic) };
  const child = tree.children[index];
  if (child === undefined) return tree;
  return { ...tree, children: tree.children.with(index, replacedAt(child, rest, tactic)) };
}
