/** The names that a declaration gives, read from the tokens behind its keyword. */
import { orZero } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import type { DeclarationKind } from './declaration-kinds.ts';
import type { Token } from './lexer.ts';
import { closingBracket, depthChange, isConstructor, tokenNameAt, pathAt } from './token-runs.ts';

export function namesOf(kind: DeclarationKind, rest: readonly Token[]): string[] {
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
      return [tokenNameAt(rest, 0)].filter((name) => name !== undefined);
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
    else if (token.text === 'and' && local <= 0) appendAll(names, namesOfPattern(rest.slice(index + 1)));
  }
  return names;
}

/** What the pattern before `=` or `:` binds: a name, an operator in parentheses, or the names in a tuple. */
function namesOfPattern(rest: readonly Token[]): string[] {
  const name = tokenNameAt(rest, 0);
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
