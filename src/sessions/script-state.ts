/**
 * A state of a prover, named by what leads to it: the context in which a file is run and the sentences run so far. The
 * name is a hash, so equal beginnings of two files, two versions of a file or two clients' sessions are the same
 * states, and whichever prover holds one can serve all of them. A state is never invalid: a prover that has lost it
 * runs the sentences again.
 */
import { createHash } from 'node:crypto';

export interface ScriptState {
  /** Hash of the context and of all sentences. */
  readonly key: string;
  readonly parent: ScriptState | undefined;
  /** The sentence that leads here from the parent; empty at a root. */
  readonly sentence: string;
  /** Number of sentences from the root. */
  readonly depth: number;
  /** The context in which the sentences are run. */
  readonly context: ScriptContext;
  /** Key of the state before the first sentence. */
  readonly rootKey: string;
}

/** What a prover must know before the first sentence. Two files of one project and name have one context. */
export interface ScriptContext {
  /** Absolute path of the file; it decides the load path and the name of the library. */
  readonly file: string;
  /** Hash of what the load path holds as far as the prover reads it at a `Require`; equal means interchangeable. */
  readonly libraries: string;
}

export function rootState(context: ScriptContext): ScriptState {
  const key = createHash('sha256').update(JSON.stringify(context)).digest('base64url');
  return { key, parent: undefined, sentence: '', depth: 0, context, rootKey: key };
}

export function stateAfter(parent: ScriptState, sentence: string): ScriptState {
  // 43 characters of the parent's key and a separator: no two (key, sentence) pairs are hashed alike.
  const key = createHash('sha256').update(parent.key).update('\0').update(sentence).digest('base64url');
  const { context, rootKey } = parent;
  return { key, parent, sentence, depth: parent.depth + 1, context, rootKey };
}

/** The states after each of the sentences, the last one last. */
export function statesAfter(start: ScriptState, sentences: readonly string[]): ScriptState[] {
  let state = start;
  return sentences.map((sentence) => (state = stateAfter(state, sentence)));
}

/** The sentences that lead to a state from the nearest state behind it that is a start, or from the root. */
export function sentencesTo(
  state: ScriptState,
  isStart: (state: ScriptState) => boolean,
): { readonly start: ScriptState; readonly sentences: readonly string[] } {
  const sentences: string[] = [];
  let at = state;
  while (at.parent !== undefined && !isStart(at)) {
    sentences.push(at.sentence);
    at = at.parent;
  }
  return { start: at, sentences: sentences.reverse() };
}
