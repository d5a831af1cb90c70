/**
 * A found proof as the search built it: tactics that follow one another on one goal, then a branch for each goal
 * left.
 */
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { partsOf, tacticText, written, type Tactic } from './tactic.ts';

export interface TacticTree {
  readonly tactics: readonly Tactic[];
  readonly children: readonly TacticTree[];
}

/** The proof as the prover and the file get it. */
export function scriptOf({ tactics, children }: TacticTree): ScriptTree {
  return { sentences: tactics.map(tacticText), children: children.map(scriptOf) };
}

/** A script whose tactics nothing looks into. */
export function writtenTree({ sentences, children }: ScriptTree): TacticTree {
  return { tactics: sentences.map(written), children: children.map(writtenTree) };
}

export function tacticCount({ tactics, children }: TacticTree): number {
  return children.reduce((sum, child) => sum + tacticCount(child), tactics.length);
}

/** Whether a tactic of that name stands anywhere in the proof; an author's text is searched for the word. */
export function usesTactic({ tactics, children }: TacticTree, head: string): boolean {
  const uses = (tactic: Tactic): boolean =>
    tactic.kind === 'atom'
      ? tactic.head === head
      : tactic.kind === 'written'
        ? new RegExp(`\\b${head}\\b`, 'u').test(tactic.text)
        : partsOf(tactic).some(uses);
  return tactics.some(uses) || children.some((child) => usesTactic(child, head));
}
