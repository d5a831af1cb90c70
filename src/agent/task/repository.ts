/**
 * Commits of a task's progress. Only the files that are named are committed, whatever else the user changed or
 * staged; a file that had changes of the user's own when the task began is left to the user, and so is one that differs
 * from the last commit by more than what the run put there, whenever that came about. A commit that fails
 * costs nothing: the files are there, and the index is as it was. A commit is made without hooks and not signed:
 * the folder says what they are, and may be a stranger's. It is made of bytes that it is given, never of what lies in the
 * files by then.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { someOf } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import {
  identityOf,
  inView,
  refusalOfGit,
  repositoryOf,
  takeCommit,
  unlessUnanswered,
} from '../../process/foreign-folder/git.ts';
import type { Ask, Entry, Repository, Tell } from '../../process/foreign-folder/git.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import { LARGEST_SOURCE_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';

/**
 * Those of the files that are not what the last commit says, untracked and ignored ones among them, and those of which
 * git was told not to look (`--assume-unchanged`, `--skip-worktree`). Reads only.
 */
export async function changedFiles(files: readonly string[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of files) {
    try {
      const repository = await repositoryOf(dirname(file)).catch(unlessUnanswered(undefined));
      // Not in a repository: there is nothing to be careful with.
      if (repository === undefined) continue;
      const isChanged = await inView(repository, { index: 'repository' }, async (ask, tell) => {
        const asked = ['status', '--porcelain', '--ignored', '--ignore-submodules=all', '--', file];
        if ((await ask(...asked)) !== '') return true;
        const path = pathIn(repository, file);
        const known = await entryOf(repository, path, ask);
        const bytes = readRegularFileSync(file, LARGEST_SOURCE_BYTES);
        const objects = [
          await tell(bytes, 'hash-object', '--stdin', '--no-filters'),
          await tell(bytes, 'hash-object', '--stdin', '--path', path),
        ];
        return known === undefined || !objects.some((object) => object.trim() === known.object);
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

export interface Committed {
  /** Null when nothing was committed; `message` says why. */
  readonly commit: string | null;
  /** Of a commit its first line; further ones are not in the commit, and say what is to be known of it. */
  readonly message: string;
}

/** For all that git does for a commit, whatever is left of the time of a run: what is proved is committed. */
const COMMIT_TIME_MS = 60_000;

/** Another task may commit in the same repository at the same time, and each of its commits moves the branch. */
const COMMIT_TRIES = 10;
const BETWEEN_TRIES_MS = 50;

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
  const named = own.map(({ file }) => file);
  const { mixed, refused, ...said } = await madeOf(own, order);
  const files = named.filter((file) => !mixed.includes(file));
  const left = written.map(({ file }) => file).filter((file) => !files.includes(file));
  if (left.length === 0) return { files, ...said };
  const others = left.filter((file) => !refused.has(file)).map((file) => basename(file));
  const why = [
    ...(others.length === 0
      ? []
      : [
          `${NOT_COMMITTED}, for you to commit: ${others.join(', ')} had changes of yours when the run began or since, or git did not have it, has a filter for it, or did not answer.`,
        ]),
    ...[...refused].map(([file, theorems]) => {
      const names = someOf(theorems.map((one) => foreignName(one)));
      return `${NOT_COMMITTED}, for you to commit: ${foreignName(basename(file))} has a proof that the gate did not accept (${names}).`;
    }),
  ];
  const rest = files.length === 0 || said.message === NOTHING ? [] : [said.message];
  return {
    files,
    commit: said.commit,
    message: (said.commit === null ? [...why, ...rest] : [...rest, ...why]).join('\n'),
  };
}

/** In the middle of these a commit would be another one than the user began. */
const BEGUN = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

/** Never throws. */
export async function commitFiles(files: readonly FileVersion[], order: CommitOrder): Promise<Committed> {
  const { commit, message } = await madeOf(files, order);
  return { commit, message };
}

interface MadeOf extends Committed {
  /** Files with more in them than the run's own, which are in no commit. */
  readonly mixed: readonly string[];
  /** Those of them that have proofs which the gate did not accept, and the theorems. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

async function madeOf(files: readonly FileVersion[], order: CommitOrder): Promise<MadeOf> {
  const { message, timeMs = COMMIT_TIME_MS } = order;
  const [first] = files;
  if (first === undefined) return { commit: null, message: NOTHING, mixed: [], refused: new Map() };
  const clock = AbortSignal.timeout(timeMs);
  const signal = order.signal === undefined ? clock : AbortSignal.any([order.signal, clock]);
  let left: Pick<MadeOf, 'mixed' | 'refused'> = { mixed: [], refused: new Map() };
  try {
    for (let tries = 1; ; tries++) {
      const repository = await repositoryOf(dirname(first.file), signal);
      const begun = BEGUN.find((name) => existsSync(join(repository.directory, name)));
      if (begun !== undefined) {
        const why = `${NOT_COMMITTED}: another commit has been begun here (${begun}).`;
        return { commit: null, message: why, ...left };
      }
      const made = await makeCommit(repository, files, { message, signal });
      left = { mixed: made.mixed, refused: made.refused };
      if (made.commit === undefined) return { commit: null, message: NOTHING, ...left };
      try {
        const index = await takeCommit(repository, made.commit, made.entries);
        const late = index === undefined ? [] : [`the index does not have it yet: ${index}`];
        return { commit: made.commit, message: [message, ...made.notes, ...late].join('\n'), ...left };
      } catch (error) {
        // The branch moved, or another git holds a lock: once more, on what is there then.
        if (tries === COMMIT_TRIES || signal.aborted) throw error;
        await delay(BETWEEN_TRIES_MS * (1 + Math.random()), undefined, { signal });
      }
    }
  } catch (error) {
    const why =
      clock.aborted && error instanceof Error && error.name === 'AbortError'
        ? `git took more than ${timeMs / 1000} s.`
        : refusalOfGit(error);
    return { commit: null, message: `${NOT_COMMITTED}: ${why}`, ...left };
  }
}

const NOTHING = 'Nothing to commit.';

interface Made extends Pick<MadeOf, 'mixed' | 'refused'> {
  /** Of what is to be committed; undefined when the files are what the last commit says. */
  readonly commit?: string;
  readonly entries: readonly Entry[];
  readonly notes: readonly string[];
}

/** A commit that no branch has yet. */
async function makeCommit(
  repository: Repository,
  versions: readonly FileVersion[],
  { message, signal }: CommitOrder,
): Promise<Made> {
  const { head } = repository;
  const identity = await identityOf(repository, signal);
  const placed = versions.map((one) => ({ ...one, path: pathIn(repository, one.file) }));
  const staged = await stagedOthers(repository, placed, signal);
  const view = { index: 'own', environment: identity, ...(signal !== undefined && { signal }) } as const;
  return await inView(repository, view, async (ask, tell) => {
    if (head !== undefined) await ask('read-tree', head);
    const notes: string[] = [];
    const mixed: string[] = [];
    const refused = new Map<string, readonly string[]>();
    for (const one of placed) {
      const { mode, object, known, isSameInCheckout } = await objectOf(repository, one, ask, tell);
      const isChanged = known?.object !== object;
      const committed = known && isChanged ? await textOf(known, ask, tell) : undefined;
      const isOwn =
        one.isRunsOwn === undefined ||
        !isChanged ||
        (committed !== undefined && !staged.includes(one.path) && one.isRunsOwn(committed));
      const theorems = isOwn && committed !== undefined ? (one.notAccepted?.(committed) ?? []) : [];
      if (theorems.length > 0) refused.set(one.file, theorems);
      if (!isOwn || theorems.length > 0) {
        mixed.push(one.file);
        continue;
      }
      if (!isSameInCheckout)
        notes.push(
          `git will write other bytes of ${basename(one.file)} where it checks the commit out (${CONVERSIONS})`,
        );
      await ask('update-index', '--add', '--cacheinfo', `${mode},${object},${one.path}`);
    }
    const tree = (await ask('write-tree')).trim();
    const nothing = { entries: [], notes: [], mixed, refused };
    const before = head === undefined ? undefined : (await ask('rev-parse', `${head}^{tree}`)).trim();
    const paths = placed.filter(({ file }) => !mixed.includes(file)).map(({ path }) => path);
    if (tree === before || paths.length === 0) return nothing;
    const parents = head === undefined ? [] : ['-p', head];
    const commit = (await ask('commit-tree', tree, ...parents, '-m', message)).trim();
    const listed = await ask('ls-tree', '-z', '--full-tree', commit, '--', ...paths);
    return { commit, entries: entriesOf(listed), notes, mixed, refused };
  });
}

/** The bytes of the last commit; undefined where they are no text in UTF-8. */
async function textOf({ object }: Entry, ask: Ask, tell: Tell): Promise<Uint8Array | undefined> {
  const committed = Buffer.from(await ask('cat-file', 'blob', object));
  // What is no text in UTF-8 did not come through.
  const isSame = (await tell(committed, 'hash-object', '--stdin', '--no-filters')).trim() === object;
  return isSame ? committed : undefined;
}

/** Files of which the index says neither what the last commit does nor what is to be committed: somebody staged that. */
async function stagedOthers(
  repository: Repository,
  placed: readonly PlacedVersion[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const { head } = repository;
  if (head === undefined) return [];
  const view = { index: 'repository', ...(signal !== undefined && { signal }) } as const;
  return await inView(repository, view, async (ask, tell) => {
    const staged: string[] = [];
    for (const { path, file, bytes } of placed) {
      const known = await entryOf(repository, path, ask);
      const said = await ask('ls-files', '--stage', '-z', '--', file);
      const objects = said.split('\0').flatMap((line) => /^\d+ ([0-9a-f]+) \d\t/u.exec(line)?.[1] ?? []);
      const wanted = (await tell(bytes, 'hash-object', '--stdin', '--no-filters')).trim();
      if (objects.length !== 1 || objects.some((one) => one !== known?.object && one !== wanted))
        staged.push(path);
    }
    return staged;
  });
}

/** From the top of the work tree. */
function pathIn({ workTree }: Repository, file: string): string {
  return relative(realpathSync(workTree), join(realpathSync(dirname(file)), basename(file)));
}

/** What the last commit has of a file. */
async function entryOf({ head }: Repository, path: string, ask: Ask): Promise<Entry | undefined> {
  if (head === undefined) return undefined;
  const [known] = entriesOf(await ask('ls-tree', '-z', '--full-tree', head, '--', path));
  return known;
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
  repository: Repository,
  { file, path, bytes }: PlacedVersion,
  ask: Ask,
  tell: Tell,
): Promise<Omit<Entry, 'path'> & { readonly known: Entry | undefined; readonly isSameInCheckout: boolean }> {
  const known = await entryOf(repository, path, ask);
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
    ...{ isSameInCheckout, known },
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
