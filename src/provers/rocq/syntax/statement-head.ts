/**
 * Sentences that ask for a proof: theorems, definitions and instances without a body, obligations, morphisms, and what
 * plugins state. Where their name, their binders and their statement stand.
 */
import { orNothing, orZero } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import type { HeadTokens } from './head-tokens.ts';
import { tokenEnd, type Token } from './lexer.ts';

/** Spans count from the start of the sentence. */
export interface StatementHead {
  readonly kind: 'statement';
  /** `Theorem`, `Instance`, `Next Obligation`, `Add Parametric Morphism`, …, without prefixes and attributes. */
  readonly keyword: string;
  /** `Local`, `Program`, `Polymorphic`, … in the order of the text. */
  readonly prefixes: readonly string[];
  readonly attributes: readonly string[];
  /** Absent for `Goal`, anonymous instances and most obligations. */
  readonly name?: string;
  readonly nameSpan?: Span;
  /** The names behind `with` of a mutual statement. */
  readonly otherNames: readonly string[];
  readonly bindersSpan?: Span;
  readonly statementSpan?: Span;
}

/** The words for what is to be proved, and not to be defined. */
export const THEOREM_WORDS: ReadonlySet<string> = new Set([
  ...['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property'],
]);

/** Whether it is stated by one of them, and leaves no obligations. */
export function isLemma({
  keyword,
  prefixes,
  attributes,
}: Pick<StatementHead, 'keyword' | 'prefixes' | 'attributes'>): boolean {
  const isProgram =
    prefixes.includes('Program') || attributes.some((attribute) => /\bprogram\b/.test(attribute));
  return !isProgram && THEOREM_WORDS.has(keyword);
}

/** Words that open a proof only when no body is given. */
const DEFINITION_WORDS = new Set([
  ...['Definition', 'Example', 'SubClass', 'Let', 'Fixpoint', 'CoFixpoint'],
  ...['Instance', 'Coercion', 'Canonical'],
]);
/** The words that can begin a statement. */
export const STATEMENT_WORDS: ReadonlySet<string> = new Set([
  ...THEOREM_WORDS,
  ...DEFINITION_WORDS,
  ...['Goal', 'Next', 'Final', 'Obligation', 'Add', 'Derive', 'Function', 'Equations'],
]);

/**
 * The statement that begins with one of these words; undefined when the sentence asks for no proof.
 * @param isProved whether what follows is a proof of it: a `:=` in it is of a notation then, and gives no body.
 */
export function statementHead(tokens: HeadTokens, isProved = false): StatementHead | undefined {
  const word = tokens.peek();
  const next = tokens.peek(1);
  if (THEOREM_WORDS.has(word)) return statement(tokens, word, 1);
  if (DEFINITION_WORDS.has(word)) return definition(tokens, word, isProved);
  switch (word) {
    case 'Goal':
      return stated(tokens, 'Goal', undefined, tokens.between(tokens.place + 1, tokens.last));
    case 'Next':
    case 'Final':
      return next === 'Obligation' ? obligation(tokens, `${word} Obligation`) : undefined;
    case 'Obligation':
      return /^\d/.test(next) ? obligation(tokens, `Obligation ${next}`) : undefined;
    case 'Add':
      return addMorphism(tokens);
    case 'Derive':
      return derive(tokens);
    case 'Function':
      return functionStatement(tokens);
    case 'Equations':
      return next === '?' ? statement(tokens, 'Equations?', 2) : undefined;
    default:
      return undefined;
  }
}

/** Name, universes, binders and statement behind `skip` words of keyword. */
function statement(tokens: HeadTokens, keyword: string, skip: number, end = tokens.last): StatementHead {
  let index = tokens.place + skip;
  const nameToken = tokens.all[index];
  let name: Token | undefined;
  if (nameToken?.kind === 'identifier' && index < end) {
    name = nameToken;
    index += 1;
  }
  if (tokens.all[index]?.text === '@' && tokens.all[index + 1]?.text === '{')
    index = tokens.find(index + 2, ({ text }) => text === '}') + 1;
  const colon = tokens.find(index, ({ text }) => text === ':');
  const stop = colon < 0 || colon >= end ? end : colon;
  const binders = tokens.between(index, stop);
  const said = stop === end ? undefined : tokens.between(stop + 1, end);
  return {
    ...stated(tokens, keyword, name, said),
    otherNames: mutualNames(tokens, stop, end),
    ...(binders && { bindersSpan: binders }),
  };
}

/** Names behind a top-level `with NAME … :`, but not those of `match … with`. */
export function mutualNames(tokens: HeadTokens, from: number, end: number): string[] {
  return mutualParts(tokens, from, end).flatMap((index) => {
    const name = tokens.all[index + 1];
    return name?.kind === 'identifier' ? [name.text] : [];
  });
}

