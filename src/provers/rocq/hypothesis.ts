/**
 * Reads the hypotheses that Rocq prints as one line each: `n, m : nat`, `x := body : T`. Names never contain blanks, so
 * the first separator is sure; where a body ends must be found among the colons of its own binders.
 */
import type { Hypothesis } from '../../core/proof-state.ts';

/** One hypothesis for each name of a printed line. */
export function readHypotheses(line: string): readonly Hypothesis[] {
  const separator = /\s(:=|:)\s/.exec(line);
  if (separator === null) return [{ name: line.trim(), type: '' }];
  const names = line
    .slice(0, separator.index)
    .split(',')
    .map((name) => name.trim());
  const rest = line.slice(separator.index + separator[0].length);
  if (separator[1] === ':') return names.map((name) => ({ name, type: rest.trim() }));
  const colon = typeSeparator(rest);
  const body = rest.slice(0, colon).trim();
  const type = rest.slice(colon + 1).trim();
  return names.map((name) => ({ name, type, body }));
}

/** What may stand between a word that binds and the end of what it binds, and what that end is. */
const BINDER_ENDS: ReadonlyMap<string, string> = new Map([
  ['fun', '=>'],
  ['λ', ','],
  ['forall', ','],
  ['∀', ','],
  ['exists', ','],
  ['exists!', ','],
  ['exists2', ','],
  ['∃', ','],
  ['∃!', ','],
  ['let', ':='],
  ['fix', ':='],
  ['cofix', ':='],
]);

const TOKEN =
  /"(?:[^"]|"")*"|:=|=>|::|[()[\]{}]|,|:|(?:exists|∃)!|[∀∃λ]|[\p{L}_][\p{L}\p{N}\p{M}_'₀-₉]*|\S/gu;
const OPENERS: ReadonlySet<string> = new Set(['(', '[', '{', 'match', 'if']);
const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}', 'end', 'else']);

/** Offset of the `:` between a body and its type: the first one outside of brackets that no binder owns. */
function typeSeparator(text: string): number {
  let depth = 0;
  const pending: string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (OPENERS.has(token)) depth += 1;
    else if (CLOSERS.has(token)) depth -= 1;
    else if (depth === 0) {
      const end = BINDER_ENDS.get(token);
      if (end !== undefined) pending.push(end);
      else if (token === pending.at(-1)) pending.pop();
      else if (token === ':' && pending.length === 0) return index;
    }
  }
  return text.lastIndexOf(' : ') + 1 || text.length;
}
