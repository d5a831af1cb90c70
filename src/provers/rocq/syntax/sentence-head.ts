/**
 * What one vernacular sentence is, read from its own text alone: its attributes, its keyword, and whether it begins or
 * ends a proof, opens a section, requires a library. Everything here is syntactic; the outline puts sentences together.
 */
import { orNothing } from '../../../core/entry.ts';
import { HeadTokens } from './head-tokens.ts';
import { type ClosingWord, holesIn, type ProofHole } from './holes.ts';
import { bracketChange } from './lexer.ts';
import type { Sentence } from './sentences.ts';
import { STATEMENT_WORDS, type StatementHead, statementHead } from './statement-head.ts';

export type RequireMode = 'require' | 'import' | 'export';

export type SentenceHead =
  | StatementHead
  | { readonly kind: 'proof'; readonly using?: string }
  | { readonly kind: 'close'; readonly word: ClosingWord; readonly name?: string }
  | { readonly kind: 'open-section' | 'open-module' | 'open-module-type'; readonly name: string }
  | { readonly kind: 'end'; readonly name: string }
  | {
      readonly kind: 'require';
      readonly from?: string;
      readonly mode: RequireMode;
      readonly modules: readonly string[];
    }
  | { readonly kind: 'nested-proofs-allowed' }
  /** `Admit Obligations`: what `Program` still asks for is left without proofs. */
  | { readonly kind: 'admit-obligations'; readonly of?: string }
  | { readonly kind: 'holes'; readonly holes: readonly ProofHole[] }
  | { readonly kind: 'other' };

const OTHER: SentenceHead = { kind: 'other' };

/** What ends a proof. */
export const CLOSING_WORDS: ReadonlySet<string> = new Set<ClosingWord>([
  'Qed',
  'Defined',
  'Admitted',
  'Abort',
  'Save',
]);

/** The words that {@link sentenceHead} tells commands by: where a line begins with one, a sentence probably does. */
export const SENTENCE_WORDS: ReadonlySet<string> = new Set([
  ...STATEMENT_WORDS,
  ...CLOSING_WORDS,
  ...['Proof', 'Section', 'End', 'Module', 'Require', 'Import', 'Export', 'From'],
]);

/** Reads one sentence. `Fail …` and other things without lasting effect are `other`. */
export function sentenceHead(sentence: Sentence): SentenceHead {
  if (sentence.role !== 'command') return OTHER;
  const first = sentence.text.charCodeAt(0);
  const maybeVernacular = (first >= 65 && first <= 90) || first === 35;
  if (!maybeVernacular) return headWithHoles(sentence.text);
  return vernacularHead(sentence.text);
}

/** What a sentence states that is read as a definition with a body, when a proof of it follows. */
export function statedByDefinition(sentence: Sentence): StatementHead | undefined {
  const tokens = new HeadTokens(sentence.text);
  if (sentence.role !== 'command' || !tokens.skipPrefixes()) return undefined;
  return statementHead(tokens, true);
}

function headWithHoles(text: string): SentenceHead {
  const holes = holesIn(text);
  return holes.length === 0 ? OTHER : { kind: 'holes', holes };
}

function vernacularHead(text: string): SentenceHead {
  const tokens = new HeadTokens(text);
  if (!tokens.skipPrefixes()) return OTHER;
  const word = tokens.peek();
  const next = tokens.peek(1);
  if (STATEMENT_WORDS.has(word)) return statementHead(tokens) ?? OTHER;
  if (CLOSING_WORDS.has(word)) return closeHead(tokens, word as ClosingWord);
  switch (word) {
    case 'Proof':
      return proofHead(tokens);
    case 'Section':
      return { kind: 'open-section', name: next };
    case 'End':
      return { kind: 'end', name: next };
    case 'Module':
      return moduleHead(tokens);
    case 'Require':
      return requireHead(tokens, undefined, 1);
    case 'From':
      return tokens.peek(2) === 'Require' ? requireHead(tokens, next, 3) : OTHER;
    case 'Admit':
      return next === 'Obligations' ? admitObligations(tokens) : OTHER;
    case 'Set':
      return next === 'Nested' && tokens.peek(2) === 'Proofs' ? { kind: 'nested-proofs-allowed' } : OTHER;
    default:
      // `Time admit.`, or a tactic of somebody's with a capital letter.
      return headWithHoles(text);
  }
}

function admitObligations(tokens: HeadTokens): SentenceHead {
  const of = tokens.peek(2) === 'of' ? tokens.peek(3) : undefined;
  return { kind: 'admit-obligations', ...(of !== undefined && { of }) };
}

function proofHead(tokens: HeadTokens): SentenceHead {
  const next = tokens.peek(1);
  if (next === 'Mode') return OTHER;
  // Behind `with` it can be the tactic's.
  const using = next === 'with' ? undefined : usingClause(tokens);
  if (next === '.' || next === '...' || next === 'with' || next === 'using')
    return { kind: 'proof', ...(using !== undefined && { using }) };
  return { kind: 'close', word: 'Proof term' };
}

function usingClause(tokens: HeadTokens): string | undefined {
  const using = tokens.find(tokens.place, ({ text }) => text === 'using');
  if (using < 0) return undefined;
  const stop = tokens.find(using, ({ text }) => text === 'with');
  const clause = tokens.between(using + 1, stop < 0 ? tokens.last : stop);
  return clause === undefined ? '' : tokens.text.slice(clause.start, clause.end);
}

function closeHead(tokens: HeadTokens, word: ClosingWord): SentenceHead {
  const name = tokens.all[tokens.place + 1];
  return { kind: 'close', word, ...(name?.kind === 'identifier' && { name: name.text }) };
}

/** A module is interactive unless a `:=` of its own (not one of `with Definition x := t`) gives its body. */
function moduleHead(tokens: HeadTokens): SentenceHead {
  let index = tokens.place + 1;
  const isType = tokens.all[index]?.text === 'Type';
  if (isType) index += 1;
  else if (tokens.all[index]?.text === 'Import' || tokens.all[index]?.text === 'Export') index += 1;
  // Import categories: `Module Import -(notations) M`.
  if (tokens.all[index]?.text === '-') index += 1;
  if (tokens.all[index]?.text === '(') index = tokens.find(index + 1, ({ text }) => text === ')') + 1;
  const name = orNothing(tokens.all[index]?.text);
  let inWith = false;
  let defined = false;
  let place = index + 1;
  for (;;) {
    place = tokens.find(place, ({ text }) => text === 'with' || text === ':=');
    if (place < 0) break;
    if (tokens.all[place]?.text === 'with') inWith = true;
    else if (inWith) inWith = false;
    else defined = true;
    place += 1;
  }
  if (defined) return OTHER;
  return { kind: isType ? 'open-module-type' : 'open-module', name };
}

function requireHead(tokens: HeadTokens, from: string | undefined, skip: number): SentenceHead {
  let index = tokens.place + skip;
  const word = tokens.all[index]?.text;
  const mode: RequireMode = word === 'Import' ? 'import' : word === 'Export' ? 'export' : 'require';
  if (mode !== 'require') index += 1;
  const modules: string[] = [];
  let depth = 0;
  for (; index < tokens.last; index += 1) {
    const token = tokens.all[index];
    if (token === undefined) break;
    depth += bracketChange(token.text);
    if (depth === 0 && token.kind === 'identifier') modules.push(token.text);
  }
  return { kind: 'require', ...(from !== undefined && { from }), mode, modules };
}
