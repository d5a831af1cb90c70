/**
 * Reads `…Script.sml` files: which declarations they have, where each theorem's statement and proof stand, and which
 * proofs cheat. Nothing of the text is lost: the items, in order, with what stands between them, are the file. A
 * file that HOL would refuse is read as far as it makes sense, with the problems listed.
 */
import { orZero } from '../../../core/entry.ts';
import type { Span } from '../../../core/position.ts';
import { findCheats } from './cheats.ts';
import { inColumnZero, readToken } from './lexer.ts';
import { findOldStyleTheorems } from './old-style.ts';
import type { Script, ScriptItem, ScriptTheorem, TheoryHeader } from './script-parts.ts';
import type { ItemKind } from './script-words.ts';
import { ScriptText } from './script-text.ts';
import { DECLARATIONS, HOL_KEYWORDS, holItemKind, itemKindOf, nest } from './script-words.ts';

export function parseScript(text: string): Script {
  return new ScriptReader(text).read();
}

interface OpenItem {
  kind: ItemKind;
  start: number;
  end: number;
  name?: string;
}

class ScriptReader {
  readonly #source: ScriptText;
  readonly #items: ScriptItem[] = [];
  readonly #theorems: ScriptTheorem[] = [];
  /** What is open inside of the current item: a scope's keyword or the bracket that closes. */
  #open: string[] = [];
  #item: OpenItem | undefined;
  #header: TheoryHeader | undefined;
  /** The last word or symbol, for keywords that depend on it. */
  #before = '';
  /** An expression follows the head that was just read: `Theorem x = …`, `Overload x = …`. */
  #expressionFollows = false;

  constructor(text: string) {
    this.#source = new ScriptText(text);
  }

