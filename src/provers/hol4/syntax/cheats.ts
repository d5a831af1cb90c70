/**
 * What makes a theorem without proving it, found where it is code: not in comments, strings or terms. A script that
 * hides such a name (by another name for it, by text that is compiled when it runs) is not caught here but by the
 * oracles and axioms that HOL itself tells after the build.
 */
import type { Span } from '../../../core/position.ts';
import { lastPart } from '../../../core/qualified-name.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { type Token, inColumnZero, readQuoteBody, readToken, holTokens } from './lexer.ts';
import { QUOTED_AFTER_COLON } from './script-words.ts';

export interface Cheat {
  /** The name as it is written: `cheat`, `Thm.mk_thm`. */
  readonly name: string;
  readonly kind: 'cheat' | 'oracle' | 'axiom' | 'forgery';
  readonly span: Span;
}

const KINDS = new Map<string, Cheat['kind']>([
  ['cheat', 'cheat'],
  ['CHEAT_TAC', 'cheat'],
  ['mk_thm', 'oracle'],
  ['mk_oracle_thm', 'oracle'],
  ['add_tag', 'oracle'],
  ['new_axiom', 'axiom'],
  ['disk_thm', 'forgery'],
  ['set_prover', 'forgery'],
  ['unsafeCast', 'forgery'],
]);

export function findCheats(text: string, span: Span): readonly Cheat[] {
  return codeTokens(text, span)
    .filter(({ kind }) => kind === 'word')
    .flatMap(({ span: place }) => {
      const name = text.slice(place.start, place.end);
      const kind = KINDS.get(lastPart(name));
      return kind === undefined ? [] : [{ name, kind, span: place }];
    });
}

/**
 * The tokens of a text that are code, in order, those inside of antiquotations too. The text may be a whole script,
 * where statements stand without quotation marks: `Theorem name: statement Proof`.
 */
export function codeTokens(text: string, span: Span): readonly Token[] {
  return codeParts(text, span).flatMap((part) =>
    holTokens(text, part).flatMap((token) =>
      token.kind === 'quotation'
        ? (token.antiquotations ?? []).flatMap((inner) => codeTokens(text, inner))
        : token.kind === 'space' || token.kind === 'comment'
          ? []
          : [token],
    ),
  );
}

/** The parts of a script outside of the bodies that need no quotation marks, and the code inside of these. */
function codeParts(text: string, span: Span): readonly Span[] {
  const parts: Span[] = [];
  let start = span.start;
  for (let at = span.start; at < span.end;) {
    const token = readToken(text, at, span.end);
    at = token.span.end;
    const word = text.slice(token.span.start, token.span.end);
    if (token.kind !== 'word' || !QUOTED_AFTER_COLON.has(word) || !inColumnZero(text, token.span.start))
      continue;
    const colon = bodyColon(text, at, span.end, word);
    if (colon === undefined) continue;
    const body = readQuoteBody(text, colon + 1, span.end, []);
    appendAll(parts, [{ start, end: colon }, ...body.antiquotations]);
    at = start = body.end;
  }
  parts.push({ start, end: span.end });
  return parts;
}

/**
 * Where the colon stands that begins a body, if one does: before it only a name, attributes and a value in
 * parentheses.
 */
function bodyColon(text: string, from: number, limit: number, keyword: string): number | undefined {
  let brackets = 0;
  for (let at = from; at < limit;) {
    const { kind, span } = readToken(text, at, limit);
    at = span.end;
    if (kind === 'space' || kind === 'comment') continue;
    const word = text.slice(span.start, span.end);
    if (word === '[' || word === '(') brackets += 1;
    else if (word === ']' || word === ')') brackets -= 1;
    else if (brackets > 0) continue;
    else if (kind === 'symbol' && word.startsWith(':')) return span.start;
    else if (kind === 'symbol' && word === '=' && keyword === 'Quote') continue;
    else if (kind !== 'word') return undefined;
  }
  return undefined;
}
