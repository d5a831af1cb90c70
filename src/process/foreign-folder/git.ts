/**
 * The one place that starts git. A folder may come from somebody else, and the configuration of its repository names
 * programs that git would start: hooks, a file system monitor, filters, a program that signs. So nothing that looks at
 * files is asked of the repository itself. It is asked of a view: a git directory of Quod's own with the repository's
 * objects. There the user's own configuration counts but for its filters, of which the folder says which are for its
 * files, and of the repository's what it says of line ends and modes, which names no program. The repository is told two
 * things, a new commit of its branch and the entries of its index, by commands that start nothing but hooks, and hooks
 * are switched off. No key is in the environment of any of it.
 */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { orNothing } from '../../core/entry.ts';
import { QuodError, errorText } from '../../core/errors.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { isRecord } from '../../core/json.ts';
import { makeScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { lockText, waitForIndex } from './index-lock.ts';
import { requireOwnRepository } from './own-repository.ts';
import { readRegularFileSync } from './regular-file.ts';

const GIT_TIME_MS = 15_000;

/** Bytes of one answer. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** What git needs: programs, the user's own configuration and name, the language of its messages. */
const NEEDED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_CONFIG_HOME|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE))$/u;

/** They go before every configuration. A monitor may be the user's own and of no use to a view. */
const WITHOUT_PROGRAMS = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
  ...['-c', 'log.showSignature=false', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'],
];

interface Call {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** What it reads. */
  readonly input?: Uint8Array;
}

async function git(
  { folder, environment = {}, signal, input }: Call,
  words: readonly string[],
): Promise<string> {
  const needed = Object.entries(process.env).filter(([name]) => NEEDED.test(name));
  const asked = promisify(execFile)('git', [...WITHOUT_PROGRAMS, '-C', folder, ...words], {
    timeout: GIT_TIME_MS,
    maxBuffer: LARGEST_ANSWER,
    ...(signal !== undefined && { signal }),
    // Nobody is there to be asked.
    env: {
      ...Object.fromEntries(needed),
      ...{ GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_OPTIONAL_LOCKS: '0' },
      // Objects that a partial clone left out would be fetched by a program that the repository names.
      ...{ GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' },
      // A name like `:a.v` is the file's, and no pattern; `check-ignore` refuses to be told so, and is given whole paths.
      ...(words[0] !== 'check-ignore' && { GIT_LITERAL_PATHSPECS: '1' }),
      ...environment,
    },
  });
  // A git that ended before it read all of it tells why by itself.
  asked.child.stdin?.on('error', () => undefined).end(input);
  try {
    return (await asked).stdout;
  } catch (error) {
    // Node ends what takes too long with this signal, and tells no more.
    if (
      signal?.aborted === true ||
      !isRecord(error) ||
      error['killed'] !== true ||
      error['signal'] !== 'SIGTERM'
    )
      throw error;
    throw new QuodError(
      'timeout',
      `git did not answer in ${GIT_TIME_MS / 1000} s in ${foreignName(folder)}.`,
      {
        cause: error,
      },
    );
  }
}

/** For what git may answer with a failure: not to answer at all is none, and whoever asks on would wait again. */
export function unlessUnanswered<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof QuodError && error.reason === 'timeout') throw error;
    return instead;
  };
}

/** What a repository says of itself; asking starts no program. */
export interface Repository {
  readonly folder: string;
  /** Of this work tree: its HEAD and index. */
  readonly directory: string;
  /** Shared by all work trees: objects and branches. */
  readonly common: string;
  readonly workTree: string;
  readonly objectFormat: string;
  /** Undefined before the first commit. */
  readonly head: string | undefined;
}

/** @throws what git says when the folder is in no repository that it trusts; where that is not the folder's own. */
export async function repositoryOf(folder: string, signal?: AbortSignal): Promise<Repository> {
  const call = { folder, ...(signal !== undefined && { signal }) };
  const asked = ['--absolute-git-dir', '--git-common-dir', '--show-toplevel', '--show-object-format'];
  // In a language of which it is known how it says that there is none.
  const inEnglish = { ...call, environment: { LC_ALL: 'C' } };
  const said = await git(inEnglish, ['rev-parse', '--path-format=absolute', ...asked]);
  const [directory, common, workTree, objectFormat] = said.split('\n').map((line) => orNothing(line));
  // An older one prints the option that it does not know, and would not hear that filters are switched off.
  if (directory?.startsWith('--') === true)
    throw new QuodError('unsupported', 'Quod needs git 2.31 or later.');
  const found = { folder, directory: orNothing(directory), common: orNothing(common) };
  // `--file` reads that file alone, and nothing that it includes.
  const named = ['config', '--file', join(found.directory, 'config'), '--get', 'core.worktree'];
  const namedWorkTree = (await git(call, named).catch(unlessUnanswered(''))).trim();
  requireOwnRepository({ ...found, workTree: orNothing(workTree), namedWorkTree });
  const head = await git(call, ['rev-parse', '--quiet', '--verify', 'HEAD']).catch(unlessUnanswered(''));
  return {
    ...found,
    ...{ workTree: orNothing(workTree), objectFormat: orNothing(objectFormat) },
    head: head === '' ? undefined : head.trim(),
  };
}

