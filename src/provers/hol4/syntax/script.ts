/**
 * Reads `…Script.sml` files: which declarations they have, where each theorem's statement and proof stand, and which
 * proofs cheat. Nothing of the text is lost: the items, in order, with what stands between them, are the file. A
 * file that HOL would refuse is read as far as it makes sense, with the problems listed.
 */
import { orZero, present } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { findCheats } from './cheats.ts';
import { inColumnZero, readQuoteBody, readToken } from './lexer.ts';
import { findOldStyleTheorems } from './old-style.ts';
import {
  type Attribute,
  type ItemKind,
  type Script,
  type ScriptItem,
  type ScriptProblem,
  type ScriptTheorem,
  type TheoryHeader,
  parseAttributes,
} from './script-parts.ts';

export function parseScript(text: string): Script {
  return new ScriptReader(text).read();
}

const HOL_KEYWORDS = new Set([
  'Theory',
  'Theorem',
  'Triviality',
  'Definition',
  'Datatype',
  'Inductive',
  'CoInductive',
  'Type',
  'Overload',
  'Quote',
  'Resume',
  'Finalise',
  'Proof',
  'QED',
  'Termination',
  'End',
  'Ancestors',
  'Libs',
]);
const DECLARATIONS = new Set([
  'val',
  'fun',
  'structure',
  'signature',
  'functor',
  'type',
  'eqtype',
  'datatype',
  'abstype',
  'exception',
  'open',
  'infix',
  'infixr',
  'nonfix',
  'local',
]);
const SCOPE_OPENERS = new Set(['let', 'local', 'struct', 'sig', 'abstype']);
const BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

interface OpenItem {
  kind: ItemKind;
  start: number;
  end: number;
  name?: string;
}

class ScriptReader {
  readonly #text: string;
  readonly #items: ScriptItem[] = [];
  readonly #theorems: ScriptTheorem[] = [];
  readonly #problems: ScriptProblem[] = [];
  /** What is open inside of the current item: a scope's keyword or the bracket that closes. */
  #open: string[] = [];
  #item: OpenItem | undefined;
  #header: TheoryHeader | undefined;
  /** The last two words or symbols, for keywords that depend on them. */
  #before = '';

  constructor(text: string) {
    this.#text = text;
  }

