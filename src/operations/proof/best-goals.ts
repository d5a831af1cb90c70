/** The goals at which a search in vain stood, short enough to be read under the line of the theorem. */
import { counted } from '../../core/counted.ts';
import type { Goal } from '../../core/proof-state.ts';

const GOALS = 3;
const HYPOTHESES = 5;
const HYPOTHESIS_LENGTH = 100;
const CONCLUSION_LENGTH = 600;

/** What there is to do about a goal that is shown. */
export const STATE_A_LEMMA =
  'State this, or what it rests on, as a lemma of its own before the theorem, or give more time.';

/** Each with the last of its hypotheses, which the search made itself; of many goals the first. */
export function bestGoalTexts(goals: readonly Goal[]): string[] {
  return goals.slice(0, GOALS).map(({ hypotheses, conclusion }) => {
    const left = hypotheses.length - HYPOTHESES;
    return [
      ...(left > 0 ? [`… ${counted(left, 'more hypothesis', 'more hypotheses')}`] : []),
      ...hypotheses.slice(-HYPOTHESES).map(({ name, type, body }) => {
        const text = `${name}${body === undefined ? '' : ` := ${body}`} : ${type}`.replaceAll(/\s+/gu, ' ');
        return cutTo(text, HYPOTHESIS_LENGTH);
      }),
      `⊢ ${cutTo(conclusion, CONCLUSION_LENGTH)}`,
    ].join('\n');
  });
}

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
