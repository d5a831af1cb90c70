/** What a check of a buffer found, the same for both versions of the protocol. */
import type { PrintedPosition } from '../../../core/position.ts';
import type { ReasonCode } from '../../../core/reason.ts';
import type { FstarIssue, TacticState } from '../protocol/answers.ts';
import type { FullBufferKind } from '../protocol/queries.ts';
import { type Declaration, parseDeclarations } from '../syntax/declarations.ts';
import { LineIndex } from '../../../core/position.ts';
import type { Piece } from './stack.ts';

export type FragmentStatus =
  /** Checked with the solver. */
  | 'ok'
  /** Its types were checked and its proof obligations admitted. */
  | 'lax-ok'
  | 'failed'
  /** The check of it was stopped. */
  | 'interrupted'
  /** Not reached: behind a failure, behind the position, or not asked for. */
  | 'not-checked';

export interface Fragment {
  readonly status: FragmentStatus;
  readonly kind: Declaration['kind'];
  readonly names: readonly string[];
  readonly start: PrintedPosition;
  readonly end: PrintedPosition;
  /** Not checked again, because it and all before it had not changed. */
  readonly cached: boolean;
  readonly elapsedMs: number | null;
}

export interface CheckReport {
  /**
   * `ok`: everything that was asked for was checked, with no error. `error`: something was found. `stopped`: the
   * check did not come to its end, for `reason`; what was found until then is here.
   */
  readonly status: 'ok' | 'error' | 'stopped';
  readonly reason?: ReasonCode;
  readonly message?: string;
  readonly fragments: readonly Fragment[];
  readonly issues: readonly FstarIssue[];
  readonly states: readonly TacticState[];
  /** Texts that F* wrote besides: what tactics printed, the solver's statistics. */
  readonly texts: readonly { readonly level: string; readonly text: string }[];
  /** How many texts and states were dropped because there were too many. */
  readonly dropped: number;
  /** How often the process was replaced until now. */
  readonly generation: number;
}

export interface CheckProgress {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

/** A text cut into what F* checks one by one. */
export interface CutText {
  readonly text: string;
  readonly lines: LineIndex;
  readonly declarations: readonly Declaration[];
}

export function cutText(text: string): CutText {
  return { text, lines: new LineIndex(text), declarations: parseDeclarations(text) };
}

export function pieceOf({ text, lines }: CutText, { fragmentStart, fragmentEnd }: Declaration): Piece {
  return { text: text.slice(fragmentStart, fragmentEnd), place: lines.printedAt(fragmentStart) };
}

/** How many of the declarations a check of this kind is about. */
export function countWanted({ lines, declarations }: CutText, check: FullBufferKind): number {
  if (!('line' in check)) return declarations.length;
  const behind = declarations.findIndex(({ start }) => {
    const { line, column } = lines.printedAt(start);
    return line > check.line || (line === check.line && column > check.column);
  });
  return behind < 0 ? declarations.length : behind;
}

export function isLax(check: FullBufferKind): boolean {
  return check.kind === 'lax' || check.kind === 'lax-to-position';
}

export function fragmentOf(
  { lines }: CutText,
  { kind, names, start, end }: Declaration,
  found: Pick<Fragment, 'status' | 'cached' | 'elapsedMs'>,
): Fragment {
  return { kind, names, start: lines.printedAt(start), end: lines.printedAt(end), ...found };
}

export const NOT_CHECKED = { status: 'not-checked', cached: false, elapsedMs: null } as const;

/** True when an issue means that the check failed. */
export function isError({ level }: FstarIssue): boolean {
  return level === 'error' || level === 'not-implemented';
}