  read(): Script {
    const text = this.#text;
    for (let at = 0; at < text.length;) at = this.#step(at);
    this.#finishItem();
    const old = this.#items
      .filter(({ kind }) => kind === 'declaration' || kind === 'expression')
      .flatMap(({ span }) => findOldStyleTheorems(text, span));
    const theorems = [...this.#theorems, ...old].sort((left, right) => left.span.start - right.span.start);
    return {
      text,
      items: this.#items,
      theorems,
      cheats: findCheats(text, { start: 0, end: text.length }),
      problems: this.#problems,
      header: this.#header,
    };
  }

  /** Reads what begins at an offset; answers where the next thing begins. */
  #step(at: number): number {
    const text = this.#text;
    const token = readToken(text, at);
    const { span, kind, closed } = token;
    if (kind === 'space' || kind === 'comment') {
      if (!closed) this.#problem('The comment is never closed.', span);
      return span.end;
    }
    if (!closed) this.#problem(`The ${kind} is never closed.`, span);
    const word = text.slice(span.start, span.end);
    if (kind === 'word' && this.#isHolKeyword(word, span)) return this.#holDeclaration(word, span);
    if (this.#open.length === 0) {
      if (word === ';') {
        if (this.#item !== undefined) this.#item.end = span.end;
        this.#finishItem();
        return span.end;
      }
      if (kind === 'word' && DECLARATIONS.has(word) && !this.#continues(word)) this.#finishItem();
      this.#item ??= { kind: itemKindOf(kind === 'word' ? word : ''), start: span.start, end: span.end };
    }
    this.#nest(word, kind);
    if (this.#item !== undefined) this.#item.end = span.end;
    this.#before = word;
    return span.end;
  }

  #nest(word: string, kind: string): void {
    if (kind === 'word' && SCOPE_OPENERS.has(word)) this.#open.push('end');
    else if (kind === 'punctuation' && word in BRACKETS)
      this.#open.push(present(BRACKETS[word], 'closing bracket'));
    else if (this.#open.at(-1) === word) this.#open.pop();
  }

  /** `datatype a = datatype b`, `where type`, and the like go on with the declaration that they stand in. */
  #continues(word: string): boolean {
    if (word === 'type') return this.#before === 'where' || this.#before === 'and';
    return word === 'datatype' && this.#before === '=';
  }

  #isHolKeyword(word: string, span: Span): boolean {
    if (!HOL_KEYWORDS.has(word) || !inColumnZero(this.#text, span.start)) return false;
    // `Datatype` without a colon is the function of old scripts.
    return word !== 'Datatype' || /^[ \t]*:/.test(this.#text.slice(span.end, span.end + 80));
  }

  #holDeclaration(keyword: string, span: Span): number {
    const nested = this.#open.length > 0 && !this.#open.some((closer) => closer !== 'end');
    if (this.#open.length > 0 && !nested) {
      this.#problem(`Something is still open where ${keyword} begins a declaration.`, span);
      this.#open = [];
    }
    if (!nested) {
      this.#finishItem();
      this.#item = { kind: holItemKind(keyword), start: span.start, end: span.end };
    }
    const item = this.#item;
    const end = this.#holBody(keyword, span, nested);
    if (item !== undefined) item.end = Math.max(item.end, end);
    this.#before = keyword;
    if (!nested && !this.#goesOn(keyword)) this.#finishItem();
    return end;
  }

  /** `Theorem x = …`, `Overload x = …`: an expression follows. Told by the parser of the head through `#before`. */
  #expressionFollows = false;

  #goesOn(keyword: string): boolean {
    if (keyword === 'Overload' || keyword === 'Type') return true;
    return this.#expressionFollows;
  }

  #holBody(keyword: string, span: Span, nested: boolean): number {
    this.#expressionFollows = false;
    switch (keyword) {
      case 'Theorem':
      case 'Triviality':
        return this.#theorem(keyword, span, nested);
      case 'Resume':
        return this.#resume(span, nested);
      case 'Definition':
        return this.#definition(span, nested);
      case 'Datatype':
        return this.#quotedUntilEnd(keyword, span, span.end);
      case 'Inductive':
      case 'CoInductive': {
        const head = this.#head(span.end);
        this.#setName(head.name);
        return this.#quotedUntilEnd(keyword, span, head.end);
      }
      case 'Quote': {
        const head = this.#head(span.end);
        this.#setName(head.name);
        return this.#quotedUntilEnd(keyword, span, this.#colonAfter(head.end));
      }
      case 'Theory':
        return this.#theory(span);
      case 'Overload':
      case 'Type':
      case 'Finalise': {
        const head = this.#head(span.end);
        this.#setName(head.name);
        return head.end;
      }
      default:
        this.#problem(`${keyword} does not belong here.`, span);
        return span.end;
    }
  }

  #theorem(keyword: 'Theorem' | 'Triviality', span: Span, nested: boolean): number {
    const head = this.#head(span.end);
    this.#setName(head.name);
    const local = keyword === 'Triviality' || head.attributes.some(({ name }) => name === 'local');
    const common = { name: head.name, attributes: head.attributes, exported: !local && !nested, nested };
    if (!this.#wordAt(head.end).word.startsWith(':')) {
      this.#expressionFollows = true;
      const end = this.#expressionEnd(head.end);
      const whole = { start: span.start, end };
      const cheats = findCheats(this.#text, { start: head.end, end });
      this.#theorems.push({ ...common, form: 'Theorem =', span: whole, cheats });
      return head.end;
    }
    const statementStart = this.#wordAt(head.end).span.start + 1;
    const body = readQuoteBody(this.#text, statementStart, this.#text.length, []);
    const statement = { start: statementStart, end: body.end };
    if (body.terminator !== 'Proof') {
      this.#problem(`The statement of ${head.name} is not followed by Proof.`, span);
      const whole = { start: span.start, end: body.end };
      this.#theorems.push({ ...common, form: keyword, span: whole, statement, cheats: [] });
      return body.end;
    }
    const { proof, end } = this.#proof(this.#skipAttributes(body.end + 'Proof'.length), 'QED', head.name);
    const whole = { start: span.start, end };
    const cheats = findCheats(this.#text, proof);
    this.#theorems.push({ ...common, form: keyword, span: whole, statement, proof, cheats });
    return end;
  }

  #resume(span: Span, nested: boolean): number {
    const head = this.#head(span.end);
    const label = head.attributes[0]?.name;
    const name = label === undefined ? head.name : `${head.name}[${label}]`;
    this.#setName(name);
    const { proof, end } = this.#proof(this.#colonAfter(head.end), 'QED', name);
    const cheats = findCheats(this.#text, proof);
    const whole = { start: span.start, end };
    const attributes = head.attributes.slice(1);
    this.#theorems.push({
      form: 'Resume',
      name,
      span: whole,
      attributes,
      proof,
      cheats,
      exported: false,
      nested,
    });
    return end;
  }

  #definition(span: Span, nested: boolean): number {
    const head = this.#head(span.end);
    this.#setName(head.name);
    const start = this.#colonAfter(head.end);
    const body = readQuoteBody(this.#text, start, this.#text.length, []);
    if (body.terminator === 'End') return body.end + 'End'.length;
    if (body.terminator !== 'Termination') {
      this.#problem(`The definition ${head.name} is not followed by End.`, span);
      return body.end;
    }
    const { proof, end } = this.#proof(body.end + 'Termination'.length, 'End', head.name);
    this.#theorems.push({
      form: 'Termination',
      name: head.name,
      span: { start: span.start, end },
      attributes: head.attributes,
      statement: { start, end: body.end },
      proof,
      cheats: findCheats(this.#text, proof),
      exported: false,
      nested,
    });
    return end;
  }

  #quotedUntilEnd(keyword: string, span: Span, from: number): number {
    const start = this.#colonAfter(from);
    const body = readQuoteBody(this.#text, start, this.#text.length, []);
    if (body.terminator === 'End') return body.end + 'End'.length;
    this.#problem(`${keyword} is not followed by End.`, span);
    return body.end;
  }

  #theory(span: Span): number {
    const head = this.#head(span.end);
    this.#setName(head.name);
    const names: Record<'Ancestors' | 'Libs', string[]> = { Ancestors: [], Libs: [] };
    let list: string[] | undefined;
    let end = head.end;
    for (let next = this.#wordAt(end); next.kind === 'word'; next = this.#wordAt(end)) {
      if (inColumnZero(this.#text, next.span.start) && HOL_KEYWORDS.has(next.word)) {
        if (next.word !== 'Ancestors' && next.word !== 'Libs') break;
        list = names[next.word];
      } else if (list === undefined || DECLARATIONS.has(next.word)) break;
      else list.push(next.word);
      end = this.#skipAttributes(next.span.end);
    }
    this.#header ??= { name: head.name, ancestors: names.Ancestors, libraries: names.Libs };
    return end;
  }

  /** The tactic from an offset to the keyword that ends it in column zero. */
  #proof(start: number, terminator: 'QED' | 'End', name: string): { proof: Span; end: number } {
    const text = this.#text;
    for (let at = start; at < text.length;) {
      const { kind, span, closed } = readToken(text, at);
      if (!closed) this.#problem(`The ${kind} is never closed.`, span);
      const word = text.slice(span.start, span.end);
      if (kind === 'word' && this.#isHolKeyword(word, span)) {
        if (word === terminator) return { proof: { start, end: span.start }, end: span.end };
        this.#problem(`The proof of ${name} is not followed by ${terminator}.`, { start, end: span.start });
        return { proof: { start, end: span.start }, end: span.start };
      }
      at = span.end;
    }
    this.#problem(`The proof of ${name} is not followed by ${terminator}.`, { start, end: text.length });
    return { proof: { start, end: text.length }, end: text.length };
  }

  /** A name and its attributes in brackets; the name may be a string. */
  #head(from: number): { name: string; attributes: readonly Attribute[]; end: number } {
    const { word, kind, span } = this.#wordAt(from);
    if (kind !== 'word' && kind !== 'string') return { name: '', attributes: [], end: from };
    const name = kind === 'string' ? word.slice(1, -1) : word;
    const end = this.#skipAttributes(span.end);
    return { name, attributes: parseAttributes(this.#text.slice(span.end, end)), end };
  }

  #skipAttributes(from: number): number {
    const { word, span } = this.#wordAt(from);
    if (word !== '[') return from;
    for (let at = span.end; at < this.#text.length;) {
      const token = readToken(this.#text, at);
      if (this.#text.slice(token.span.start, token.span.end) === ']') return token.span.end;
      if (token.kind === 'word' && this.#isHolKeyword(this.#text.slice(at, token.span.end), token.span))
        return at;
      at = token.span.end;
    }
    return this.#text.length;
  }

  /** Behind the next colon, which may be written together with what follows. */
  #colonAfter(from: number): number {
    for (let at = from; at < this.#text.length;) {
      const { word, kind, span } = this.#wordAt(at);
      if (kind === 'symbol' && word.startsWith(':')) return span.start + 1;
      if (kind === 'word' && this.#isHolKeyword(word, span)) break;
      at = span.end;
      if (span.start === span.end) break;
    }
    this.#problem('A colon is missing.', { start: from, end: from });
    return from;
  }

  /** Where the expression ends that begins at an offset, as {@link #step} will find it. */
  #expressionEnd(from: number): number {
    const open: string[] = [];
    let end = from;
    for (let at = from; at < this.#text.length;) {
      const { word, kind, span } = this.#wordAt(at);
      if (span.start === span.end) break;
      if (kind === 'word' && this.#isHolKeyword(word, span)) break;
      if (open.length === 0 && (word === ';' || (kind === 'word' && DECLARATIONS.has(word)))) break;
      if (open.length === 0 && word === 'end') break;
      if (kind === 'word' && SCOPE_OPENERS.has(word)) open.push('end');
      else if (kind === 'punctuation' && word in BRACKETS)
        open.push(present(BRACKETS[word], 'closing bracket'));
      else if (open.at(-1) === word) open.pop();
      end = at = span.end;
    }
    return end;
  }

  /** The next token that is neither blank nor comment; an empty one at the end. */
  #wordAt(from: number): { word: string; kind: string; span: Span } {
    let at = from;
    while (at < this.#text.length) {
      const { kind, span } = readToken(this.#text, at);
      if (kind !== 'space' && kind !== 'comment')
        return { word: this.#text.slice(span.start, span.end), kind, span };
      at = span.end;
    }
    return { word: '', kind: 'end', span: { start: at, end: at } };
  }

  #setName(name: string): void {
    if (this.#item !== undefined && this.#open.length === 0) this.#item.name = name;
  }

  #finishItem(): void {
    const item = this.#item;
    if (item !== undefined) {
      const { kind, start, end, name } = item;
      this.#items.push({ kind, span: { start, end }, ...(name !== undefined && { name }) });
    }
    if (this.#open.length > 0) {
      this.#problem('The declaration is never closed.', {
        start: orZero(item?.start),
        end: orZero(item?.end),
      });
      this.#open = [];
    }
    this.#item = undefined;
    this.#before = '';
  }

  #problem(message: string, span: Span): void {
    this.#problems.push({ message, span });
  }
}

function itemKindOf(word: string): ItemKind {
  if (word === 'open') return 'open';
  return DECLARATIONS.has(word) ? 'declaration' : 'expression';
}

function holItemKind(keyword: string): ItemKind {
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
