/**
 * What is left of a found proof without the statements that it is not to rest on. A step that names one is often not
 * needed: whoever posed a lemma may have finished without it. Most of what is tried here is wrong, and the prover is
 * asked about all of it.
 */
import type { ScriptTree } from '../../provers/rocq/syntax/script-tree.ts';
import { tacticText, written } from '../candidates/tactic.ts';
import { shorterTactics } from './shorter-tactics.ts';

const MOST_TRIED = 60;

/** The ones that drop whole steps first. Nothing where a step cannot be left out. */
export function* withoutStatements(
  script: ScriptTree,
  isAvoided: (text: string) => boolean,
): Generator<ScriptTree> {
  let left = MOST_TRIED;
  for (const fewer of variants(script, isAvoided)) {
    if (left === 0) return;
    left -= 1;
    yield fewer;
  }
}

function* variants(script: ScriptTree, isAvoided: (text: string) => boolean): Generator<ScriptTree> {
  const { sentences, children } = script;
  const at = sentences.findIndex(isAvoided);
  const sentence = sentences[at];
  if (sentence !== undefined) {
    // Of a step that leaves several goals each has its own steps: without it there is no place for them.
    if (at < sentences.length - 1 || children.length < 2)
      yield* variants({ children, sentences: sentences.toSpliced(at, 1) }, isAvoided);
    for (const shorter of shorterTactics(written(sentence))) {
      const text = tacticText(shorter);
      if (!isAvoided(text)) yield* variants({ children, sentences: sentences.with(at, text) }, isAvoided);
    }
    return;
  }
  const inner = children.findIndex((child) => hasAvoided(child, isAvoided));
  const child = children[inner];
  if (child === undefined) {
    yield script;
    return;
  }
  for (const fewer of variants(child, isAvoided))
    yield* variants({ sentences, children: children.with(inner, fewer) }, isAvoided);
}

export function hasAvoided(
  { sentences, children }: ScriptTree,
  isAvoided: (text: string) => boolean,
): boolean {
  return sentences.some(isAvoided) || children.some((child) => hasAvoided(child, isAvoided));
}
