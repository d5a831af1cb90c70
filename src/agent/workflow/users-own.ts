/**
 * Theorems of a run whose proofs are somebody else's by now. Nobody works on them and nothing is written over them; the gate
 * says whether they are proved, so that a run can tell what has become of all that it was asked for.
 */
import { usersOwnKey } from '../runs/rechecked-keys.ts';
import type { TargetFile } from '../target.ts';
import { outcomeOfAccepted, type TheoremNow } from './conclusion.ts';
import { askTogether } from './ask-together.ts';
import type { RunContext } from './run-context.ts';

/** Their names. */
export function usersOwnOf(files: readonly TargetFile[]): readonly string[] {
  return files.flatMap(({ usersOwn = [] }) => usersOwn.map(({ theorem }) => theorem));
}

/** Asks the gate about those that are finished, as they stand in their files. @throws QuodError. */
export async function judgeUsersOwn(run: RunContext, files: readonly TargetFile[]): Promise<void> {
  for (const file of files) {
    const finished = (file.usersOwn ?? []).filter((one) => one.isFinished).map(({ theorem }) => theorem);
    if (finished.length === 0) continue;
    await askTogether(run, usersOwnKey(file.file), (stop) => file.recheck(finished, stop));
  }
}

/** What the gate said of them: open are those that it did not accept, or was not asked about. */
export function usersTheorems({ eventLog }: RunContext, files: readonly TargetFile[]): TheoremNow[] {
  return files.flatMap(({ file, usersOwn = [] }) => {
    const accepted = eventLog.recorded('rechecked', usersOwnKey(file))?.restsOnOpen ?? {};
    const rests = new Map(Object.entries(accepted));
    return usersOwn.map(({ theorem }): TheoremNow => {
      const restsOnOpen = rests.get(theorem);
      return restsOnOpen === undefined
        ? { theorem, outcome: 'open', restsOnOpen: [] }
        : { theorem, outcome: outcomeOfAccepted(restsOnOpen), restsOnOpen };
    });
  });
}
