/** Which errors of a text follow from earlier ones, as a check of the file tells it (`failure-causes.ts`). */
import { present } from '../../../core/entry.ts';
import { declaredNames, FailureCauses, refusedSentence } from '../../../provers/rocq/failure-causes.ts';
import { withDotHint } from '../../../provers/rocq/syntax/missing-dot.ts';
import { namesLeftOut } from '../check/names-left-out.ts';
import type { CheckedText } from './checked-text.ts';

export interface FollowedSentence {
  /** What it would have declared or loaded. */
  readonly name: string;
  /** The offset at which it begins. */
  readonly start: number;
}

/** By the numbers of the sentences that were refused. @param known Nothing is asked for where none of those behind them was. */
export async function followingErrors(
  checked: CheckedText,
  known: number,
): Promise<ReadonlyMap<number, FollowedSentence>> {
  const { outline, source } = checked.file;
  const following = new Map<number, FollowedSentence>();
  const refused = checked.checked.flatMap(({ run }, index) => {
    if (run?.error === undefined) return [];
    const { span } = present(outline.sentences[index], 'sentence');
    const message = run.error.message.trim();
    const told = run.reason === undefined ? withDotHint(message, outline.text, span) : message;
    const failed = refusedSentence(outline, index, { message, told });
    // The statement of a proof that is refused is admitted.
    const declares = checked.isInProof(index) ? [] : declaredNames(outline, index);
    return [{ index, start: span.start, failed: { ...failed, declares } }];
  });
  if (!refused.some(({ index, failed }) => index >= known && failed.missing !== undefined)) return following;
  const libraries = refused.flatMap(({ failed }) => failed.library ?? []);
  const mayBring = await namesLeftOut(source.path, outline, libraries);
  const causes = new FailureCauses();
  for (const { index, failed } of refused) {
    const cause = causes.causeOf(failed, mayBring);
    if (cause !== undefined)
      following.set(index, { name: cause.name, start: present(refused[cause.at], 'cause').start });
  }
  return following;
}