/** Asks git in a view. @throws what git says. */
export type Ask = (...words: string[]) => Promise<string>;

/** The same from the top of the work tree, with what git reads on its standard input. */
export type Tell = (input: Uint8Array, ...words: string[]) => Promise<string>;

export interface ViewOptions {
  /** Whose index counts: the repository's, which is only read, or one of the view's own. */
  readonly index: 'repository' | 'own';
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @param use Gets git in a view of the repository, which is gone afterwards. */
export async function inView<Result>(
  repository: Repository,
  { index, signal, environment: added = {} }: ViewOptions,
  use: (ask: Ask, tell: Tell) => Promise<Result>,
): Promise<Result> {
  const { folder, directory, common, workTree, head, objectFormat } = repository;
  const view = makeScratchFolder('git');
  try {
    mkdirSync(join(view, 'refs'));
    mkdirSync(join(view, 'info'));
    writeFileSync(join(view, 'HEAD'), head === undefined ? 'ref: refs/heads/none\n' : `${head}\n`);
    const own = { folder, ...(signal !== undefined && { signal }) };
    const core = ['repositoryformatversion = 1', 'bare = false', ...(await keepingOf(repository, own))];
    writeFileSync(
      join(view, 'config'),
      `[core]\n${core.map((line) => `\t${line}\n`).join('')}[extensions]\n\tobjectFormat = ${objectFormat}\n`,
    );
    // Text that git reads, and no configuration.
    for (const name of ['exclude', 'attributes']) {
      const file = join(common, 'info', name);
      if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === true)
        writeFileSync(join(view, 'info', name), readRegularFileSync(file), { flag: 'wx' });
    }
    const shallow = join(common, 'shallow');
    const places = {
      ...added,
      GIT_DIR: view,
      GIT_WORK_TREE: workTree,
      GIT_OBJECT_DIRECTORY: join(common, 'objects'),
      GIT_INDEX_FILE: index === 'own' ? join(view, 'index') : join(directory, 'index'),
      ...(existsSync(shallow) && { GIT_SHALLOW_FILE: shallow }),
    };
    const environment = { ...places, ...(await withoutFilters({ ...own, environment: places })) };
    const call = { ...own, environment };
    return await use(
      (...words) => git(call, words),
      (input, ...words) => git({ ...call, folder: workTree, input }, words),
    );
  } finally {
    removeScratchFolder(view);
  }
}

/** What a repository's own configuration says of how git compares and keeps its files: values, of which none is a program. */
const KEEPING = String.raw`^core\.(autocrlf|eol|filemode)$`;
const KEEPING_VALUE = /^(?:true|false|yes|no|on|off|0|1|input|lf|crlf|native)$/iu;

/** As lines of a configuration: without them files would count as changed of which git itself says that they are not. */
async function keepingOf({ directory, common }: Repository, call: Call): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const file of [join(common, 'config'), join(directory, 'config.worktree')]) {
    if (!existsSync(file)) continue;
    const said = await git(call, ['config', '--file', file, '-z', '--get-regexp', KEEPING]).catch(
      unlessUnanswered(''),
    );
    for (const setting of said.split('\0')) {
      // A name alone is a switch that is on.
      const { key, value = 'true' } = /^core\.(?<key>\w+)(?:\n(?<value>.*))?$/su.exec(setting)?.groups ?? {};
      if (key !== undefined && KEEPING_VALUE.test(value)) lines.push(`${key} = ${value}`);
    }
  }
  return lines;
}

/** How `git config` ends where nothing has such a name; every other failure says nothing of the filters. */
const FOUND_NONE = 1;

/**
 * Switches the filters of the user's own configuration off: the attributes of a folder choose among them, and may be
 * others at any moment. What names them is read by git, and is nothing that the folder has.
 */
