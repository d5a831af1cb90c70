/**
 * Terms written as text, for tests: `∀ (n : Nat), Eq.{1} Nat n n`, `fun (n : Nat) => n`, `A → B`, `let x : A := v; b`,
 * `proj(S, 0, e)`, `Sort u`, `Type`, `Prop`, numbers and "strings". Nothing is inferred and nothing checked: a name
 * that no binder has is a constant.
 */
import type { BinderInfo, Expression } from '../../expression.ts';
import type { Level } from '../../level.ts';
import type { TermStore } from '../../term-store.ts';

const TOKEN =
  /\s*(=>|:=|→|∀|\.\{|"(?:[^"\\]|\\.)*"|\d+|#\d+|(?:«[^»]*»|[\p{L}_][\p{L}\p{N}_'!?]*)(?:\.(?:«[^»]*»|[\p{L}_][\p{L}\p{N}_'!?]*|\d+))*|[(){}[\],:;+])/uy;

const CLOSING: Record<string, readonly [string, BinderInfo]> = {
  '(': [')', 'default'],
  '{': ['}', 'implicit'],
  '[': [']', 'instImplicit'],
};

export function parseTerm(text: string, store: TermStore): Expression {
  return new TermParser(text, store).whole();
}

class TermParser {
  readonly #tokens: string[] = [];
  readonly #text: string;
  readonly #store: TermStore;
  #next = 0;

  constructor(text: string, store: TermStore) {
    this.#text = text;
    this.#store = store;
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
      this.#tokens.push(match[1] ?? '');
      if (text.slice(TOKEN.lastIndex).trim() === '') return;
    }
    throw new SyntaxError(`cannot read ${text}`);
  }

  whole(): Expression {
    const term = this.#term([]);
    if (this.#peek() !== undefined) throw this.#error();
    return term;
  }

  #term(names: readonly string[]): Expression {
    const word = this.#peek();
    if (word === '∀' || word === 'fun') {
      this.#take();
      return this.#binders(word === '∀' ? 'pi' : 'lambda', names);
    }
    if (word === 'let') {
      this.#take();
      const name = this.#take();
      this.#expect(':');
      const type = this.#term(names);
      this.#expect(':=');
      const value = this.#term(names);
      this.#expect(';');
      return this.#store.let(this.#store.names.parse(name), type, value, this.#term([...names, name]));
    }
    const left = this.#application(names);
    if (this.#peek() !== '→') return left;
    this.#take();
    return this.#store.pi(this.#store.names.of('a'), left, this.#term([...names, '']));
  }

  #binders(kind: 'pi' | 'lambda', outer: readonly string[]): Expression {
    const names = [...outer];
    const binders: [name: string, type: Expression, info: BinderInfo][] = [];
    for (
      let closing = CLOSING[this.#peek() ?? ''];
      closing !== undefined;
      closing = CLOSING[this.#peek() ?? '']
    ) {
      this.#take();
      const group: string[] = [];
      while (this.#peek() !== ':') group.push(this.#take());
      this.#expect(':');
      const start = this.#next;
      for (const name of group) {
        this.#next = start;
        binders.push([name, this.#term(names), closing[1]]);
        names.push(name);
      }
      this.#expect(closing[0]);
    }
    this.#expect(kind === 'pi' ? ',' : '=>');
    return binders.reduceRight<Expression>(
      (body, [name, type, info]) => this.#store[kind](this.#store.names.parse(name), type, body, info),
      this.#term(names),
    );
  }

  #application(names: readonly string[]): Expression {
    let term = this.#atom(names);
    while (!/^(?:[)\]},:;]|=>|:=|→)?$/.test(this.#peek() ?? ''))
      term = this.#store.apply(term, this.#atom(names));
    return term;
  }

  #atom(names: readonly string[]): Expression {
    const store = this.#store;
    const word = this.#take();
    if (word === '(') {
      const term = this.#term(names);
      this.#expect(')');
      return term;
    }
    if (word === 'proj') {
      this.#expect('(');
      const structure = this.#take();
      this.#expect(',');
      const index = Number(this.#take());
      this.#expect(',');
      const subject = this.#term(names);
      this.#expect(')');
      return store.projection(store.names.parse(structure), index, subject);
    }
    if (word === 'Prop') return store.sort(store.levels.zero);
    if (word === 'Sort') return store.sort(this.#levelAtom());
    if (word === 'Type') {
      const hasLevel = /^(?:\d|\(|[a-z]\w*$)/.test(this.#peek() ?? '') && !names.includes(this.#peek() ?? '');
      return store.sort(store.levels.successor(hasLevel ? this.#levelAtom() : store.levels.zero));
    }
    if (/^\d/.test(word)) return store.natural(BigInt(word));
    if (word.startsWith('#')) return store.bound(Number(word.slice(1)));
    if (word.startsWith('"')) return store.string(JSON.parse(word) as string);
    const depth = names.lastIndexOf(word);
    if (depth >= 0) return store.bound(names.length - 1 - depth);
    const levels: Level[] = [];
    if (this.#peek() === '.{') {
      this.#take();
      while (this.#peek() !== '}') {
        levels.push(this.#level());
        if (this.#peek() === ',') this.#take();
      }
      this.#take();
    }
    return store.constant(store.names.parse(word), levels);
  }

  #level(): Level {
    const { levels } = this.#store;
    const word = this.#peek();
    if (word === 'max' || word === 'imax') {
      this.#take();
      return levels[word](this.#levelAtom(), this.#levelAtom());
    }
    return this.#levelAtom();
  }

  #levelAtom(): Level {
    const { levels, names } = this.#store;
    const word = this.#take();
    let level: Level;
    if (word === '(') {
      level = this.#level();
      this.#expect(')');
    } else if (/^\d+$/.test(word)) {
      level = levels.zero;
      for (let count = Number(word); count > 0; count--) level = levels.successor(level);
    } else {
      level = levels.parameter(names.parse(word));
    }
    if (this.#peek() !== '+') return level;
    this.#take();
    for (let count = Number(this.#take()); count > 0; count--) level = levels.successor(level);
    return level;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  #take(): string {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw this.#error();
    return token;
  }

  #expect(token: string): void {
    if (this.#take() !== token) throw this.#error();
  }

  #error(): SyntaxError {
    return new SyntaxError(`at word ${this.#next} of ${this.#text}`);
  }
}
