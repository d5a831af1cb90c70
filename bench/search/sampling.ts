/**
 * Draws the tasks of `npm run bench:search`: the same number from each library of the set, half of them short (see
 * `quotas`). A theorem becomes a task when its file, cut at it and with the author's proof in its place, compiles here:
 * the harness is sound for it. What fails or is too slow is named and replaced by the next of the order.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../../src/core/inside.ts';
import { orZero } from '../../src/core/entry.ts';
import { compile, coqFolder } from './coqc.ts';
import type { CommandResult } from './command.ts';
import { withProof, type Cut } from './cut.ts';
import { drawingOrder, quotas, STRATA, stratumOf, type StratumName } from './draw.ts';
import { assumptionQuery, readAssumptions } from './judge.ts';
import { librariesOf, logicalNameOf, sourceOf, type Library, type TaskSet } from './libraries.ts';
import {
  cutOf,
  haveTasks,
  loadPathOptions,
  readTasks,
  writeTasks,
  type Population,
  type Task,
} from './task.ts';
import { theoremsOf, type LibraryTheorem } from './theorems.ts';

/**
 * Processor time. A file whose replay takes longer is not drawn: the benchmark measures the search, not the
 * loading.
 */
const REPLAY_LIMIT_SECONDS = 15;

type Trial = { readonly task: Task } | { readonly refused: string };

async function replayed(
  library: Library,
  set: TaskSet,
  theorem: LibraryTheorem,
  coq: string,
): Promise<Trial> {
  const stratum = stratumOf(theorem.length);
  if (stratum === undefined) return { refused: 'its proof is too long' };
  const { cut, light, original } = cutOf({ source: theorem.source, theorem: theorem.name }, coq);
  const replay = (text: Cut): Promise<CommandResult> =>
    compile(withProof(text, original, assumptionQuery(theorem.name)), {
      source: theorem.source,
      loadPath: loadPathOptions(library, coq),
      timeoutSeconds: 20 * REPLAY_LIMIT_SECONDS,
      processorSeconds: REPLAY_LIMIT_SECONDS,
    });
  let result = await replay(light);
  if (result.exitCode === 1) result = await replay(cut);
  if (result.exitCode === null) return { refused: `replay takes more than ${REPLAY_LIMIT_SECONDS} s` };
  const assumptions = result.exitCode === 0 ? readAssumptions(result.output) : undefined;
  if (assumptions === undefined) return { refused: result.errorOutput.trim().slice(-300) };
  const own = logicalNameOf(theorem.source);
  const sources = assumptions.loaded
    .filter((name) => name !== own)
    .map(sourceOf)
    .filter((source) => existsSync(join(coq, source)));
  const isOwn = (source: string): boolean =>
    library.folders.some((folder) => isInside(folder, source)) ||
    (library.root !== undefined && isInside(library.root.folder, source));
  return {
    task: {
      id: `${library.name}:${theorem.source}#${theorem.name}`,
      set,
      library: library.name,
      source: theorem.source,
      theorem: theorem.name,
      length: theorem.length,
      stratum,
      allowedSources: {
        own: sources.filter(isOwn),
        others: sources.filter((source) => !isOwn(source)),
      },
      loaded: [...assumptions.loaded],
      replaySeconds: Math.round(result.seconds * 10) / 10,
    },
  };
}

function populationOf(library: Library, theorems: readonly LibraryTheorem[]): Population {
  const lengths: Record<string, number> = {};
  for (const { length } of theorems) lengths[String(length)] = orZero(lengths[String(length)]) + 1;
  return { library: library.name, lengths };
}

async function drawStratum(
  library: Library,
  {
    set,
    theorems,
    stratum,
    quota,
    seed,
    coq,
  }: {
    readonly set: TaskSet;
    readonly theorems: readonly LibraryTheorem[];
    readonly stratum: StratumName;
    readonly quota: number;
    readonly seed: string;
    readonly coq: string;
  },
): Promise<Task[]> {
  const order = drawingOrder(
    theorems.filter((theorem) => stratumOf(theorem.length) === stratum),
    (theorem) => `${theorem.source}#${theorem.name}`,
    `${seed}/${library.name}/${stratum}`,
  );
  const tasks: Task[] = [];
  for (const theorem of order) {
    if (tasks.length >= quota) break;
    const trial = await replayed(library, set, theorem, coq);
    if ('task' in trial) tasks.push(trial.task);
    else console.error(`refused ${theorem.source}#${theorem.name}: ${trial.refused}`);
  }
  console.error(`${library.name} ${stratum}: ${tasks.length} of ${quota}`);
  return tasks;
}

/** Goes on where a drawing with the same seed and count was stopped. */
export async function drawTasks(set: TaskSet, count: number, seed: string): Promise<void> {
  const coq = coqFolder();
  const libraries = librariesOf(set);
  const share = quotas(Math.floor(count / libraries.length));
  const before = haveTasks(set) ? readTasks(set) : undefined;
  const kept = before?.seed === seed ? before.tasks : [];
  const tasks: Task[] = [];
  const populations: Population[] = [];
  for (const library of libraries) {
    const theorems = theoremsOf(library, coq);
    populations.push(populationOf(library, theorems));
    for (const { name } of STRATA) {
      const known = kept.filter((task) => task.library === library.name && task.stratum === name);
      tasks.push(
        ...(known.length === share[name]
          ? known
          : await drawStratum(library, { set, theorems, stratum: name, quota: share[name], seed, coq })),
      );
      // What is drawn so far can be worked on; what was kept from before stays.
      const rest = kept.filter((task) => !tasks.some(({ id }) => id === task.id));
      writeTasks(set, { seed, tasks: [...tasks, ...rest], populations });
    }
  }
  writeTasks(set, { seed, tasks, populations });
}
