/** A session that stands before another one and does some of its work otherwise. */
import type { ProverSession } from '../core/prover.ts';

/** The session, with these of its methods in the place of its own. */
export function sessionOver(
  session: ProverSession,
  methods: Partial<Pick<ProverSession, 'run' | 'runAll' | 'query'>>,
): ProverSession {
  const runAll = session.runAll?.bind(session);
  const explicitGoals = session.explicitGoals?.bind(session);
  return {
    identity: session.identity,
    root: session.root,
    get generation() {
      return session.generation;
    },
    run: (from, sentence, options) => session.run(from, sentence, options),
    ...(runAll && { runAll }),
    goals: (at) => session.goals(at),
    ...(explicitGoals && { explicitGoals }),
    background: (at) => session.background(at),
    query: (at, command, options) => session.query(at, command, options),
    close: () => session.close(),
    ...methods,
  };
}
