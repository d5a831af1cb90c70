/**
 * Commits of a task's progress. Only the files that are named are committed, whatever else the user changed or
 * staged; a file that had changes of the user's own when the task began is left to the user. A commit that fails
 * costs nothing: the files are there.
 */
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../../core/errors.ts';

const run = promisify(execFile);

const GIT_TIME_MS = 60_000;

async function git(folder: string, ...commandLine: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...commandLine], {
    timeout: GIT_TIME_MS,
    maxBuffer: 16 * 1024 * 1024,
    // Nobody is there to be asked.
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_OPTIONAL_LOCKS: '0' },
  });
  return stdout;
}

/** Those of the files that are tracked and differ from the last commit. */
export async function changedFiles(files: readonly string[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of files) {
    try {
      const status = await git(dirname(file), 'status', '--porcelain', '--', file);
      if (status !== '' && !status.startsWith('??')) changed.push(file);
    } catch {
      // Not in a repository: there is nothing to be careful with.
    }
  }
  return changed;
}

export interface Committed {
  /** Null when nothing was committed; `message` says why. */
  readonly commit: string | null;
  readonly message: string;
}

/** Never throws. */
export async function commitFiles(files: readonly string[], message: string): Promise<Committed> {
  const [first] = files;
  if (first === undefined) return { commit: null, message: 'Nothing to commit.' };
  const folder = dirname(first);
  try {
    await git(folder, 'add', '--', ...files);
    const changes = await git(folder, 'status', '--porcelain', '--', ...files);
    if (changes === '') return { commit: null, message: 'Nothing to commit.' };
    await git(folder, 'commit', '--quiet', '--only', '-m', message, '--', ...files);
    return { commit: (await git(folder, 'rev-parse', 'HEAD')).trim(), message };
  } catch (error) {
    const [line = ''] = errorText(error).split('\n').slice(-2);
    return { commit: null, message: `Not committed: ${line.trim() || errorText(error)}` };
  }
}
