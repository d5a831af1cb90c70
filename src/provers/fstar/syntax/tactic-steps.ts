/**
 * Where in a text a tactic's proof state can be looked at: the steps of the tactic block around a place, and the
 * text with a `dump` before and behind the step, which F* answers with the state.
 */
import type { Span } from '../../../core/position.ts';
import type { Declaration } from './declarations.ts';
import { fstarTokenEnd } from './token-runs.ts';
import type { Token } from './lexer.ts';

export const BEFORE = 'quod:before';
export const BEHIND = 'quod:behind';

const DUMP = `dump "${BEFORE}"; (`;

/** By how many columns the step moves on its first line. */
export const DUMP_LENGTH = DUMP.length;

/** The step of the innermost tactic block that holds the place; undefined when the place is in no such block. */
export function tacticStepAt({ tokens }: Declaration, offset: number): Span | undefined {
  let found: Span | undefined;
  const open: { readonly index: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'punctuation') continue;
    if ('([{'.includes(token.text)) open.push({ index });
    if (!')]}'.includes(token.text)) continue;
    const from = open.pop();
    const start = from === undefined ? undefined : tokens[from.index];
    if (from === undefined || start === undefined || start.start > offset || fstarTokenEnd(token) < offset)
      continue;
    // Inner brackets close first, so the first one found is the innermost.
    found ??= isTacticBlock(tokens, from.index) ? stepAt(tokens, from.index, index, offset) : undefined;
  }
  return found;
}

/** `by (…)` and `(fun () -> …)`, as tactics are written. */
function isTacticBlock(tokens: readonly Token[], open: number): boolean {
  if (tokens[open]?.text !== '(') return false;
  return tokens[open - 1]?.text === 'by' || bodyOfThunk(tokens, open) !== undefined;
}

/** The index of the first token behind `fun () ->`. */
function bodyOfThunk(tokens: readonly Token[], open: number): number | undefined {
  if (tokens[open + 1]?.text !== 'fun') return undefined;
  const arrow = tokens.findIndex(({ text }, index) => index > open && (text === '->' || text === '→'));
  return arrow > 0 && arrow - open <= MOST_BINDERS ? arrow + 1 : undefined;
}

const MOST_BINDERS = 8;

function stepAt(tokens: readonly Token[], open: number, close: number, offset: number): Span | undefined {
  let depth = 0;
  let first = bodyOfThunk(tokens, open) ?? open + 1;
  for (let index = first; index <= close; index += 1) {
    const token = tokens[index];
    if (token === undefined) return undefined;
    const ends = depth === 0 && (token.text === ';' || index === close);
    if (ends) {
      const start = tokens[first];
      const last = tokens[index - 1];
      if (start !== undefined && last !== undefined && first < index && offset <= token.start) {
        return { start: start.start, end: fstarTokenEnd(last) };
      }
      first = index + 1;
    }
    if ('([{'.includes(token.text)) depth += 1;
    else if (')]}'.includes(token.text)) depth -= 1;
  }
  return undefined;
}

/** The fragment with the state dumped around the step. Lines do not move. */
export function withDumps(text: string, { fragmentStart, fragmentEnd }: Declaration, step: Span): string {
  const before = text.slice(fragmentStart, step.start);
  const behind = text.slice(step.end, fragmentEnd);
  const own = text.slice(step.start, step.end);
  return `${before}${DUMP}${own}); dump "${BEHIND}"${behind}`;
}
