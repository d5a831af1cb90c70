/**
 * What F* asked the solver, read from the log that `--log_queries` writes, and what a solver of Quod's own start
 * answers to the same text. F*'s own words about success play no part.
 */
import { present } from '../../core/entry.ts';
import type { PrintedPosition } from '../../core/position.ts';

export interface LoggedQuery {
  /** As F* names it. */
  readonly file: string;
  readonly start: PrintedPosition;
  /** How often the solver was asked, with other fuel each time. */
  readonly attempts: number;
}

const STARTING = /^; Starting query at (.*?)\((\d+),(\d+)-\d+,\d+\)/;

/** The queries of a log in their order; each `check-sat` belongs to the query that was begun last. */
export function readQueryLog(log: string): readonly LoggedQuery[] {
  const queries: LoggedQuery[] = [];
  for (const line of log.split('\n')) {
    const [, file, row, column] = STARTING.exec(line) ?? [];
    if (file !== undefined) {
      queries.push({ file, start: { line: Number(row), column: Number(column) }, attempts: 0 });
    } else if (line.startsWith('(check-sat')) {
      const last = queries.pop();
      const unknown = { file: '', start: { line: 0, column: 0 }, attempts: 0 };
      const asked = last ?? unknown;
      queries.push({ ...asked, attempts: asked.attempts + 1 });
    }
  }
  return queries;
}

/** The solver's answers to the `check-sat`s of a log, in their order. */
export function readAnswers(output: string): readonly string[] {
  return [...output.matchAll(/^<result>\r?\n(\w+)/gm)].map(([, answer]) => present(answer, 'answer'));
}

export interface AnsweredQuery extends LoggedQuery {
  /** One of the attempts was answered `unsat`: there is no counterexample. */
  readonly proved: boolean;
}

/** Undefined when there are not as many answers as questions. */
export function answered(
  queries: readonly LoggedQuery[],
  answers: readonly string[],
): readonly AnsweredQuery[] | undefined {
  if (queries.reduce((sum, { attempts }) => sum + attempts, 0) !== answers.length) return undefined;
  let at = 0;
  return queries.map((query) => {
    const own = answers.slice(at, at + query.attempts);
    at += query.attempts;
    return { ...query, proved: own.includes('unsat') };
  });
}
