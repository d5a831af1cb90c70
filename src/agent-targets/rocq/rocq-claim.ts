/**
 * What a statement says where it stands, in the prover's own words: its goal printed without notations and with all
 * implicit arguments, the names bound in it numbered, the others by their full names. Equal texts are equal claims,
 * whatever the statements are called, however they were written, wherever in a file they stand.
 */
import { entryAt, orNothing } from '../../core/entry.ts';
import { appendAll } from '../../core/lists/many.ts';
import type { Claim } from '../../agent/target.ts';
import { bracketChange, significantTokens, type Token } from '../../provers/rocq/syntax/lexer.ts';
import type { OperationCalls } from '../operation-calls.ts';

const EXPLICIT = ['Set Printing All.', 'Set Printing Width 1000000.', 'Set Printing Depth 1000000.'];
const LONGEST = 200_000;

/** Words of the language of terms. */
const WORDS = new Set(
  'forall fun fix cofix let in match return with end as if then else struct for Prop Set Type SProp'.split(
    ' ',
  ),
);
const BINDERS = new Set(['forall', 'fun']);

/** Undefined where it is too long to be compared. @throws QuodError, whatever the session threw. */
export async function claimOfSession(
  calls: OperationCalls,
  session: string,
  module: string,
  signal: AbortSignal,
): Promise<Claim | undefined> {
  const at = { session_id: session, from: 's0' };
  const { state, error } = await calls.call('rocq_step', { ...at, script: EXPLICIT.join(' ') }, signal);
  if (error !== null) return undefined;
  const place = { session_id: session, from: state, max_characters: LONGEST };
  const { goals, goals_total: total } = await calls.call('rocq_goals', place, signal);
  const [goal] = goals;
  if (goal === undefined || total !== 1) return undefined;
  const given = goal.hypotheses.map(
    ({ name, type, body }) => `${name} : ${type}${body === null ? '' : ` := ${body}`}`,
  );
  const lines = [...given, goal.conclusion].map(withNumberedBinders);
  if (lines.some(({ text }) => text.length >= LONGEST)) return undefined;
  const local = new Set(goal.hypotheses.map(({ name }) => name));
  const free = [...new Set(lines.flatMap((line) => [...line.free]))].filter((name) => !local.has(name));
  const full = await fullNames(calls, { ...at, from: state }, free, signal);
  return {
    text: [
      ...lines.map(({ text }) => text),
      ...free.map((name) => `${name} is ${orNothing(full.get(name))}`),
    ].join('\n'),
    isOfFile: given.length > 0 || [...full.values()].some((name) => isOf(name, module)),
  };
}

function isOf(full: string, module: string): boolean {
  return full.replace(/^\S+ /u, '').startsWith(`${module}.`);
}

async function fullNames(
  calls: OperationCalls,
  place: { readonly session_id: string; readonly from: string },
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const script = names.map((name) => `Locate Term ${name}.`).join(' ');
  const { messages } = await calls.call('rocq_step', { ...place, script }, signal);
  const said = messages
    .filter(({ severity }) => severity === 'notice')
    .map(({ text }) => orNothing(text.split('\n')[0]).trim());
  // One answer for each, or the answers say nothing of the names.
  return new Map(
    names.map((name, index) => [
      name,
      said.length === names.length ? orNothing(said[index]) : said.join(', '),
    ]),
  );
}

interface Read {
  readonly tokens: readonly Token[];
  readonly words: string[];
  readonly free: Set<string>;
}

/**
 * A printed term in which the variables of `forall` and `fun` are called by their depth, which changes nothing of
 * what it says: `#1` is no name that Rocq has. What is bound otherwise keeps its name.
 */
export function withNumberedBinders(term: string): {
  readonly text: string;
  readonly free: ReadonlySet<string>;
} {
  const read: Read = { tokens: significantTokens(term), words: [], free: new Set() };
  readTerm(read, 0, read.tokens.length, []);
  return { text: read.words.join(' '), free: read.free };
}

/** @param bound Innermost last. */
function readTerm(read: Read, from: number, to: number, bound: readonly string[]): void {
  for (let index = from; index < to; index += 1) {
    const { text, kind } = entryAt(read.tokens, index, 'token');
    const separator = BINDERS.has(text) ? separatorOf(read.tokens, index, to) : undefined;
    if (separator !== undefined) {
      read.words.push(text);
      const inside = readBinders(read, index + 1, separator, bound);
      read.words.push(entryAt(read.tokens, separator, 'token').text);
      const end = scopeEnd(read.tokens, separator + 1, to);
      readTerm(read, separator + 1, end, inside);
      index = end - 1;
      continue;
    }
    const place = kind === 'identifier' ? bound.lastIndexOf(text) : -1;
    if (place === -1 && kind === 'identifier' && !WORDS.has(text)) read.free.add(text);
    read.words.push(place === -1 ? text : `#${place}`);
  }
}

/** `n m : nat` or `(n m : nat) (_ : P n)`. @returns what is bound behind it. */
function readBinders(read: Read, from: number, to: number, bound: readonly string[]): readonly string[] {
  let inside = bound;
  let index = from;
  while (index < to) {
    const isGroup = entryAt(read.tokens, index, 'token').text === '(';
    const end = isGroup ? closingOf(read.tokens, index, to) : to;
    const first = isGroup ? index + 1 : index;
    let colon = first;
    while (colon < end && entryAt(read.tokens, colon, 'token').text !== ':') colon += 1;
    const names = read.tokens.slice(first, colon).map(({ text }) => text);
    appendAll(read.words, ['(', ...names.map((_, place) => `#${inside.length + place}`), ':']);
    // A variable's type is outside of the variable's scope.
    readTerm(read, colon + 1, end, inside);
    read.words.push(')');
    inside = [...inside, ...names];
    index = isGroup ? end + 1 : end;
  }
  return inside;
}

/** What ends a scope beside a closing bracket, outside of all brackets that were opened in it. */
const ENDS = new Set(['|', 'with', 'in', 'then', 'else', 'as', 'return', ':=']);

function scopeEnd(tokens: readonly Token[], from: number, to: number): number {
  let depth = 0;
  for (let index = from; index < to; index += 1) {
    const { text } = entryAt(tokens, index, 'token');
    if (depth === 0 && ENDS.has(text)) return index;
    depth += depthChange(text);
    if (depth < 0) return index;
  }
  return to;
}

function depthChange(text: string): number {
  return text === 'match' ? 1 : text === 'end' ? -1 : bracketChange(text);
}

/** Where the variables of the binder at a place end. */
function separatorOf(tokens: readonly Token[], at: number, to: number): number | undefined {
  const awaited: string[] = [];
  let depth = 0;
  for (let index = at; index < to; index += 1) {
    const { text } = entryAt(tokens, index, 'token');
    depth += depthChange(text);
    if (depth > 0) continue;
    if (BINDERS.has(text)) awaited.push(text === 'forall' ? ',' : '=>');
    else if (text === awaited.at(-1)) {
      awaited.pop();
      if (awaited.length === 0) return index;
    }
  }
  return undefined;
}

function closingOf(tokens: readonly Token[], at: number, to: number): number {
  let depth = 0;
  for (let index = at; index < to; index += 1) {
    depth += bracketChange(entryAt(tokens, index, 'token').text);
    if (depth === 0) return index;
  }
  return to;
}