/** Where each `with` stands that begins another of what is declared together. */
export function mutualParts(tokens: HeadTokens, from: number, end: number): number[] {
  const parts: number[] = [];
  let matches = 0;
  for (let index = from; ; index += 1) {
    index = tokens.find(index, ({ text }) => text === 'with' || text === 'match');
    if (index < 0 || index >= end) return parts;
    if (tokens.all[index]?.text === 'match') matches += 1;
    else if (matches > 0) matches -= 1;
    else parts.push(index);
  }
}

/** Whether one of several fixpoints has a body and another has none, which is to be proved. */
function lacksBody(tokens: HeadTokens, from: number): boolean {
  const borders = [from, ...mutualParts(tokens, from, tokens.last), tokens.last];
  return borders.slice(0, -1).some((begin, index) => {
    const sign = tokens.bodySign(begin);
    return sign < 0 || sign >= orZero(borders[index + 1]);
  });
}

function definition(tokens: HeadTokens, word: string, isProved: boolean): StatementHead | undefined {
  let keyword = word;
  let skip = 1;
  const next = tokens.peek(1);
  if (
    (word === 'Let' && (next === 'Fixpoint' || next === 'CoFixpoint')) ||
    (word === 'Canonical' && next === 'Structure')
  ) {
    keyword = `${word} ${next}`;
    skip = 2;
  }
  const from = tokens.place + skip;
  const refines = tokens.attributes.includes('refine');
  const isOpen = isProved || (/Fixpoint$/u.test(keyword) && lacksBody(tokens, from));
  const body = isOpen ? -1 : tokens.bodySign(from);
  if (body >= 0 && !refines) return undefined;
  if (tokens.find(from, ({ text }) => text === ':') < 0) return undefined;
  if (tokens.find(from, ({ text }) => text === '>->') >= 0) return undefined;
  // Program turns a missing body of an instance into obligations.
  if (word === 'Instance' && tokens.prefixes.includes('Program')) return undefined;
  const priority = word === 'Instance' ? tokens.find(from, ({ text }) => text === '|') : -1;
  return statement(tokens, keyword, skip, body >= 0 ? body : priority >= 0 ? priority : tokens.last);
}

function stated(
  tokens: HeadTokens,
  keyword: string,
  name: Token | undefined,
  said: Span | undefined,
): StatementHead {
  return {
    kind: 'statement',
    keyword,
    prefixes: tokens.prefixes,
    attributes: tokens.attributes,
    otherNames: [],
    ...(name && { name: name.text, nameSpan: { start: name.start, end: tokenEnd(name) } }),
    ...(said && { statementSpan: said }),
  };
}

function obligation(tokens: HeadTokens, keyword: string): StatementHead {
  const of = tokens.peek(2) === 'of' ? tokens.all[tokens.place + 3] : undefined;
  return stated(tokens, keyword, of, undefined);
}

/** `Add [Parametric] Morphism …`: all of it up to `as NAME` is the statement. */
function addMorphism(tokens: HeadTokens): StatementHead | undefined {
  const parametric = tokens.peek(1) === 'Parametric';
  const skip = parametric ? 3 : 2;
  if (tokens.peek(skip - 1) !== 'Morphism') return undefined;
  const as = tokens.find(tokens.place, ({ text }) => text === 'as');
  const name = as < 0 ? undefined : tokens.all[as + 1];
  const said = tokens.between(tokens.place + skip, as < 0 ? tokens.last : as);
  return stated(tokens, parametric ? 'Add Parametric Morphism' : 'Add Morphism', name, said);
}

/** `Derive x SuchThat P As h.` and, from 9.0 on, `Derive x in P as h.` */
function derive(tokens: HeadTokens): StatementHead | undefined {
  const such = tokens.find(tokens.place, ({ text }) => text === 'SuchThat' || text === 'in');
  const as = tokens.find(tokens.place, ({ text }) => text === 'As' || text === 'as');
  if (such < 0 || as < such || tokens.peek(1) === 'Inversion' || tokens.peek(1) === 'Dependent')
    return undefined;
  return stated(tokens, 'Derive', tokens.all[as + 1], tokens.between(such + 1, as));
}

/** `Function` asks for a proof of termination only with a measure or a relation. */
function functionStatement(tokens: HeadTokens): StatementHead | undefined {
  const annotated = tokens.all.some(
    ({ text }, index) => text === '{' && ['measure', 'wf'].includes(orNothing(tokens.all[index + 1]?.text)),
  );
  if (!annotated) return undefined;
  const body = tokens.bodySign(tokens.place);
  return statement(tokens, 'Function', 1, body < 0 ? tokens.last : body);
}
