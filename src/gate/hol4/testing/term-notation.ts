/**
 * Types and terms of traces as people write them: HOL4's own notation, with a type behind a name where it is not
 * `bool`.
 *
 *     !x:'a. x = y:'a      ~(p /\ q) ==> r      \f:('a -> bool). f      mine$c:bool      (min$=:(bool -> ind -> bool)) p
 *
 * A name without a type has that of the innermost binder of that name, else `bool`. `#0` is a bound variable that
 * may have no binder. Terms need not be well typed; only `=`, `!` and `?` take their type from what they stand beside.
 */
import {
  and,
  apply,
  bool,
  bound,
  constant,
  equal,
  F,
  free,
  fun,
  implies,
  lambda,
  not,
  operator,
  or,
  T,
  type Term,
  tyvar,
  type Type,
} from './trace-writer.ts';

const TOKEN =
  /\s*(?:(?<word>"[^"]*"|'?[\p{L}_][\p{L}\d_']*(?:\$(?:[\p{L}\d_']+|[^\s\p{L}\d_:()]+))?)|(?<sign>==>|->|\/\\|\\\/|[=~!?\\.,:()])|#(?<index>\d+))/uy;

type Token =
  | { readonly kind: 'word' | 'sign'; readonly text: string }
  | { readonly kind: 'index'; readonly index: number };

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  const whole = text.trimEnd();
  while (TOKEN.lastIndex < whole.length) {
    const start = TOKEN.lastIndex;
    const groups = TOKEN.exec(whole)?.groups;
    if (groups === undefined) throw new Error(`There is no term at ${whole.slice(start)}.`);
    const { word, sign, index } = groups;
    if (word !== undefined) found.push({ kind: 'word', text: word });
    else if (sign !== undefined) found.push({ kind: 'sign', text: sign });
    else found.push({ kind: 'index', index: Number(index) });
  }
  return found;
}

export function parseTerm(text: string): Term {
  const parser = new Parser(text);
  return parser.whole(() => parser.term([]));
}

export function parseType(text: string): Type {
  const parser = new Parser(text);
  return parser.whole(() => parser.type());
}

type Binders = readonly Extract<Term, { readonly kind: 'free' }>[];

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokens(text);
  }

  whole<Result>(read: () => Result): Result {
    const result = read();
    if (this.#at < this.#tokens.length) throw this.#wrong();
    return result;
  }

  /** `a -> b`, `'a`, `bool`, `mine$t('a, bool)`. */
  type(): Type {
    const left = this.#atomicType();
    return this.#take('->') ? fun(left, this.type()) : left;
  }

  #atomicType(): Type {
    if (this.#take('(')) {
      const inner = this.type();
      this.#insist(')');
      return inner;
    }
    const name = this.#word();
    if (name.startsWith("'")) return tyvar(name);
    const args: Type[] = [];
    if (this.#take('(')) {
      do args.push(this.type());
      while (this.#take(','));
      this.#insist(')');
    }
    return operator(name.includes('$') ? name : `min$${name}`, ...args);
  }

  /** From the loosest to the tightest. */
  term(binders: Binders): Term {
    const left = this.#disjunction(binders);
    return this.#take('==>') ? implies(left, this.term(binders)) : left;
  }

  #disjunction(binders: Binders): Term {
    const left = this.#conjunction(binders);
    return this.#take('\\/') ? or(left, this.#disjunction(binders)) : left;
  }

  #conjunction(binders: Binders): Term {
    const left = this.#equation(binders);
    return this.#take('/\\') ? and(left, this.#conjunction(binders)) : left;
  }

  #equation(binders: Binders): Term {
    const left = this.#application(binders);
    if (!this.#take('=')) return left;
    const right = this.#application(binders);
    return equal(left, right, typeOf(left, []) ?? typeOf(right, []) ?? bool);
  }

  #application(binders: Binders): Term {
    let term = this.#atom(binders);
    for (let next = this.#atomOrNone(binders); next !== undefined; next = this.#atomOrNone(binders))
      term = apply(term, next);
    return term;
  }

  #atom(binders: Binders): Term {
    const atom = this.#atomOrNone(binders);
    if (atom === undefined) throw this.#wrong();
    return atom;
  }

  #atomOrNone(binders: Binders): Term | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    if (token.kind === 'index') {
      this.#at += 1;
      return bound(token.index);
    }
    if (token.kind === 'word') return this.#name(binders);
    switch (token.text) {
      case '(': {
        this.#at += 1;
        const inner = this.term(binders);
        this.#insist(')');
        return inner;
      }
      case '~':
        this.#at += 1;
        return not(this.#application(binders));
      case '!':
      case '?':
      case '\\': {
        this.#at += 1;
        const name = unquoted(this.#word());
        const variable = { kind: 'free', name, type: this.#annotation() ?? bool } as const;
        this.#insist('.');
        const body = this.term([variable, ...binders]);
        const abstraction = lambda(variable, body);
        if (token.text === '\\') return abstraction;
        const predicate = fun(variable.type, bool);
        return apply(constant(`bool$${token.text}`, fun(predicate, bool)), abstraction);
      }
      default:
        return undefined;
    }
  }

  #name(binders: Binders): Term {
    const text = this.#word();
    const annotated = this.#annotation();
    const name = unquoted(text);
    if (text === 'T' && annotated === undefined) return T;
    if (text === 'F' && annotated === undefined) return F;
    if (text === name && name.includes('$')) return constant(name, annotated ?? bool);
    return free(name, annotated ?? binders.find((binder) => binder.name === name)?.type ?? bool);
  }

  #annotation(): Type | undefined {
    return this.#take(':') ? this.#atomicType() : undefined;
  }

  #word(): string {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word') throw this.#wrong();
    this.#at += 1;
    return token.text;
  }

  #take(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const isThere = token?.kind === 'sign' && token.text === sign;
    if (isThere) this.#at += 1;
    return isThere;
  }

  #insist(sign: string): void {
    if (!this.#take(sign)) throw this.#wrong(`, where ${sign} should be`);
  }

  #wrong(what = ''): Error {
    return new Error(`The part ${this.#at + 1} of ${this.#text} cannot be read${what}.`);
  }
}

function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1) : word;
}

/** Undefined where a term is too ill typed to have one. */
function typeOf(term: Term, binders: readonly Type[]): Type | undefined {
  switch (term.kind) {
    case 'free':
    case 'constant':
      return term.type;
    case 'bound':
      return binders[term.index];
    case 'apply': {
      const head = typeOf(term.fun, binders);
      return head?.kind === 'operator' && head.name === 'min$fun' ? head.args[1] : undefined;
    }
    case 'lambda': {
      if (term.variable.kind !== 'free') return undefined;
      const body = typeOf(term.body, [term.variable.type, ...binders]);
      return body && fun(term.variable.type, body);
    }
  }
}
