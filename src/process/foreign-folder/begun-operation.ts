/**
 * What the user has begun in a repository and git has not ended. A commit in the middle of it would become a part of it, or
 * be left behind. Git itself tells such work by these files of its directory, and tells the first of them that is there.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './git.ts';

/** By what lies in the directory of the work tree; a rebase picks and merges, and has the files of these beside its own. */
const OPERATIONS = [
  ['rebase-apply/applying', 'patches are being applied (git am)'],
  ['rebase-apply', 'a rebase is under way'],
  ['rebase-merge', 'a rebase is under way'],
  ['MERGE_HEAD', 'a merge is under way'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick is under way'],
  ['REVERT_HEAD', 'a revert is under way'],
  // Between two commits of a series there is no head of it.
  ['sequencer/todo', 'a cherry-pick or revert of several commits is under way'],
  ['BISECT_LOG', 'a bisection is under way'],
] as const;

/** As a clause that names the file by which it is known; undefined where nothing was begun. */
export function begunOperation({ directory, workTree }: Repository): string | undefined {
  const begun = OPERATIONS.find(([name]) => existsSync(join(directory, name)));
  return begun && `${begun[1]} in ${workTree} (${begun[0]})`;
}
