/** Options of Rocq's compiler that leave the kernel's checks alone, and how many words follow each. */
import { withoutOptions } from './without-options.ts';

/** By which no file means anything else. */
const OF_NO_MEANING: ReadonlyMap<string, number> = new Map([
  ['-q', 0],
  ['-quiet', 0],
  ['-w', 1],
  ['-native-compiler', 1],
  ['-bytecode-compiler', 1],
]);

export const HARMLESS_OPTIONS: ReadonlyMap<string, number> = new Map([
  ...OF_NO_MEANING,
  ['-noinit', 0],
  ['-impredicative-set', 0],
  ['-indices-matter', 0],
  ['-allow-sprop', 0],
  ['-disallow-sprop', 0],
]);

/** What is left without the options by which no file means anything else. */
export function withoutMeaningless(options: readonly string[]): readonly string[] {
  return withoutOptions(options, OF_NO_MEANING);
}
