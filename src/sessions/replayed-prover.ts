/** The prover port over an adapter: each session is a {@link ReplayedSession} with processes of its own. */
import type { ProverAdapter } from '../core/driver.ts';
import type { Prover, Sentence } from '../core/prover.ts';
import { ReplayedSession } from './replayed-session.ts';

export function replayedProver<Step extends Sentence, Place>(
  adapter: ProverAdapter<Step, Place>,
): Prover<Step> {
  const { identity, capabilities } = adapter;
  return {
    identity,
    capabilities,
    openSession: async (context) =>
      ReplayedSession.open(identity, await adapter.sourceFor(context), context.signal),
  };
}
