/**
 * What a project file says in vain: files that it lists and that are not there, and options that nobody knows. Rocq is
 * told nothing of either, so that a misspelt `-Q` would only show as libraries that are not found, and a misspelt source
 * not at all. coq_makefile refuses such a file; Quod does its work, and says it.
 */
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { counted, someOf } from '../../../core/counted.ts';
import { nearestNames } from '../../../core/names/nearest-names.ts';
import { readRegularText } from '../../../process/foreign-folder/regular-file.ts';
import { otherWordsOf, PROJECT_OPTIONS, type ProjectWord } from './coq-project.ts';
import { hasProjectFile, type RocqProject } from './project.ts';

export interface ProjectFault {
  /** Absolute path of the project file. */
  readonly file: string;
  /** Where the first is, from 1. */
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/** At most one of each kind. Of a file that cannot be read others tell. */
export async function projectFaults(project: RocqProject): Promise<readonly ProjectFault[]> {
  const { root, source: file } = project;
  if (file === undefined || !hasProjectFile(project)) return [];
  const text = await readRegularText(file).catch(() => undefined);
  if (text === undefined) return [];
  const { listed, unknown } = otherWordsOf(text, root, file);
  const areThere = await Promise.all(listed.map((word) => isThere(resolve(root, word.text))));
  const missing = listed.filter((_, at) => areThere[at] === false);
  return [...missingFiles(file, missing), ...unknownOptions(file, unknown)];
}

function missingFiles(file: string, words: readonly ProjectWord[]): readonly ProjectFault[] {
  const [first] = words;
  if (first === undefined) return [];
  const name = basename(file);
  const names = someOf(words.map(({ text }) => text));
  return [
    {
      ...{ file, line: first.line },
      message:
        words.length === 1
          ? `\`${name}\` lists ${names}, and there is no such file.`
          : `\`${name}\` lists ${counted(words.length, 'file')} that are not there: ${names}.`,
      remedy: `Correct the ${words.length === 1 ? 'name' : 'names'} in ${name}, or take away what is gone.`,
    },
  ];
}

function unknownOptions(file: string, words: readonly ProjectWord[]): readonly ProjectFault[] {
  const [first] = words;
  if (first === undefined) return [];
  const [option] = first.text.split(' ', 1);
  const [nearest] = option === undefined ? [] : nearestNames(option, PROJECT_OPTIONS, 1);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  const those = words.length === 1 ? 'An option that is not known is' : 'Options that are not known are';
  return [
    {
      ...{ file, line: first.line },
      message: `${those} passed over: ${someOf(words.map(({ text }) => `\`${text}\``))}.`,
      remedy: `${meant}What Rocq itself is to be told stands behind -arg.`,
    },
  ];
}

/** What cannot be looked at is not said to be missing. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
