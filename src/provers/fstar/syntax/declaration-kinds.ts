/** Which kinds of declarations F* has, and the keywords and qualifiers by which each is told. */
import { isConstructor } from './token-runs.ts';
import type { Token } from './lexer.ts';

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

export const START_KEYWORDS: ReadonlyMap<string, DeclarationKind> = new Map([
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

export const QUALIFIERS: ReadonlySet<string> = new Set(
  (
    'assume inline inline_for_extraction unfold unfoldable irreducible noextract default total private abstract noeq ' +
    'unopteq new logic opaque reifiable reflectable'
  ).split(' '),
);

/** `assume Name : formula` is a declaration of its own; `assume (…)` is a term. */
export function isAssumption(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'assume' && isConstructor(tokens[at + 1]) && tokens[at + 2]?.text === ':';
}

export function kindOf(tokens: readonly Token[], at: number): DeclarationKind {
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
