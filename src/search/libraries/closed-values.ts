/** Small closed values of types, as text: numbers, booleans, lists, pairs, and what the project's own constructors make. */
import type { Definitions } from './definitions.ts';
import { subterms, type Term } from '../../provers/rocq/goals/term.ts';

/** A constructor in a constructor, and so on. */
const DEPTH = 3;
/** Of each argument of a constructor. */
const PARTS = 4;
const LARGEST_NUMERAL = 1000;

export interface ValuesWanted {
  readonly most: number;
  /** Numbers that the goal speaks of. */
  readonly numerals: readonly number[];
  readonly definitions: Definitions;
}

export function numeralsOf(term: Term): number[] {
  const numbers = subterms(term)
    .filter(({ symbol }) => /^\d{1,4}$/u.test(symbol))
    .map(({ symbol }) => Number(symbol));
  return [...new Set(numbers)].filter((number) => number <= LARGEST_NUMERAL);
}

/** The smallest first, and besides `most` the numbers that the goal speaks of; empty for a type of which none is known. */
export function closedValues(type: Term, wanted: ValuesWanted): string[] {
  return valuesOf(type, wanted, DEPTH).slice(0, wanted.most + wanted.numerals.length);
}

function valuesOf(type: Term, wanted: ValuesWanted, depth: number): string[] {
  const { most, numerals, definitions } = wanted;
  const parts = (): string[][] =>
    type.children.map((part) => valuesOf(part, { ...wanted, most: PARTS + numerals.length }, depth - 1));
  const [first = []] = NESTED.has(type.symbol) && depth > 0 ? parts() : [];
  const numbers = [...new Set([...Array(most).keys(), ...numerals])];
  switch (type.symbol) {
    case 'nat':
      return numbers.map(String);
    case 'N':
      return numbers.map((number) => `${number}%N`);
    case 'positive':
      return numbers.filter((number) => number > 0).map((number) => `${number}%positive`);
    case 'Z':
      return numbers.flatMap((number) => (number === 0 ? ['0%Z'] : [`${number}%Z`, `(-${number})%Z`]));
    case 'bool':
      return ['true', 'false'];
    case 'unit':
      return ['tt'];
    case 'option':
      return ['None', ...first.map((value) => `(Some ${value})`)];
    case '*':
    case 'prod':
      return depth > 0 ? products(parts(), most).map((pair) => `(${pair.join(', ')})`) : [];
    case 'list':
      return ['nil', ...[1, 2, 3].flatMap((length) => lists(first, length, most))];
    default:
      if (type.children.length > 0 || depth === 0) return [];
      return definitions
        .constructorsOf(type.symbol)
        .flatMap(({ name, arguments: given }) =>
          products(
            given.map((part) => valuesOf(part, { ...wanted, most: PARTS, numerals: [] }, depth - 1)),
            most,
          ).map((some) => (some.length === 0 ? name : `(${[name, ...some].join(' ')})`)),
        )
        .sort((left, right) => left.length - right.length);
  }
}

const NESTED = new Set(['option', 'list']);

function lists(values: readonly string[], length: number, most: number): string[] {
  return products(Array(length).fill(values), most).map((some) => `(${some.join(' :: ')} :: nil)%list`);
}

/** One of each, those that come early in their lists first. */
function products(lists: readonly (readonly string[])[], most: number): string[][] {
  let found: { readonly values: string[]; readonly rank: number }[] = [{ values: [], rank: 0 }];
  for (const list of lists)
    found = found
      .flatMap(({ values, rank }) =>
        list.map((value, index) => ({ values: [...values, value], rank: rank + index })),
      )
      .sort((left, right) => left.rank - right.rank)
      .slice(0, most);
  return found.map(({ values }) => values);
}
