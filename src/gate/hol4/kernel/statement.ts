/**
 * Statements as text: the form in which theorems, types of constants and definitions leave one theory and enter
 * another. Two statements are the same (up to the names of bound variables and the order of hypotheses) if and only
 * if their texts are equal. Each line is a node, numbered from 0, types and terms apart:
 *
 *     v NAME          type variable            f NAME TYPE     free variable
 *     o NAME TYPE…    type operator applied    b INDEX TYPE    bound variable (de Bruijn)
 *                                              c NAME TYPE     constant
 *                                              a TERM TERM     application
 *                                              l TYPE TERM     abstraction
 *
 * A statement ends in `- CONCLUSION HYPOTHESIS…`, a type in its own node. Names are qualified; blanks in them are `\s`,
 * newlines `\n`, backslashes `\\`.
 */
import { foreignName } from '../../../core/foreign-text.ts';
import type { Hypotheses, HypothesesId } from './hypotheses.ts';
import { Refusal } from './refusal.ts';
import type { Signature } from './signature.ts';
import { noSuch } from './tables.ts';
import { APPLICATION, BOUND, CONSTANT, FREE, type TermId } from './term.ts';
import type { Terms } from './terms.ts';
import type { TypeId, Types } from './types.ts';

export type StatementText = string;

/** What terms are made of and what their names mean; a `Kernel` is one. */
export interface Language {
  readonly types: Types;
  readonly terms: Terms;
  readonly signature: Signature;
  readonly hypotheses: Hypotheses;
}

export function encodeStatement(
  language: Language,
  conclusion: TermId,
  hypotheses: HypothesesId,
): StatementText {
  const members = [...language.hypotheses.members(hypotheses)];
  if (members.length > 1) {
    const texts = new Map(members.map((member) => [member, encodeTerm(language, member)]));
    members.sort((one, other) => (textOf(texts, one) < textOf(texts, other) ? -1 : 1));
  }
  const writer = new Writer(language);
  const roots = [conclusion, ...members].map((term) => writer.term(term));
  return [...writer.lines, `- ${roots.join(' ')}`].join('\n');
}

export function encodeType(language: Language, type: TypeId): string {
  const writer = new Writer(language);
  writer.type(type);
  return writer.lines.join('\n');
}

function textOf(texts: ReadonlyMap<TermId, string>, term: TermId): string {
  const text = texts.get(term);
  if (text === undefined) throw noSuch('text of the term', term);
  return text;
}

function encodeTerm(language: Language, term: TermId): string {
  const writer = new Writer(language);
  writer.term(term);
  return writer.lines.join('\n');
}

class Writer {
  readonly lines: string[] = [];
  readonly #language: Language;
  readonly #types = new Map<TypeId, number>();
  readonly #terms = new Map<TermId, number>();

  constructor(language: Language) {
    this.#language = language;
  }

  type(type: TypeId): number {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const { types, signature } = this.#language;
    const line = types.isVariable(type)
      ? `v ${escapeName(types.nameOfVariable(type))}`
      : ['o', escapeName(signature.operatorName(types.operatorOf(type)))]
          .concat(types.argumentsOf(type).map((argument) => String(this.type(argument))))
          .join(' ');
    return this.#add(this.#types, type, line);
  }

  term(term: TermId): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const { terms, signature } = this.#language;
    const type = (): number => this.type(terms.typeOf(term));
    switch (terms.kind(term)) {
      case FREE:
        return this.#add(this.#terms, term, `f ${escapeName(terms.nameOfFree(term))} ${type()}`);
      case BOUND:
        return this.#add(this.#terms, term, `b ${terms.indexOf(term)} ${type()}`);
      case CONSTANT: {
        const name = escapeName(signature.constantName(terms.constantOf(term)));
        return this.#add(this.#terms, term, `c ${name} ${type()}`);
      }
      case APPLICATION: {
        const fun = this.term(terms.functionOf(term));
        return this.#add(this.#terms, term, `a ${fun} ${this.term(terms.argumentOf(term))}`);
      }
      default: {
        const binder = this.type(terms.binderOf(term));
        return this.#add(this.#terms, term, `l ${binder} ${this.term(terms.bodyOf(term))}`);
      }
    }
  }

  #add<Node>(numbers: Map<Node, number>, node: Node, line: string): number {
    const number = numbers.size;
    numbers.set(node, number);
    this.lines.push(line);
    return number;
  }
}

export function decodeType(language: Pick<Language, 'types' | 'signature'>, text: string): TypeId {
  const types: TypeId[] = [];
  for (const line of text.split('\n')) types.push(readType(language, line.split(' '), types));
  const last = types.at(-1);
  if (last === undefined) throw new Refusal('ill-typed', 'A stored type is empty.');
  return last;
}

