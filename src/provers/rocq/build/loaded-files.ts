/**
 * The files that a text takes in with `Load`. Nothing notes what they held when it was compiled, so their times are
 * looked at.
 */
import { dirname, join, resolve } from 'node:path';
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

/**
 * When one of them changed last, those among them that are loaded by others; -Infinity where nothing is loaded, undefined
 * where one is not found. Of several files that could be meant all count.
 */
export async function loadedChange(
  path: string,
  where: WhereLoaded,
  seen = new Set<string>(),
): Promise<number | undefined> {
  let latest = -Infinity;
  seen.add(path);
  for (const name of loadedNames(await readRegularText(path))) {
    const inLoadPath = where.files.filter((file) => file.endsWith(`/${name}`));
    const possible = new Set([resolve(where.root, name), join(dirname(path), name), ...inLoadPath]);
    let isFound = false;
    for (const file of possible) {
      const changed = await changeTime(file);
      if (changed === undefined) continue;
      isFound = true;
      const below = seen.has(file) ? -Infinity : await loadedChange(file, where, seen);
      if (below === undefined) return undefined;
      latest = Math.max(latest, changed, below);
    }
    if (!isFound) return undefined;
  }
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