  read(): Script {
    const text = this.#source.text;
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
      problems: this.#source.problems,
      header: this.#header,
    };
  }

  /** Reads what begins at an offset; answers where the next thing begins. */
  #step(at: number): number {
    const text = this.#source.text;
    const token = readToken(text, at);
    const { span, kind, closed } = token;
    if (kind === 'space' || kind === 'comment') {
      if (!closed) this.#source.problem('The comment is never closed.', span);
      return span.end;
    }
    if (!closed) this.#source.problem(`The ${kind} is never closed.`, span);
    const word = text.slice(span.start, span.end);
    if (kind === 'word' && this.#source.isHolKeyword(word, span)) return this.#holDeclaration(word, span);
    if (this.#open.length === 0) {
      if (word === ';') {
        if (this.#item !== undefined) this.#item.end = span.end;
        this.#finishItem();
        return span.end;
      }
      if (kind === 'word' && DECLARATIONS.has(word) && !this.#continues(word)) this.#finishItem();
      this.#item ??= { kind: itemKindOf(kind === 'word' ? word : ''), start: span.start, end: span.end };
    }
    nest(this.#open, word, kind);
    if (this.#item !== undefined) this.#item.end = span.end;
    this.#before = word;
    return span.end;
  }

  /** `datatype a = datatype b`, `where type`, and the like go on with the declaration that they stand in. */
  #continues(word: string): boolean {
    if (word === 'type') return this.#before === 'where' || this.#before === 'and';
    return word === 'datatype' && this.#before === '=';
  }

  #holDeclaration(keyword: string, span: Span): number {
    const nested = this.#open.length > 0 && !this.#open.some((closer) => closer !== 'end');
    if (this.#open.length > 0 && !nested) {
      this.#source.problem(`Something is still open where ${keyword} begins a declaration.`, span);
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
    if (!nested && !this.#expressionFollows) this.#finishItem();
    return end;
  }

  #holBody(keyword: string, span: Span, nested: boolean): number {
    this.#expressionFollows = keyword === 'Overload' || keyword === 'Type';
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
        const head = this.#source.head(span.end);
        this.#setName(head.name);
        return this.#quotedUntilEnd(keyword, span, head.end);
      }
      case 'Quote': {
        const head = this.#source.head(span.end);
        this.#setName(head.name);
        return this.#quotedUntilEnd(keyword, span, this.#source.colonAfter(head.end));
      }
      case 'Theory':
        return this.#theory(span);
      case 'Overload':
      case 'Type':
      case 'Finalise': {
        const head = this.#source.head(span.end);
        this.#setName(head.name);
        return head.end;
      }
      default:
        this.#source.problem(`${keyword} does not belong here.`, span);
        return span.end;
    }
  }

  #theorem(keyword: 'Theorem' | 'Triviality', span: Span, nested: boolean): number {
    const source = this.#source;
    const head = source.head(span.end);
    this.#setName(head.name);
    const local = keyword === 'Triviality' || head.attributes.some(({ name }) => name === 'local');
    const common = { name: head.name, attributes: head.attributes, exported: !local && !nested, nested };
    if (!source.wordAt(head.end).word.startsWith(':')) {
      this.#expressionFollows = true;
      const end = source.expressionEnd(head.end);
      const whole = { start: span.start, end };
      const cheats = findCheats(source.text, { start: head.end, end });
      this.#theorems.push({ ...common, form: 'Theorem =', span: whole, cheats });
      return head.end;
    }
    const statementStart = source.wordAt(head.end).span.start + 1;
    const body = source.quoteBody(statementStart);
    const statement = { start: statementStart, end: body.end };
    if (body.terminator !== 'Proof') {
      source.problem(`The statement of ${head.name} is not followed by Proof.`, span);
      const whole = { start: span.start, end: body.end };
      this.#theorems.push({ ...common, form: keyword, span: whole, statement, cheats: [] });
      return body.end;
    }
    const { proof, end } = source.proof(source.skipAttributes(body.end + 'Proof'.length), 'QED', head.name);
    const whole = { start: span.start, end };
    const cheats = findCheats(source.text, proof);
    this.#theorems.push({ ...common, form: keyword, span: whole, statement, proof, cheats });
    return end;
  }

  #resume(span: Span, nested: boolean): number {
    const source = this.#source;
    const head = source.head(span.end);
    const label = head.attributes[0]?.name;
    const name = label === undefined ? head.name : `${head.name}[${label}]`;
    this.#setName(name);
    const { proof, end } = source.proof(source.colonAfter(head.end), 'QED', name);
    const cheats = findCheats(source.text, proof);
    const whole = { start: span.start, end };
    const attributes = head.attributes.slice(1);
    const common = { name, attributes, exported: false, nested };
    this.#theorems.push({ ...common, form: 'Resume', span: whole, proof, cheats });
    return end;
  }

  #definition(span: Span, nested: boolean): number {
    const source = this.#source;
    const head = source.head(span.end);
    this.#setName(head.name);
    const start = source.colonAfter(head.end);
    const body = source.quoteBody(start);
    if (body.terminator === 'End') return body.end + 'End'.length;
    if (body.terminator !== 'Termination') {
      source.problem(`The definition ${head.name} is not followed by End.`, span);
      return body.end;
    }
    const { proof, end } = source.proof(body.end + 'Termination'.length, 'End', head.name);
    this.#theorems.push({
      form: 'Termination',
      name: head.name,
      span: { start: span.start, end },
      attributes: head.attributes,
      statement: { start, end: body.end },
      proof,
      cheats: findCheats(source.text, proof),
      exported: false,
      nested,
    });
    return end;
  }

  #quotedUntilEnd(keyword: string, span: Span, from: number): number {
    const start = this.#source.colonAfter(from);
    const body = this.#source.quoteBody(start);
    if (body.terminator === 'End') return body.end + 'End'.length;
    this.#source.problem(`${keyword} is not followed by End.`, span);
    return body.end;
  }

  #theory(span: Span): number {
    const head = this.#source.head(span.end);
    this.#setName(head.name);
    const names: Record<'Ancestors' | 'Libs', string[]> = { Ancestors: [], Libs: [] };
    let list: string[] | undefined;
    let end = head.end;
    for (let next = this.#source.wordAt(end); next.kind === 'word'; next = this.#source.wordAt(end)) {
      if (inColumnZero(this.#source.text, next.span.start) && HOL_KEYWORDS.has(next.word)) {
        if (next.word !== 'Ancestors' && next.word !== 'Libs') break;
        list = names[next.word];
      } else if (list === undefined || DECLARATIONS.has(next.word)) break;
      else list.push(next.word);
      end = this.#source.skipAttributes(next.span.end);
    }
    this.#header ??= { name: head.name, ancestors: names.Ancestors, libraries: names.Libs };
    return end;
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
      this.#source.problem('The declaration is never closed.', {
        start: orZero(item?.start),
        end: orZero(item?.end),
      });
      this.#open = [];
    }
    this.#item = undefined;
    this.#before = '';
  }
}
