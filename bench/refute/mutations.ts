/**
 * Typical mistakes, made on the text of a statement as Rocq prints it: a hypothesis dropped, constructors swapped,
 * off by one, a direction turned. Whether what comes out is false nobody knows yet.
 */
import { orNothing } from '../../src/core/entry.ts';
export const MISTAKES = [
  'hypothesis-dropped',
  'constructors-swapped',
  'off-by-one',
  'direction-turned',
] as const;

export type Mistake = (typeof MISTAKES)[number];

/** Every statement that one mistake of this kind makes of a statement. */
export function mutations(statement: string, mistake: Mistake): string[] {
  const { binders, premises, conclusion } = partsOf(statement);
  const whole = (others: readonly string[], end: string): string =>
    `${binders}${[...others, end].join(' -> ')}`;
  switch (mistake) {
    case 'hypothesis-dropped':
      return premises.map((_, index) => whole(premises.toSpliced(index, 1), conclusion));
    case 'constructors-swapped':
      return SWAPS.flatMap(([one, other]) => [
        ...replacedOnce(conclusion, one, other),
        ...replacedOnce(conclusion, other, one),
      ]).map((end) => whole(premises, end));
    case 'off-by-one':
      return OFF_BY_ONE.flatMap(([from, to]) => replacedOnce(conclusion, from, to)).map((end) =>
        whole(premises, end),
      );
    case 'direction-turned': {
      const last = premises.at(-1);
      const turned = last === undefined ? [] : [whole([...premises.slice(0, -1), conclusion], last)];
      const sides = [' <= ', ' < ', ' ++ ', ' - '].flatMap((operator) => {
        const parts = splitOutside(conclusion, operator);
        const [left, right] = parts;
        return parts.length === 2 && left !== undefined && right !== undefined
          ? [whole(premises, `${right}${operator}${left}`)]
          : [];
      });
      const inside = [
        ...conclusion.matchAll(
          /(?<![\p{L}\p{N}_'])([\p{L}_][\p{L}\p{N}_']*) (\+\+|-) ([\p{L}_][\p{L}\p{N}_']*)/gu,
        ),
      ].map((match) =>
        whole(
          premises,
          `${conclusion.slice(0, match.index)}${orNothing(match[3])} ${orNothing(match[2])} ${orNothing(match[1])}${conclusion.slice(match.index + match[0].length)}`,
        ),
      );
      return [...turned, ...sides, ...inside];
    }
  }
}

const SWAPS = [
  ['true', 'false'],
  ['&&', '||'],
  ['/\\', '\\/'],
  ['[]', '[0]'],
  ['fst', 'snd'],
  ['max', 'min'],
] as const;

const OFF_BY_ONE = [
  [' <= ', ' < '],
  [' < ', ' < S '],
  [' 0', ' 1'],
  [' 1', ' 0'],
  ['S ', ''],
  [' = ', ' = 1 + '],
  [' = ', ' = S '],
] as const;

function replacedOnce(text: string, from: string, to: string): string[] {
  const found: string[] = [];
  const word = /^\w/u.test(from);
  for (let index = text.indexOf(from); index >= 0; index = text.indexOf(from, index + 1)) {
    const before = text.charAt(index - 1);
    const after = text.charAt(index + from.length);
    if (word && (/[\w.']/u.test(before) || (!from.endsWith(' ') && /[\w']/u.test(after)))) continue;
    if (/\d$/u.test(from) && /[\w.]/u.test(after)) continue;
    found.push(text.slice(0, index) + to + text.slice(index + from.length));
  }
  return found;
}

interface Parts {
  /** `forall …, `, or nothing. */
  readonly binders: string;
  readonly premises: readonly string[];
  readonly conclusion: string;
}

export function partsOf(statement: string): Parts {
  const comma = statement.startsWith('forall ') ? outside(statement, ',') : undefined;
  const binders = comma === undefined ? '' : `${statement.slice(0, comma + 1)} `;
  const body = comma === undefined ? statement : statement.slice(comma + 1).trim();
  const parts = splitOutside(body, ' -> ');
  return { binders, premises: parts.slice(0, -1), conclusion: orNothing(parts.at(-1)) };
}

/** The first place of a text outside of all brackets. */
function outside(text: string, what: string, from = 0): number | undefined {
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    if (depth === 0 && text.startsWith(what, index)) return index;
    const letter = text.charAt(index);
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
  }
  return undefined;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  // What a quantifier binds goes to the end.
  const limit = /(?<![\w'])(?:forall|exists|fun|let|match)(?![\w'])/u.exec(text)?.index ?? text.length;
  for (
    let index = outside(text, separator);
    index !== undefined && index < limit;
    index = outside(text, separator, start)
  ) {
    parts.push(text.slice(start, index));
    start = index + separator.length;
  }
  return [...parts, text.slice(start)];
}
