/**
 * What an author would rather write in one place of a proof. Each is a guess by the text alone, and most are wrong: the
 * prover is asked about all of them. Every change makes the proof smaller in the order of {@link isPlainer}, so
 * there is an end to them.
 */
import { scriptSentences, sentenceCount, type ScriptTree } from '../../../provers/rocq/syntax/script-tree.ts';
import { splitTopLevel } from '../../candidates/authored-tactic.ts';
import { eliminated } from './eliminations.ts';
import { fewerPieces, withoutCases, withoutGroups } from './fewer-steps.ts';
import type { WantedStyle } from './file-style.ts';
import { finishedAtOnce, joinedBranches, sharedBeginnings } from './joined-branches.ts';
import { joinedSentences, plainlyClosed, withoutDetours } from './joined-sentences.ts';
import { PLAIN_CLOSERS, plainerSentences, withoutBrackets } from './plainer-sentences.ts';

/** Scripts with one place changed, the changes that matter most first, behind what is nearly always one for all places. */
export function* plainerScripts(script: ScriptTree, wantedStyle: WantedStyle): Generator<ScriptTree> {
  const bare = everywhere(script, withoutBrackets);
  if (scriptSentences(bare).join(' ') !== scriptSentences(script).join(' ')) yield bare;
  yield* changedScripts(script, wantedStyle);
}

function everywhere({ sentences, children }: ScriptTree, change: (sentence: string) => string): ScriptTree {
  return { sentences: sentences.map(change), children: children.map((child) => everywhere(child, change)) };
}

function* changedScripts(script: ScriptTree, wantedStyle: WantedStyle): Generator<ScriptTree> {
  const { sentences, children } = script;
  yield* withoutCases(script);
  yield* eliminated(script, wantedStyle);
  for (const [index, sentence] of sentences.entries())
    for (const plain of plainerSentences(sentence))
      yield { ...script, sentences: sentences.with(index, plain) };
  for (const shorter of withoutDetours(sentences, wantedStyle)) yield { ...script, sentences: shorter };
  for (const joined of joinedSentences(sentences, wantedStyle)) yield { ...script, sentences: joined };
  if (children.length === 0)
    for (const closed of plainlyClosed(sentences, wantedStyle)) yield { sentences: closed, children };
  yield* finishedAtOnce(script, wantedStyle);
  yield* joinedBranches(script, wantedStyle);
  for (const [index, child] of children.entries())
    for (const plain of changedScripts(child, wantedStyle))
      yield { ...script, children: children.with(index, plain) };
  yield* sharedBeginnings(script, wantedStyle);
  for (const [index, sentence] of sentences.entries())
    for (const fewer of fewerPieces(sentence, wantedStyle.style))
      yield { ...script, sentences: sentences.with(index, fewer) };
  for (const fewer of withoutGroups(sentences, wantedStyle.style)) yield { ...script, sentences: fewer };
}

/** The same script with what follows one another on one goal in one list. */
export function flattened({ sentences, children }: ScriptTree): ScriptTree {
  const inner = children.map(flattened);
  const [only] = inner;
  if (only === undefined || inner.length > 1) return { sentences, children: inner };
  return { sentences: [...sentences, ...only.sentences], children: only.children };
}

/** Fewer sentences, or as many and fewer characters, where automation without names is as good as `auto`. */
export function isPlainer(one: ScriptTree, other: ScriptTree): boolean {
  const difference = sentenceCount(one) - sentenceCount(other);
  return difference === 0 ? weightOf(one) < weightOf(other) : difference < 0;
}

function weightOf(script: ScriptTree): number {
  return scriptSentences(script)
    .flatMap((sentence) => splitTopLevel(sentence.replace(/\.$/u, ''), ';'))
    .reduce((weight, piece) => weight + weightOfPiece(piece), 0);
}

function weightOfPiece(piece: string): number {
  return PLAIN_CLOSERS.includes(piece) ? 'auto'.length : piece.length + 1;
}
