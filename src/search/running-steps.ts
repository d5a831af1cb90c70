/** What the sessions of a search run at the moment, so that a search that waits for one tactic can say so. */
import type { ProverSession } from '../core/prover.ts';
import { sessionOver } from '../sessions/session-over.ts';

export interface RunningStep {
  readonly text: string;
  readonly elapsedMs: number;
}

export class RunningSteps {
  readonly #running = new Set<{ readonly text: string; readonly since: number }>();

  /** The one that runs for longest. */
  get longest(): RunningStep | undefined {
    const [first] = this.#running;
    return first && { text: first.text, elapsedMs: performance.now() - first.since };
  }

  /** The session, with what it runs noted here. */
  watch(session: ProverSession): ProverSession {
    return sessionOver(session, {
      run: async (from, sentence, options) => {
        const step = { text: sentence.text.trim(), since: performance.now() };
        this.#running.add(step);
        try {
          return await session.run(from, sentence, options);
        } finally {
          this.#running.delete(step);
        }
      },
    });
  }
}
