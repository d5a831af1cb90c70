/** Which names and notations of a goal stand for definitions that can be unfolded, or are coinductive, as Rocq says; each is asked about once. */
import type { ProverSession, StateId } from '../core/prover.ts';
import type { GoalView } from './goal-view.ts';
import { headOf, splitArrows, subterms, type Term } from './term.ts';

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

/** Notations of Rocq's own that stand for nothing one would unfold. */
const USUAL_SYMBOLS = new Set(
  '= <> ≠ < <= ≤ > >= ≥ + - * / ^ ~ ¬ /\\ ∧ \\/ ∨ -> → <-> ↔ ∀ ∃ :: ++ && || , : ; | := => . @ _ ( [ { ?'.split(
    ' ',
  ),
);

export interface KnownDefinition {
  readonly kind: Definition;
  /** What `unfold` takes. */
  readonly name: string;
  /** Unfolded once, it says that something exists. */
  readonly existential: boolean;
}

export class Definitions {
  readonly #known = new Map<string, KnownDefinition | undefined>();
  readonly #coinductive = new Map<string, boolean>();

  /** Asks about the names and notations of a goal that are new. */
  async learn(session: ProverSession, state: StateId, view: GoalView): Promise<void> {
    const ask = async (command: string): Promise<string> => {
      const answer = await session.query(state, command);
      return answer.status === 'done' ? answer.messages.map(({ message }) => message).join('\n') : '';
    };
    const head = headOf(splitArrows(view.conclusion).conclusion);
    if (isNameOfItsOwn(head, view) && !this.#coinductive.has(head))
      this.#coinductive.set(head, /^\s*CoInductive\b/u.test(await ask(`Print ${head}.`)));
    let asked = 0;
    for (const symbol of symbolsOf(view)) {
      if (this.#known.has(symbol)) continue;
      if ((asked += 1) > ASKED_AT_ONCE) return;
      this.#known.set(symbol, await findDefinition(symbol, ask));
    }
  }

  of(symbol: string): Definition | undefined {
    return this.find(symbol)?.kind;
  }

  /** Known of heads of conclusions alone. */
  isCoinductive(symbol: string): boolean {
    return this.#coinductive.get(symbol) === true;
  }

  /** The definition that a name or notation stands for. */
  find(symbol: string): KnownDefinition | undefined {
    return this.#known.get(symbol);
  }
}

async function findDefinition(
  symbol: string,
  ask: (command: string) => Promise<string>,
): Promise<KnownDefinition | undefined> {
  if (NAME.test(symbol)) {
    const kind = kindOf(await ask(`About ${symbol}.`));
    return kind && { kind, name: symbol, existential: await isExistential(symbol, ask) };
  }
  for (const name of notedNames(await ask(`Locate "${symbol}".`))) {
    // What Rocq's own notations stand for is known to everybody, and seldom unfolded.
    if (kindOf(await ask(`About ${name}.`)) === 'own')
      return { kind: 'own', name, existential: await isExistential(name, ask) };
  }
  return undefined;
}

async function isExistential(name: string, ask: (command: string) => Promise<string>): Promise<boolean> {
  return /^\s*\S+\s*=\s*(?:fun\b[^]*?=>\s*)?(?:exists2?\b|∃|\{)/u.test(await ask(`Print ${name}.`));
}

/** The constants that the notations in an answer to `Locate` apply. */
function notedNames(said: string): string[] {
  const names = [...said.matchAll(/:=\s*\(?@?([\p{L}_][\p{L}\p{N}_'.]*)/gu)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => NAME.test(name) && !WORDS.has(name)).slice(0, 3);
}

function kindOf(said: string): Definition | undefined {
  const home = /Expands to: Constant (?<path>\S+)/u.exec(said)?.groups?.['path'];
  if (home === undefined || !/is transparent\b/u.test(said)) return undefined;
  return /^(?:Coq|Corelib|Stdlib)\./u.test(home) ? 'library' : 'own';
}

function symbolsOf(view: GoalView): Set<string> {
  const found = new Set<string>();
  const collect = (term: Term): void => {
    for (const { symbol } of subterms(term)) {
      if (isNameOfItsOwn(symbol, view) || isNotation(symbol)) found.add(symbol);
    }
  };
  collect(view.conclusion);
  for (const hypothesis of view.hypotheses.slice(-6)) collect(hypothesis.term);
  return found;
}

function isNameOfItsOwn(symbol: string, view: GoalView): boolean {
  return NAME.test(symbol) && !WORDS.has(symbol) && !view.locals.has(symbol);
}

function isNotation(symbol: string): boolean {
  return /^[^\p{L}\p{N}_"?.]/u.test(symbol) && !symbol.includes('"') && !USUAL_SYMBOLS.has(symbol);
}
