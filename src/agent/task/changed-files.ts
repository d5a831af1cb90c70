/** Which files of a task are the user's own to commit when it begins. */
import { dirname } from 'node:path';
import { clause } from '../../core/sentence.ts';
import { inView, refusalOfGit, repositoryOf, unlessUnanswered } from '../../process/foreign-folder/git.ts';
import type { Ask, Repository, Tell } from '../../process/foreign-folder/git.ts';
import { LARGEST_SOURCE_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { entryOf, FILTERED, hasFilter, pathIn } from './repository-entries.ts';

/**
 * Those of the files that are not what the last commit says, untracked and ignored ones among them, and those of which
 * git was told not to look (`--assume-unchanged`, `--skip-worktree`), each with what its name is the subject of. Reads only.
 */
export async function changedFiles(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const changed = new Map<string, string>();
  for (const file of files) {
    try {
      const repository = await repositoryOf(dirname(file)).catch(unlessUnanswered(undefined));
      // Not in a repository: there is nothing to be careful with.
      if (repository === undefined) continue;
      const why = await inView(repository, { index: 'repository' }, (ask, tell) =>
        changeOf(file, { repository, ask, tell }),
      ).catch((error: unknown) => {
        unlessUnanswered(undefined)(error);
        return unknownText(error);
      });
      if (why !== undefined) changed.set(file, why);
    } catch (error) {
      // A git that does not answer is waited for once: what it would say of the files is not known.
      return new Map(files.map((one) => [one, unknownText(error)]));
    }
  }
  return changed;
}

interface View {
  readonly repository: Repository;
  readonly ask: Ask;
  readonly tell: Tell;
}

const CHANGED = 'had changes of yours when the run began';

async function changeOf(file: string, { repository, ask, tell }: View): Promise<string | undefined> {
  const said = await ask('status', '--porcelain', '--ignored', '--ignore-submodules=all', '--', file);
  if (said.startsWith('!!')) return 'is ignored by git';
  const path = pathIn(repository, file);
  const known = await entryOf(repository, path, ask);
  if (known === undefined) return 'was in no commit when the run began';
  const changed = async (): Promise<string> => ((await hasFilter(file, ask)) ? FILTERED : CHANGED);
  if (said !== '') return await changed();
  const bytes = readRegularFileSync(file, LARGEST_SOURCE_BYTES);
  const objects = [
    await tell(bytes, 'hash-object', '--stdin', '--no-filters'),
    await tell(bytes, 'hash-object', '--stdin', '--path', path),
  ];
  return objects.some((object) => object.trim() === known.object) ? undefined : await changed();
}

function unknownText(error: unknown): string {
  return `may have had changes of yours when the run began, which git did not say (${clause(refusalOfGit(error))})`;
}
