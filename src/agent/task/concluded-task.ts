/** The task file when the work on it ends: what was handed off holds of the files by then, or is taken out. */
import { QuodError } from '../../core/errors.ts';
import type { Task } from '../runs/task-schema.ts';
import type { Target } from '../target.ts';
import type { RunContext } from '../workflow/run-context.ts';
import type { TaskFiles } from './task-files.ts';
import { handoffText, targetList, withKnownHandoff, withoutKnownHandoff } from './task-file.ts';

interface ConcludedTask {
  readonly task: Pick<Task, 'file' | 'text'>;
  readonly files: TaskFiles;
  readonly targets: readonly Target[];
  readonly isProved: (target: Target) => boolean;
}

/** Where somebody else took the file away or wrote into Quod's section, it stays as they left it. */
export async function concludeTask(
  { eventLog }: Pick<RunContext, 'eventLog'>,
  key: string,
  { task, files, targets, isProved }: ConcludedTask,
): Promise<void> {
  if (targets.length === 0) return;
  try {
    const last = eventLog.recordedUnder('handed-off', '').at(-1);
    // What another run handed off is of no use to anybody once this one has proved something of it.
    const isOld = last === undefined && targets.some(isProved);
    if (isOld || targets.every(isProved)) {
      await files.updateTask((text, known) => withoutKnownHandoff(text, { known, begun: task.text }));
      return;
    }
    if (last === undefined) return;
    const { note } = last;
    const isPassed = targets.some(
      (target) => isProved(target) && last.state.startsWith(`State of ${target.theorem}:\n`),
    );
    const state = isPassed ? '' : last.state;
    const written = handoffText({ list: targetList(targets, isProved, task), note, state });
    const before = { text: '' };
    const changed = await files.updateTask((text, known) => {
      before.text = text;
      return withKnownHandoff(text, known, written);
    });
    if (changed !== before.text)
      eventLog.note({ kind: 'handed-off', key, note, state, task: changed, ends: true });
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
  }
}
