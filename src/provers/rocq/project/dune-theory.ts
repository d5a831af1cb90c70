/**
 * The Rocq theories of a dune workspace: `(coq.theory (name A.B) (theories C))`, its new name `rocq.theory` and its old name
 * `coqlib`; and what is extracted from them: `(coq.extraction (prelude File) (theories C))`.
 */
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { appendAll } from '../../../core/lists/many.ts';
import { leadsOut } from '../../../process/foreign-folder/leads-out.ts';
import { mayHoldSources } from '../../../process/foreign-folder/source-folders.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { type SExpression, readWithFaults } from '../s-expression.ts';

export interface DuneTheory {
  /** Empty of an extraction: its file requires theories and is of none. */
  readonly name: string;
  /** Absolute folder of its sources. */
  readonly folder: string;
  /** Names of the theories that it requires, installed ones among them. */
  readonly theories: readonly string[];
  /** `:standard` stands for those of the folders around. */
  readonly flags: readonly string[];
}

/** A stanza, and the folder that it is about. */
export interface PlacedStanza {
  readonly folder: string;
  readonly stanza: readonly SExpression[];
  /** In the place of stanzas that cannot be read: what names them. */
  readonly unread?: string;
  /** False of what can be no theory. */
  readonly couldBeTheory?: false;
}

/**
 * The stanzas of a dune file: those of `(subdir FOLDER …)` too, and in the place of each `(include FILE)` those of the file, as
 * far as it lies in the workspace and can be read: of one that dune makes itself, and of a file in OCaml, nobody knows what it says.
 * @param workspace the outermost folder from which files are included
 */
export function duneStanzas(
  text: string,
  folder: string,
  workspace = folder,
): Promise<readonly PlacedStanza[]> {
  return placedStanzas(text, {
    ...{ folder, around: folder, file: join(folder, 'dune'), workspace },
    included: new Set(),
  });
}

interface Reading {
  /** That the stanzas are about. */
  readonly folder: string;
  /** Where the files are that are included. */
  readonly around: string;
  /** That is read. */
  readonly file: string;
  readonly workspace: string;
  /** Files that were read already, each with the folder that it was read for. */
  readonly included: Set<string>;
}

