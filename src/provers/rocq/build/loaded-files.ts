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
 * Whether a text has a command that reads other files than `Load` does, and Quod does not know which: what was compiled may
 * then be of other contents than these have now, and nothing shows it.
 */
export function readsUnknownFiles(text: string): boolean {
  if (!MAY_READ.test(text)) return false;
  return outlineOf(text).sentences.some((sentence) => {
    const tokens = new HeadTokens(sentence.text);
    if (!tokens.skipPrefixes()) return false;
    switch (tokens.peek()) {
      case 'Elpi':
        // A file of the program, or a program that opens one itself.
        return /\bFile\b|\baccumulate\b|\bopen_(?:in|append)\b/u.test(sentence.text);
      case 'From':
        return /\bExtra\s+Dependency\b/u.test(sentence.text);
      // What is loaded afterwards is looked for elsewhere.
      case 'Cd':
        return true;
      default:
        return false;
    }
  });
}

const MAY_READ = /\b(?:Elpi|Extra|Cd)\b/u;

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

/** Whether nothing but them, and what they require, can make what is compiled another. */
export async function isAllLoadedKnown(path: string, where: WhereLoaded): Promise<boolean> {
  const files = await loadedFiles(path, where);
  return files !== undefined && !(await readUnknownFiles(path, files));
}

/** Whether it, or what it takes in, reads files of which nobody knows which they are. */
export async function readUnknownFiles(path: string, loaded: Iterable<string>): Promise<boolean> {
  for (const file of [path, ...loaded]) if (readsUnknownFiles(await readRegularText(file))) return true;
  return false;
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
