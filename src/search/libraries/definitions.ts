/**
 * Which names and notations of a goal stand for definitions that can be unfolded, or are coinductive, as Rocq says;
 * each is asked about once.
 */
import { countOf, orZero, orNothing } from '../../core/entry.ts';
import type { ProverSession, StateId } from '../../core/prover.ts';
import type { GoalView } from '../../provers/rocq/goals/goal-view.ts';
import {
  BINDERS,
  boundBy,
  EXISTENTIAL,
  headOf,
  splitArrows,
  subterms,
  type Term,
} from '../../provers/rocq/goals/term.ts';
import { readTerm } from '../../provers/rocq/goals/term-reader.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { accumulatingArguments, appliedFunctions } from './accumulating-arguments.ts';
import { constructorsIn, type Constructor } from './constructors.ts';
import { definedTogether, predicatesTogether, type FunctionOfSeveral } from './mutual-recursion.ts';
import { recursionDepth, ruleDepth } from './recursion-depth.ts';

/** `own` is a definition of the project, `library` one of Rocq's standard library, which is seldom worth unfolding. */
export type Definition = 'own' | 'library';

const QUERY_TIMEOUT_MS = 1000;
const ASKED_AT_ONCE = 12;
const ASKED_OF_BODIES = 40;
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

/**
 * `logic` is written with connectives, quantifiers and other logic: unfolded to the bottom, it may need nothing else.
 * A `type` or `type of predicates` is an abbreviation that shows nothing when it is unfolded.
 */
export type DefinitionContent = 'logic' | 'type of predicates' | 'type' | 'other';

export interface KnownDefinition {
  readonly kind: Definition;
  /** What `unfold` takes. */
  readonly name: string;
  /** Unfolded once, it says that something exists. */
  readonly existential: boolean;
  readonly content: DefinitionContent;
  /** How many constructors a recursive function takes off before it calls itself; zero for any other. */
  readonly recursionDepth: number;
  /** Places of arguments that grow from call to call, counted from the last. */
  readonly accumulating: readonly number[];
  /** Functions of two arguments or more that a recursive function applies. */
  readonly joins: readonly string[];
  /** Functions that are defined with it, and itself; empty for one that is defined alone. */
  readonly together: readonly FunctionOfSeveral[];
  /** A `Function` that ends by a measure: it can be taken apart by the induction that was made for it alone. */
  readonly measured: boolean;
  /** Names and notations that its body is made of. */
  readonly body: readonly string[];
}

type Ask = (command: string) => Promise<string>;

/** A definition's body, behind the names that it binds. */
interface PrintedDefinition {
  readonly text: string;
  readonly term: Term;
  /** What the definition's type ends with. */
  readonly target: string;
  readonly kind: Definition;
}

export class Definitions {
  readonly #known = new Map<string, KnownDefinition | undefined>();
  readonly #coinductive = new Map<string, boolean>();
  readonly #constructors = new Map<string, readonly Constructor[]>();
  readonly #together = new Map<string, readonly string[]>();
  readonly #ruleDepths = new Map<string, number>();

