/** The statements that can be used where a hole stands, as Rocq lists them. */
import type { ProverSession, StateId } from '../../core/prover.ts';
import { lastPart } from '../../core/qualified-name.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { Lemma } from '../../retrieval/lexical/lemma-similarity.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';

const SEARCH_TIMEOUT_MS = 30_000;

/** Modules that only bring others, with those whose lemmas matter. */
const UMBRELLAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Arith', ['PeanoNat']],
  ['ZArith', ['BinInt', 'Zorder']],
  ['NArith', ['BinNat']],
  ['QArith', ['QArith_base']],
  ['Reals', ['RIneq', 'Rbasic_fun']],
  ['ssreflect', []],
  ['all_ssreflect', ['ssrfun', 'ssrbool', 'eqtype', 'ssrnat', 'seq', 'path', 'div', 'fintype']],
  ['Lia', ['PeanoNat']],
]);
const ALWAYS = ['Logic', 'Datatypes', 'Peano'];

export interface LemmasInScope {
  readonly lemmas: readonly Lemma[];
  /** Whether no list was broken off. */
  readonly whole: boolean;
}

/**
 * The statements that `Search _` lists. A Rocq inside Node needs milliseconds for each, so there only the modules that
 * the file requires are listed. What takes too long is left out: the search then does without.
 */
export async function lemmasAt(
  session: ProverSession,
  state: StateId,
  required: readonly string[],
  signal: AbortSignal,
): Promise<LemmasInScope> {
  if (session.identity.backend === 'embedded') return lemmasOf(session, state, required, signal);
  const all = await listed(session, state, 'Search _.', signal);
  return { lemmas: all ?? [], whole: all !== undefined };
}

/** What the modules that a file requires state themselves, and what is always there. */
export async function lemmasOf(
  session: ProverSession,
  state: StateId,
  required: readonly string[],
  signal: AbortSignal,
): Promise<LemmasInScope> {
  const modules = new Set(
    [...required.flatMap((module) => UMBRELLAS.get(lastPart(module)) ?? [module]), ...ALWAYS].map(lastPart),
  );
  const lemmas: Lemma[] = [];
  let whole = true;
  for (const module of modules) {
    if (signal.aborted) break;
    const inside = await listed(session, state, `Search _ inside ${module}.`, signal);
    if (inside === undefined) whole = false;
    else appendAll(lemmas, inside);
  }
  return { lemmas, whole };
}

const INSIDE_TIMEOUT_MS = 1000;
const MOST_INSIDE = 200;

/** What a module of the file states, by the shortest names; empty where that cannot be said in time. */
export async function lemmasInside(
  session: ProverSession,
  state: StateId,
  module: string,
): Promise<readonly Lemma[]> {
  const command = asSentence(`Search _ inside ${module}.`);
  const answer = await session.query(state, command, { timeoutMs: INSIDE_TIMEOUT_MS });
  return answer.status === 'done' ? entriesOf(answer.messages).slice(0, MOST_INSIDE) : [];
}

/** Empty for a module that Rocq does not know; undefined when it did not come to the end. */
async function listed(
  session: ProverSession,
  state: StateId,
  command: string,
  signal: AbortSignal,
): Promise<Lemma[] | undefined> {
  const answer = await session.query(state, asSentence(command), { timeoutMs: SEARCH_TIMEOUT_MS, signal });
  if (answer.status === 'unknown') return undefined;
  if (answer.status !== 'done') return [];
  return entriesOf(answer.messages);
}

function entriesOf(messages: readonly { readonly message: string }[]): Lemma[] {
  return messages.flatMap(({ message }) =>
    message.split(/\n(?=\S)/u).flatMap((entry) => {
      const { name, statement } = ENTRY.exec(entry)?.groups ?? {};
      if (name === undefined || statement === undefined || statement.length > LONGEST_STATEMENT) return [];
      return [{ name, statement: statement.replace(/\s+/gu, ' ') }];
    }),
  );
}

const ENTRY = /^(?<name>[\p{L}_][\p{L}\p{N}_'.]*):\s(?<statement>[^]*)$/u;
const LONGEST_STATEMENT = 3000;
