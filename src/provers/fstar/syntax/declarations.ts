/**
 * Cuts an F* text into its top-level declarations without parsing terms. F* writes nothing between declarations, so
 * what decides is the token before: where a term or type is complete, a `let`, `val` or `open` can only begin the next
 * declaration; where a term is expected, a `let` is a local one. The fragments, joined, are the text, for any text.
 */
import {
  type DeclarationKind,
  QUALIFIERS,
  START_KEYWORDS,
  isAssumption,
  kindOf,
} from './declaration-kinds.ts';
import { namesOf } from './declared-names.ts';
import { type Dialect, type Token, isTrivia, fstarTokens } from './lexer.ts';
import { closingBracket, fstarTokenEnd, isAttributeStart, joined } from './token-runs.ts';

export interface Declaration {
  readonly kind: DeclarationKind;
  /** What it declares; several for `let rec … and …`, none for a pragma or `let _`. */
  readonly names: readonly string[];
  /** `assume`, `private`, `unfold`, `rec`, … in the order in which they stand. */
  readonly qualifiers: readonly string[];
  /** The texts of its attributes, brackets included. */
  readonly attributes: readonly string[];
  /** From its first decoration to its last token. */
  readonly start: number;
  readonly end: number;
  /** Where its keyword stands, behind the decorations: the place by which F* names a declaration. */
  readonly keyword: number;
  /**
   * Where the fragment begins: comments and blanks before a declaration belong to it. It ends where the next one
   * begins.
   */
  readonly fragmentStart: number;
  readonly fragmentEnd: number;
  /** Its tokens, no blanks and comments. */
  readonly tokens: readonly Token[];
}

/** Keywords that can stand inside of terms too; every other one begins a declaration wherever it stands. */
const WEAK_KEYWORDS = new Set(['let', 'open', 'include']);

/** Behind these a term is still to come, so that a `let` there is a local one. `with` is not among them: a match may be empty. */
const EXPECTS_TERM = new Set([
  ...QUALIFIERS,
  ...['let', 'rec', 'and', 'begin', 'by', 'else', 'if', 'in', 'match', 'then', 'try', 'when'],
]);

export function parseDeclarations(text: string, dialect: Dialect = 'modern'): Declaration[] {
  const tokens = fstarTokens(text, dialect).filter((token) => !isTrivia(token));
  const starts = startsOfDeclarations(tokens);
  return starts.map((first, index) => {
    const behind = starts[index + 1] ?? tokens.length;
    return describe(tokens.slice(first, behind), {
      fragmentStart: index === 0 ? 0 : fragmentStart(text, tokens, first),
      fragmentEnd: behind < tokens.length ? fragmentStart(text, tokens, behind) : text.length,
    });
  });
}

/**
 * A fragment begins at the line after the last token of the declaration before it, so that a comment on that
 * token's line stays with it; or at the declaration itself when both stand on one line.
 */
function fragmentStart(text: string, tokens: readonly Token[], first: number): number {
  const start = tokens[first]?.start ?? text.length;
  const previous = tokens[first - 1];
  if (previous === undefined) return 0;
  for (
    let at = text.indexOf('\n', fstarTokenEnd(previous));
    at >= 0 && at < start;
    at = text.indexOf('\n', at + 1)
  ) {
    // Not inside of a comment that goes on.
    const between = fstarTokens(text.slice(fstarTokenEnd(previous), start));
    const cut = at + 1 - fstarTokenEnd(previous);
    const inside = between.some(
      (token) => token.kind === 'comment' && token.start < cut && token.start + token.text.length > cut,
    );
    if (!inside) return at + 1;
  }
  return start;
}

function startsOfDeclarations(tokens: readonly Token[]): number[] {
  const starts: number[] = [];
  /** What the token at `index` follows, attributes of local bindings left out. */
  let previous: Token | undefined;
  let current: DeclarationKind | undefined;
  let index = 0;
  while (index < tokens.length) {
    const keyword = keywordBehindDecorations(tokens, index);
    if (keyword !== undefined && canBegin(tokens, keyword, previous, current)) {
      starts.push(index);
      current = kindOf(tokens, keyword);
      previous = tokens[keyword];
      index = keyword + 1;
    } else if (isAttributeStart(tokens, index)) {
      index = (closingBracket(tokens, index) ?? index) + 1;
    } else if (isPatternStart(tokens, index)) {
      // Behind the pattern of a quantifier its body follows.
      previous = tokens[index];
      index = (closingBracket(tokens, index) ?? index) + 1;
    } else if (isDiscriminator(tokens, index)) {
      index += 1;
    } else {
      previous = tokens[index];
      index += 1;
    }
  }
  if (starts[0] !== 0 && tokens.length > 0) starts.unshift(0);
  return starts;
}