  /** Asks about the names and notations of a goal that are new, and about what their definitions are made of. */
  async learn(session: ProverSession, state: StateId, view: GoalView): Promise<void> {
    const ask = asking(session, state);
    const ofGoal = await this.#learnAll(symbolsOf(view), ask, ASKED_AT_ONCE);
    const head = headOf(splitArrows(view.conclusion).conclusion);
    // What is defined as something else was printed already.
    if (isNameOfItsOwn(head, view) && !this.#coinductive.has(head) && this.find(head) === undefined)
      this.#coinductive.set(head, /^\s*CoInductive\b/u.test(await ask(`Print ${head}.`)));
    for (const type of quantifiedTypes(view)) await this.#learnConstructors(type, ask);
    let left = ASKED_OF_BODIES;
    for (let bodies = this.#bodies(ofGoal); bodies.length > 0 && left > 0; left -= 1)
      bodies = this.#bodies(await this.#learnAll(bodies, ask, left));
  }

  /** Asks about what the conclusions of lemmas begin with: it may hide a rule. */
  async learnHeads(session: ProverSession, state: StateId, heads: Iterable<string>): Promise<void> {
    const named = [...heads].filter((head) => isName(head) || isNotation(head));
    await this.#learnAll(named, asking(session, state), ASKED_OF_BODIES);
  }

  /** Of a type, and of the types of their arguments. */
  async #learnConstructors(type: string, ask: Ask): Promise<void> {
    if (!isName(type) || this.#constructors.has(type)) return;
    const constructors = constructorsIn(await ask(`Print ${type}.`));
    this.#constructors.set(type, constructors);
    for (const { symbol } of constructors.flatMap(({ arguments: given }) => given.flatMap(subterms)))
      await this.#learnConstructors(symbol, ask);
  }

  /** Of a type without parameters that closed goals quantify over, or that a function of the context is about. */
  constructorsOf(type: string): readonly Constructor[] {
    return this.#constructors.get(type) ?? [];
  }

  /** Those of the symbols that were asked about. */
  async #learnAll(symbols: Iterable<string>, ask: Ask, limit: number): Promise<string[]> {
    const asked: string[] = [];
    for (const symbol of symbols) {
      if (this.#known.has(symbol)) continue;
      if (asked.length >= limit) break;
      asked.push(symbol);
      this.#known.set(symbol, await this.#findDefinition(symbol, ask));
    }
    return asked;
  }

  #bodies(symbols: readonly string[]): string[] {
    const all = symbols.flatMap((symbol) => {
      const known = this.#known.get(symbol);
      return known?.kind === 'own' && known.content === 'logic' ? known.body : [];
    });
    return [...new Set(all)].filter((symbol) => !this.#known.has(symbol));
  }

  of(symbol: string): Definition | undefined {
    return this.find(symbol)?.kind;
  }

  /** Known of heads of conclusions alone. */
  isCoinductive(symbol: string): boolean {
    return this.#coinductive.get(symbol) === true;
  }

  /** The predicates of the project that are defined together with this one, and itself; empty where there are none. */
  predicatesWith(symbol: string): readonly string[] {
    return this.#together.get(symbol) ?? [];
  }

  /** How many constructors a function takes off an object before it calls itself, or a rule of a predicate adds to it. */
  depthOf(symbol: string): number {
    return Math.max(orZero(this.find(symbol)?.recursionDepth), countOf(this.#ruleDepths, symbol));
  }

  /** The definition that a name or notation stands for. */
  find(symbol: string): KnownDefinition | undefined {
    return this.#known.get(symbol);
  }

  /**
   * What has to be unfolded until the goal and its hypotheses say by logic alone what they say; empty where nothing
   * of the project is in them.
   */
  logicalNames(view: GoalView): string[] {
    const terms = [view.conclusion, ...view.hypotheses.map(({ term }) => term)];
    const names = new Set<string>();
    const seen = new Set<string>();
    let own = false;
    let symbols = terms.flatMap((term) => [...subterms(term)].map(({ symbol }) => symbol));
    while (symbols.length > 0) {
      const found = [...new Set(symbols)].flatMap((symbol) => {
        if (seen.has(symbol)) return [];
        seen.add(symbol);
        const known = this.#known.get(symbol);
        return known?.content === 'logic' ? [known] : [];
      });
      for (const { name, kind } of found) {
        names.add(name);
        own ||= kind === 'own';
      }
      symbols = found.flatMap(({ body }) => body);
    }
    return own ? [...names].filter((name) => !view.locals.has(name)) : [];
  }

  async #findDefinition(symbol: string, ask: Ask): Promise<KnownDefinition | undefined> {
    if (NAME.test(symbol)) {
      const about = await ask(`About ${symbol}.`);
      if (OWN_INDUCTIVE.test(about)) {
        const printed = await ask(`Print ${symbol}.`);
        this.#together.set(symbol, predicatesTogether(printed));
        this.#ruleDepths.set(symbol, ruleDepth(printed, symbol));
      }
      const kind = kindOf(about);
      return kind && (await this.#describe(symbol, kind, ask));
    }
    for (const name of notedNames(await ask(`Locate "${symbol}".`))) {
      // What Rocq's own notations stand for is known to everybody, and seldom unfolded.
      if (kindOf(await ask(`About ${name}.`)) === 'own') return this.#describe(name, 'own', ask);
    }
    return undefined;
  }

  async #describe(name: string, kind: Definition, ask: Ask): Promise<KnownDefinition> {
    const [, text = '', type = ''] = PRINTED.exec(await ask(`Print ${name}.`)) ?? [];
    const inner = text.replace(FUNCTION_HEADS, '');
    const term = readTerm(inner);
    const target = splitArrows(readTerm(type)).conclusion.symbol;
    return {
      kind,
      name,
      existential: EXISTENTIAL.has(term.symbol),
      content: await this.#contentOf({ text: inner, term, target, kind }, ask),
      recursionDepth: recursionDepth(inner),
      accumulating: accumulatingArguments(term),
      joins: appliedFunctions(term),
      together: definedTogether(inner),
      measured: MEASURED.test(inner),
      body: symbolsIn(text),
    };
  }

  async #contentOf({ text, term, target, kind }: PrintedDefinition, ask: Ask): Promise<DefinitionContent> {
    if (target === 'Type' || target === 'Set')
      return splitArrows(term).conclusion.symbol === 'Prop' ? 'type of predicates' : 'type';
    const isPlain = kind === 'own' ? !COMPUTES.test(text) : LOGICAL.has(term.symbol);
    if (!isPlain) return 'other';
    if (target === 'Prop') return 'logic';
    if (!isName(target)) return 'other';
    await this.#learnAll([target], ask, 1);
    return this.#known.get(target)?.content === 'type of predicates' ? 'logic' : 'other';
  }
}

function asking(session: ProverSession, state: StateId): Ask {
  return async (command) => {
    const answer = await session.query(state, asSentence(command), { timeoutMs: QUERY_TIMEOUT_MS });
    return answer.status === 'done' ? answer.messages.map(({ message }) => message).join('\n') : '';
  };
}

/** The answer to `Print` of a constant: its body and its type. */
const PRINTED = /^\s*\S+\s*=\s*([^]*?)\n\s+: ([^]*?)(?:\n\n|$)/u;
/** `fun x y =>`, several of them. */
const FUNCTION_HEADS = /^(?:fun\b[^]*?=>\s*)+/u;
/** How Rocq defines a `Function` by what was proved of its end. */
const MEASURED = /^let \(v, _\) := \S+_terminate\b/u;
const COMPUTES = /^(?:fix|cofix|match|if|let)\b/u;
const LOGICAL = new Set(['forall', '∀', 'exists', '∃', '/\\', '∧', '->', '→']);

/** The constants that the notations in an answer to `Locate` apply. */
function notedNames(said: string): string[] {
  const names = [...said.matchAll(/:=\s*\(?@?([\p{L}_][\p{L}\p{N}_'.]*)/gu)].map((match) =>
    orNothing(match[1]),
  );
  return [...new Set(names)].filter(isName).slice(0, 3);
}

const OWN_INDUCTIVE = /Expands to: Inductive (?!(?:Coq|Corelib|Stdlib)\.)/u;

function kindOf(said: string): Definition | undefined {
  const home = /Expands to: Constant (?<path>\S+)/u.exec(said)?.groups?.['path'];
  if (home === undefined || !/is transparent\b/u.test(said)) return undefined;
  return /^(?:Coq|Corelib|Stdlib)\./u.test(home) ? 'library' : 'own';
}

/** Names and notations in a body, without the variables that it binds. */
function symbolsIn(text: string): string[] {
  const parts = [...subterms(readTerm(text))];
  const bound = new Set(parts.flatMap((part) => (BINDERS.has(part.symbol) ? boundBy(part) : [])));
  return [...new Set(parts.map(({ symbol }) => symbol))].filter(
    (symbol) => (isName(symbol) && !bound.has(symbol)) || isNotation(symbol),
  );
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

/** Names in the types of what a goal that speaks of nothing else says to exist, or refutes of everything. */
function quantifiedTypes({ conclusion, hypotheses, locals }: GoalView): readonly string[] {
  const quantified =
    conclusion.symbol === 'False'
      ? hypotheses.slice(-2).flatMap(({ term }) => (splitArrows(term).bound.length > 0 ? [term] : []))
      : [conclusion].filter(({ symbol }) => EXISTENTIAL.has(symbol));
  const bound = quantified.flatMap(({ children }) =>
    children
      .slice(0, -1)
      .flatMap((group) => (group.symbol === ':' ? group.children.slice(1).flatMap(subterms) : [])),
  );
  return [...bound, ...hypotheses.flatMap(({ term }) => typesOfFunction(term))]
    .map(({ symbol }) => symbol)
    .filter((symbol) => !locals.has(symbol) && !KNOWN_TYPES.has(symbol));
}

/** Of `f : side -> side`, where what it takes and answers may have few values; none for a predicate. */
function typesOfFunction(term: Term): readonly Term[] {
  const { bound, premises, conclusion } = splitArrows(term);
  const types = [...premises, conclusion];
  const isFunction = premises.length > 0 && bound.length === 0 && !SORTS.has(conclusion.symbol);
  return isFunction && types.every(({ children }) => children.length === 0) ? types : [];
}

const SORTS = new Set(['Prop', 'Set', 'Type']);

/** Their values are written without asking. */
const KNOWN_TYPES = new Set(['nat', 'N', 'Z', 'positive', 'bool', 'unit', 'option', 'list', 'prod']);

function isName(symbol: string): boolean {
  return NAME.test(symbol) && !WORDS.has(symbol);
}

function isNameOfItsOwn(symbol: string, view: GoalView): boolean {
  return isName(symbol) && !view.locals.has(symbol);
}

function isNotation(symbol: string): boolean {
  return /^[^\p{L}\p{N}_"?.]/u.test(symbol) && !symbol.includes('"') && !USUAL_SYMBOLS.has(symbol);
}
