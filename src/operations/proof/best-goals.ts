/** The goals at which a search in vain stood, short enough to be read under the line of the theorem. */
import { counted } from '../../core/counted.ts';
import type { Goal } from '../../core/proof-state.ts';
import { goalStatement } from '../../provers/rocq/syntax/goal-statement.ts';
import type { StoodAt } from '../../search/goals-not-false.ts';

const GOALS = 3;
const HYPOTHESES = 5;
const HYPOTHESIS_LENGTH = 100;
const CONCLUSION_LENGTH = 600;
/** Of what is longer nobody would make a lemma. */
const STATEMENT_LENGTH = 3000;

const STATE_A_LEMMA =
  'State this, or what it rests on, as a lemma of its own before the theorem, or give more time.';
const LOOK_FIRST =
  'A quick look could not tell whether this may be false: look for a counterexample before you state it, or what it rests on, as a lemma, or give more time.';
const LEADS_NOWHERE =
  'A quick look finds that this is false, so that it is no lemma and what led to it leads nowhere: prove the theorem another way.';

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
  return goals.slice(0, GOALS).map((goal) => {
    const statement = goalStatement(goal);
    return statement === undefined || statement.length > STATEMENT_LENGTH ? null : statement;
  });
}

/** The fields of an answer that tell where a search stood. */
export function bestGoalFields({ bestGoals = [], areFalse = false, areUnlooked = false }: Partial<StoodAt>) {
  const goals = bestGoalTexts(bestGoals);
  return {
    goals_at_best: goals,
    statements_at_best: areFalse ? goals.map(() => null) : bestGoalStatements(bestGoals),
    false_at_best: areFalse,
    unlooked_at_best: areUnlooked,
  };
}

/** What there is to do about the goals that are shown. */
export function bestGoalAdvice({
  areFalse = false,
  areUnlooked = false,
}: Pick<Partial<StoodAt>, 'areFalse' | 'areUnlooked'>): string {
  return areFalse ? LEADS_NOWHERE : areUnlooked ? LOOK_FIRST : STATE_A_LEMMA;
}

function cutTo(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
