/**
 * Where a project stands, from its texts and the files that were compiled, without any prover: the holes of each
 * file, and the holes of those that it requires, on which its proofs rest whatever they say. A text does not show all
 * that is open (what a loaded file admits, what a command leaves to be proved); a compiled file does, and has nothing that
 * the end of a file may not leave open. So it is told which of the two was read.
 */
import {
  LARGEST_WRITTEN_BYTES,
  readRegularFile,
  readRegularText,
} from '../../process/foreign-folder/regular-file.ts';
import { readCompiledFile } from '../../gate/rocq/compiled/compiled-file.ts';
import { declaredConstants } from '../../gate/rocq/compiled/declarations.ts';
import { orZero } from '../../core/entry.ts';
import { mayBeFinished } from '../../provers/rocq/syntax/holes.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { openAmong, type FoundHole } from '../files/check-report.ts';
import { hiddenHoles, holesOf, supersededTold } from '../rocq/check/holes-of-file.ts';
import { sourceLanguageOf, type SourceLanguage } from '../files/source-language.ts';
import type { CompiledState } from '../../provers/rocq/build/compiled-state.ts';
import type { ProjectSource } from '../../provers/rocq/build/project-sources.ts';
import { projectOverview } from './project-overview.ts';
import { visibleHoles } from './visible-holes.ts';

export interface FileStatus {
  /** Absolute. */
  readonly path: string;
  readonly language: SourceLanguage;
  /** What each hole leaves open, in the order of the text; behind them what only the compiled file has. */
  readonly holes: readonly string[];
  /** How many are open, however many gaps each of them has. */
  readonly open: number;
  /** What is told of statements that are given up and are no holes. */
  readonly superseded: readonly string[];
  /** From what the holes are known. */
  readonly readFrom: 'text' | 'compiled';
  /** Of a Rocq source of a project. */
  readonly compiled?: CompiledState;
  /** Of its project what it requires, directly or through others, each behind what it requires itself. */
  readonly requires: readonly ProjectSource[];
  /** The files with holes that it requires, directly or through others, each with how many are open. */
  readonly restsOn: readonly { readonly path: string; readonly holes: number }[];
}

type FoundHoles = Pick<FileStatus, 'holes' | 'open' | 'superseded' | 'readFrom'>;

/**
 * @param files Absolute paths of sources; others are left out.
 * @throws the reason of `signal`: of many files each is followed through those that it requires.
 */
export async function projectStatus(
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly FileStatus[]> {
  const { below, states, compiled } = await projectOverview(files, signal);
  const compiledAs = new Map(compiled.flat().map((source) => [source.path, source.compiled]));
  const known = new Map<string, Promise<FoundHoles>>();
  const holesIn = (path: string, language: SourceLanguage): Promise<FoundHoles> => {
    const found = known.get(path) ?? holesOfFile(path, language, compiledAs.get(path));
    known.set(path, found);
    return found;
  };
  const counts = new Map<string, number>();
  /** Of one that cannot be read nothing is known. */
  const count = async (path: string): Promise<number> => {
    const found = await holesIn(path, 'rocq').catch(() => undefined);
    const holes = orZero(found?.open);
    counts.set(path, holes);
    return holes;
  };
  const statuses: FileStatus[] = [];
  for (const path of files) {
    signal.throwIfAborted();
    const language = sourceLanguageOf(path);
    if (language === undefined) continue;
    const found = await holesIn(path, language);
    const restsOn: { path: string; holes: number }[] = [];
    const requires = below.get(path) ?? [];
    for (const { path: needed } of requires) {
      const holes = counts.get(needed) ?? (await count(needed));
      if (holes > 0) restsOn.push({ path: needed, holes });
    }
    const state = states.get(path);
    statuses.push({
      ...{ path, language, ...found, requires, restsOn },
      ...(state !== undefined && { compiled: state }),
    });
  }
  return statuses;
}

async function holesOfFile(
  path: string,
  language: SourceLanguage,
  compiled: string | undefined,
): Promise<FoundHoles> {
  const text = await readRegularText(path);
  const admitted = compiled === undefined ? undefined : await admittedIn(compiled);
  const titles = (holes: readonly FoundHole[]): string[] => holes.map(({ theorem }) => theorem);
  const messages = (told: readonly { readonly message: string }[]): string[] =>
    told.map(({ message }) => message);
  if (admitted === undefined) {
    const holes = visibleHoles(language, text);
    const superseded = language === 'rocq' ? supersededTold(outlineOf(text)) : [];
    return {
      ...{ holes: titles(holes), open: openAmong(holes) },
      superseded: messages(superseded),
      readFrom: 'text',
    };
  }
  const outline = outlineOf(text);
  // It compiles: what ends as a finished proof is one.
  const answers = { isFinished: mayBeFinished, admitted };
  const visible = holesOf(outline, answers);
  const hidden = hiddenHoles(outline, answers);
  return {
    holes: [...titles(visible), ...hidden],
    open: openAmong(visible) + hidden.length,
    superseded: messages(supersededTold(outline)),
    readFrom: 'compiled',
  };
}

/** Undefined where the file cannot be read: not there, or of a release whose files are not known. */
async function admittedIn(compiled: string): Promise<readonly string[] | undefined> {
  try {
    return declaredConstants(readCompiledFile(await readRegularFile(compiled, LARGEST_WRITTEN_BYTES)))
      .filter(({ assumed }) => assumed === 'admitted')
      .map(({ name }) => name);
  } catch {
    return undefined;
  }
}
