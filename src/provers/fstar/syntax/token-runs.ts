/** What several tokens of F* are together: a bracketed run, an attribute, a name in parentheses, a dotted path. */
import { type Token, plainName } from './lexer.ts';

export function isConstructor(token: Token | undefined): boolean {
  return token?.kind === 'constructor';
}

export function isAttributeStart(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  return (
    token?.text === '[' &&
    next?.kind === 'operator' &&
    next.text.startsWith('@') &&
    next.start === fstarTokenEnd(token)
  );
}

/** The index of the bracket that closes the one at `index`. */
export function closingBracket(tokens: readonly Token[], index: number): number | undefined {
  let depth = 0;
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    depth += depthChange(token);
    if (depth === 0) return at;
  }
  return undefined;
}

export function depthChange({ kind, text }: Token): number {
  if (kind === 'punctuation') return '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
  if (kind !== 'identifier') return 0;
  return text === 'begin' ? 1 : text === 'end' ? -1 : 0;
}

export function fstarTokenEnd({ start, text }: Token): number {
  return start + text.length;
}

export function tokenNameAt(tokens: readonly Token[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind === 'identifier') return plainName(token);
  if (token?.text !== '(') return undefined;
  const operator = tokens[index + 1];
  const closing = tokens[index + 2];
  return operator?.kind === 'operator' && closing?.text === ')' ? operator.text : undefined;
}

/** The dotted name that begins at `index`; empty when none does. */
export function pathAt(tokens: readonly Token[], index: number): string {
  let path = '';
  for (let at = index; ; at += 2) {
    const token = tokens[at];
    if (token?.kind !== 'constructor' && !(path !== '' && token?.kind === 'identifier'))
      return path.replace(/\.$/, '');
    path += token.text;
    const dot = tokens[at + 1];
    if (dot?.text !== '.' || dot.start !== fstarTokenEnd(token) || token.kind === 'identifier') return path;
    path += '.';
  }
}

export function joined(tokens: readonly Token[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    if (previous !== undefined && fstarTokenEnd(previous) < token.start) text += ' ';
    text += token.text;
  }
  return text;
}
