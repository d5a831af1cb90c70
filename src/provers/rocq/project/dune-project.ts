/** What the dune files around a folder say of its theory: where its libraries are, and what Rocq is told. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { orNothing, present } from '../../../core/entry.ts';
import { isInside } from '../../../core/inside.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { duneFileIn } from './dune-file.ts';
import {
  type DuneFlags,
  type DuneTheory,
  type PlacedStanza,
  duneFlags,
  duneStanzas,
  duneTheories,
  inDefaultContext,
  isUnreadFlag,
  profileIn,
  theoriesBelow,
  unreadIn,
  withStandard,
} from './dune-theory.ts';
import type { LoadPathEntry } from './load-path.ts';
import { isFile, projectText } from './project-text.ts';
import { withoutReporting } from './reporting-options.ts';

export interface DuneProject {
  /** The workspace, where dune builds. */
  readonly root: string;
  /** The dune file of the theory. */
  readonly source: string;
  readonly loadPath: readonly LoadPathEntry[];
  readonly ocamlPath: readonly string[];
  readonly arguments: readonly string[];
  /** What names flags of which nobody knows what they are. */
  readonly unread?: readonly string[];
}

/** The dune files around one folder, each of which is read once. */
export class DuneFiles {
  readonly #home: string;
  readonly #stanzas = new Map<string, Promise<readonly PlacedStanza[]>>();

  constructor(home: string) {
    this.#home = home;
  }

  /** The theory of the home that the dune file of a folder defines. @throws QuodError `file-unreadable`. */
  async project(folder: string): Promise<DuneProject | undefined> {
    const stanzas = await this.#stanzasIn(folder);
    const inside = duneTheories(stanzas).filter((theory) => isInside(theory.folder, this.#home));
    // The theory whose folder is nearest: `subdir` can put several into one file.
    const [own, ...others] = inside.toSorted((one, other) => other.folder.length - one.folder.length);
    if (own === undefined) return undefined;
    const beside = others.filter((other) => other.folder === own.folder);
    const isOther = beside.some(({ flags }) => flags.join(' ') !== own.flags.join(' '));
    const workspace = workspaceRoot(own.folder);
    const flags = withStandard(own.flags, await this.#flagsAround(own.folder, workspace));
    const unread = [
      ...flags.filter(isUnreadFlag),
      ...unreadIn(stanzas).flatMap((one) => (one.folder === own.folder ? [one.unread] : [])),
      ...(isOther ? ['the flags of several theories in one folder'] : []),
    ];
    return {
      ...{ root: workspace, source: present(await duneFileIn(folder), 'dune file'), ocamlPath: [] },
      loadPath: await loadPathOf(own, workspace, (below) => this.#stanzasIn(below)),
      arguments: withoutReporting(flags.filter((flag) => !isUnreadFlag(flag))),
      ...(unread.length > 0 && { unread }),
    };
  }

  /** What of the dune file of a folder cannot be read and may be a theory of the home. @throws as `project`. */
  async unread(folder: string): Promise<readonly string[]> {
    const all = unreadIn(await this.#stanzasIn(folder));
    return all.filter((one) => isInside(one.folder, this.#home)).map(({ unread }) => unread);
  }

  #stanzasIn(folder: string): Promise<readonly PlacedStanza[]> {
    const known = this.#stanzas.get(folder);
    if (known !== undefined) return known;
    const reading = readStanzasIn(folder);
    this.#stanzas.set(folder, reading);
    return reading;
  }

  /** What the workspace and the folders around a theory say of its flags: the nearest last, which may leave out the others. */
  async #flagsAround(folder: string, workspace: string): Promise<readonly string[]> {
    const ofWorkspace = inDefaultContext(await workspaceStanzas(workspace));
    const profile = profileIn(ofWorkspace);
    const said: DuneFlags[] = [...duneFlags(ofWorkspace, profile)];
    for (let up = folder; isInside(workspace, up) && up !== dirname(up); up = dirname(up)) {
      appendAll(said, duneFlags(await this.#stanzasIn(up), profile));
      // What stands around a project within the workspace says nothing of it.
      if (isFile(join(up, 'dune-project'))) break;
    }
    return said
      .filter((one) => isInside(one.folder, folder))
      .toSorted((one, other) => one.folder.length - other.folder.length)
      .reduce((around: readonly string[], { flags }) => withStandard(flags, around), []);
  }
}

async function readStanzasIn(folder: string): Promise<readonly PlacedStanza[]> {
  const file = await duneFileIn(folder);
  return file !== undefined ? duneStanzas(await projectText(file), folder, workspaceRoot(folder)) : [];
}

/** Of the workspace's own settings, or of those that `DUNE_WORKSPACE` names in their place. */
async function workspaceStanzas(
  workspace: string,
  environment = process.env,
): Promise<readonly PlacedStanza[]> {
  const named = orNothing(environment['DUNE_WORKSPACE']);
  const file = join(workspace, 'dune-workspace');
  if (named === '') return isFile(file) ? duneStanzas(await projectText(file), workspace) : [];
  const text = await readRegularText(resolve(workspace, named)).catch(() => undefined);
  return text === undefined
    ? [{ folder: workspace, stanza: [], unread: `DUNE_WORKSPACE=${named}` }]
    : duneStanzas(text, workspace);
}

async function loadPathOf(
  own: DuneTheory,
  workspace: string,
  stanzasIn: (folder: string) => Promise<readonly PlacedStanza[]>,
): Promise<readonly LoadPathEntry[]> {
  const known = own.theories.length === 0 ? [] : await theoriesBelow(workspace, stanzasIn);
  const isBuilt = ({ folder }: DuneTheory): boolean => existsSync(builtPath(folder, workspace));
  // As dune orders them: each behind what it requires. Of two files of one name Rocq loads the one of the later theory.
  const needed = new Set<DuneTheory>();
  const seen = new Set<string>();
  const require = (theory: DuneTheory): void => {
    if (seen.has(theory.name)) return;
    seen.add(theory.name);
    for (const name of theory.theories) {
      const all = known.filter((candidate) => candidate.name === name);
      // A folder and a link to it have the same; dune builds in one of them, where it is told to leave out the other.
      const found = all.find(isBuilt) ?? all[0];
      // One that is not in the workspace is installed: Rocq finds it by itself.
      if (found !== undefined) require(found);
    }
    if (theory.name !== '') needed.add(theory);
  };
  require(own);
  return [...needed].map((theory) => ({
    flag: theory === own ? '-R' : '-Q',
    physical: builtFolder(theory.folder, workspace),
    logical: theory.name,
  }));
}

/** The outermost folder with a `dune-workspace`, else with a `dune-project`; that is where dune builds. */
export function workspaceRoot(folder: string): string {
  const folders = [folder];
  for (let up = dirname(folder); up !== folders.at(-1); up = dirname(up)) folders.push(up);
  return (
    folders.findLast((candidate) => isFile(join(candidate, 'dune-workspace'))) ??
    folders.findLast((candidate) => isFile(join(candidate, 'dune-project'))) ??
    folder
  );
}

/** Whether dune may build what lies in a folder. */
export function isInDuneWorkspace(folder: string): boolean {
  const root = workspaceRoot(folder);
  return ['dune-workspace', 'dune-project'].some((name) => isFile(join(root, name)));
}

/** Dune compiles into `_build`; before the first build there is only the folder of the sources. */
function builtFolder(folder: string, workspace: string): string {
  const built = builtPath(folder, workspace);
  return existsSync(built) ? built : folder;
}

export function builtPath(path: string, workspace: string): string {
  return join(workspace, '_build', 'default', relative(workspace, path));
}
