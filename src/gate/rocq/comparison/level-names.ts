/**
 * Universe levels in words. What a file calls them stands in no object of the kernel, but among those that the prover replays when the
 * file is required (`Universe u`, and the levels of a definition); nothing rests on it.
 */
import type { CompiledFile } from '../compiled/compiled-file.ts';
import { compiledLibrary } from '../compiled/compiled-library.ts';
import { nameText } from '../compiled/kernel-shape.ts';
import { Block, blocksIn, type OcamlValue } from '../compiled/ocaml-values.ts';
import type { Demand } from './joint-demands.ts';
import { generatedName } from './kernel-equality.ts';
import { type LevelOrder, levelOrders } from './universe-constraints.ts';

/** A sentence: which declaration demands what, and what the file demands between the same levels. */
export function demandsSaid(file: CompiledFile, found: readonly Demand[]): string {
  const levels = new Set(found.flatMap(({ low, high }) => [low, high]));
  const names = namesOf(levels, file);
  const called = (level: string): string => names.get(level) ?? numbered(level);
  const said = ({ low, high, isStrict }: LevelOrder): string =>
    `${called(low)} ${isStrict ? '<' : '<='} ${called(high)}`;
  const demands = found.map((demand) => `${demand.by} demands ${said(demand)}`);
  const between = levelOrders(file).filter(({ low, high }) => levels.has(low) && levels.has(high));
  if (between.length > 0)
    return `${demands.join(', ')}, and the file demands ${between.map(said).join(', ')}.`;
  const isAlone = new Set(found.map(({ by }) => by)).size === 1;
  return `${demands.join(', ')}${isAlone ? ', and the file or its libraries demand the contrary' : ''}.`;
}

function namesOf(levels: ReadonlySet<string>, file: CompiledFile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { fields } of blocksIn(compiledLibrary(file).objects)) {
    const [name, level] = fields;
    if (fields.length !== 2 || typeof name !== 'string') continue;
    const generated = levelText(level);
    if (generated !== undefined && levels.has(generated)) names.set(generated, nameText(name));
  }
  return names;
}

/** Undefined for what no level can be. */
function levelText(value: OcamlValue | undefined): string | undefined {
  if (!(value instanceof Block) || value.fields.length !== 3) return undefined;
  const [path, , number] = value.fields;
  return path instanceof Block && typeof number === 'number' ? generatedName(value) : undefined;
}

/** As Rocq prints a level without a name: by library and number. */
function numbered(level: string): string {
  const words = level.match(/[^()|]+/gu) ?? [];
  const path = words.slice(0, -1).filter((word) => word !== '0');
  return [...path.reverse(), ...words.slice(-1)].join('.');
}
