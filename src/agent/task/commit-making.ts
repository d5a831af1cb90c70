/**
 * A commit of what a run put into files of one repository. It is made of bytes that it is given, never of what lies in the
 * files by then, and has no file in which there is more than that: each that is left out is told with why.
 */
import { lstatSync } from 'node:fs';
import { someOf } from '../../core/counted.ts';
import { appendAll } from '../../core/lists/many.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { identityOf, inView, unlessUnanswered } from '../../process/foreign-folder/git.ts';
import type { Ask, Entry, IndexEntry, Repository, Tell } from '../../process/foreign-folder/git.ts';
import type { FileVersion } from '../workflow/judged-files.ts';
import {
  entriesOf,
  entryOf,
  FILTERED,
  isThere,
  pathIn,
  stagedIn,
  valuesOf,
  type Staged,
} from './repository-entries.ts';

/** A file that is in no commit. */
export interface LeftFile {
  readonly file: string;
  /** What its name is the subject of: `has changes of yours`. */
  readonly why: string;
}

export interface WantedCommit {
  readonly versions: readonly FileVersion[];
  /** @param theorems whose proofs the commit has, and the one before it has not. */
  readonly message: (theorems: readonly string[]) => string;
  readonly signal: AbortSignal;
}

export interface MadeCommit {
  /** Undefined when the files are what the last commit says, or all of them are left out. */
  readonly commit: string | undefined;
  readonly message: string;
  readonly entries: readonly IndexEntry[];
  readonly left: readonly LeftFile[];
  /** What is to be known of it. */
  readonly notes: readonly string[];
}

/** A commit that no branch has yet. @throws what git says. */
export async function makeCommit(
  repository: Repository,
  { versions, message, signal }: WantedCommit,
): Promise<MadeCommit> {
  const { head } = repository;
  const identity = await identityOf(repository, signal);
  const named = versions.map(({ file }) => file);
  const staged = await stagedIn(repository, named, signal);
  return await inView(repository, { index: 'own', environment: identity, signal }, async (ask, tell) => {
    if (head !== undefined) await ask('read-tree', head);
    const notes: string[] = [];
    const left: LeftFile[] = [];
    const theorems: string[] = [];
    const flags = new Map<string, IndexEntry['flags']>();
    const view = { repository, ask, tell };
    for (const version of versions) {
      const { file } = version;
      const path = pathIn(repository, file);
      const placed = { ...version, path, staged: staged.get(file) };
      const judged = await candidateOf(placed, view);
      if (typeof judged === 'string') {
        left.push({ file, why: judged });
        continue;
      }
      if (!judged.isSameInCheckout)
        notes.push(
          `git will write other bytes of ${foreignName(path)} where it checks the commit out (${CONVERSIONS})`,
        );
      await ask('update-index', '--add', '--cacheinfo', `${judged.mode},${judged.object},${path}`);
      appendAll(theorems, judged.theorems);
      flags.set(path, placed.staged?.flags ?? []);
    }
    const said = message(theorems);
    const tree = (await ask('write-tree')).trim();
    const before = head === undefined ? undefined : (await ask('rev-parse', `${head}^{tree}`)).trim();
    const paths = [...flags.keys()];
    if (tree === before || paths.length === 0)
      return { commit: undefined, message: said, entries: [], left, notes: [] };
    const parents = head === undefined ? [] : ['-p', head];
    const commit = (await ask('commit-tree', tree, ...parents, '-m', said)).trim();
    const listed = await ask('ls-tree', '-z', '--full-tree', commit, '--', ...paths);
    const entries = entriesOf(listed).map((entry) => ({ ...entry, flags: flags.get(entry.path) ?? [] }));
    return { commit, message: said, entries, left, notes };
  });
}

interface View {
  readonly repository: Repository;
  readonly ask: Ask;
  readonly tell: Tell;
}

interface PlacedVersion extends FileVersion {
  /** From the top of the work tree. */
  readonly path: string;
  readonly staged: Staged | undefined;
}

/** A file as it can be committed. */
interface Candidate extends Omit<Entry, 'path'> {
  readonly theorems: readonly string[];
  readonly isSameInCheckout: boolean;
}

