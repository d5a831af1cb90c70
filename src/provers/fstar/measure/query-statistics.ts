/** What F* prints about each question to the solver under `--query_stats`, read. */
import { orNothing } from '../../../core/entry.ts';
import type { PrintedPosition } from '../../../core/position.ts';

export interface QueryStatistics {
  /** The top-level name that the question belongs to, qualified. */
  readonly name: string;
  /** Its number among the questions of that definition. */
  readonly index: number;
  readonly succeeded: boolean;
  readonly milliseconds: number;
  readonly fuel: number | null;
  readonly ifuel: number | null;
  /** What the solver was allowed, in its own unit, as F* prints it. */
  readonly rlimit: number | null;
  /** What it used, where F* prints the solver's statistics. */
  readonly used: number | null;
  /** Why it gave up. */
  readonly reason: string | null;
  readonly start: PrintedPosition | null;
}

const QUERY =
  /\((?<file>[^()]*)\((?<line>\d+),(?<column>\d+)-\d+,\d+\)\)\s+Query-stats \((?<name>[^,]+),\s*(?<index>\d+)\)\s+(?<outcome>succeeded|failed)(?:[^\n]*?reason-unknown=(?<reason>[^}]*)\})?[^\n]*? in (?<ms>\d+) milliseconds(?: with fuel (?<fuel>\d+) and ifuel (?<ifuel>\d+))?(?: and rlimit (?<rlimit>\d+))?(?:[^\n]*?rlimit-count=(?<used>\d+))?/g;

export function readQueryStatistics(text: string): readonly QueryStatistics[] {
  return [...text.matchAll(QUERY)].map(({ groups = {} }) => ({
    name: orNothing(groups['name']),
    index: Number(groups['index']),
    succeeded: groups['outcome'] === 'succeeded',
    milliseconds: Number(groups['ms']),
    fuel: numberOf(groups['fuel']),
    ifuel: numberOf(groups['ifuel']),
    rlimit: numberOf(groups['rlimit']),
    used: numberOf(groups['used']),
    reason: groups['reason']?.trim() ?? null,
    start: { line: Number(groups['line']), column: Number(groups['column']) },
  }));
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
