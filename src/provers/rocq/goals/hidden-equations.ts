/**
 * Equations that a statement does not show: `rev s =i s` says `(x \in rev s) = (x \in s)`, and `commutative addn` says
 * `x + y = y + x`. Goals find a lemma by what it rewrites, so such statements are read as what they say. The names are
 * those of MathComp's ssrfun, ssrbool and ssrnat; a reading that is wrong costs an attempt, since Rocq judges each step.
 */
import { freshName } from './names.ts';
import { boundBy, subterms, type Term } from './term.ts';
import { readTerm } from './term-reader.ts';

/** A statement as Rocq prints it, read with what its notations and properties stand for. */
export function readStatement(text: string): Term {
  return HIDES.test(text) ? opened(readTerm(spelledOut(text))) : readTerm(text);
}

/** Most statements have none, and all of a library are read. */
const HIDES =
  /=[i12]\b|\{(?:in|morph|homo|mono) |\b(?:cancel|involutive|commutative|associative|interchange|idempotent|injective|(?:left|right|self)_\w+)\b/u;

/** What is written in braces, as a quantified statement. */
const BRACES = /\{(?:in|morph|homo|mono) (?:[^{}]|\{[^{}]*\})*\}/gu;

function spelledOut(text: string): string {
  return text.replace(BRACES, (braces) => `(${spelledOut(insideOf(braces.slice(1, -1)))})`);
}

const NAME = /^[\p{L}_][\p{L}\p{N}_']*$/u;
const WORD = /(?<![\p{L}\p{N}_'.])[\p{L}_][\p{L}\p{N}_']*/gu;

function insideOf(inside: string): string {
  const { domain, property } = /^in (?<domain>[^,]+?),\s*(?<property>[^]+)$/u.exec(inside)?.groups ?? {};
  if (domain !== undefined && property !== undefined) {
    // `{in D & E, …}` and `{in D &, …}` speak of two.
    const [set] = domain.split('&');
    const { names, body } = /^forall (?<names>[^,]+),\s*(?<body>[^]+)$/u.exec(property)?.groups ?? {};
    const [name] = String(names)
      .replace(/^[(\s]+/u, '')
      .split(/[\s:]+/u);
    if (body !== undefined && name !== undefined)
      return `forall ${String(names)}, ${name} \\in ${String(set).trim()} -> ${body}`;
    return property;
  }
  const { kind, map, names, law } =
    /^(?<kind>morph|homo|mono) (?<map>[^]+) : (?<names>[^/:]+?) \/\s*(?<law>[^]+)$/u.exec(inside)?.groups ??
    {};
  const bound = names?.split(/\s+/u) ?? [];
  if (map === undefined || law === undefined || !bound.every((name) => NAME.test(name))) return inside;
  const [one, other = one] = law.split('>->').map((side) => side.trim());
  const ofImages = (side: string): string =>
    side.replaceAll(WORD, (word) => (bound.includes(word) ? `(${map} ${word})` : word));
  const sides = [String(one), ofImages(String(other))];
  if (kind === 'morph') return `forall ${names}, ${map} (${sides.join(') = (')})`;
  return `forall ${names}, ${kind === 'homo' ? sides.join(' -> ') : `(${sides.toReversed().join(') = (')})`}`;
}

/** With the conclusion as an equation about variables of its own; itself where it hides none. */
export function opened(term: Term): Term {
  const last = term.children.at(-1);
  const isBinder = term.symbol === 'forall' || term.symbol === '∀';
  if (
    last !== undefined &&
    (isBinder || ((term.symbol === '->' || term.symbol === '→') && term.children.length === 2))
  ) {
    const inner = opened(last);
    return inner === last ? term : { ...term, children: term.children.with(-1, inner) };
  }
  const given = term.children.filter(({ symbol }) => symbol !== ':=').map(operatorOf);
  const law = LAWS[term.symbol];
  if (law === undefined || given.length !== law.takes) return term;
  return stated(law.says, given);
}

/** What a name says of what is given to it: `f` and `g` stand for that, other letters are variables. */
interface Law {
  readonly takes: number;
  readonly says: string;
}

const LAWS: Readonly<Partial<Record<string, Law>>> = {
  '=i': { takes: 2, says: 'forall x, (x \\in f) = (x \\in g)' },
  '=1': { takes: 2, says: 'forall x, f x = g x' },
  '=2': { takes: 2, says: 'forall x y, f x y = g x y' },
  cancel: { takes: 2, says: 'forall x, g (f x) = x' },
  involutive: { takes: 1, says: 'forall x, f (f x) = x' },
  injective: { takes: 1, says: 'forall x y, f x = f y -> x = y' },
  commutative: { takes: 1, says: 'forall x y, f x y = f y x' },
  associative: { takes: 1, says: 'forall x y z, f x (f y z) = f (f x y) z' },
  left_commutative: { takes: 1, says: 'forall x y z, f x (f y z) = f y (f x z)' },
  right_commutative: { takes: 1, says: 'forall x y z, f (f x y) z = f (f x z) y' },
  idempotent: { takes: 1, says: 'forall x, f x x = x' },
  left_id: { takes: 2, says: 'forall x, g f x = x' },
  right_id: { takes: 2, says: 'forall x, g x f = x' },
  left_zero: { takes: 2, says: 'forall x, g f x = f' },
  right_zero: { takes: 2, says: 'forall x, g x f = f' },
  self_inverse: { takes: 2, says: 'forall x, g x x = f' },
  left_distributive: { takes: 2, says: 'forall x y z, f (g x y) z = g (f x z) (f y z)' },
  right_distributive: { takes: 2, says: 'forall x y z, f x (g y z) = g (f x y) (f x z)' },
  interchange: { takes: 2, says: 'forall x y z t, f (g x y) (g z t) = g (f x z) (f y t)' },
};

/** What goals show for MathComp's operations, of which laws speak by name. */
const OPERATORS: Readonly<Partial<Record<string, string>>> = {
  ...{ addn: '+', subn: '-', muln: '*', expn: '^', leq: '<=', ltn: '<' },
  ...{ cat: '++', andb: '&&', orb: '||', addb: '(+)', negb: '~~' },
};

function operatorOf(term: Term): Term {
  const operator = term.children.length === 0 ? OPERATORS[term.symbol] : undefined;
  return operator === undefined ? term : { ...term, symbol: operator };
}

function stated(says: string, [f, g]: readonly Term[]): Term {
  const law = readTerm(says);
  const spoken = new Set(
    [f, g].flatMap((one) => (one === undefined ? [] : [...subterms(one)].map(({ symbol }) => symbol))),
  );
  const names = new Map<string, string>();
  for (const name of boundBy(law)) names.set(name, spoken.has(name) ? freshName(name, spoken) : name);
  const filled = ({ symbol, children, start, end }: Term): Term => {
    const inner = children.map(filled);
    const given = symbol === 'f' ? f : symbol === 'g' ? g : undefined;
    if (given === undefined) return { symbol: names.get(symbol) ?? symbol, children: inner, start, end };
    if (inner.length === 0) return given;
    if (/^[\p{L}_+*^<|&-]/u.test(given.symbol) && given.symbol !== '->')
      return { ...given, children: [...given.children.filter(({ symbol: one }) => one !== ':='), ...inner] };
    return { symbol: '@', children: [given, ...inner], start, end };
  };
  return filled(law);
}
