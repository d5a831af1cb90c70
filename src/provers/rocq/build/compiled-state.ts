/** Whether what was compiled stands for the text. */
import {
  LARGEST_SOURCE_BYTES,
  LARGEST_WRITTEN_BYTES,
  readRegularFile,
} from '../../../process/foreign-folder/regular-file.ts';
import { segmentTable } from '../segment-table.ts';
import { changeTime, isCompiledFrom, isPassedOver } from './compiled-from.ts';
import { loadedChange, type WhereLoaded } from './loaded-files.ts';
import {
  directlyRequired,
  requiresAsRead,
  type ProjectFiles,
  type ProjectSource,
} from './project-sources.ts';

/**
 * `no`: it is missing, cut off, of another text, another library or older than its source, than what that loads or than the compiled file of what
 * it requires, or that is not compiled itself, or Rocq passes it over. `not-known`: nothing says from which text it, or what it requires, was
 * made. `no-module-name`: nothing can be compiled under this name.
 */
export const COMPILED_STATES = ['yes', 'no', 'not-known', 'no-module-name'] as const;

export type CompiledState = (typeof COMPILED_STATES)[number];

type Files = ProjectFiles & Pick<WhereLoaded, 'root'>;

/** @param ordered Each behind what it requires. */
export async function compiledStates(
  ordered: readonly ProjectSource[],
  { root, sources, misnamed }: Files,
): Promise<ReadonlyMap<string, CompiledState>> {
  const where = { root, files: [...sources.map(({ path }) => path), ...misnamed.keys()] };
  const states = new Map<string, CompiledState>();
  for (const source of ordered) states.set(source.path, await stateAlone(source, where));
  for (const source of ordered) {
    const made = await changeTime(source.compiled);
    for (const needed of directlyRequired(await requiresAsRead(source.path), sources)) {
      if (needed.path === source.path || states.get(source.path) === 'no') continue;
      const below = await changeTime(needed.compiled);
      const isOlder = made !== undefined && below !== undefined && made < below;
      const state = isOlder ? 'no' : states.get(needed.path);
      if (state === 'no' || state === 'not-known') states.set(source.path, state);
    }
  }
  return states;
}

async function stateAlone(
  { path, compiled, names }: ProjectSource,
  where: WhereLoaded,
): Promise<CompiledState> {
  const [changed, made] = await Promise.all([changeTime(path), changeTime(compiled)]);
  if (changed === undefined || made === undefined || made < changed) return 'no';
  if (await isPassedOver(compiled)) return 'no';
  const written = await readRegularFile(compiled, LARGEST_WRITTEN_BYTES).catch(() => undefined);
  if (written === undefined || typeof segmentTable(written) === 'string') return 'no';
  const source = await readRegularFile(path, LARGEST_SOURCE_BYTES).catch(() => undefined);
  if (source === undefined) return 'not-known';
  const isOfText = isCompiledFrom(compiled, source, names);
  const loaded = await loadedChange(path, where);
  if (isOfText === false || (loaded !== undefined && made < loaded)) return 'no';
  return isOfText === undefined || loaded === undefined ? 'not-known' : 'yes';
}