/** Brackets do not matter: where they are balanced, a complete term in them is never followed by a keyword of these. */
function canBegin(
  tokens: readonly Token[],
  keyword: number,
  previous: Token | undefined,
  current: DeclarationKind | undefined,
): boolean {
  const token = tokens[keyword];
  if (token?.kind === 'identifier' && !WEAK_KEYWORDS.has(token.text)) return true;
  if (token?.kind === 'pragma' || token?.kind === 'operator') return true;
  // `type empty =` has no constructors.
  return previous === undefined || isComplete(previous) || (current === 'type' && previous.text === '=');
}

/** Whether a term or type that ends with this token can be followed by a declaration. */
function isComplete(token: Token): boolean {
  switch (token.kind) {
    case 'identifier':
      return !EXPECTS_TERM.has(token.text) && !isKeywordOperator(token.text);
    case 'punctuation':
      return ')]}'.includes(token.text);
    case 'operator':
      return false;
    default:
      return true;
  }
}

/** `let!`, `if?`, …: told from a name by its operator. */
function isKeywordOperator(text: string): boolean {
  return /^[a-z]+[^\p{L}0-9'_]+$/u.test(text);
}

/** The index of the keyword of a declaration that begins at `index`, or undefined when none begins there. */
function keywordBehindDecorations(tokens: readonly Token[], index: number): number | undefined {
  let at = index;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    if (isAttributeStart(tokens, at)) {
      const behind = closingBracket(tokens, at);
      if (behind === undefined) return undefined;
      at = behind + 1;
      continue;
    }
    switch (token.kind) {
      case 'pragma':
      case 'blob':
        return at;
      case 'operator':
        return token.text.startsWith('%splice') ? at : undefined;
      case 'identifier':
        break;
      default:
        return undefined;
    }
    if (START_KEYWORDS.has(token.text)) return at;
    if (!QUALIFIERS.has(token.text)) return undefined;
    if (isAssumption(tokens, at)) return at;
    at += 1;
    if (at > index + MAXIMUM_DECORATIONS) return undefined;
  }
}

const MAXIMUM_DECORATIONS = 64;

function isPatternStart(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  return token?.text === '{' && next?.text === ':' && next.start === fstarTokenEnd(token);
}

/** The question mark of `Cons?`, which is complete as `Cons` is. */
function isDiscriminator(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  return token?.text === '?' && before?.kind === 'constructor' && fstarTokenEnd(before) === token.start;
}

function describe(
  tokens: readonly Token[],
  fragment: { readonly fragmentStart: number; readonly fragmentEnd: number },
): Declaration {
  const first = tokens[0];
  const last = tokens.at(-1);
  const qualifiers: string[] = [];
  const attributes: string[] = [];
  let at = 0;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) break;
    if (isAttributeStart(tokens, at)) {
      const behind = closingBracket(tokens, at) ?? tokens.length - 1;
      attributes.push(joined(tokens.slice(at, behind + 1)));
      at = behind + 1;
    } else if (token.kind === 'identifier' && QUALIFIERS.has(token.text) && at < tokens.length - 1) {
      qualifiers.push(token.text);
      if (isAssumption(tokens, at)) break;
      at += 1;
    } else break;
  }
  const keyword = tokens[at];
  const kind = kindOf(tokens, at);
  const rest = tokens.slice(at + 1);
  if (kind === 'let' && rest[0]?.text === 'rec') qualifiers.push('rec');
  return {
    kind,
    names: namesOf(kind, rest),
    qualifiers,
    attributes,
    start: first?.start ?? fragment.fragmentStart,
    end: last === undefined ? fragment.fragmentEnd : fstarTokenEnd(last),
    keyword: keyword?.start ?? first?.start ?? fragment.fragmentStart,
    ...fragment,
    tokens,
  };
}
