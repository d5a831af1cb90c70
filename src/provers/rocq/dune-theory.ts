/**
 * The Rocq theories of a dune workspace: `(coq.theory (name A.B) (theories C))` and its new name `rocq.theory`; and what is
 * extracted from them: `(coq.extraction (prelude File) (theories C))`.
 */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { orNothing } from '../../core/entry.ts';

import { appendAll } from '../../core/lists/many.ts';
import { leadsOut } from '../../process/foreign-folder/leads-out.ts';
import { mayHoldSources } from '../../process/foreign-folder/source-folders.ts';
import { readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { type SExpression, readSExpressions } from './s-expression.ts';

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
}

/**
 * The stanzas of a dune file: those of `(subdir FOLDER …)` too, and in the place of each `(include FILE)` those of the file, as
 * far as it lies in the folder and can be read: one that dune makes itself is not looked for.
 */
export function duneStanzas(text: string, folder: string): Promise<readonly PlacedStanza[]> {
  return placedStanzas(text, { folder, around: folder, included: new Set() });
}

interface Reading {
  /** That the stanzas are about. */
  readonly folder: string;
  /** Where the files are that are included. */
  readonly around: string;
  /** Those that were read already. */
  readonly included: Set<string>;
}

async function placedStanzas(text: string, reading: Reading): Promise<readonly PlacedStanza[]> {
  const placed = async (stanza: SExpression, at: Reading): Promise<readonly PlacedStanza[]> => {
    if (typeof stanza === 'string') return [];
    const { folder, around, included } = at;
    const [head, name, ...rest] = stanza;
    if (typeof name !== 'string' || (head !== 'subdir' && head !== 'include'))
      return [{ folder, stanza: await Promise.all(stanza.map((one) => withIncluded(one, around))) }];
    const path = join(around, name);
    if (head === 'subdir') {
      const below = { folder: join(folder, name), around: path, included };
      return (await Promise.all(rest.map((one) => placed(one, below)))).flat();
    }
    if (included.has(path)) return [];
    included.add(path);
    const content = await includedText(path, around);
    return placedStanzas(orNothing(content), { folder, around: dirname(path), included });
  };
  return (await Promise.all(readSExpressions(text).map((stanza) => placed(stanza, reading)))).flat();
}

/** With what a file says in the place of each `(:include FILE)` of flags; one that cannot be read stays, as a word that is no flag. */
async function withIncluded(one: SExpression, around: string, ofFlags = false): Promise<SExpression> {
  if (typeof one === 'string') return one;
  const [head, name] = one;
  if (!ofFlags || head !== ':include' || typeof name !== 'string')
    return Promise.all(one.map((part) => withIncluded(part, around, ofFlags || head === 'flags')));
  const text = await includedText(join(around, name), around);
  return text === undefined ? `(:include ${name})` : readSExpressions(text);
}

/** Of a file in the folder that can be read; links out of it are not followed. */
async function includedText(path: string, around: string): Promise<string | undefined> {
  return leadsOut(path, around) ? undefined : readRegularText(path).catch(() => undefined);
}

/** The theories that one dune file defines. @param stanzas of the file. */
export function duneTheories(stanzas: readonly PlacedStanza[]): readonly DuneTheory[] {
  return stanzas.flatMap(({ folder, stanza: [head, ...rest] }) => {
    const isExtraction = head === 'coq.extraction' || head === 'rocq.extraction';
    if (!isExtraction && head !== 'coq.theory' && head !== 'rocq.theory') return [];
    const name = isExtraction ? '' : field(rest, 'name')[0];
    if (name === undefined) return [];
    const flags = field(rest, 'flags');
    const all = flags.length === 0 ? [':standard'] : flags;
    return [{ name, folder, theories: field(rest, 'theories'), flags: all }];
  });
}

/** Flags for all theories in a folder and below. */
export interface DuneFlags {
  readonly folder: string;
  readonly flags: readonly string[];
}

/** The profile with which dune builds: that of its environment, else that of the workspace, by the stanzas of its file. */
export function profileIn(workspace: readonly PlacedStanza[], environment = process.env): string {
  const stanzas = workspace.map(({ stanza }) => stanza);
  return orNothing(environment['DUNE_PROFILE']) || (field(stanzas, 'profile')[0] ?? 'dev');
}

/** What the file of a folder says so: `(env (_ (coq (flags …))))`. @param stanzas of the file. */
export function duneFlags(stanzas: readonly PlacedStanza[], profile: string): readonly DuneFlags[] {
  return stanzas.flatMap(({ folder, stanza: [head, ...rest] }) => {
    if (head !== 'env') return [];
    const lists = rest.filter((one) => typeof one !== 'string');
    const those = lists.find(([name]) => name === profile || name === '_') ?? [];
    return those.flatMap((settings) => {
      if (typeof settings === 'string' || (settings[0] !== 'coq' && settings[0] !== 'rocq')) return [];
      return settings.some((one) => typeof one !== 'string' && one[0] === 'flags')
        ? [{ folder, flags: field(settings, 'flags') }]
        : [];
    });
  });
}

/** Flags with what else would hold in the place of `:standard`. */
export function withStandard(flags: readonly string[], standard: readonly string[]): readonly string[] {
  return flags
    .flatMap((flag) => (flag === ':standard' ? standard : [flag]))
    .filter((flag) => !flag.startsWith(':'));
}

/** The atoms of a field, however nested. */
function field(fields: readonly SExpression[], name: string): readonly string[] {
  const found = fields.find((candidate) => typeof candidate !== 'string' && candidate[0] === name);
  return found === undefined || typeof found === 'string' ? [] : found.slice(1).flatMap(atoms);
}

function atoms(expression: SExpression): readonly string[] {
  return typeof expression === 'string' ? [expression] : expression.flatMap(atoms);
}

/** The deepest nesting that is looked into for theories that others require. */
const DEEPEST = 8;

/** Every theory below a folder, build results and hidden folders left out. */
export async function theoriesBelow(folder: string, depth = 0): Promise<readonly DuneTheory[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = entries.some((entry) => entry.isFile() && entry.name === 'dune')
    ? duneTheories(await duneStanzas(await readRegularText(join(folder, 'dune')), folder))
    : [];
  if (depth >= DEEPEST) return own;
  const found = [...own];
  for (const entry of entries) {
    if (!entry.isDirectory() || !mayHoldSources(entry.name)) continue;
    appendAll(found, await theoriesBelow(join(folder, entry.name), depth + 1));
  }
  return found;
}
