/** What the run of a proof showed: each sentence with the proof states before and behind it. */
import type { Goal, ProofState } from '../../core/proof-state.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import { asSentence, onlyFocuses } from '../../provers/rocq/syntax/sentences.ts';

export interface TracedSentence {
  /** The proof state before the sentence. */
  readonly before: ProofState;
  /** The sentence without its final dot. */
  readonly tactic: string;
  readonly after: ProofState | null;
  /** Steps inside a compound tactic, on the goals that they met. */
  readonly inner: readonly { readonly goal: Goal; readonly tactic: string }[];
}

/** Runs a proof from the state where it begins, and watches what each sentence does. */
export async function traceOf(
  session: ProverSession,
  start: StateId,
  sentences: readonly string[],
  signal: AbortSignal,
): Promise<TracedSentence[]> {
  const trace: TracedSentence[] = [];
  let state = start;
  let before = await session.goals(start);
  for (const sentence of sentences) {
    const result = await session.run(state, asSentence(sentence), { signal, withGoals: true });
    if (result.status !== 'done' || before === null) break;
    const after = result.proof ?? null;
    if (!onlyFocuses(sentence))
      trace.push({ before, tactic: sentence.replace(/\.$/u, ''), after, inner: [] });
    state = result.state;
    before = after;
  }
  return trace;
}
