/** The agent's targets in a file of any prover that it works with. */
import { QuodError } from '../core/errors.ts';
import type { TargetFile } from '../agent/target.ts';
import type { TargetHost } from './target-host.ts';
import { openHol4Targets } from './hol4/hol4-targets.ts';
import { openRocqTargets } from './rocq/rocq-targets.ts';
import type { TargetChoice } from './target-choice.ts';

/** Files that the agent can work on. */
export const TARGET_FILE = /(?:\.v|Script\.sml)$/u;

/** What one run works on: each knows the files of all, through whatever links they are named. @throws as `openTargets`. */
export async function choicesOfRun(
  { workspace }: Pick<TargetHost, 'workspace'>,
  choices: readonly TargetChoice[],
): Promise<readonly TargetChoice[]> {
  const runFiles = await Promise.all(choices.map(({ file }) => workspace.resolve(file)));
  return choices.map((choice) => ({ ...choice, runFiles }));
}

/** @throws QuodError `invalid-input` for other files, `not-found`, `file-changed` when the file is no known version. */
export async function openTargets(
  host: TargetHost,
  choice: TargetChoice,
  signal: AbortSignal,
): Promise<TargetFile> {
  if (choice.file.endsWith('.v')) return await openRocqTargets(host, choice, signal);
  if (choice.file.endsWith('Script.sml')) return await openHol4Targets(host, choice, signal);
  throw new QuodError('invalid-input', 'The agent cannot prove in this kind of file.', {
    place: { file: choice.file },
    remedy: 'It works on Rocq files (.v) and HOL4 scripts (…Script.sml).',
  });
}
