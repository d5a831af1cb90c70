/** The goals at which a search in vain stood, short enough to be read under the line of the theorem. */
import { counted } from '../../core/counted.ts';
import type { Goal, Hypothesis } from '../../core/proof-state.ts';

const GOALS = 3;
const HYPOTHESES = 5;
const HYPOTHESIS_LENGTH = 100;
const CONCLUSION_LENGTH = 600;
/** Of what is longer nobody would make a lemma. */
const STATEMENT_LENGTH = 3000;

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

/** Of the same goals; null where a goal has something that is not known yet (`?x`), or is very long. */
export function bestGoalStatements(goals: readonly Goal[]): (string | null)[] {
  return goals.slice(0, GOALS).map(({ hypotheses, conclusion }) => {
    const binders = bindersOf(hypotheses);
    const statement = binders === '' ? conclusion : `forall ${binders},\n  ${conclusion}`;
    return statement.length > STATEMENT_LENGTH || UNKNOWN.test(statement) ? null : statement;
  });
}

/** As Rocq prints a hole that a later step is to fill. */
const UNKNOWN = /(?<![\p{L}\p{N}_'])\?[\p{L}_]/u;

/** Neighbours of one type stand in one pair of parentheses. */
function bindersOf(hypotheses: readonly Hypothesis[]): string {
  const groups: { names: string; type: string; body: string | undefined }[] = [];
  for (const { name, type, body } of hypotheses) {
    const last = groups.at(-1);
    if (last?.type === type && last.body === undefined && body === undefined) last.names += ` ${name}`;
    else groups.push({ names: name, type, body });
  }
  return groups
    .map(({ names, type, body }) => `(${names} : ${type}${body === undefined ? '' : ` := ${body}`})`)
    .join(' ');
}

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
