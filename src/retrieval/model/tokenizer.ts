/**
 * A goal as the numbers that the encoder reads. Words are runs of name characters, single brackets and separators,
 * or runs of anything else; a word is cut into pieces of the vocabulary, the longest that fits first. `training/`
 * has the same in Python, and every model carries examples that both must agree on.
 */
import { characterWidth } from '../../core/code-points.ts';
import type { Goal, Hypothesis } from '../../core/proof-state.ts';
import { appendAll } from '../../core/lists/many.ts';
import { SPECIAL_PIECES, type TokenizerFile } from './model-format.ts';

const WORD = /[\p{L}\p{N}\p{M}_']+|[()[\]{},;.@"]|[^\p{L}\p{N}\p{M}_'()[\]{},;.@"\s]+/gu;
const CONTINUED = '##';
const UNKNOWN = SPECIAL_PIECES.indexOf('[UNK]');
const START = SPECIAL_PIECES.indexOf('[CLS]');
const END = SPECIAL_PIECES.indexOf('[SEP]');

export interface EncodedGoal {
  readonly ids: readonly number[];
  /** 0 for the conclusion and what frames it, 1 for the hypotheses. */
  readonly segments: readonly number[];
}

/** What the encoder reads of a goal, and nothing else of it: goals with the same text have the same vector. */
export function encoderText(goal: Goal): string {
  return [goal.conclusion, ...goal.hypotheses.map(hypothesisText)].join('\n');
}

export class Tokenizer {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #longest: number;
  readonly #maximumLength: number;
  readonly #maximumConclusion: number;

  constructor(file: TokenizerFile) {
    this.#ids = new Map(file.pieces.map((piece, id) => [piece, id]));
    this.#longest = file.pieces.reduce((longest, piece) => Math.max(longest, piece.length), 1);
    this.#maximumLength = file.maximum_length;
    this.#maximumConclusion = Math.min(file.maximum_conclusion, file.maximum_length - 2);
  }

  encode(goal: Goal): EncodedGoal {
    const conclusion = this.pieces(goal.conclusion, this.#maximumConclusion);
    const ids = [START, ...conclusion, END];
    const first = ids.length;
    const room = this.#maximumLength - first - 1;
    if (goal.hypotheses.length > 0 && room > 0) {
      // The last hypothesis is nearest to the conclusion, and the first to be left out is the oldest.
      const hypotheses: number[] = [];
      for (const hypothesis of goal.hypotheses.toReversed()) {
        if (hypotheses.length >= room) break;
        if (hypotheses.length > 0) appendAll(hypotheses, this.pieces(';', 1));
        appendAll(hypotheses, this.pieces(hypothesisText(hypothesis), room));
      }
      appendAll(ids, [...hypotheses.slice(0, room), END]);
    }
    return { ids, segments: ids.map((_, at) => (at < first ? 0 : 1)) };
  }

  /** At most `count` pieces of a text. */
  pieces(text: string, count: number): number[] {
    const pieces: number[] = [];
    for (const [word] of text.matchAll(WORD)) {
      this.#cut(word, pieces);
      if (pieces.length >= count) break;
    }
    return pieces.slice(0, count);
  }

  #cut(word: string, into: number[]): void {
    for (let at = 0; at < word.length;) {
      const prefix = at === 0 ? '' : CONTINUED;
      let end = Math.min(word.length, at + this.#longest);
      let id: number | undefined;
      for (; end > at; end -= 1) {
        id = this.#ids.get(prefix + word.slice(at, end));
        if (id !== undefined) break;
      }
      into.push(id ?? UNKNOWN);
      // An unknown character may be two units long.
      at = id === undefined ? at + characterWidth(word, at) : end;
    }
  }
}

function hypothesisText({ name, type, body }: Hypothesis): string {
  return body === undefined ? `${name} : ${type}` : `${name} := ${body} : ${type}`;
}
