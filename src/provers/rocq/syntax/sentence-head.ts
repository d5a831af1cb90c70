/**
 * What one vernacular sentence is, read from its own text alone: its attributes, its keyword, and whether it begins or
 * ends a proof, opens a section, requires a library. Everything here is syntactic; the outline puts sentences together.
 */
import { entryAt, orNothing, orZero } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { bracketChange, endOf, significantTokens, type Token, withoutComments } from './lexer.ts';
import type { Sentence } from './sentences.ts';

export type ClosingWord = 'Qed' | 'Defined' | 'Admitted' | 'Abort' | 'Save' | 'Proof term';

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

/** A place in a proof where the author gave up; the span counts from the start of the sentence. */
export interface ProofHole {
  readonly tactic: 'admit' | 'give_up';
  readonly span: Span;
}

const OTHER: SentenceHead = { kind: 'other' };

const THEOREM_WORDS = new Set(['Theorem', 'Lemma', 'Fact', 'Remark', 'Corollary', 'Proposition', 'Property']);
/** Words that open a proof only when no body is given. */
const DEFINITION_WORDS = new Set([
  'Definition',
  'Example',
  'SubClass',
  'Let',
  'Fixpoint',
  'CoFixpoint',
  'Instance',
  'Coercion',
  'Canonical',
]);
const PREFIXES = new Set([
  'Local',
  'Global',
  'Polymorphic',
  'Monomorphic',
  'Cumulative',
  'NonCumulative',
  'Private',
  'Program',
  'Export',
]);
const CLOSING_WORDS = new Set<string>(['Qed', 'Defined', 'Admitted', 'Abort', 'Save']);

/** Reads one sentence. `Fail …` and other things without lasting effect are `other`. */
export function sentenceHead(sentence: Sentence): SentenceHead {
  if (sentence.role !== 'command') return OTHER;
  const first = sentence.text.charCodeAt(0);
  const maybeVernacular = (first >= 65 && first <= 90) || first === 35;
  if (!maybeVernacular) return holesIn(sentence.text);
  return new HeadReader(sentence.text).read();
}

const HOLE = /\b(?:admit|give_up)\b/;

function holesIn(text: string): SentenceHead {
  if (!HOLE.test(text)) return OTHER;
  const holes: ProofHole[] = [];
  for (const token of significantTokens(text))
    if (token.kind === 'identifier' && (token.text === 'admit' || token.text === 'give_up'))
      holes.push({ tactic: token.text, span: { start: token.start, end: endOf(token) } });
  return holes.length === 0 ? OTHER : { kind: 'holes', holes };
}

