/** Which goals a sentence of a proof works on: Rocq's goal selectors at the head of the sentence. */
import { orZero } from '../core/entry.ts';

export type GoalSelection =
  /** One goal, by its place in focus. */
  | { readonly kind: 'one'; readonly index: number }
  /** One goal, by the name of its existential variable. */
  | { readonly kind: 'named'; readonly name: string }
  /** Each of these by itself. */
  | { readonly kind: 'each'; readonly indices: readonly number[] };

export interface SelectedTactic {
  /** The tactic behind the selector. */
  readonly tactic: string;
  readonly selection: GoalSelection;
}

const SELECTOR =
  /^(?:(?<list>\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*)|\[\s*(?<name>[\p{L}\p{N}_']+)\s*\]|(?<word>all|par|!))\s*:(?![:=])\s*/u;

/** Reads a sentence without its dot where `count` goals are in focus. */
export function readSelector(sentence: string, count: number): SelectedTactic {
  const match = SELECTOR.exec(sentence);
  const tactic = sentence.slice(orZero(match?.[0].length));
  const { list, name, word } = match?.groups ?? {};
  if (name !== undefined) return { tactic, selection: { kind: 'named', name } };
  const indices =
    list !== undefined
      ? indicesOf(list)
      : word === 'all' || word === 'par'
        ? Array.from({ length: count }, (_, index) => index)
        : [0];
  const [only] = indices;
  if (only !== undefined && indices.length === 1) return { tactic, selection: { kind: 'one', index: only } };
  return { tactic, selection: { kind: 'each', indices } };
}

/** `1, 3-5` as places from 0, in order and each once. */
function indicesOf(list: string): readonly number[] {
  const indices = new Set<number>();
  for (const part of list.split(',')) {
    const [from = 0, to = from] = part.split('-').map((number) => Number.parseInt(number, 10));
    for (let place = from; place <= to; place += 1) indices.add(place - 1);
  }
  return [...indices].sort((one, other) => one - other);
}
