/** What a model is told in a task when it called no tool: what came of a proof that it wrote, and of every claim of success. */
import type { Prompts } from '../prompt-files.ts';

/**
 * @param checked What was said of a proof that stands in the answer; undefined where none does.
 * @param open The names of the targets that are open.
 */
export function answerWithoutCall(
  prompts: Prompts,
  {
    said,
    checked,
    open,
  }: { readonly said: string; readonly checked: string | undefined; readonly open: readonly string[] },
): string {
  const isClaimed = /\bPROOF_COMPLETE\b/u.test(said);
  const status = isClaimed ? 'The judge says no: not every target is proved.' : 'You called no tool.';
  const texts = [
    ...(checked === undefined ? [] : [`The proof in your answer was checked:\n${checked}`]),
    ...(checked === undefined || isClaimed
      ? [prompts.fill('task-status', { status, open: open.map((name) => `- ${name}`).join('\n') })]
      : []),
  ];
  return texts.join('\n\n');
}
