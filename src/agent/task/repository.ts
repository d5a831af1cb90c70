/**
 * Commits of a task's progress. Only the files that are named are committed, whatever else the user changed or
 * staged; a file that had changes of the user's own when the task began is left to the user. A commit that fails
 * costs nothing: the files are there, and the index is as it was. A commit is made without hooks and not signed:
 * the folder says what they are, and may be a stranger's. It is made of bytes that it is given, never of what lies in the
 * files by then.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { errorText } from '../../core/errors.ts';
import {
  identityOf,
  inView,
  repositoryOf,
  takeCommit,
  unlessUnanswered,
} from '../../process/foreign-folder/git.ts';
import type { Ask, Entry, Repository, Tell } from '../../process/foreign-folder/git.ts';

/** Those of the files that are not what the last commit says, untracked and ignored ones among them. Reads only. */
export async function changedFiles(files: readonly string[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of files) {
    try {
      const repository = await repositoryOf(dirname(file)).catch(unlessUnanswered(undefined));
      // Not in a repository: there is nothing to be careful with.
      if (repository === undefined) continue;
      const isChanged = await inView(repository, { index: 'repository' }, async (ask) => {
        const asked = ['status', '--porcelain', '--ignored', '--ignore-submodules=all', '--', file];
        return (await ask(...asked)) !== '';
      }).catch(unlessUnanswered(true));
      if (isChanged) changed.push(file);
    } catch {
      // A git that does not answer is waited for once: what it would say of the files is not known.
      return files;
    }
  }
  return changed;
}

/** How the message begins that tells why there is no commit of something that changed. */
export const NOT_COMMITTED = 'Not committed';

