/**
 * The files that a text takes in with `Load`. Nothing notes what they held when it was compiled, so their times are
 * looked at.
 */
import { dirname, join, resolve } from 'node:path';
import { orZero } from '../../../core/entry.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { HeadTokens } from '../syntax/head-tokens.ts';
import { outlineOf } from '../syntax/outline.ts';
import { changeTime } from './compiled-from.ts';

export interface WhereLoaded {
  /** The folder in which Rocq starts. */
  readonly root: string;
  /** All sources below the load path. */
  readonly files: readonly string[];
}

/** Those that a text takes in, with those that these take in; undefined where one is not found. Of several that could be meant all. */
export async function loadedFiles(
  path: string,
  where: WhereLoaded,
  found = new Set<string>(),
): Promise<ReadonlySet<string> | undefined> {
  for (const name of loadedNames(await readRegularText(path))) {
    const inLoadPath = where.files.filter((file) => file.endsWith(`/${name}`));
    let isFound = false;
    for (const file of new Set([resolve(where.root, name), join(dirname(path), name), ...inLoadPath])) {
      if ((await changeTime(file)) === undefined) continue;
      isFound = true;
      if (found.has(file)) continue;
      found.add(file);
      if ((await loadedFiles(file, where, found)) === undefined) return undefined;
    }
    if (!isFound) return undefined;
  }
  return found;
}

/** When one of them changed last; -Infinity where nothing is loaded, undefined where one is not found. */
export async function loadedChange(path: string, where: WhereLoaded): Promise<number | undefined> {
  const files = await loadedFiles(path, where);
  if (files === undefined) return undefined;
  let latest = -Infinity;
  for (const file of files) latest = Math.max(latest, orZero(await changeTime(file)));
  return latest;
}

function loadedNames(text: string): readonly string[] {
  if (!text.includes('Load')) return [];
  return outlineOf(text).sentences.flatMap((sentence) => {
    const tokens = new HeadTokens(sentence.text);
    if (!tokens.skipPrefixes() || tokens.peek() !== 'Load') return [];
    const name = tokens.peek(tokens.peek(1) === 'Verbose' ? 2 : 1).replace(/^"(.*)"$/su, '$1');
    return [name.endsWith('.v') ? name : `${name}.v`];
  });
}
