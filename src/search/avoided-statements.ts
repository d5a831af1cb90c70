/**
 * Statements that a proof is not to rest on: false ones, and open ones where a proof without them is looked for. Their
 * names are neither offered as lemmas nor run. What uses one without its name, as a hint does, is found by the judge.
 */
import type { ProverSession } from '../core/prover.ts';
import { tacticWords } from '../provers/rocq/goals/names.ts';
import { sessionOver } from '../sessions/session-over.ts';

/** Names as the prover calls statements from outside of their file, `Module.lemma`. */
export type StatementNames = ReadonlySet<string>;

/** Whether one of them may be meant by a name, however much of its path is written. */
export function meansOneOf(names: StatementNames, written: string): boolean {
  if (names.size === 0) return false;
  const name = written.startsWith('@') ? written.slice(1) : written;
  return names.has(name) || [...names].some((one) => one.endsWith(`.${name}`));
}

/** @param locals Hypotheses, which hide a statement of the same name. */
export function speaksOf(text: string, names: StatementNames, locals: StatementNames): boolean {
  if (names.size === 0) return false;
  return tacticWords(text).some((word) => !locals.has(word.text) && meansOneOf(names, word.text));
}

/** The session, where a sentence that names one of them is refused without being run. */
export function sessionWithout(
  session: ProverSession,
  isAvoided: (sentence: string) => boolean,
): ProverSession {
  return sessionOver(session, {
    run: async (from, sentence, options) =>
      isAvoided(sentence.text)
        ? {
            status: 'failed',
            error: { severity: 'error', message: 'It names a statement that a proof is not to rest on.' },
            messages: [],
            elapsedMs: 0,
          }
        : session.run(from, sentence, options),
  });
}

/** The statements of which it is known that they are false. Only ever added to. */
export class FalseStatements {
  readonly #names = new Set<string>();

  get names(): StatementNames {
    return this.#names;
  }

  add(name: string | undefined): void {
    if (name !== undefined) this.#names.add(name);
  }

  /** Those of a proof's open statements that are false. */
  among(openStatements: readonly string[]): string[] {
    return openStatements.filter((name) => this.#names.has(name));
  }
}