/** A file with what is to be committed of it. */
export interface FileVersion {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export interface Committed {
  /** Null when nothing was committed; `message` says why. */
  readonly commit: string | null;
  /** Of a commit its first line; further ones are not in the commit, and say what is to be known of it. */
  readonly message: string;
}

/** For all that git does for a commit, whatever is left of the time of a run: what is proved is committed. */
const COMMIT_TIME_MS = 60_000;

/** What a commit says, and what ends the making of it: it is made whole or not at all. */
export interface CommitOrder {
  readonly message: string;
  readonly signal?: AbortSignal;
  /** Milliseconds that git may take for all of it. */
  readonly timeMs?: number;
}

/** Commits what is not the user's own of the files that a run wrote. Never throws. */
export async function commitRunsOwn(
  written: readonly FileVersion[],
  usersOwn: readonly string[],
  order: CommitOrder,
): Promise<Committed & { readonly files: string[] }> {
  const own = written.filter(({ file }) => !usersOwn.includes(file));
  const files = own.map(({ file }) => file);
  if (files.length === 0 && written.length > 0) {
    const names = written.map(({ file }) => basename(file)).join(', ');
    const why = `${NOT_COMMITTED}, for you to commit: ${names} had changes of yours when the run began or since, or git did not have it, has a filter for it, or did not answer.`;
    return { files, commit: null, message: why };
  }
  return { files, ...(await commitFiles(own, order)) };
}

/** In the middle of these a commit would be another one than the user began. */
const BEGUN = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

/** Never throws. */
export async function commitFiles(files: readonly FileVersion[], order: CommitOrder): Promise<Committed> {
  const { message, timeMs = COMMIT_TIME_MS } = order;
  const [first] = files;
  if (first === undefined) return { commit: null, message: 'Nothing to commit.' };
  const clock = AbortSignal.timeout(timeMs);
  const signal = order.signal === undefined ? clock : AbortSignal.any([order.signal, clock]);
  try {
    const repository = await repositoryOf(dirname(first.file), signal);
    const begun = BEGUN.find((name) => existsSync(join(repository.directory, name)));
    if (begun !== undefined)
      return { commit: null, message: `${NOT_COMMITTED}: another commit has been begun here (${begun}).` };
    const made = await makeCommit(repository, files, { message, signal });
    if (made === undefined) return { commit: null, message: 'Nothing to commit.' };
    await takeCommit(repository, made.commit, made.entries);
    return { commit: made.commit, message: [message, ...made.notes].join('\n') };
  } catch (error) {
    if (clock.aborted && error instanceof Error && error.name === 'AbortError')
      return { commit: null, message: `${NOT_COMMITTED}: git took more than ${timeMs / 1000} s.` };
    const [line = ''] = errorText(error).split('\n').slice(-2);
    return { commit: null, message: `${NOT_COMMITTED}: ${line.trim() || errorText(error)}` };
  }
}

/** A commit that no branch has yet. Undefined when the files are what the last commit says. */
async function makeCommit(
  repository: Repository,
  versions: readonly FileVersion[],
  { message, signal }: CommitOrder,
): Promise<
  | { readonly commit: string; readonly entries: readonly Entry[]; readonly notes: readonly string[] }
  | undefined
> {
  const { head } = repository;
  const identity = await identityOf(repository, signal);
  const top = realpathSync(repository.workTree);
  const placed = versions.map((one) => ({
    ...one,
    path: relative(top, join(realpathSync(dirname(one.file)), basename(one.file))),
  }));
  const view = { index: 'own', environment: identity, ...(signal !== undefined && { signal }) } as const;
  return await inView(repository, view, async (ask, tell) => {
    if (head !== undefined) await ask('read-tree', head);
    const notes: string[] = [];
    for (const one of placed) {
      const { mode, object, isSameInCheckout } = await objectOf(repository, one, ask, tell);
      if (!isSameInCheckout)
        notes.push(
          `git will write other bytes of ${basename(one.file)} where it checks the commit out (${CONVERSIONS})`,
        );
      await ask('update-index', '--add', '--cacheinfo', `${mode},${object},${one.path}`);
    }
    const tree = (await ask('write-tree')).trim();
    if (head !== undefined && tree === (await ask('rev-parse', `${head}^{tree}`)).trim()) return undefined;
    const parents = head === undefined ? [] : ['-p', head];
    const commit = (await ask('commit-tree', tree, ...parents, '-m', message)).trim();
    const listed = await ask('ls-tree', '-z', '--full-tree', commit, '--', ...placed.map(({ path }) => path));
    return { commit, entries: entriesOf(listed), notes };
  });
}

interface PlacedVersion extends FileVersion {
  /** From the top of the work tree. */
  readonly path: string;
}

/** What has git keep or write other bytes than a file has. */
const CONVERSIONS = '.gitattributes with `text`, `eol`, `ident` or `working-tree-encoding`, or core.autocrlf';

/** In the order of what `objectOf` takes from the answer. */
const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol'];

/** How git says that an attribute is not there. */
const NOT_THERE = ['unspecified', 'unset'];

/**
 * The very bytes as an object of the repository. @throws for ignored files, and where `git add` would keep other bytes of
 * a file that has these: what is committed would not be what was judged, or the file would count as changed for ever.
 */
async function objectOf(
  { head }: Repository,
  { file, path, bytes }: PlacedVersion,
  ask: Ask,
  tell: Tell,
): Promise<Omit<Entry, 'path'> & { readonly isSameInCheckout: boolean }> {
  const listed = head === undefined ? '' : await ask('ls-tree', '-z', '--full-tree', head, '--', path);
  const [known] = entriesOf(listed);
  // Git fails where it does not ignore it.
  const isIgnored =
    known === undefined &&
    (await ask('check-ignore', '--quiet', '--', file).then(() => true, unlessUnanswered(false)));
  if (isIgnored) throw new Error(`${basename(file)} is ignored by git`);
  const attributes = (await ask('check-attr', '-z', ...ATTRIBUTES, '--', file)).split('\0');
  const values = attributes.filter((_word, index) => index % 3 === 2);
  const [hasFilter, hasIdent, hasEncoding] = values.map((value) => !NOT_THERE.includes(value));
  if (hasFilter === true)
    throw new Error('.gitattributes or .git/info/attributes has a filter for it, which Quod does not run');
  const isText = values.slice(3).some((value) => !['unspecified', 'auto'].includes(value));
  const isSaid = hasIdent === true || hasEncoding === true || isText;
  // Of text that nobody says to be one, git leaves the line ends as they are in what was committed with such ones.
  const isLeft =
    !isSaid && known !== undefined && (await ask('cat-file', 'blob', known.object)).includes('\r\n');
  const object = (await tell(bytes, 'hash-object', '-w', '--stdin', '--no-filters')).trim();
  const added = isLeft ? object : (await tell(bytes, 'hash-object', '--stdin', '--path', path)).trim();
  if (added !== object)
    throw new Error(`git would keep other bytes of ${basename(file)} than were judged (${CONVERSIONS})`);
  const inCheckout = await ask('cat-file', '--filters', `--path=${path}`, object);
  const isSameInCheckout = inCheckout === Buffer.from(bytes).toString('utf8');
  return {
    isSameInCheckout,
    mode: known?.mode.startsWith('100') === true ? known.mode : modeOf(file),
    object,
  };
}

/** A file that the last commit does not have. */
function modeOf(file: string): string {
  const status = lstatSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true && (status.mode & 0o100) !== 0 ? '100755' : '100644';
}

function entriesOf(listed: string): Entry[] {
  return listed.split('\0').flatMap((line) => {
    const [, mode, object, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/su.exec(line) ?? [];
    return mode === undefined || object === undefined || path === undefined ? [] : [{ mode, object, path }];
  });
}
