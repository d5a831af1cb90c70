/**
 * Commits of a task's progress. Only the files that are named are committed, whatever else the user changed or
 * staged; a file that had changes of the user's own when the task began is left to the user, and so is one that differs
 * from the last commit by more than what the run put there, whenever that came about, and one that is not what was judged any
 * more. Each file is committed in the repository that it is in. A commit that fails costs nothing: the files are there, and the index is as it was. A commit is
 * made without hooks and not signed: the folder says what they are, and may be a stranger's.
 */
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { someOf } from '../../core/counted.ts';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { foreignName, inert } from '../../core/foreign-text.ts';
import { onOneLine } from '../../core/sentence.ts';
import { begunOperation } from '../../process/foreign-folder/begun-operation.ts';
import {
  isInNoRepository,
  refusalOfGit,
  repositoryOf,
  takeCommit,
} from '../../process/foreign-folder/git.ts';
import type { Repository } from '../../process/foreign-folder/git.ts';
import { LARGEST_SOURCE_BYTES, readRegularFileSync } from '../../process/foreign-folder/regular-file.ts';
import { whyNoFile } from '../../process/foreign-folder/what-lies-there.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import { makeCommit, type LeftFile, type WantedCommit } from './commit-making.ts';

/** How the message begins that tells why there is no commit of something that changed. */
export const NOT_COMMITTED = 'Not committed';

export interface Committed {
  /** Null when nothing was committed; `message` says why. Of several repositories, that of the first. */
  readonly commit: string | null;
  /** Of a commit its first line; further ones are not in the commit, and say what is to be known of it. */
  readonly message: string;
  /** Those that nothing keeps the run from committing, but what the message says of git. */
  readonly files: string[];
}

/** For all that git does for the commits, whatever is left of the time of a run: what is proved is committed. */
const COMMIT_TIME_MS = 60_000;

/** Another task may commit in the same repository at the same time, and each of its commits moves the branch. */
const COMMIT_TRIES = 10;
const BETWEEN_TRIES_MS = 50;

/** What a commit says, and what ends the making of it: it is made whole or not at all. */
export interface CommitOrder {
  readonly message: WantedCommit['message'];
  readonly signal?: AbortSignal;
  /** Milliseconds that git may take for all of it. */
  readonly timeMs?: number;
  /** Files of which there is nothing that could be committed. */
  readonly left?: readonly LeftFile[];
}

/**
 * Commits what is not the user's own of the files that a run wrote. Never throws.
 * @param usersOwn Files that are not committed, with why.
 */
export async function commitRunsOwn(
  written: readonly FileVersion[],
  usersOwn: ReadonlyMap<string, string>,
  { message, signal: stop, timeMs = COMMIT_TIME_MS, left: without = [] }: CommitOrder,
): Promise<Committed> {
  const clock = AbortSignal.timeout(timeMs);
  const signal = stop === undefined ? clock : AbortSignal.any([stop, clock]);
  const left = [
    ...written.flatMap(({ file }) => {
      const why = usersOwn.get(file);
      return why === undefined ? [] : [{ file, why }];
    }),
    ...written.filter(({ file }) => !usersOwn.has(file)).flatMap(leftWhereOther),
    ...without.map(({ file, why }) => ({ file, why: usersOwn.get(file) ?? whyNoFile(file) ?? why })),
  ];
  const own = written.filter(({ file }) => left.every((one) => one.file !== file));
  const made: MadeInOne[] = [];
  const outside: string[] = [];
  // It names folders that are somebody else's, and is one line of the message.
  const refusalBy = (error: unknown): string =>
    clock.aborted && error instanceof Error && error.name === 'AbortError'
      ? `git took more than ${timeMs / 1000} s.`
      : inert(onOneLine(refusalOfGit(error)));
  const asking = { signal, refusalBy };
  for (const { workTree, versions, refusal, isOutside } of await byRepository(own, asking)) {
    if (isOutside === true) {
      for (const { file } of versions) outside.push(file);
      continue;
    }
    const done =
      refusal === undefined
        ? await madeOf({ versions, message, signal }, asking)
        : { commit: null, said: [], left: [], refusal };
    made.push({ ...done, workTree, files: versions.map(({ file }) => file) });
  }
  return told(made, left, outside);
}

/** Judged bytes are committed only while they are what the user has in the file. */
function leftWhereOther({ file, bytes }: FileVersion): LeftFile[] {
  const gone = whyNoFile(file);
  if (gone !== undefined) return [{ file, why: gone }];
  try {
    if (Buffer.compare(readRegularFileSync(file, LARGEST_SOURCE_BYTES), bytes) === 0) return [];
  } catch {
    // Whatever it is, it is not what was judged.
  }
  return [{ file, why: 'was changed or put back by somebody else after the run had written it' }];
}

/** How long git is asked, and what a failure of it is called. */
interface Asking {
  readonly signal: AbortSignal;
  readonly refusalBy: (error: unknown) => string;
}

/** What came of the files of one repository. */
interface Done {
  readonly commit: string | null;
  /** The first line of the commit, and what is to be known of it. */
  readonly said: readonly string[];
  readonly left: readonly LeftFile[];
  /** Why none of the files is committed. */
  readonly refusal?: string;
}

