/** The operations that a model may call: those that look and try. None of them writes. */
import { operations, type OutputOf } from '../../operations/catalogue.ts';
import { agentTool, type AgentTool } from '../agent-tools.ts';

/** Filled in, or not for a model to choose. */
const HIDDEN = new Set([
  ...['session_id', 'file', 'theorem', 'theorems', 'line', 'column', 'preamble', 'search_in'],
  ...['timeout', 'final', 'jobs', 'seed'],
]);

/** What the tools leave for later calls to refer to. */
const LOOKS = { leavesState: false, hidden: HIDDEN };
const TRIES = { leavesState: true, hidden: HIDDEN };

/** The operations that a model may call. */
export const TOOLS: readonly AgentTool[] = [
  agentTool(operations.rocq_check_proof, {
    ...TRIES,
    check: ({ outcome, proof, goals, state }) => ({
      ...{ outcome, proof, goal: goals[0]?.conclusion ?? null },
      state: outcome === 'failed' && goals.length > 0 ? state : null,
    }),
    // What stands behind the end of a proof is no reason to drop it.
    closed: (value) => (value.outcome === 'failed' && isClosed(value) ? [value.valid_prefix] : []),
  }),
  agentTool(operations.rocq_step, {
    ...TRIES,
    check: ({ error, goals, state }) => ({
      ...{ outcome: error === null ? 'incomplete' : 'failed', proof: null },
      goal: goals[0]?.conclusion ?? null,
      state: error !== null && goals.length > 0 ? state : null,
    }),
    closed: (value) => (value.accepted > 0 && isClosed(value) ? [value.valid_prefix] : []),
  }),
  agentTool(operations.rocq_try, {
    ...TRIES,
    check: ({ accepted }) => ({ outcome: accepted > 0 ? 'incomplete' : 'failed', proof: null, goal: null }),
    closed: ({ results }) => results.flatMap(({ closed, script }) => (closed ? [script] : [])),
  }),
  agentTool(operations.rocq_goals, LOOKS),
  agentTool(operations.rocq_premises, LOOKS),
  agentTool(operations.rocq_search, LOOKS),
  agentTool(operations.rocq_about, LOOKS),
  agentTool(operations.rocq_check_term, LOOKS),
  agentTool(operations.rocq_print, LOOKS),
  agentTool(operations.rocq_similar_proofs, LOOKS),
  agentTool(operations.proof_search, {
    ...LOOKS,
    closed: ({ closed }) => (closed?.goals_left === 0 ? [closed.script] : []),
    check: ({ results: [result] }) =>
      result === undefined || result.proof === null
        ? null
        : { outcome: result.outcome, proof: result.proof, goal: null },
  }),
];

/** Whether nothing is left of the proof at a state, or it was closed on the way there. */
function isClosed({
  in_proof,
  goals_total,
  unfocused,
  shelved,
  given_up,
}: Pick<OutputOf<'rocq_step'>, 'in_proof' | 'goals_total' | 'unfocused' | 'shelved' | 'given_up'>): boolean {
  return (
    !in_proof || goals_total + shelved + given_up + unfocused.reduce((sum, count) => sum + count, 0) === 0
  );
}
