/** Says of a file whose proofs were judged without what stands behind them whether it goes on compiling. It decides nothing. */
import type { PrintedPosition } from '../../core/position.ts';
import type { ReasonCode } from '../../core/reason.ts';
import { greatestOf } from '../../core/lists/many.ts';
import type { TheoremItem } from '../../provers/rocq/syntax/outline.ts';
import type { SourceText } from '../verdict.ts';
import { goesOnBehind, otherFinishedProofs, STOPS } from './changed-proofs.ts';
import { isLeftWithout } from './finished-proofs.ts';
import { brokenOff, type JudgeSettings } from './judgement.ts';
import { References } from './reference.ts';
import { isOpaqueLemma, proofSpan } from './text/reference-text.ts';
import { Script } from './text/script.ts';

/** What there is to say of a file behind proofs that were judged without it. */
export type RestOfFile =
  | { readonly kind: 'compiles' }
  | { readonly kind: 'error'; readonly message: string; readonly position: PrintedPosition }
  | { readonly kind: 'unknown'; readonly reason: ReasonCode; readonly message: string };

/** Where a file stops compiling behind some of its statements. */
export async function restOfFile(
  target: SourceText,
  statements: readonly number[],
  settings: JudgeSettings,
): Promise<RestOfFile> {
  const script = new Script(target);
  const { outline, source } = script;
  const ends = outline.statements
    .filter(({ sentence }) => statements.includes(sentence))
    .map((item) => proofSpan(outline, item).end);
  const end = greatestOf([0, ...ends]);
  if (!goesOnBehind(script, end)) return { kind: 'compiles' };
  const finished = await otherFinishedProofs(script, statements, settings);
  const isLeftOut = (item: TheoremItem): boolean => {
    // What ends with Admitted is run: it may not compile.
    if (isLeftWithout(item, finished))
      return item.hole !== 'aborted' && (item.hole !== 'admitted' || statements.includes(item.sentence));
    // What stands before was looked at for the proofs.
    if (!isOpaqueLemma(item) || proofSpan(outline, item).end > end) return false;
    return !script.placeOf(item).inSection || item.using !== undefined;
  };
  const result = await new References(script, isLeftOut, settings).forNone();
  switch (result.status) {
    case 'compiled':
      return { kind: 'compiles' };
    case 'unknown':
    case 'stopped':
      return brokenOff(result);
    case 'failed': {
      const { message, span } = result.error;
      const offset = span?.start ?? source.text.length;
      const { line, column } = script.positionAt(offset);
      if (offset >= end)
        return { kind: 'error', message: `${STOPS}: ${message}`, position: { line, column } };
      return {
        ...{ kind: 'unknown', reason: 'does-not-compile' },
        message: `It does not compile before, at ${line}:${column}.`,
      };
    }
  }
}
