/**
 * A task: one theorem of an installed library with the file cut before its proof. Kept as JSON lines in
 * bench/results.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { outlineOf } from '../../src/provers/rocq/syntax/outline.ts';
import { z } from 'zod';
import { cutAt, originalScript, taskText, type Cut } from './cut.ts';
import { lightenedBefore } from './lighten.ts';
import { LIBRARIES, type Library, type TaskSet } from './libraries.ts';
import { eligibleTheorems } from './theorems.ts';

const taskSchema = z.object({
  id: z.string(),
  set: z.enum(['tune', 'report']),
  library: z.string(),
  /** Relative to what `coqc -where` prints. */
  source: z.string(),
  theorem: z.string(),
  /** Sentences of the author's proof. */
  length: z.number(),
  stratum: z.enum(['≤ 4', '5–8', '9–20']),
  /**
   * What a method may learn from besides the cut file: the sources of the libraries that the cut file has loaded, those
   * of its own library and others. Never the file itself behind the cut, never a file that it does not require.
   */
  allowedSources: z.object({ own: z.array(z.string()), others: z.array(z.string()) }),
  /** Logical names of all that the cut file has loaded, also of what ships no source. */
  loaded: z.array(z.string()),
  /** Seconds that coqc took for the author's proof behind the lightened text. */
  replaySeconds: z.number(),
});

export type Task = z.infer<typeof taskSchema>;

const populationSchema = z.object({
  library: z.string(),
  /** Theorems by number of sentences of their proofs. */
  lengths: z.record(z.string(), z.number()),
});

export type Population = z.infer<typeof populationSchema>;

export const RESULTS = join(import.meta.dirname, '..', 'results');

export interface TaskFile {
  readonly seed: string;
  readonly tasks: readonly Task[];
  readonly populations: readonly Population[];
}

const taskFileSchema = z.object({
  seed: z.string(),
  tasks: z.array(taskSchema),
  populations: z.array(populationSchema),
});

function taskFilePath(set: TaskSet): string {
  return join(RESULTS, `search-tasks-${set}.json`);
}

export function writeTasks(set: TaskSet, file: TaskFile): void {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(taskFilePath(set), `${JSON.stringify(file, undefined, 1)}\n`);
}

export function haveTasks(set: TaskSet): boolean {
  return existsSync(taskFilePath(set));
}

export function readTasks(set: TaskSet): TaskFile {
  const path = taskFilePath(set);
  if (!haveTasks(set))
    throw new Error(`There are no tasks yet: run npx node bench/search/sample.ts --set ${set} first.`);
  return taskFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

export function libraryNamed(name: string): Library {
  const library = LIBRARIES.find((candidate) => candidate.name === name);
  if (library === undefined) throw new Error(`No library is called ${name}.`);
  return library;
}

export interface TaskCut {
  readonly cut: Cut;
  /** With what `lightenedBefore` makes of the text before. */
  readonly light: Cut;
  /** The author's proof; no method may see it. */
  readonly original: string;
}

/** Cuts the installed source again. */
export function cutOf(task: Pick<Task, 'source' | 'theorem'>, coqFolder: string): TaskCut {
  const outline = outlineOf(readFileSync(join(coqFolder, task.source), 'utf8'));
  const item = eligibleTheorems(outline).find(({ name }) => name === task.theorem);
  if (item === undefined)
    throw new Error(`${task.source} has no theorem ${task.theorem} any more: draw the tasks again.`);
  const cut = cutAt(outline, item);
  return {
    cut,
    light: { ...cut, before: lightenedBefore(outline, item) },
    original: originalScript(outline, item),
  };
}

/** The options under which coqc compiles a source of the library from another folder. */
export function loadPathOptions(library: Library, coqFolder: string): string[] {
  return library.root === undefined
    ? []
    : ['-R', join(coqFolder, library.root.folder), library.root.logicalName];
}

/** Makes `folder` what a method gets to see: the cut file and a _CoqProject. Answers the path of the file. */
export function writeTaskFolder(folder: string, task: Task, coqFolder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, basename(task.source));
  writeFileSync(file, taskText(cutOf(task, coqFolder).cut));
  const options = loadPathOptions(libraryNamed(task.library), coqFolder);
  if (options.length > 0) writeFileSync(join(folder, '_CoqProject'), `${options.join(' ')}\n`);
  return file;
}
