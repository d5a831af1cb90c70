/** What the sessions of a search run at the moment, so that a search that waits for one tactic can say so. */
import type { ProverSession } from '../core/prover.ts';

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
    const runAll = session.runAll?.bind(session);
    const explicitGoals = session.explicitGoals?.bind(session);
    return {
      identity: session.identity,
      root: session.root,
      get generation() {
        return session.generation;
      },
      run: async (from, sentence, options) => {
        const step = { text: sentence.text.trim(), since: performance.now() };
        this.#running.add(step);
        try {
          return await session.run(from, sentence, options);
        } finally {
          this.#running.delete(step);
        }
      },
      ...(runAll && { runAll: (from, sentences, options) => runAll(from, sentences, options) }),
      goals: (at) => session.goals(at),
      ...(explicitGoals && { explicitGoals }),
      background: (at) => session.background(at),
      query: (at, command, options) => session.query(at, command, options),
      close: () => session.close(),
    };
  }
}