class HeadReader {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #place = 0;
  readonly #prefixes: string[] = [];
  readonly #attributes: string[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#tokens = significantTokens(text);
  }

  #peek(ahead = 0): string {
    return orNothing(this.#tokens[this.#place + ahead]?.text);
  }

  /** Index of the closing dot among the tokens. */
  get #last(): number {
    return this.#tokens.length - 1;
  }

  read(): SentenceHead {
    if (!this.#skipPrefixes()) return OTHER;
    const word = this.#peek();
    if (THEOREM_WORDS.has(word)) return this.#statement(word, 1);
    if (CLOSING_WORDS.has(word)) return this.#close(word as ClosingWord);
    if (DEFINITION_WORDS.has(word)) return this.#definition(word);
    switch (word) {
      case 'Goal':
        return this.#goal();
      case 'Proof':
        return this.#proof();
      case 'Section':
        return { kind: 'open-section', name: this.#peek(1) };
      case 'End':
        return { kind: 'end', name: this.#peek(1) };
      case 'Module':
        return this.#module();
      case 'Require':
        return this.#require(undefined, 1);
      case 'From':
        return this.#peek(2) === 'Require' ? this.#require(this.#peek(1), 3) : OTHER;
      case 'Next':
      case 'Final':
        return this.#peek(1) === 'Obligation' ? this.#obligation(`${word} Obligation`, 2) : OTHER;
      case 'Obligation':
        return /^\d/.test(this.#peek(1)) ? this.#obligation(`Obligation ${this.#peek(1)}`, 2) : OTHER;
      case 'Admit':
        return this.#peek(1) === 'Obligations' ? this.#admitObligations() : OTHER;
      case 'Add':
        return this.#addMorphism();
      case 'Derive':
        return this.#derive();
      case 'Function':
        return this.#function();
      case 'Equations':
        return this.#peek(1) === '?' ? this.#statement('Equations?', 2) : OTHER;
      case 'Set':
        return this.#peek(1) === 'Nested' && this.#peek(2) === 'Proofs'
          ? { kind: 'nested-proofs-allowed' }
          : OTHER;
      default:
        // `Time admit.`, or a tactic of somebody's with a capital letter.
        return holesIn(this.#text);
    }
  }

  /** Moves over attributes, prefixes and control words; false when the sentence will have no effect. */
  #skipPrefixes(): boolean {
    for (;;) {
      const word = this.#peek();
      if (word === '#' && this.#peek(1) === '[') this.#attribute();
      else if (word === 'Fail' || word === 'Succeed') return false;
      else if (word === 'Time' || word === 'Instructions') this.#place += 1;
      else if (word === 'Timeout' || word === 'Redirect' || word === 'Profile') this.#place += 2;
      else if (PREFIXES.has(word)) {
        this.#prefixes.push(word);
        this.#place += 1;
      } else return true;
    }
  }

  /** `#[a, b="c", d(e)]`: each part between top-level commas is one attribute. */
  #attribute(): void {
    let depth = 0;
    let start = orZero(this.#tokens[this.#place + 2]?.start);
    for (this.#place += 1; this.#place <= this.#last; this.#place += 1) {
      const token = this.#tokens[this.#place];
      if (token === undefined) return;
      depth += bracketChange(token.text);
      if (depth === 0 || (depth === 1 && token.text === ',')) {
        const attribute = withoutComments(this.#text.slice(start, token.start)).trim();
        if (attribute !== '') this.#attributes.push(attribute);
        start = endOf(token);
      }
      if (depth === 0) {
        this.#place += 1;
        return;
      }
    }
  }

  /** Index of the first top-level token from `from` on that satisfies the predicate, or -1. */
  #find(from: number, satisfies: (token: Token) => boolean): number {
    let depth = 0;
    for (let index = from; index < this.#last; index += 1) {
      const token = this.#tokens[index];
      if (token === undefined) break;
      const change = bracketChange(token.text);
      if (change < 0) depth += change;
      if (depth <= 0 && satisfies(token)) return index;
      if (change > 0) depth += change;
    }
    return -1;
  }

  #between(from: number, to: number): Span | undefined {
    const first = this.#tokens[from];
    const last = this.#tokens[to - 1];
    return first === undefined || last === undefined || to <= from
      ? undefined
      : { start: first.start, end: endOf(last) };
  }

  /** Name, universes, binders and statement behind `skip` words of keyword. */
  #statement(keyword: string, skip: number, end = this.#last): StatementHead {
    let index = this.#place + skip;
    const nameToken = this.#tokens[index];
    let name: Token | undefined;
    if (nameToken?.kind === 'identifier' && index < end) {
      name = nameToken;
      index += 1;
    }
    if (this.#tokens[index]?.text === '@' && this.#tokens[index + 1]?.text === '{')
      index = this.#find(index + 2, ({ text }) => text === '}') + 1;
    const colon = this.#find(index, ({ text }) => text === ':');
    const stop = colon < 0 || colon >= end ? end : colon;
    const binders = this.#between(index, stop);
    const statement = stop === end ? undefined : this.#between(stop + 1, end);
    return {
      ...this.#stated(keyword, name, statement),
      otherNames: this.#mutualNames(stop, end),
      ...(binders && { bindersSpan: binders }),
    };
  }

  /** Names behind a top-level `with NAME … :`, but not those of `match … with`. */
  #mutualNames(from: number, end: number): string[] {
    const names: string[] = [];
    let matches = 0;
    let index = from;
    for (;;) {
      index = this.#find(index, ({ text }) => text === 'with' || text === 'match');
      if (index < 0 || index >= end) return names;
      if (this.#tokens[index]?.text === 'match') matches += 1;
      else if (matches > 0) matches -= 1;
      else if (this.#tokens[index + 1]?.kind === 'identifier')
        names.push(entryAt(this.#tokens, index + 1, 'token').text);
      index += 1;
    }
  }

  #definition(word: string): SentenceHead {
    let keyword = word;
    let skip = 1;
    const next = this.#peek(1);
    if (
      (word === 'Let' && (next === 'Fixpoint' || next === 'CoFixpoint')) ||
      (word === 'Canonical' && next === 'Structure')
    ) {
      keyword = `${word} ${next}`;
      skip = 2;
    }
    const from = this.#place + skip;
    const refines = this.#attributes.includes('refine');
    const body = this.#bodySign(from);
    if (body >= 0 && !refines) return OTHER;
    if (this.#find(from, ({ text }) => text === ':') < 0) return OTHER;
    if (this.#find(from, ({ text }) => text === '>->') >= 0) return OTHER;
    // Program turns a missing body of an instance into obligations.
    if (word === 'Instance' && this.#prefixes.includes('Program')) return OTHER;
    const priority = word === 'Instance' ? this.#find(from, ({ text }) => text === '|') : -1;
    return this.#statement(keyword, skip, body >= 0 ? body : priority >= 0 ? priority : this.#last);
  }

  /** Index of the `:=` that gives the body, not one of a `let` in the type; -1 when there is none. */
  #bodySign(from: number): number {
    let lets = 0;
    return this.#find(from, ({ text }) => {
      if (text === 'let') lets += 1;
      if (text !== ':=') return false;
      lets -= 1;
      return lets < 0;
    });
  }

  #stated(keyword: string, name: Token | undefined, statement: Span | undefined): StatementHead {
    return {
      kind: 'statement',
      keyword,
      prefixes: this.#prefixes,
      attributes: this.#attributes,
      otherNames: [],
      ...(name && { name: name.text, nameSpan: { start: name.start, end: endOf(name) } }),
      ...(statement && { statementSpan: statement }),
    };
  }

  #goal(): StatementHead {
    return this.#stated('Goal', undefined, this.#between(this.#place + 1, this.#last));
  }

  #obligation(keyword: string, skip: number): StatementHead {
    const of = this.#peek(skip) === 'of' ? this.#tokens[this.#place + skip + 1] : undefined;
    return this.#stated(keyword, of, undefined);
  }

  #admitObligations(): SentenceHead {
    const of = this.#peek(2) === 'of' ? this.#peek(3) : undefined;
    return { kind: 'admit-obligations', ...(of !== undefined && { of }) };
  }

  /** `Add [Parametric] Morphism …`: all of it up to `as NAME` is the statement. */
  #addMorphism(): SentenceHead {
    const parametric = this.#peek(1) === 'Parametric';
    const skip = parametric ? 3 : 2;
    if (this.#peek(skip - 1) !== 'Morphism') return OTHER;
    const as = this.#find(this.#place, ({ text }) => text === 'as');
    const name = as < 0 ? undefined : this.#tokens[as + 1];
    const statement = this.#between(this.#place + skip, as < 0 ? this.#last : as);
    return this.#stated(parametric ? 'Add Parametric Morphism' : 'Add Morphism', name, statement);
  }

  /** `Derive x SuchThat P As h.` and, from 9.0 on, `Derive x in P as h.` */
  #derive(): SentenceHead {
    const such = this.#find(this.#place, ({ text }) => text === 'SuchThat' || text === 'in');
    const as = this.#find(this.#place, ({ text }) => text === 'As' || text === 'as');
    if (such < 0 || as < such || this.#peek(1) === 'Inversion' || this.#peek(1) === 'Dependent') return OTHER;
    return this.#stated('Derive', this.#tokens[as + 1], this.#between(such + 1, as));
  }

  /** `Function` asks for a proof of termination only with a measure or a relation. */
  #function(): SentenceHead {
    const annotated = this.#tokens.some(
      ({ text }, index) =>
        text === '{' && ['measure', 'wf'].includes(orNothing(this.#tokens[index + 1]?.text)),
    );
    if (!annotated) return OTHER;
    const body = this.#bodySign(this.#place);
    return this.#statement('Function', 1, body < 0 ? this.#last : body);
  }

  #proof(): SentenceHead {
    const next = this.#peek(1);
    if (next === 'Mode') return OTHER;
    const using = this.#usingClause();
    if (next === '.' || next === '...' || next === 'with' || next === 'using')
      return { kind: 'proof', ...(using !== undefined && { using }) };
    return { kind: 'close', word: 'Proof term' };
  }

  #usingClause(): string | undefined {
    const using = this.#find(this.#place, ({ text }) => text === 'using');
    if (using < 0) return undefined;
    const stop = this.#find(using, ({ text }) => text === 'with');
    const clause = this.#between(using + 1, stop < 0 ? this.#last : stop);
    return clause === undefined ? '' : this.#text.slice(clause.start, clause.end);
  }

  #close(word: ClosingWord): SentenceHead {
    const name = this.#tokens[this.#place + 1];
    return { kind: 'close', word, ...(name?.kind === 'identifier' && { name: name.text }) };
  }

  /** A module is interactive unless a `:=` of its own (not one of `with Definition x := t`) gives its body. */
  #module(): SentenceHead {
    let index = this.#place + 1;
    const isType = this.#tokens[index]?.text === 'Type';
    if (isType) index += 1;
    else if (this.#tokens[index]?.text === 'Import' || this.#tokens[index]?.text === 'Export') index += 1;
    // Import categories: `Module Import -(notations) M`.
    if (this.#tokens[index]?.text === '-') index += 1;
    if (this.#tokens[index]?.text === '(') index = this.#find(index + 1, ({ text }) => text === ')') + 1;
    const name = orNothing(this.#tokens[index]?.text);
    let inWith = false;
    let defined = false;
    let place = index + 1;
    for (;;) {
      place = this.#find(place, ({ text }) => text === 'with' || text === ':=');
      if (place < 0) break;
      if (this.#tokens[place]?.text === 'with') inWith = true;
      else if (inWith) inWith = false;
      else defined = true;
      place += 1;
    }
    if (defined) return OTHER;
    return { kind: isType ? 'open-module-type' : 'open-module', name };
  }

  #require(from: string | undefined, skip: number): SentenceHead {
    let index = this.#place + skip;
    const word = this.#tokens[index]?.text;
    const mode: RequireMode = word === 'Import' ? 'import' : word === 'Export' ? 'export' : 'require';
    if (mode !== 'require') index += 1;
    const modules: string[] = [];
    let depth = 0;
    for (; index < this.#last; index += 1) {
      const token = this.#tokens[index];
      if (token === undefined) break;
      depth += bracketChange(token.text);
      if (depth === 0 && token.kind === 'identifier') modules.push(token.text);
    }
    return { kind: 'require', ...(from !== undefined && { from }), mode, modules };
  }
}
