/** Whether what was compiled stands for the text. */
import { LARGEST_WRITTEN_BYTES, readRegularFile } from '../../../process/foreign-folder/regular-file.ts';
import { segmentTable, type Segment } from '../segment-table.ts';
import { changeTime } from './compiled-from.ts';
import { isAllLoadedKnown } from './loaded-files.ts';
import { isCompiledFromCopy, isOfItsText, isOutdated } from './outdated.ts';
import {
  directlyRequired,
  requiresAsRead,
  type ProjectFiles,
  type ProjectSource,
} from './project-sources.ts';

/**
 * `no`: it is missing, cut off, of another text, another library or older than its source, than what that loads or than the
 * compiled file of what it requires (of dune: compiled with another one), or that is not compiled itself, or Rocq loads an
 * unfinished one in its place. `not-known`: nothing says from which text it, or what it requires, was made. `no-module-name`:
 * nothing can be compiled under this name.
 */
export const COMPILED_STATES = ['yes', 'no', 'not-known', 'no-module-name'] as const;

export type CompiledState = (typeof COMPILED_STATES)[number];

/** @param ordered Each behind what it requires. */
export async function compiledStates(
  ordered: readonly ProjectSource[],
  { sources }: Pick<ProjectFiles, 'sources'>,
): Promise<ReadonlyMap<string, CompiledState>> {
  const states = new Map<string, CompiledState>();
  for (const source of ordered) states.set(source.path, await stateAlone(source));
  for (const source of ordered) {
    const made = await changeTime(source.compiled);
    for (const needed of directlyRequired(await requiresAsRead(source.path), sources)) {
      if (needed.path === source.path || states.get(source.path) === 'no') continue;
      const below = await changeTime(needed.compiled);
      const isOlder =
        made !== undefined && below !== undefined && made < below && !(await isMadeWith(source, needed));
      const state = isOlder ? 'no' : states.get(needed.path);
      if (state === 'no' || state === 'not-known') states.set(source.path, state);
    }
  }
  return states;
}

/**
 * Whether one of the copies of dune, which goes by what is in the files and leaves times as they are, was compiled with what is there
 * of the other: with the digest of all that a file gives to those that require it.
 */
async function isMadeWith(source: ProjectSource, needed: ProjectSource): Promise<boolean> {
  if (!isCompiledFromCopy(source)) return false;
  const [summary, given] = await Promise.all([
    segmentOf(source.compiled, 'summary'),
    segmentOf(needed.compiled, 'library'),
  ]);
  return summary !== undefined && given !== undefined && summary.content.includes(given.digest);
}

async function segmentOf(compiled: string, name: string): Promise<Segment | undefined> {
  const written = await readRegularFile(compiled, LARGEST_WRITTEN_BYTES).catch(() => undefined);
  const table = written === undefined ? 'cut-off' : segmentTable(written);
  return typeof table === 'string' ? undefined : table.segments.find((segment) => segment.name === name);
}

async function stateAlone(source: ProjectSource): Promise<CompiledState> {
  const { path, compiled, where } = source;
  const [changed, made] = await Promise.all([changeTime(path), changeTime(compiled)]);
  const isOfText = await isOfItsText(source);
  if (changed === undefined || made === undefined) return 'no';
  if (await isOutdated(source, () => Promise.resolve(isOfText))) return 'no';
  const written = await readRegularFile(compiled, LARGEST_WRITTEN_BYTES).catch(() => undefined);
  if (written === undefined || typeof segmentTable(written) === 'string') return 'no';
  if (isOfText === undefined) return 'not-known';
  return (await isAllLoadedKnown(path, where)) ? 'yes' : 'not-known';
}
