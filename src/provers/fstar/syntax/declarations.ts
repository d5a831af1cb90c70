/**
 * Cuts an F* text into its top-level declarations without parsing terms. F* writes nothing between declarations, so
 * what decides is the token before: where a term or type is complete, a `let`, `val` or `open` can only begin the next
 * declaration; where a term is expected, a `let` is a local one. The fragments, joined, are the text, for any text.
 */
import { orZero } from '../../../core/entry.ts';
import { type Dialect, type Token, isTrivia, stringValue, tokenize } from './lexer.ts';

export type DeclarationKind =
  | 'module'
  | 'module-abbreviation'
  | 'open'
  | 'include'
  | 'friend'
  | 'let'
  | 'val'
  | 'type'
  | 'class'
  | 'instance'
  | 'exception'
  | 'effect'
  | 'assume'
  | 'pragma'
  | 'splice'
  | 'blob'
  /** Text that begins no declaration. */
  | 'other';

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

const START_KEYWORDS: ReadonlyMap<string, DeclarationKind> = new Map([
  ['module', 'module'],
  ['open', 'open'],
  ['include', 'include'],
  ['friend', 'friend'],
  ['let', 'let'],
  ['val', 'val'],
  ['type', 'type'],
  ['class', 'class'],
  ['instance', 'instance'],
  ['exception', 'exception'],
  ['effect', 'effect'],
  ['new_effect', 'effect'],
  ['layered_effect', 'effect'],
  ['sub_effect', 'effect'],
  ['polymonadic_bind', 'effect'],
  ['polymonadic_subcomp', 'effect'],
]);

const QUALIFIERS = new Set(
  (
    'assume inline inline_for_extraction unfold unfoldable irreducible noextract default total private abstract noeq ' +
    'unopteq new logic opaque reifiable reflectable'
  ).split(' '),
);

/** Keywords that can stand inside of terms too; every other one begins a declaration wherever it stands. */
const WEAK_KEYWORDS = new Set(['let', 'open', 'include']);

/** Behind these a term is still to come, so that a `let` there is a local one. `with` is none: a match may be empty. */
const EXPECTS_TERM = new Set([
  ...QUALIFIERS,
  'let',
  'rec',
  'and',
  'begin',
  'by',
  'else',
  'if',
  'in',
  'match',
  'then',
  'try',
  'when',
]);

export function parseDeclarations(text: string, dialect: Dialect = 'modern'): Declaration[] {
  const tokens = tokenize(text, dialect).filter((token) => !isTrivia(token));
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
  for (let at = text.indexOf('\n', endOf(previous)); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) {
    // Not inside of a comment that goes on.
    const between = tokenize(text.slice(endOf(previous), start));
    const cut = at + 1 - endOf(previous);
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
    // `assume Name : formula` is a declaration of its own; `assume (…)` is a term.
    if (token.text === 'assume' && isConstructor(tokens[at + 1]) && tokens[at + 2]?.text === ':') return at;
    at += 1;
    if (at > index + MAXIMUM_DECORATIONS) return undefined;
  }
}

const MAXIMUM_DECORATIONS = 64;

function isConstructor(token: Token | undefined): boolean {
  return token?.kind === 'constructor';
}

function isAttributeStart(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  return (
    token?.text === '[' &&
    next?.kind === 'operator' &&
    next.text.startsWith('@') &&
    next.start === endOf(token)
  );
}

function isPatternStart(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  return token?.text === '{' && next?.text === ':' && next.start === endOf(token);
}

/** The question mark of `Cons?`, which is complete as `Cons` is. */
function isDiscriminator(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  return token?.text === '?' && before?.kind === 'constructor' && endOf(before) === token.start;
}

/** The index of the bracket that closes the one at `index`. */
function closingBracket(tokens: readonly Token[], index: number): number | undefined {
  let depth = 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    depth += depthChange(token);
    if (depth === 0) return at;
  }
  return undefined;
}

function depthChange({ kind, text }: Token): number {
  if (kind === 'punctuation') return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
  if (kind !== 'identifier') return 0;
  return text === 'begin' ? 1 : text === 'end' ? -1 : 0;
}

export function endOf({ start, text }: Token): number {
  return start + text.length;
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
      if (token.text === 'assume' && isConstructor(tokens[at + 1]) && tokens[at + 2]?.text === ':') break;
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
    end: last === undefined ? fragment.fragmentEnd : endOf(last),
    keyword: keyword?.start ?? first?.start ?? fragment.fragmentStart,
    ...fragment,
    tokens,
  };
}

function kindOf(tokens: readonly Token[], at: number): DeclarationKind {
  const token = tokens[at];
  if (token === undefined) return 'other';
  if (token.kind === 'pragma') return 'pragma';
  if (token.kind === 'blob') return 'blob';
  if (token.kind === 'operator') return token.text.startsWith('%splice') ? 'splice' : 'other';
  if (token.kind !== 'identifier') return 'other';
  if (token.text === 'assume') return 'assume';
  const kind = START_KEYWORDS.get(token.text) ?? 'other';
  const abbreviates = tokens[at + 1]?.kind === 'constructor' && tokens[at + 2]?.text === '=';
  return kind === 'module' && abbreviates ? 'module-abbreviation' : kind;
}

