/** The goals at a place of the text that a session checked last. */
import { QuodError } from '../../core/errors.ts';
import type { PrintedPosition } from '../../core/position.ts';
import type { FstarGoal, FstarIssue } from '../../provers/fstar/protocol/answers.ts';
import type { Declaration } from '../../provers/fstar/syntax/declarations.ts';
import { signatureOf } from '../../provers/fstar/syntax/declaration-parts.ts';
import {
  BEFORE,
  BEHIND,
  DUMP_LENGTH,
  tacticStepAt,
  withDumps,
} from '../../provers/fstar/syntax/tactic-steps.ts';
import { cutText } from '../../provers/fstar/session/report.ts';
import type { CheckLimits, FstarSession } from './fstar-session.ts';

export interface GoalsState {
  readonly goals: readonly FstarGoal[];
  /** Left to the solver. */
  readonly smtGoals: readonly FstarGoal[];
}

export type GoalsAtPlace =
  /** In a tactic: the states around the step that stands there. A state that was not reached is null. */
  | {
      readonly kind: 'tactic';
      readonly step: string;
      readonly before: GoalsState | null;
      readonly after: GoalsState | null;
      /** Where the tactic failed, when it did. */
      readonly atFailure: GoalsState | null;
      readonly issues: readonly FstarIssue[];
    }
  /** Anywhere else the solver proves the whole declaration: what it states, and what the last check said about it. */
  | { readonly kind: 'declaration'; readonly statement: string; readonly issues: readonly FstarIssue[] };

/**
 * @throws QuodError `invalid-input` (nothing checked, no such place), and what {@link FstarSession.tryInPlace}
 * throws.
 */
export async function goalsAt(
  session: FstarSession,
  place: PrintedPosition,
  limits: CheckLimits,
): Promise<GoalsAtPlace & { readonly declaration: Declaration }> {
  const last = session.lastCheck;
  if (last === undefined) {
    throw new QuodError('invalid-input', 'Nothing was checked in this session.', {
      remedy: 'Check the buffer first: `fstar_typecheck_buffer`.',
    });
  }
  const cut = cutText(last.text);
  const offset = cut.lines.offsetOfPrinted(place);
  if (offset === undefined) {
    throw new QuodError('invalid-input', 'The buffer that was checked has no such place.', {
      place: { file: session.file, position: place },
    });
  }
  const index = cut.declarations.findIndex(
    ({ fragmentStart, fragmentEnd }) =>
      fragmentStart <= offset && offset < Math.max(fragmentEnd, fragmentStart + 1),
  );
  const declaration = cut.declarations[index < 0 ? cut.declarations.length - 1 : index];
  if (declaration === undefined) {
    throw new QuodError('not-found', 'The buffer that was checked has no declarations.');
  }
  const step = tacticStepAt(declaration, offset);
  if (step === undefined) {
    const { line } = cut.lines.printedAt(declaration.start);
    const { line: end } = cut.lines.printedAt(declaration.end);
    const issues = last.report.issues.filter(({ ranges: [range] }) => {
      return range?.file === session.file && range.start.line >= line && range.start.line <= end;
    });
    return { kind: 'declaration', statement: signatureOf(declaration), issues, declaration };
  }
  const answer = await session.tryInPlace(
    last.text,
    cut.declarations.indexOf(declaration),
    withDumps(last.text, declaration, step),
    limits,
  );
  const stateOf = (label: string): GoalsState | null =>
    answer.remarks.states.findLast((state) => state.label === label) ?? null;
  return {
    kind: 'tactic',
    step: last.text.slice(step.start, step.end),
    before: stateOf(BEFORE),
    after: stateOf(BEHIND),
    atFailure: answer.remarks.states.findLast(({ label }) => label !== BEFORE && label !== BEHIND) ?? null,
    issues: answer.issues.map((issue) => withoutDump(issue, cut.lines.printedAt(step.start))),
    declaration,
  };
}

/** Places behind the `dump` that was put before the step, as they are in the text. */
function withoutDump(issue: FstarIssue, step: PrintedPosition): FstarIssue {
  const back = (place: PrintedPosition): PrintedPosition =>
    place.line === step.line && place.column >= step.column
      ? { line: place.line, column: Math.max(step.column, place.column - DUMP_LENGTH) }
      : place;
  const ranges = issue.ranges.map(({ file, start, end }) => ({ file, start: back(start), end: back(end) }));
  return { ...issue, ranges };
}
