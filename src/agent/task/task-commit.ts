/**
 * What a run commits of a task, and when it is tried again. All that is proved in a file goes into one commit, with the note
 * in the task file; a commit that could not be made is made when the run is resumed.
 */
import { someOf } from '../../core/counted.ts';
import { underName } from '../../core/entry.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { stoppable } from '../workflow/run-context.ts';
import type { RunContext } from '../workflow/run-context.ts';
import type { Task } from '../runs/task-schema.ts';
import type { FoundProof, ProofsApart, TargetFile } from '../target.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import { commitRunsOwn } from './repository.ts';
import type { TaskFiles, WrittenTask } from './task-files.ts';
import { withoutHandoff } from './task-file.ts';

export interface CommitOfTask {
  readonly task: Pick<Task, 'file' | 'usersOwn' | 'usersOwnWhy'>;
  /** Absent where nobody writes in the task file. */
  readonly taskFiles?: TaskFiles;
  /** A commit of one with a proof of the user's own would have that in it. */
  readonly targetFiles: readonly TargetFile[];
  /** Files that have proofs of the run. */
  readonly written: readonly string[];
  /** By theorem. */
  readonly proofs: ReadonlyMap<string, FoundProof>;
  /** The work goes on in a fresh context. Default: it has ended. */
  readonly handsOff?: boolean;
  /** Files with proofs that were not accepted together. */
  readonly apart?: ReadonlyMap<TargetFile, ProofsApart>;
}

/** Not stopped by a budget: what is proved is proved. */
export async function commitTask(
  { eventLog, judgedFiles, settings, signal }: RunContext,
  key: string,
  { taskFiles, written, proofs, handsOff = false, ...rest }: CommitOfTask,
): Promise<void> {
  if (!settings.commit) return;
  await eventLog.once('committed', key, async () => {
    const note = taskFiles?.written?.();
    const versions = judgedFiles.versionsOf(written, { proofs, isOfOthers: settings.driver !== 'quod' });
    const touched = [...versions, ...(note === undefined ? [] : [noteVersion(note)])];
    const left = judgedFiles
      .unknownOf(written)
      .map((file) => ({ file, why: 'was changed by somebody else as soon as the run had written it' }));
    return await stoppable(
      signal,
      (stop) =>
        commitRunsOwn(touched, leftOutOf(rest, note), {
          message: (theorems) => messageOf(theorems, handsOff),
          signal: stop,
          left,
        }),
      ({ commit }) => commit !== null,
    );
  });
}

function messageOf(theorems: readonly string[], handsOff: boolean): string {
  if (theorems.length > 0) return `Prove ${theorems.join(', ')}`;
  return handsOff ? 'Hand off the work on proofs' : 'End the work on proofs';
}

/** Files that are not committed, with why. */
function leftOutOf(
  { task, targetFiles, apart = new Map() }: Pick<CommitOfTask, 'task' | 'targetFiles' | 'apart'>,
  note?: WrittenTask,
): ReadonlyMap<string, string> {
  const { usersOwn, usersOwnWhy = {} } = task;
  const left = new Map<string, string>();
  if (note?.isShared === true) left.set(note.file, 'was changed by somebody else while the run worked');
  for (const [{ file: target }, { theorems }] of apart) {
    const names = someOf(theorems.map((theorem) => foreignName(theorem)));
    left.set(target, `has proofs that the gate accepts one by one, and not together (${names})`);
  }
  for (const { file: target, usersOwn: theirs = [] } of targetFiles) {
    const names = someOf(theirs.map(({ theorem }) => foreignName(theorem)));
    if (theirs.length > 0) left.set(target, `has a proof that is not the run's (${names})`);
  }
  for (const own of usersOwn) {
    const why = underName(usersOwnWhy, own);
    // Logs of older versions do not tell.
    left.set(own, why === undefined ? 'had changes of yours when the run began' : foreignName(why));
  }
  return left;
}

/** What is proved and written is confirmed, and may not be committed yet: that was tried, and is tried again. */
export async function commitAgain(
  run: RunContext,
  rest: Pick<CommitOfTask, 'task' | 'taskFiles' | 'targetFiles'>,
): Promise<void> {
  const { eventLog } = run;
  const proofs = new Map<string, FoundProof>();
  const written = new Set<string>();
  for (const { file, targets } of rest.targetFiles)
    for (const { theorem } of targets) {
      const ended = eventLog.recorded('theorem-ended', theorem);
      const stands = eventLog.recorded('written', theorem) !== undefined || run.settings.driver !== 'quod';
      if (ended?.proof == null || ended.outcome === 'not-judged' || !stands) continue;
      proofs.set(theorem, { proof: ended.proof, before: ended.before });
      written.add(file);
    }
  await commitTask(run, `task/again-${resumesOf(run)}`, { ...rest, written: [...written], proofs });
}

/** The task file with the run's note in it. */
function noteVersion({ file, bytes }: WrittenTask): FileVersion {
  const ofUser = (text: Uint8Array): string => withoutHandoff(Buffer.from(text).toString('utf8')).trimEnd();
  return { file, bytes, isRunsOwn: (committed) => ofUser(committed) === ofUser(bytes) };
}

/** How often a run was resumed, this time included: a key of what is done anew each time. */
export function resumesOf({ eventLog }: RunContext): number {
  const { past } = eventLog;
  return past.length === 0 ? 0 : past.filter(({ event }) => event.kind === 'run-resumed').length + 1;
}
