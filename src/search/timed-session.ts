/** A session that begins nothing behind a moment and ends then what runs: for work that may be left undone. */
import type { ProverSession } from '../core/prover.ts';
import { sessionOver } from '../sessions/session-over.ts';

/** @param end On the clock of `performance.now()`; asked anew for each sentence. */
export function sessionUntil(session: ProverSession, end: () => number): ProverSession {
  return sessionOver(session, {
    run: (from, sentence, options = {}) => {
      const left = end() - performance.now();
      if (left > 0)
        return session.run(from, sentence, {
          ...options,
          timeoutMs: Math.min(options.timeoutMs ?? Infinity, Math.max(LEAST_MS, left)),
        });
      const message = 'The time for it is over.';
      return Promise.resolve({ status: 'unknown', reason: 'timeout', message, elapsedMs: 0 });
    },
  });
}

/** A prover is not started for less. */
const LEAST_MS = 20;