function namesOf(kind: DeclarationKind, rest: readonly Token[]): string[] {
  switch (kind) {
    case 'module':
    case 'open':
    case 'include':
    case 'friend':
      return [pathAt(rest, 0)].filter((name) => name !== '');
    case 'module-abbreviation':
    case 'exception':
    case 'assume':
      return rest.slice(0, 1).map(({ text }) => text);
    case 'let':
      return namesOfBindings(rest[0]?.text === 'rec' ? rest.slice(1) : rest);
    case 'type':
      return namesOfBindings(rest);
    case 'class':
    case 'val':
    case 'instance':
      return [nameAt(rest, 0)].filter((name) => name !== undefined);
    case 'effect':
      return rest
        .filter((token) => isConstructor(token))
        .slice(0, 1)
        .map(({ text }) => text);
    case 'splice': {
      const open = rest.findIndex(({ text }) => text === '[');
      const close = rest.findIndex(({ text }) => text === ']');
      return rest
        .slice(open + 1, close)
        .filter(({ kind: of }) => of === 'identifier')
        .map(({ text }) => text);
    }
    case 'pragma':
    case 'blob':
    case 'other':
      return [];
  }
}

/** The names of `a … = … and b … = …`, where local bindings have `and`s of their own. */
function namesOfBindings(rest: readonly Token[]): string[] {
  const names = namesOfPattern(rest);
  let depth = 0;
  let local = 0;
  for (const [index, token] of rest.entries()) {
    depth += depthChange(token);
    if (depth !== 0 || token.kind !== 'identifier') continue;
    if (/^let(?:$|[^\p{L}0-9'_])/u.test(token.text)) local += 1;
    else if (token.text === 'in') local -= 1;
    else if (token.text === 'and' && local <= 0) names.push(...namesOfPattern(rest.slice(index + 1)));
  }
  return names;
}

/** What the pattern before `=` or `:` binds: a name, an operator in parentheses, or the names in a tuple. */
function namesOfPattern(rest: readonly Token[]): string[] {
  const name = nameAt(rest, 0);
  if (name !== undefined) return name === '_' ? [] : [name];
  if (rest[0]?.text !== '(') return [];
  const end = orZero(closingBracket(rest, 0));
  return rest
    .slice(1, end)
    .filter(
      (token, index, inside) =>
        token.kind === 'identifier' && token.text !== '_' && inside[index - 1]?.text !== ':',
    )
    .map(({ text }) => text);
}

function nameAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind === 'identifier') return token.text.replace(/^``(.*)``$/u, '$1');
  if (token?.text !== '(') return undefined;
  const operator = tokens[index + 1];
  const closing = tokens[index + 2];
  return operator?.kind === 'operator' && closing?.text === ')' ? operator.text : undefined;
}

/** The dotted name that begins at `index`; empty when none does. */
function pathAt(tokens: readonly Token[], index: number): string {
  let path = '';
  for (let at = index; ; at += 2) {
    const token = tokens[at];
    if (token?.kind !== 'constructor' && !(path !== '' && token?.kind === 'identifier'))
      return path.replace(/\.$/, '');
    path += token.text;
    const dot = tokens[at + 1];
    if (dot?.text !== '.' || dot.start !== endOf(token) || token.kind === 'identifier') return path;
    path += '.';
  }
}

function joined(tokens: readonly Token[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    if (previous !== undefined && endOf(previous) < token.start) text += ' ';
    text += token.text;
  }
  return text;
}

/** The options that a pragma sets, or undefined when the declaration is none that does. */
export function pragmaOptions({ kind, tokens }: Declaration): string | undefined {
  const argument = tokens[1];
  return kind === 'pragma' && argument?.kind === 'string' ? stringValue(argument) : undefined;
}

/** What a declaration states: all of a `val`, of a `let` or `type` what stands before its first `=`. On one line. */
export function signatureOf(declaration: Declaration): string {
  const { kind, tokens } = declaration;
  const end = equalsSign(declaration);
  const cut = (kind === 'let' || kind === 'type' || kind === 'class' || kind === 'instance') && end > 0;
  return joined(cut ? tokens.slice(0, end) : tokens);
}

/** Where the body of a definition begins, behind its `=`; undefined when it has none. */
export function bodyOf(declaration: Declaration): number | undefined {
  const equals = declaration.tokens[equalsSign(declaration)];
  return equals && equals.start + equals.text.length;
}

function equalsSign({ tokens }: Declaration): number {
  let depth = 0;
  return tokens.findIndex((token, index) => {
    depth += depthChange(token);
    return depth === 0 && index > 0 && token.text === '=';
  });
}

/** The modules that a text names: what F* loads before it checks it. Short names of abbreviations are among them. */
export function modulesMentioned(declarations: readonly Declaration[]): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const { kind, tokens } of declarations) {
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'constructor' || tokens[index - 1]?.text === '.') continue;
      const path = pathAt(tokens, index);
      const opened =
        kind === 'open' || kind === 'include' || kind === 'friend' || kind === 'module-abbreviation';
      const previous = tokens[index - 1]?.text;
      if (opened || previous === 'open' || previous === 'include') modules.add(path);
      else if (path.includes('.')) modules.add(path.slice(0, path.lastIndexOf('.')));
    }
  }
  return modules;
}
