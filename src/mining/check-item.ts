/** Checks an item where its theorem stands: states it as a lemma of its own, runs the proof, closes it with `Qed`. */
import { entryAt } from '../core/entry.ts';
import type { Goal, Hypothesis } from '../core/proof-state.ts';
import { QuodError } from '../core/errors.ts';
import type { ProverSession, ScriptResult, StateId, StepOptions } from '../core/prover.ts';
import { type Sentence, splitSentences, asSentence } from '../provers/rocq/syntax/sentences.ts';
import { itemScript, type Failure, type Item } from './item.ts';
import { readsSame } from './statement.ts';

export type CheckedItem =
  | { readonly kind: 'checked'; readonly state: StateId }
  | { readonly kind: 'failed'; readonly why: Failure; readonly message: string };

export interface CheckPlace {
  readonly session: ProverSession;
  readonly section: readonly Hypothesis[];
  readonly signal: AbortSignal;
}

/** Runs the item behind `state`, which is left as it is; what is behind the item is the answer's state. */
export async function checkItem(
  { session, section, signal }: CheckPlace,
  {
    state,
    item,
    goal,
    timeoutMs,
  }: {
    readonly state: StateId;
    readonly item: Pick<Item, 'name' | 'statement' | 'proof'>;
    readonly goal: Goal;
    readonly timeoutMs: number;
  },
): Promise<CheckedItem> {
  const { sentences } = splitSentences(itemScript(item));
  const [statement = asSentence(''), ...script] = sentences;
  const opened = await session.run(state, statement, {
    timeoutMs,
    signal,
    expected: true,
    withGoals: true,
  });
  if (opened.status === 'unknown') return { kind: 'failed', why: 'timeout', message: opened.message };
  if (opened.status === 'failed')
    return { kind: 'failed', why: 'statement-refused', message: opened.error.message };
  const [read] = opened.proof?.goals ?? [];
  if (read === undefined || !readsSame(goal, read, section))
    return { kind: 'failed', why: 'reads-differently', message: statement.text };
  const { index, result } = await runAll(session, opened.state, script, { timeoutMs, signal });
  switch (result.status) {
    case 'unknown':
      return { kind: 'failed', why: 'timeout', message: result.message };
    case 'failed':
      return {
        kind: 'failed',
        why: index === script.length - 1 ? 'not-closed' : 'proof-refused',
        message: `${entryAt(script, index, 'sentence').text}: ${result.error.message}`,
      };
    case 'done':
      return { kind: 'checked', state: result.state };
  }
}

async function runAll(
  session: ProverSession,
  from: StateId,
  sentences: readonly Sentence[],
  options: StepOptions,
): Promise<ScriptResult> {
  if (session.runAll !== undefined) return await session.runAll(from, sentences, options);
  let at = from;
  for (const [index, sentence] of sentences.entries()) {
    const result = await session.run(at, sentence, { ...options, expected: true });
    if (result.status !== 'done' || index === sentences.length - 1) return { index, result };
    at = result.state;
  }
  throw new QuodError('invalid-input', 'A script needs a sentence.');
}