async function withoutFilters(call: Call): Promise<Record<string, string>> {
  const asked = ['config', '-z', '--name-only', '--get-regexp', String.raw`^filter\.`];
  const said = await git(call, asked).catch((error: unknown) => {
    if (isRecord(error) && error['code'] === FOUND_NONE) return '';
    throw error;
  });
  const filters = said.split('\0').flatMap((key) => /^filter\..+(?=\.)/su.exec(key)?.[0] ?? []);
  const settings = [...new Set(filters)].flatMap((filter) => [
    ...['clean', 'smudge', 'process'].map((program) => [`${filter}.${program}`, ''] as const),
    [`${filter}.required`, 'false'] as const,
  ]);
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** The user's name and address for a commit, also where the repository's configuration has them. */
export async function identityOf(
  { folder }: Repository,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const call = { folder, ...(signal !== undefined && { signal }) };
  const ident = async (whose: string): Promise<Record<string, string>> => {
    const said = await git(call, ['var', `GIT_${whose}_IDENT`]).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw unlessUnanswered(nameless(error))(error);
    });
    const [, name, email] = /^(.*) <(.*)> \d+ [+-]\d+\n?$/u.exec(said) ?? [];
    return { [`GIT_${whose}_NAME`]: orNothing(name), [`GIT_${whose}_EMAIL`]: orNothing(email) };
  };
  return { ...(await ident('AUTHOR')), ...(await ident('COMMITTER')) };
}

/** Git says it in the user's language. */
function nameless(error: unknown): Error {
  return new Error(
    `git does not know by whose name to commit (${refusalOfGit(error)}). Say it with git config user.name and git config user.email`,
  );
}

/** A file of a commit: `100644`, its object, its path from the top of the work tree. */
export interface Entry {
  readonly mode: string;
  readonly object: string;
  readonly path: string;
}

/** What the user has git take of a file in the index, by the option of `update-index` that says so. */
export type IndexFlag = 'assume-unchanged' | 'skip-worktree';

/** A file of a commit as the index is to have it. */
export interface IndexEntry extends Entry {
  /** Those that it has there: git forgets them with each new entry. */
  readonly flags: readonly IndexFlag[];
}

/** Others who work in the repository hold its index for moments. */
const INDEX_TRIES = 10;
const BETWEEN_INDEX_TRIES_MS = 100;

/**
 * Makes a commit the next of the repository's branch, then has the index say of its files what the commit says.
 * @returns why the index does not say so; undefined where it does.
 * @throws what git says, and nothing has changed then: when the branch moved meanwhile, or the index is locked.
 */
export async function takeCommit(
  { workTree, directory, head, objectFormat }: Repository,
  commit: string,
  entries: readonly IndexEntry[],
): Promise<string | undefined> {
  const call = { folder: workTree, environment: { GIT_DIR: directory, GIT_WORK_TREE: workTree } };
  await waitForIndex(directory, workTree);
  const none = '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
  await git(call, ['update-ref', '-m', 'quod: commit', 'HEAD', commit, head ?? none]);
  const infos = entries.flatMap(({ mode, object, path }) => ['--cacheinfo', `${mode},${object},${path}`]);
  const flagged = (flag: IndexFlag): string[] => {
    const paths = entries.filter(({ flags }) => flags.includes(flag)).map(({ path }) => path);
    return paths.length === 0 ? [] : [`--${flag}`, '--', ...paths];
  };
  // Git takes one flag at a time.
  const unchanged = flagged('assume-unchanged');
  const told = [
    ['--add', ...infos, ...flagged('skip-worktree')],
    ...(unchanged.length === 0 ? [] : [unchanged]),
  ];
  for (let tries = 1; ; tries++) {
    try {
      for (const words of told) await git(call, ['update-index', ...words]);
      return undefined;
    } catch (error) {
      if (tries === INDEX_TRIES) return refusalOfGit(error);
      await delay(BETWEEN_INDEX_TRIES_MS);
    }
  }
}

/** Whether `repositoryOf` failed because the folder, and each above it, is none; of one that is broken git names its place. */
export function isInNoRepository(error: unknown): boolean {
  const said = isRecord(error) && typeof error['stderr'] === 'string' ? error['stderr'] : '';
  return /^fatal: not a git repository \(or any /mu.test(said);
}

/**
 * Why git refused, in one line: the first that is no warning, and what git proposes to call. Further lines explain.
 */
export function refusalOfGit(error: unknown): string {
  const said = isRecord(error) && typeof error['stderr'] === 'string' ? error['stderr'] : '';
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => !/^(?:warning|hint): /u.test(line)) ?? lines[0];
  if (reason === undefined) return errorText(error);
  const proposed = lines
    .filter((line) => line !== reason && line.startsWith('\t'))
    .map((line) => line.trim());
  // What git says behind the name of a lock depends on the user's language.
  const lock = /'(?<file>\/[^']+\.lock)'/u.exec(reason)?.groups?.['file'];
  const isLocked = lock !== undefined && existsSync(lock);
  return [
    ...[reason.trim(), ...proposed.map((line) => `(${line})`)],
    ...(isLocked ? [`(${lockText(lock)})`] : []),
  ].join(' ');
}
