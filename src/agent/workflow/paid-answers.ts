/**
 * When the budget ends, what was paid for is looked at once more: a proof may stand in an answer that nobody came to
 * check, such as a plan, or the last of several calls. What was checked before is not checked again.
 */
import { BudgetExhausted } from '../budget.ts';
import { CONVENTIONS, hasHoles, proofIn, wholeProofOf, withoutThoughts } from '../prover-conventions.ts';
import type { EventOf } from '../runs/events.ts';
import type { Target } from '../target.ts';
import { RecordedToolSession } from './recorded-tool-session.ts';
import { judge } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/**
 * Nothing where no time is left: the proof is checked when the run goes on.
 * @returns the first proof that the gate accepts.
 * @throws QuodError `interrupted` and what else ends a run but its budget.
 */
export async function provedByPaid(run: RunContext, target: Target): Promise<EventOf<'judged'> | undefined> {
  const toolSession = new RecordedToolSession(run, target);
  try {
    for (const { key, proof } of uncheckedProofs(run, target)) {
      const name = CONVENTIONS[target.prover].checkTool;
      const answer = await toolSession.call(key, { id: key, name, input: JSON.stringify({ proof }) });
      if (answer.proof === null) continue;
      const judged = await judge(run, target, key, answer.proof);
      if (judged.verdict === 'accepted') return judged;
    }
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
  } finally {
    await toolSession.close();
  }
  return undefined;
}

/** In the order in which they came. */
function uncheckedProofs(
  { eventLog }: RunContext,
  { theorem, prover }: Target,
): { readonly key: string; readonly proof: string }[] {
  const { checkTool } = CONVENTIONS[prover];
  const known = new Set([
    ...eventLog
      .recordedUnder('tool-answered', `${theorem}/`)
      .flatMap(({ tool, input }) => (tool === checkTool ? proofOfCall(input) : [])),
    ...eventLog.recordedUnder('judged', `${theorem}/`).map(({ proof }) => proof),
  ]);
  const unchecked: { readonly key: string; readonly proof: string }[] = [];
  for (const { key, text, calls } of eventLog.recordedUnder('model-answered', `${theorem}/`)) {
    // A lemma's proof is none of the theorem.
    if (/\/lemma-\d/u.test(key.slice(theorem.length))) continue;
    const written = proofIn(withoutThoughts(text), prover);
    const called = calls.flatMap(({ name, input }) => (name === checkTool ? proofOfCall(input) : []));
    for (const [index, proof] of [...(written === undefined ? [] : [written]), ...called].entries()) {
      if (known.has(proof) || hasHoles(proof, prover)) continue;
      known.add(proof);
      unchecked.push({ key: `${key}/paid-${index}`, proof });
    }
  }
  return unchecked;
}

function proofOfCall(input: string): readonly string[] {
  const proof = wholeProofOf(input);
  return proof === undefined ? [] : [proof];
}
