/** The words by which a script file is read: HOL's keywords in column zero, and Standard ML's declarations and scopes. */
import { present } from '../../../core/entry.ts';

export type ItemKind =
  | 'theory'
  | 'theorem'
  | 'definition'
  | 'datatype'
  | 'inductive'
  | 'overload'
  | 'quote'
  | 'resume'
  | 'finalise'
  | 'open'
  /** Any other declaration of Standard ML. */
  | 'declaration'
  /** An expression that is executed for its effect, such as `export_theory()`. */
  | 'expression'
  /** A keyword where it makes no sense. */
  | 'stray';

/** Behind their colon stands HOL's term language, without quotation marks. */
export const QUOTED_AFTER_COLON: ReadonlySet<string> = new Set([
  ...['Theorem', 'Triviality', 'Definition', 'Datatype', 'Inductive', 'CoInductive', 'Quote'],
]);
export const HOL_KEYWORDS: ReadonlySet<string> = new Set([
  ...QUOTED_AFTER_COLON,
  ...['Theory', 'Ancestors', 'Libs', 'Type', 'Overload', 'Resume', 'Finalise'],
  ...['Proof', 'QED', 'Termination', 'End'],
]);
export const DECLARATIONS: ReadonlySet<string> = new Set([
  ...['val', 'fun', 'structure', 'signature', 'functor', 'type', 'eqtype', 'datatype', 'abstype'],
  ...['exception', 'open', 'infix', 'infixr', 'nonfix', 'local'],
]);
const SCOPE_OPENERS = new Set(['let', 'local', 'struct', 'sig', 'abstype']);
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Keeps `open`, the words and brackets that will close what is open, when a token is passed. */
export function nest(open: string[], word: string, kind: string): void {
  if (kind === 'word' && SCOPE_OPENERS.has(word)) open.push('end');
  else if (kind === 'punctuation' && word in BRACKETS) open.push(present(BRACKETS[word], 'closing bracket'));
  else if (open.at(-1) === word) open.pop();
}

export function itemKindOf(word: string): ItemKind {
  if (word === 'open') return 'open';
  return DECLARATIONS.has(word) ? 'declaration' : 'expression';
}

export function holItemKind(keyword: string): ItemKind {
  switch (keyword) {
    case 'Theory':
      return 'theory';
    case 'Theorem':
    case 'Triviality':
      return 'theorem';
    case 'Definition':
      return 'definition';
    case 'Datatype':
      return 'datatype';
    case 'Inductive':
    case 'CoInductive':
      return 'inductive';
    case 'Overload':
    case 'Type':
      return 'overload';
    case 'Quote':
      return 'quote';
    case 'Resume':
      return 'resume';
    case 'Finalise':
      return 'finalise';
    default:
      return 'stray';
  }
}
