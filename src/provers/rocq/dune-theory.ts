/**
 * The Rocq theories of a dune workspace: `(coq.theory (name A.B) (theories C))` and its new name `rocq.theory`; and what is
 * extracted from them: `(coq.extraction (prelude File) (theories C))`.
 */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../../core/inside.ts';
import { appendAll } from '../../core/lists/many.ts';
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

/**
 * The stanzas of a dune file, and in the place of each `(include FILE)` those of the file, as far as it lies in the folder and
 * can be read: one that dune makes itself is not looked for.
 * @param included those that were read already
 */
export async function duneStanzas(
  text: string,
  folder: string,
  included = new Set<string>(),
): Promise<readonly SExpression[]> {
  const withIncluded = async (stanza: SExpression, around: string): Promise<readonly SExpression[]> => {
    const [head, name, ...rest] = typeof stanza === 'string' ? [stanza] : stanza;
    if (typeof name !== 'string') return [stanza];
    const path = join(around, name);
    if (head === 'subdir') {
      const inside = await Promise.all(rest.map((one) => withIncluded(one, path)));
      return [[head, name, ...inside.flat()]];
    }
    if (head !== 'include') return [stanza];
    if (included.has(path) || !isInside(around, path)) return [];
    included.add(path);
    return duneStanzas(await readRegularText(path).catch(() => ''), dirname(path), included);
  };
  const stanzas = readSExpressions(text);
  return (await Promise.all(stanzas.map((stanza) => withIncluded(stanza, folder)))).flat();
}

/** The theories that one dune file defines. @param stanzas of the file. */
export function duneTheories(stanzas: readonly SExpression[], folder: string): readonly DuneTheory[] {
  return stanzas.flatMap((stanza) => {
    const [head, ...rest] = typeof stanza === 'string' ? [stanza] : stanza;
    if (head === 'subdir' && typeof rest[0] === 'string') {
      return duneTheories(rest.slice(1), join(folder, rest[0]));
    }
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

/** The profile that a workspace names, by the stanzas of its file; else the one that dune takes by itself. */
export function profileIn(workspace: readonly SExpression[]): string {
  return field(workspace, 'profile')[0] ?? 'dev';
}

/** What the file of a folder says so: `(env (_ (coq (flags …))))`. @param stanzas of the file. */
export function duneFlags(
  stanzas: readonly SExpression[],
  folder: string,
  profile: string,
): readonly DuneFlags[] {
  return stanzas.flatMap((stanza) => {
    const [head, ...rest] = typeof stanza === 'string' ? [stanza] : stanza;
    if (head === 'subdir' && typeof rest[0] === 'string')
      return duneFlags(rest.slice(1), join(folder, rest[0]), profile);
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
    ? duneTheories(await duneStanzas(await readRegularText(join(folder, 'dune')), folder), folder)
    : [];
  if (depth >= DEEPEST) return own;
  const found = [...own];
  for (const entry of entries) {
    if (!entry.isDirectory() || !mayHoldSources(entry.name)) continue;
    appendAll(found, await theoriesBelow(join(folder, entry.name), depth + 1));
  }
  return found;
}