interface MadeInOne extends Done {
  readonly workTree: string;
  readonly files: readonly string[];
}

function told(made: readonly MadeInOne[], left: readonly LeftFile[], outside: readonly string[]): Committed {
  const all = [...left, ...made.flatMap((one) => one.left)];
  const files = made.flatMap((one) => one.files).filter((file) => !all.some((one) => one.file === file));
  const [first, ...others] = made.filter(({ commit }) => commit !== null);
  const lines = [
    ...(first?.said ?? []),
    ...others.flatMap(({ commit, said, workTree }) => [
      `${orNothing(commit?.slice(0, 10))} in ${foreignName(basename(workTree))}: ${orNothing(said[0])}`,
      ...said.slice(1),
    ]),
    ...made.flatMap(({ refusal, files: refused, left: known }) => {
      const names = refused.filter((file) => !known.some((one) => one.file === file)).map(nameOf);
      return refusal === undefined ? [] : [`${NOT_COMMITTED} (${someOf(names)}): ${refusal}`];
    }),
    ...(outside.length === 0
      ? []
      : [`${NOT_COMMITTED}: there is no git repository around ${someOf(outside.map(nameOf))}${unheeded()}.`]),
    ...all.map(({ file, why }) => `${NOT_COMMITTED}, for you to commit: ${nameOf(file)} ${why}.`),
  ];
  return {
    files,
    commit: first?.commit ?? null,
    message: lines.length === 0 ? 'Nothing to commit.' : lines.join('\n'),
  };
}

/** The user's git may see a repository where Quod's, which looks from the file on, sees none. */
function unheeded(): string {
  const set = ['GIT_DIR', 'GIT_WORK_TREE'].filter((name) => process.env[name] !== undefined);
  return set.length === 0
    ? ''
    : ` (${set.join(' and ')} of the environment ${set.length === 1 ? 'is' : 'are'} not heeded)`;
}

function nameOf(file: string): string {
  return foreignName(basename(file));
}

/** Files of one repository, those that git refuses to speak of, and why, or those that are in none. */
interface Group {
  readonly workTree: string;
  readonly versions: readonly FileVersion[];
  readonly refusal?: string;
  readonly isOutside?: boolean;
}

async function byRepository(
  versions: readonly FileVersion[],
  { signal, refusalBy }: Asking,
): Promise<readonly Group[]> {
  const found = new Map<string, Omit<Group, 'versions'> & { versions: FileVersion[] }>();
  const known = new Map<string, Omit<Group, 'versions'>>();
  let unanswered: Omit<Group, 'versions'> | undefined;
  for (const version of versions) {
    const folder = dirname(version.file);
    let at = unanswered ?? known.get(folder);
    if (at === undefined) {
      try {
        const { workTree } = await repositoryOf(folder, signal);
        at = { workTree };
      } catch (error) {
        at = {
          workTree: '',
          ...(isInNoRepository(error) ? { isOutside: true } : { refusal: refusalBy(error) }),
        };
        // It is waited for once.
        if (error instanceof QuodError && error.reason === 'timeout') unanswered = at;
      }
      known.set(folder, at);
    }
    const key = JSON.stringify(at);
    const group = found.get(key);
    if (group === undefined) found.set(key, { ...at, versions: [version] });
    else group.versions.push(version);
  }
  return [...found.values()];
}

/** Of files of one repository. Never throws. */
async function madeOf(wanted: WantedCommit, { signal, refusalBy }: Asking): Promise<Done> {
  const folder = dirname(orNothing(wanted.versions[0]?.file));
  let { versions } = wanted;
  let others: readonly LeftFile[] = [];
  let left: readonly LeftFile[] = [];
  try {
    for (let tries = 1; ; tries++) {
      const repository = await repositoryOf(folder, signal);
      requireNothingBegun(repository);
      const made = await makeCommit(repository, { ...wanted, versions });
      left = [...others, ...made.left];
      if (made.commit === undefined) return { commit: null, said: [], left };
      // While the commit was made.
      requireNothingBegun(repository);
      const changed = versions.flatMap(leftWhereOther);
      if (changed.length > 0) {
        others = [...others, ...changed];
        left = [...left, ...changed];
        versions = versions.filter(({ file }) => changed.every((one) => one.file !== file));
        continue;
      }
      try {
        const index = await takeCommit(repository, made.commit, made.entries);
        const late = index === undefined ? [] : [`the index does not have it yet: ${index}`];
        return { commit: made.commit, said: [made.message, ...made.notes, ...late], left };
      } catch (error) {
        // The branch moved, or another git holds a lock: once more, on what is there then.
        if (tries >= COMMIT_TRIES || signal.aborted) throw error;
        await delay(BETWEEN_TRIES_MS * (1 + Math.random()), undefined, { signal });
      }
    }
  } catch (error) {
    return { commit: null, said: [], left, refusal: refusalBy(error) };
  }
}

function requireNothingBegun(repository: Repository): void {
  const begun = begunOperation(repository);
  if (begun === undefined) return;
  throw new Error(
    `${begun}: a commit would become a part of that. The proofs are in the files; git status says how it is ended.`,
  );
}
