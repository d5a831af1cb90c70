/**
 * The Rocq theories of a dune workspace: `(coq.theory (name A.B) (theories C))` and its new name `rocq.theory`; and what is
 * extracted from them: `(coq.extraction (prelude File) (theories C))`.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The theories that one dune file defines. */
export function parseDuneTheories(text: string, folder: string): readonly DuneTheory[] {
  return theoriesOf(readSExpressions(text), folder);
}

function theoriesOf(stanzas: readonly SExpression[], folder: string): readonly DuneTheory[] {
  return stanzas.flatMap((stanza) => {
    const [head, ...rest] = typeof stanza === 'string' ? [stanza] : stanza;
    if (head === 'subdir' && typeof rest[0] === 'string') {
      return theoriesOf(rest.slice(1), join(folder, rest[0]));
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

/** What the file of a folder says so: `(env (_ (coq (flags …))))`, of the profile that dune takes by itself. */
export function parseDuneFlags(text: string, folder: string): readonly DuneFlags[] {
  return flagsOf(readSExpressions(text), folder);
}

function flagsOf(stanzas: readonly SExpression[], folder: string): readonly DuneFlags[] {
  return stanzas.flatMap((stanza) => {
    const [head, ...rest] = typeof stanza === 'string' ? [stanza] : stanza;
    if (head === 'subdir' && typeof rest[0] === 'string')
      return flagsOf(rest.slice(1), join(folder, rest[0]));
    if (head !== 'env') return [];
    const lists = rest.filter((profile) => typeof profile !== 'string');
    const profile = lists.find(([name]) => name === 'dev' || name === '_') ?? [];
    return profile.flatMap((settings) => {
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
    ? parseDuneTheories(await readRegularText(join(folder, 'dune')), folder)
    : [];
  if (depth >= DEEPEST) return own;
  const found = [...own];
  for (const entry of entries) {
    if (!entry.isDirectory() || !mayHoldSources(entry.name)) continue;
    appendAll(found, await theoriesBelow(join(folder, entry.name), depth + 1));
  }
  return found;
}
