/** Which names of a goal stand for definitions that can be unfolded, as Rocq says; asked once a name. */
import type { ProverSession, StateId } from '../core/prover.ts';
import type { GoalView } from './goal-view.ts';
import { subterms, type Term } from './term.ts';

/** `own` is a definition of the project, `library` one of Rocq's standard library, which is seldom worth unfolding. */
export type Definition = 'own' | 'library';

const ASKED_AT_ONCE = 12;
const NAME = /^[\p{L}_][\p{L}\p{N}_'.]*$/u;
const WORDS = new Set([
  'forall',
  'exists',
  'fun',
  'let',
  'match',
  'if',
  'Prop',
  'Set',
  'Type',
  'with',
  'in',
  'λ',
]);

export class Definitions {
  readonly #known = new Map<string, Definition | undefined>();

  /** Asks about the names of a goal that are new. */
  async learn(session: ProverSession, state: StateId, view: GoalView): Promise<void> {
    let asked = 0;
    for (const name of namesOf(view)) {
      if (this.#known.has(name)) continue;
      if ((asked += 1) > ASKED_AT_ONCE) return;
      const answer = await session.query(state, `About ${name}.`);
      const said = answer.status === 'done' ? answer.messages.map(({ message }) => message).join('\n') : '';
      this.#known.set(name, read(said));
    }
  }

  of(name: string): Definition | undefined {
    return this.#known.get(name);
  }
}

function read(said: string): Definition | undefined {
  const home = /Expands to: Constant (?<path>\S+)/u.exec(said)?.groups?.['path'];
  if (home === undefined || !/is transparent\b/u.test(said)) return undefined;
  return /^(?:Coq|Corelib|Stdlib)\./u.test(home) ? 'library' : 'own';
}

function namesOf(view: GoalView): Set<string> {
  const names = new Set<string>();
  const collect = (term: Term): void => {
    for (const { symbol } of subterms(term))
      if (NAME.test(symbol) && !WORDS.has(symbol) && !view.locals.has(symbol)) names.add(symbol);
  };
  collect(view.conclusion);
  for (const hypothesis of view.hypotheses.slice(-6)) collect(hypothesis.term);
  return names;
}