/** @returns in words why the file is not committed. @throws what git says. */
async function candidateOf(
  version: PlacedVersion,
  { repository, ask, tell }: View,
): Promise<Candidate | string> {
  const known = await entryOf(repository, version.path, ask);
  const kept = await objectOf(version, known, ask, tell);
  if (typeof kept === 'string') return kept;
  if (known?.object === kept.object) return { ...kept, theorems: [] };
  const { isRunsOwn, notAccepted, proves } = version;
  if (isRunsOwn !== undefined) {
    if (known === undefined) return 'is not in the last commit';
    const { objects } = version.staged ?? { objects: [] };
    if (objects.length === 0) return 'was taken out of the index';
    if (objects.length > 1) return 'has a conflict in the index';
    if (objects.some((one) => one !== known.object && one !== kept.object))
      return 'has something of yours staged';
  }
  const committed = known && (await textOf(known, ask, tell));
  if (known !== undefined && committed === undefined) {
    if (isRunsOwn !== undefined || notAccepted !== undefined) return 'is no text in UTF-8 in the last commit';
  } else if (committed !== undefined) {
    if (isRunsOwn?.(committed) === false)
      return version.isOfOthers === true
        ? // Nobody can tell them apart.
          'is changed elsewhere than in its proofs, by the other agent or by you'
        : 'has changes of yours beside what the run put there';
    const refused = notAccepted?.(committed) ?? [];
    if (refused.length > 0)
      return `has a proof that the gate did not accept (${someOf(refused.map((one) => foreignName(one)))})`;
  }
  return { ...kept, theorems: proves?.(committed) ?? [] };
}

/** The bytes of the last commit; undefined where they are no text in UTF-8. */
async function textOf({ object }: Entry, ask: Ask, tell: Tell): Promise<Uint8Array | undefined> {
  const committed = Buffer.from(await ask('cat-file', 'blob', object));
  // What is no text in UTF-8 did not come through.
  const isSame = (await tell(committed, 'hash-object', '--stdin', '--no-filters')).trim() === object;
  return isSame ? committed : undefined;
}

/** What has git keep or write other bytes than a file has. */
const CONVERSIONS = '.gitattributes with `text`, `eol`, `ident` or `working-tree-encoding`, or core.autocrlf';

/** In the order of what `objectOf` takes from the answer. */
const ATTRIBUTES = ['filter', 'ident', 'working-tree-encoding', 'text', 'eol'];

/**
 * The very bytes as an object of the repository; in words why not for ignored files, and where `git add` would keep other
 * bytes of a file that has these: what is committed would not be what was judged, or the file would count as changed for ever.
 */
async function objectOf(
  { file, path, bytes }: PlacedVersion,
  known: Entry | undefined,
  ask: Ask,
  tell: Tell,
): Promise<Omit<Candidate, 'theorems'> | string> {
  // Git fails where it does not ignore it.
  const isIgnored =
    known === undefined &&
    (await ask('check-ignore', '--quiet', '--', file).then(() => true, unlessUnanswered(false)));
  if (isIgnored) return 'is ignored by git';
  const values = await valuesOf(file, ATTRIBUTES, ask);
  const [isFiltered, hasIdent, hasEncoding] = values.map(isThere);
  if (isFiltered === true) return FILTERED;
  const isText = values.slice(3).some((value) => !['unspecified', 'auto'].includes(value));
  const isSaid = hasIdent === true || hasEncoding === true || isText;
  // Of text that nobody says to be one, git leaves the line ends as they are in what was committed with such ones.
  const isLeft =
    !isSaid && known !== undefined && (await ask('cat-file', 'blob', known.object)).includes('\r\n');
  const object = (await tell(bytes, 'hash-object', '-w', '--stdin', '--no-filters')).trim();
  const added = isLeft ? object : (await tell(bytes, 'hash-object', '--stdin', '--path', path)).trim();
  if (added !== object) return `would be kept by git with other bytes than were judged (${CONVERSIONS})`;
  const inCheckout = await ask('cat-file', '--filters', `--path=${path}`, object);
  const isSameInCheckout = inCheckout === Buffer.from(bytes).toString('utf8');
  const mode = known?.mode.startsWith('100') === true ? known.mode : modeOf(file);
  return { mode, object, isSameInCheckout };
}

/** A file that the last commit does not have. */
function modeOf(file: string): string {
  const status = lstatSync(file, { throwIfNoEntry: false });
  return status?.isFile() === true && (status.mode & 0o100) !== 0 ? '100755' : '100644';
}
