/**
 * Theorems that old scripts make by calling functions: `val x = store_thm("x", ``statement``, tactic)`, `Q.store_thm`,
 * `prove`, `save_thm`. Found by the shape of the call; one whose arguments are made elsewhere is not a theorem with a
 * proof that could be replaced, and is left out.
 */
import { entryAt, orNothing } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { findCheats } from './cheats.ts';
import { type Token, openingMark, meaningfulTokens } from './lexer.ts';
import { type ScriptTheorem, type TheoremForm, parseAttributes } from './script-parts.ts';

type Call = Extract<TheoremForm, 'store_thm' | 'prove' | 'save_thm'>;

const CALLS: readonly Call[] = ['store_thm', 'prove', 'save_thm'];

export function findOldStyleTheorems(text: string, item: Span): readonly ScriptTheorem[] {
  const tokens = meaningfulTokens(text, item);
  const word = (token: Token | undefined): string =>
    token === undefined ? '' : text.slice(token.span.start, token.span.end);
  return tokens.flatMap((token, index) => {
    const name = lastPart(word(token));
    const form = token.kind === 'word' ? CALLS.find((call) => call === name) : undefined;
    if (form === undefined || word(tokens[index + 1]) !== '(') return [];
    const call = readArguments(text, tokens, index + 1);
    if (call === undefined) return [];
    const bound = boundName(text, tokens, index);
    const span = { start: bound?.start ?? token.span.start, end: call.end };
    const theorem = theoremOf(text, form, call.parts, bound?.name);
    if (theorem === undefined) return [];
    return [{ ...theorem, span, nested: tokens.slice(0, index).some((other) => word(other) === 'local') }];
  });
}

function theoremOf(
  text: string,
  form: Call,
  parts: readonly Span[],
  bound: string | undefined,
): Omit<ScriptTheorem, 'span' | 'nested'> | undefined {
  if (form === 'prove') {
    const [statement, proof] = parts;
    if (parts.length !== 2 || statement === undefined || proof === undefined) return undefined;
    const inside = insideQuotation(text, statement);
    if (inside === undefined) return undefined;
    const cheats = findCheats(text, proof);
    const name = orNothing(bound);
    return { form, name, attributes: [], statement: inside, proof, cheats, exported: false };
  }
  const [label] = parts;
  const string = label && /^\s*"([^"\\]*)"\s*$/.exec(text.slice(label.start, label.end))?.[1];
  if (string === undefined) return undefined;
  const bracket = string.indexOf('[');
  const name = bracket < 0 ? string : string.slice(0, bracket);
  const attributes = bracket < 0 ? [] : parseAttributes(string.slice(bracket));
  const exported = !attributes.some((attribute) => attribute.name === 'local');
  if (form === 'save_thm') {
    const cheats = parts[1] === undefined ? [] : findCheats(text, parts[1]);
    return parts.length === 2 ? { form, name, attributes, cheats, exported } : undefined;
  }
  const [, statement, proof] = parts;
  if (parts.length !== 3 || statement === undefined || proof === undefined) return undefined;
  const inside = insideQuotation(text, statement);
  const cheats = findCheats(text, proof);
  const statementField = inside !== undefined && { statement: inside };
  return { form, name, attributes, ...statementField, proof, cheats, exported };
}

/** The arguments of the call whose parenthesis is token `open`: what stands between the commas. */
function readArguments(
  text: string,
  tokens: readonly Token[],
  open: number,
): { readonly parts: readonly Span[]; readonly end: number } | undefined {
  const parts: Span[] = [];
  let depth = 0;
  let start = entryAt(tokens, open, 'token').span.end;
  for (const { kind, span } of tokens.slice(open)) {
    if (kind === 'word') {
      const word = text.slice(span.start, span.end);
      if (word === 'let' || word === 'struct' || word === 'local') depth += 1;
      else if (word === 'end') depth -= 1;
    }
    if (kind !== 'punctuation') continue;
    switch (text.charAt(span.start)) {
      case '(':
      case '[':
      case '{':
        depth += 1;
        break;
      case ')':
      case ']':
      case '}':
        depth -= 1;
        if (depth > 0) break;
        parts.push({ start, end: span.start });
        return { parts, end: span.end };
      case ',':
        if (depth !== 1) break;
        parts.push({ start, end: span.start });
        start = span.end;
    }
  }
  return undefined;
}

/** The name in `val name =` when only an equals sign and parentheses stand between it and the call. */
function boundName(
  text: string,
  tokens: readonly Token[],
  call: number,
): { readonly name: string; readonly start: number } | undefined {
  let at = call - 1;
  const word = (index: number): string => {
    const token = tokens[index];
    return token === undefined ? '' : text.slice(token.span.start, token.span.end);
  };
  while (word(at) === '(') at -= 1;
  if (word(at) !== '=') return undefined;
  const name = tokens[at - 1];
  if (name?.kind !== 'word' || !['val', 'and'].includes(word(at - 2))) return undefined;
  return { name: word(at - 1), start: entryAt(tokens, at - 2, 'token').span.start };
}

/** What stands between the marks when a part is one quotation and nothing else. */
function insideQuotation(text: string, part: Span): Span | undefined {
  const [only, ...others] = meaningfulTokens(text, part);
  if (only?.kind !== 'quotation' || others.length > 0 || !only.closed) return undefined;
  const { length } = openingMark(text, only.span.start);
  return { start: only.span.start + length, end: only.span.end - length };
}