async function placedStanzas(text: string, reading: Reading): Promise<readonly PlacedStanza[]> {
  const named = relative(reading.workspace, reading.file);
  const nobodyKnows = (at: Reading, unread: string): PlacedStanza => ({
    folder: at.folder,
    stanza: [],
    unread,
  });
  if (/^\s*\(\*/u.test(text)) return [nobodyKnows(reading, `${named}, which is OCaml`)];
  const placed = async (stanza: SExpression, at: Reading): Promise<readonly PlacedStanza[]> => {
    if (typeof stanza === 'string') return [];
    const { folder, around, included, workspace } = at;
    const [head, name, ...rest] = stanza;
    const told = (): readonly PlacedStanza[] => [nobodyKnows(at, `${printed(stanza)} in ${named}`)];
    // Dune takes no theory from it.
    if (head === 'dynamic_include') return told().map((one) => ({ ...one, couldBeTheory: false }));
    if (typeof name !== 'string' || (head !== 'subdir' && head !== 'include'))
      return [
        { folder, stanza: await Promise.all(stanza.map((one) => withIncluded(one, around, workspace))) },
      ];
    const path = join(around, name);
    if (head === 'subdir') {
      const below = { ...at, folder: join(folder, name), around: path };
      return (await Promise.all(rest.map((one) => placed(one, below)))).flat();
    }
    const key = `${folder}\0${path}`;
    if (included.has(key)) return [];
    included.add(key);
    const content = await includedText(path, workspace);
    return content === undefined
      ? told()
      : placedStanzas(content, { ...at, around: dirname(path), file: path });
  };
  const { expressions, isWhole } = readWithFaults(text);
  const all = await Promise.all(expressions.map((stanza) => placed(stanza, reading)));
  return [...all.flat(), ...(isWhole ? [] : [nobodyKnows(reading, `the end of ${named}`)])];
}

/** With what a file says in the place of each `(:include FILE)` of flags; one that cannot be read stays, as a word that is no flag. */
async function withIncluded(
  one: SExpression,
  around: string,
  workspace: string,
  ofFlags = false,
): Promise<SExpression> {
  if (typeof one === 'string') return one;
  const [head, name] = one;
  if (!ofFlags || head !== ':include' || typeof name !== 'string')
    return Promise.all(one.map((part) => withIncluded(part, around, workspace, ofFlags || head === 'flags')));
  const text = await includedText(join(around, name), workspace);
  const read = text === undefined ? undefined : readWithFaults(text);
  return read?.isWhole === true ? read.expressions : `(:include ${name})`;
}

/** Of a file in the workspace that can be read; links out of it are not followed. */
async function includedText(path: string, workspace: string): Promise<string | undefined> {
  return leadsOut(path, workspace) ? undefined : readRegularText(path).catch(() => undefined);
}

/** A word in the place of flags, of which nobody knows which they are: dune works them out, or they cannot be read. */
export function isUnreadFlag(word: string): boolean {
  return /^[:(]|%\{|^\\$/u.test(word);
}

/** Fields of a theory, or of an environment, by which there are no other options. */
const FIELDS = new Set([
  ...['name', 'package', 'public_name', 'synopsis', 'modules', 'plugins', 'libraries', 'flags', 'mode'],
  ...['theories', 'enabled_if', 'generate_project_file', 'legacy_install'],
  ...['prelude', 'extracted_modules', 'extracted_files'],
]);
/** What other programs than the compiler are told. */
const OF_OTHER_PROGRAMS = /^(?:co|roc)q(?:dep_flags|doc_(?:flags|header|footer))$/u;

/** What else a stanza says of its options: `(boot)`, `(stdlib no)`, `(modules_flags …)`, and what dune has learnt since. */
function otherFields(fields: readonly SExpression[]): readonly string[] {
  return fields
    .filter(
      (one) =>
        typeof one === 'string' ||
        typeof one[0] !== 'string' ||
        !(FIELDS.has(one[0]) || OF_OTHER_PROGRAMS.test(one[0])),
    )
    .map(printed)
    .filter((text) => text !== '(stdlib yes)');
}

function printed(expression: SExpression): string {
  return typeof expression === 'string' ? expression : `(${expression.map(printed).join(' ')})`;
}

const THEORIES = new Set(['coq.theory', 'rocq.theory', 'coqlib']);

/** The theories that one dune file defines. @param stanzas of the file. */
export function duneTheories(stanzas: readonly PlacedStanza[]): readonly DuneTheory[] {
  return stanzas.flatMap(({ folder, stanza: [head, ...rest] }) => {
    const isExtraction = head === 'coq.extraction' || head === 'rocq.extraction';
    if (!isExtraction && !(typeof head === 'string' && THEORIES.has(head))) return [];
    const name = isExtraction ? '' : field(rest, 'name')[0];
    if (name === undefined) return [];
    const flags = hasField(rest, 'flags') ? field(rest, 'flags') : [':standard'];
    return [{ name, folder, theories: field(rest, 'theories'), flags: [...flags, ...otherFields(rest)] }];
  });
}

/** What of stanzas cannot be read and may be theories. */
export function unreadIn(stanzas: readonly PlacedStanza[]): readonly { folder: string; unread: string }[] {
  return stanzas.flatMap(({ folder, unread, couldBeTheory }) =>
    unread === undefined || couldBeTheory === false ? [] : [{ folder, unread }],
  );
}

/** Flags for all theories in a folder and below. */
export interface DuneFlags {
  readonly folder: string;
  readonly flags: readonly string[];
}

/** What cannot be read where dune builds nothing into `_build/default`. */
export const NO_DEFAULT_CONTEXT = 'the contexts of dune-workspace';

/** The stanzas of a `dune-workspace` with those of the context whose results are in `_build/default`. */
export function inDefaultContext(workspace: readonly PlacedStanza[]): readonly PlacedStanza[] {
  const contexts = workspace.filter(({ stanza: [head] }) => head === 'context');
  if (contexts.length === 0) return workspace;
  const settings = contexts.flatMap(({ stanza: [, kind] }) => {
    const [word, ...fields] = typeof kind === 'string' ? [kind] : (kind ?? []);
    const [name = word] = field(fields, 'name');
    return name === 'default' ? [fields] : [];
  });
  const [{ folder } = { folder: '' }] = contexts;
  if (settings.length === 0) return [...workspace, { folder, stanza: [], unread: NO_DEFAULT_CONTEXT }];
  const said = settings.flat().filter((one) => typeof one !== 'string');
  // Its flags come behind those of the workspace.
  return [
    ...said
      .filter(([head]) => head === 'profile')
      .map(([, ...rest]) => ({ folder, stanza: [PROFILE_OF_CONTEXT, ...rest] })),
    ...workspace,
    ...said.filter(([head]) => head === 'env').map((stanza) => ({ folder, stanza })),
  ];
}

const PROFILE_OF_CONTEXT = 'profile of the context';

/** The profile with which dune builds: that of the context, of its environment, or of the workspace, by the stanzas of its file. */
export function profileIn(workspace: readonly PlacedStanza[], environment = process.env): string {
  const stanzas = workspace.map(({ stanza }) => stanza);
  const [ofContext] = field(stanzas, PROFILE_OF_CONTEXT);
  if (ofContext !== undefined) return ofContext;
  return orNothing(environment['DUNE_PROFILE']) || (field(stanzas, 'profile')[0] ?? 'dev');
}

/** What the file of a folder says so: `(env (_ (coq (flags …))))`. @param stanzas of the file. */
export function duneFlags(stanzas: readonly PlacedStanza[], profile: string): readonly DuneFlags[] {
  return stanzas.flatMap(({ folder, stanza: [head, ...rest], unread }): DuneFlags[] => {
    if (unread !== undefined) return [{ folder, flags: [':standard', `(${unread})`] }];
    if (head !== 'env') return [];
    const lists = rest.filter((one) => typeof one !== 'string');
    const those = lists.find(([name]) => name === profile || name === '_') ?? [];
    return those.flatMap((settings): DuneFlags[] => {
      if (typeof settings === 'string' || (settings[0] !== 'coq' && settings[0] !== 'rocq')) return [];
      const fields = settings.slice(1);
      const flags = hasField(fields, 'flags') ? field(fields, 'flags') : [':standard'];
      return [{ folder, flags: [...flags, ...otherFields(fields)] }];
    });
  });
}

/** Flags with what else would hold in the place of `:standard`. */
export function withStandard(flags: readonly string[], standard: readonly string[]): readonly string[] {
  return flags.flatMap((flag) => (flag === ':standard' ? standard : [flag]));
}

/** The atoms of a field, however nested. */
function field(fields: readonly SExpression[], name: string): readonly string[] {
  const found = fields.find((candidate) => typeof candidate !== 'string' && candidate[0] === name);
  return found === undefined || typeof found === 'string' ? [] : found.slice(1).flatMap(atoms);
}

function hasField(fields: readonly SExpression[], name: string): boolean {
  return fields.some((candidate) => typeof candidate !== 'string' && candidate[0] === name);
}

function atoms(expression: SExpression): readonly string[] {
  return typeof expression === 'string' ? [expression] : expression.flatMap(atoms);
}

/** The deepest nesting that is looked into for theories that others require; and that below a link, which may lead upwards. */
const DEEPEST = 8;
const BELOW_LINK = DEEPEST - 1;

/**
 * Every theory below a folder, build results and hidden folders left out. Of a folder that is a link, too:
 * dune builds it in the place of the link.
 * @param stanzasIn Of the dune file of a folder; none where there is no such file.
 */
export async function theoriesBelow(
  folder: string,
  stanzasIn: (folder: string) => Promise<readonly PlacedStanza[]>,
  depth = 0,
): Promise<readonly DuneTheory[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = duneTheories(await stanzasIn(folder));
  if (depth >= DEEPEST) return own;
  const found = [...own];
  const below = entries.filter((entry) => mayHoldSources(entry.name));
  for (const entry of below) {
    if (!entry.isDirectory()) continue;
    appendAll(found, await theoriesBelow(join(folder, entry.name), stanzasIn, depth + 1));
  }
  for (const entry of below) {
    const path = join(folder, entry.name);
    if (!entry.isSymbolicLink()) continue;
    appendAll(found, await theoriesBelow(path, stanzasIn, Math.max(depth + 1, BELOW_LINK)));
  }
  return found;
}