function readType(
  { types, signature }: Pick<Language, 'types' | 'signature'>,
  [kind, name = '', ...args]: readonly string[],
  known: readonly TypeId[],
): TypeId {
  if (kind === 'v') return types.variable(unescapeName(name));
  if (kind !== 'o') throw new Refusal('ill-typed', 'A stored type has an unknown node.');
  return types.apply(
    signature.operator(unescapeName(name), args.length),
    args.map((argument) => at(known, argument)),
  );
}

function at<Node>(nodes: readonly Node[], field: string | undefined): Node {
  const node = nodes[Number(field)];
  if (node === undefined)
    throw new Refusal('ill-typed', 'A stored statement refers to a node that it does not have.');
  return node;
}

export function escapeName(name: string): string {
  return name.replace(/[\\ \n]/g, (character) =>
    character === ' ' ? '\\s' : character === '\n' ? '\\n' : '\\\\',
  );
}

export function unescapeName(name: string): string {
  return name.includes('\\')
    ? name.replace(/\\(.)/g, (_, character: string) =>
        character === 's' ? ' ' : character === 'n' ? '\n' : character,
      )
    : name;
}

/** The qualified names of the constants and type operators that a statement or type mentions. */
export function namesInStatement(text: StatementText): {
  readonly constants: Set<string>;
  readonly operators: Set<string>;
} {
  const constants = new Set<string>();
  const operators = new Set<string>();
  for (const line of text.split('\n')) {
    const [kind, name = ''] = line.split(' ');
    if (kind === 'c') constants.add(unescapeName(name));
    else if (kind === 'o') operators.add(unescapeName(name));
  }
  return { constants, operators };
}

const INFIXES: ReadonlyMap<string, string> = new Map([
  ['min$=', '='],
  ['min$==>', '⇒'],
  ['bool$/\\', '∧'],
  ['bool$\\/', '∨'],
]);
const BINDERS: ReadonlyMap<string, string> = new Map([
  ['bool$!', '∀'],
  ['bool$?', '∃'],
  ['min$@', 'ε'],
]);

/**
 * For people: qualified names, bound variables called x1, x2, …, types left out. Cut after `limit` characters. Not a
 * form to compare: two different statements can look alike.
 */
export function printStatement(text: StatementText, limit = 400): string {
  const nodes: (readonly string[])[] = [];
  let roots: readonly string[] = [];
  for (const line of text.split('\n')) {
    const fields = line.split(' ');
    if (fields[0] === '-') roots = fields.slice(1);
    else if (fields[0] !== 'v' && fields[0] !== 'o') nodes.push(fields);
  }
  let left = limit;
  const emit = (piece: string): string => {
    left -= piece.length;
    return piece;
  };
  const print = (field: string | undefined, depth: number, isArgument: boolean): string => {
    if (left <= 0) return '…';
    const [kind, first = '', second] = nodes[Number(field)] ?? [];
    if (kind === 'f' || kind === 'c') return emit(foreignName(unescapeName(first)));
    if (kind === 'b') return emit(`x${depth - Number(first)}`);
    const inner =
      kind === 'l'
        ? `λx${depth + 1}. ${print(second, depth + 1, false)}`
        : printApplication(first, second, depth, { print, nodes });
    return isArgument ? `(${inner})` : inner;
  };
  const [conclusion, ...hypotheses] = roots;
  const before = hypotheses.map((hypothesis) => print(hypothesis, 0, false)).join(', ');
  return `${before}${before === '' ? '' : ' '}⊢ ${print(conclusion, 0, false)}`;
}

function printApplication(
  fun: string,
  argument: string | undefined,
  depth: number,
  {
    print,
    nodes,
  }: {
    readonly print: (field: string | undefined, depth: number, isArgument: boolean) => string;
    readonly nodes: readonly (readonly string[])[];
  },
): string {
  const [headKind, headFirst = '', headSecond] = nodes[Number(fun)] ?? [];
  const binder = headKind === 'c' ? BINDERS.get(headFirst) : undefined;
  const [argumentKind, , body] = nodes[Number(argument)] ?? [];
  if (binder !== undefined && argumentKind === 'l') {
    return `${binder}x${depth + 1}. ${print(body, depth + 1, false)}`;
  }
  const [operatorKind, operator = ''] = headKind === 'a' ? (nodes[Number(headFirst)] ?? []) : [];
  const infix = operatorKind === 'c' ? INFIXES.get(unescapeName(operator)) : undefined;
  if (infix !== undefined)
    return `${print(headSecond, depth, true)} ${infix} ${print(argument, depth, true)}`;
  return `${print(fun, depth, headKind === 'l')} ${print(argument, depth, true)}`;
}
