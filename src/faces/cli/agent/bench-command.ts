/**
 * `quod bench run`: methods of the agent on a set of theorems, each a run with a log of its own, so that a
 * benchmark that was stopped goes on where it was, and the report is made from logs alone.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { orNothing } from '../../../core/entry.ts';
import { clause } from '../../../core/sentence.ts';
import { sha256 } from '../../../core/sha256.ts';
import { QuodError, withRemedy } from '../../../core/errors.ts';
import { unreadableFile } from '../../../process/foreign-folder/unreadable-file.ts';
import { foreignName } from '../../../core/foreign-text.ts';
import { benchReport } from '../../../agent/evaluation/report.ts';
import { readCells } from '../../../agent/evaluation/cell.ts';
import type { Cell } from '../../../agent/evaluation/cell.ts';
import { comparisonReport } from '../../../agent/evaluation/comparison.ts';
import { groupOf, listedTheorems, methodsOf, parseSpec } from '../../../agent/evaluation/spec.ts';
import type { BenchSpec, Method } from '../../../agent/evaluation/spec.ts';
import { runAgent } from '../../../agent/run.ts';
import { methodSettings, ownPriceList } from '../../../agent/configuration/layers.ts';
import { permissionsHere } from '../../../agent/configuration/permissions.ts';
import { withCap } from '../../../agent/models/cost-cap.ts';
import { ownPrices } from '../../../agent/models/prices.ts';
import { foldRun } from '../../../agent/runs/fold.ts';
import { lockFolder, unlockFolder } from '../../../agent/runs/folder-lock.ts';
import { RunLog, listRuns, readRun } from '../../../agent/runs/run-log.ts';
import { confirm } from '../../../agent/workflow/confirmation.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { benchHost } from '../../../agent-targets/bench-host.ts';
import {
  openBenchTask,
  pathsNamed,
  requireDistinctTheorems,
  taskAfter,
  writeBenchTask,
} from '../../../agent-targets/bench-tasks.ts';
import type { BenchTask, PlacedSpec } from '../../../agent-targets/bench-tasks.ts';
import { openTargets } from '../../../agent-targets/open-targets.ts';
import { readRegularFileSync } from '../../../process/foreign-folder/regular-file.ts';
import {
  CELLS_FOLDER,
  RESULTS_FILE,
  SCRATCH_FOLDER,
} from '../../../process/foreign-folder/source-folders.ts';
import { ownEntry, requireNoLinks } from '../../../process/own-folder.ts';
import { openHost } from '../../host.ts';
import type { Host } from '../../host.ts';
import { installedPage, readPackageVersion } from '../../../core/installed-package.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { listenForInterrupt } from '../terminal/interrupt.ts';
import { requireOfDocumentsFolder } from './files-of-folder.ts';

export interface BenchOptions {
  readonly out?: string;
  readonly reportOnly?: boolean;
  /** The specification may name files outside of the folder. */
  readonly outside?: boolean;
}

interface Work {
  readonly task: BenchTask;
  readonly method: Method;
  readonly repeat: number;
  /** Holds the task's folder and the run. */
  readonly folder: string;
}

export async function benchCommand(specName: string, options: BenchOptions): Promise<ExitCode> {
  const spec = parseSpec(readJson(specName), specName);
  const placed = { spec, home: dirname(resolve(specName)) };
  if (options.outside !== true)
    await requireOfDocumentsFolder(specName, pathsNamed(placed), {
      message: 'The benchmark leads to a file that is not of this folder.',
      remedy: 'If you mean that file: quod bench run SPEC --outside.',
    });
  requireDistinctTheorems(placed);
  const out = resultsFolder(specName, options.out);
  lockFolder(out, (owner) => `Process ${owner} works on the benchmark of ${foreignName(out)}.`);
  const interrupt = listenForInterrupt({ withReader: true });
  try {
    const { tasks, skipped } = await withHost(process.cwd(), (host) =>
      openTasks(host, placed, { out, signal: interrupt.signal }),
    );
    const all = tasks.flatMap((task) =>
      Array.from({ length: spec.repeats }, (_, repeat) => repeat).flatMap((repeat) =>
        methodsOf(spec).map((method): Work => {
          // A model sees the path of its file.
          const own = spec.hideNames ? shortHash(task.name) : safe(task.name);
          const parts = [safe(method.name), `${own}-${repeat}`];
          return { task, method, repeat, folder: join(out, CELLS_FOLDER, ...parts) };
        }),
      ),
    );
    const isReportOnly = options.reportOnly === true;
    const told = new Set(isReportOnly ? [] : all.filter(isFinished));
    let done = 0;
    for (const work of all) {
      if (interrupt.signal.aborted) break;
      done++;
      if (isReportOnly || told.has(work)) continue;
      const outcome = await runCell(spec, work, interrupt.signal);
      console.error(
        `${done}/${all.length} ${[work.method.name, work.task.name, outcome].map(foreignName).join(': ')}${work.task.isValue && outcome === 'proved' ? ' (it may be a value, of which any counts)' : ''}`,
      );
    }
    const cells: Cell[] = [];
    for (const work of all) {
      const cell = cellOf(spec, work);
      if (cell === undefined) continue;
      const judged = cell.outcome === 'proved' && told.has(work);
      cells.push(judged ? await judgedAgain(cell, { work, out, signal: interrupt.signal }) : cell);
    }
    const failed = cells.filter((cell) => cell.outcome === 'failed').length;
    const { markdown, plots } = benchReport(spec, cells, skipped, isReportOnly);
    // First what tells that the others are of a benchmark.
    writeFileSync(join(out, RESULTS_FILE), cells.map((cell) => `${JSON.stringify(cell)}\n`).join(''));
    writeFileSync(join(out, REPORT), markdown);
    for (const [name, svg] of Object.entries(plots)) writeFileSync(join(out, name), svg);
    console.log(markdown);
    if (cells.length < all.length)
      console.error(`${cells.length} of ${all.length} done: run it again to go on.`);
    if (all.length === 0)
      console.error('Nothing was measured: every theorem was left out, and the report says why.');
    if (failed > 0) console.error(`${failed} of ${all.length} could not be run: the report says why.`);
    if (interrupt.signal.aborted) return 130;
    return failed > 0 || cells.length === 0 ? 2 : 0;
  } finally {
    interrupt.stop();
    unlockFolder(out);
    exitSoon();
  }
}

/**
 * The place that the user names may be a link; what came with a folder may not. @throws QuodError `invalid-input`
 * where results would be written elsewhere.
 */
function resultsFolder(specName: string, named: string | undefined): string {
  const beside = resolve(`${specName.replace(/\.json$/u, '')}-results`);
  const out = named === undefined ? ownEntry(dirname(beside), basename(beside)) : resolve(named);
  mkdirSync(out, { recursive: true });
  requireNoLinks(out);
  const foreign = existsSync(join(out, RESULTS_FILE))
    ? undefined
    : [REPORT, 'solved.svg', 'time.svg'].find((name) => existsSync(join(out, name)));
  if (foreign !== undefined)
    throw new QuodError('invalid-input', `The folder has a ${foreign} that is not of a benchmark.`, {
      place: { file: out },
      remedy: 'Name another folder for the results: --out FOLDER.',
    });
  // What lies below is then no part of the project around it.
  writeFileSync(join(out, RESULTS_FILE), '', { flag: 'a' });
  return out;
}

const REPORT = 'report.md';

/**
 * What is left of a cell ends with it, a prover that it did not wait for included.
 * @param folder Of the task: what is looked for in the project is looked for there, not where the original lies.
 */
async function withHost<Value>(folder: string, work: (host: Host) => Promise<Value>): Promise<Value> {
  const host = await openHost({ folder, confined: false, operations: [] });
  try {
    return await work(host);
  } finally {
    await host.services.close();
  }
}

/** `quod bench compare`: two folders of results side by side. */
export function compareCommand(first: string, second: string): ExitCode {
  const named = (folder: string): readonly [string, readonly Cell[]] => [
    basename(resolve(folder)),
    readCells(join(folder, RESULTS_FILE)),
  ];
  const [one, other] = [named(first), named(second)];
  const isSameName = one[0] === other[0];
  console.log(comparisonReport(isSameName ? [first, one[1]] : one, isSameName ? [second, other[1]] : other));
  return 0;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readRegularFileSync(file).toString('utf8'));
  } catch (cause) {
    const remedy = `Name the specification of a benchmark; ${installedPage('agents/bench.md')} says how one is written.`;
    throw unreadableFile(file, cause, { what: 'The specification', ifMissing: remedy, remedy });
  }
}

async function openTasks(
  host: Host,
  placed: PlacedSpec,
  { out, signal }: { readonly out: string; readonly signal: AbortSignal },
): Promise<{ readonly tasks: readonly BenchTask[]; readonly skipped: { task: string; why: string }[] }> {
  const tasks: BenchTask[] = [];
  const skipped: { task: string; why: string }[] = [];
  const { spec, home } = placed;
  for (const listed of listedTheorems(spec)) {
    try {
      const task = await openBenchTask(listed, placed);
      tasks.push(
        spec.after === 0
          ? task
          : await taskAfter(host, task, {
              source: resolve(home, listed.file),
              scratch: join(out, SCRATCH_FOLDER),
              after: spec.after,
              signal,
            }),
      );
    } catch (error) {
      if (!(error instanceof QuodError) || signal.aborted) throw error;
      skipped.push({ task: `${listed.file}#${listed.theorem}`, why: error.message });
    }
  }
  return { tasks, skipped };
}

/** A name that can be a folder's, and that no other name becomes. */
function safe(name: string): string {
  const short = name.replace(/[^\w.-]+/gu, '_').slice(-60);
  return short === name ? name : `${short}-${shortHash(name)}`;
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 8);
}

function logOf({ folder }: Work): string | undefined {
  return listRuns(join(folder, 'runs')).at(-1);
}

/** A run that could not go on is tried again; one that came to its end is not. */
function isFinished(work: Work): boolean {
  const name = logOf(work);
  if (name === undefined) return false;
  const outcome = foldRun(readRun(join(work.folder, 'runs'), name))?.outcome;
  return (
    outcome !== undefined &&
    ['proved', 'proved-but', 'not-judged', 'not-proved', 'budget-exhausted'].includes(outcome)
  );
}

async function runCell(spec: BenchSpec, work: Work, signal: AbortSignal): Promise<string> {
  const { task, method, repeat, folder } = work;
  const runs = join(folder, 'runs');
  const place = { folder: process.cwd(), environment: process.env };
  const layers = methodSettings(method.settings, place);
  const known = logOf(work);
  const file = join(folder, 'task', task.fileName);
  if (!existsSync(file)) await writeBenchTask(join(folder, 'task'), task);
  try {
    rmSync(join(folder, FAILURE), { force: true });
    const { settings } = withCap(mergeSettings(layers, { seed: spec.seed + repeat }), 'maxCost' in layers, {
      dated: ownPrices().date,
      ownFile: ownPriceList(process.env),
    });
    return await withHost(dirname(file), async (host) => {
      const opened = await openTargets(benchHost(host), { file, theorems: [task.theorem] }, signal);
      const log = known === undefined ? RunLog.create(runs) : RunLog.reopen(runs, known);
      try {
        const { outcome } = await runAgent({
          ...{ log, files: [opened], settings, quod: readPackageVersion(), environment: process.env, signal },
          permissions: permissionsHere(place),
        });
        return outcome;
      } finally {
        log.close();
      }
    });
  } catch (error) {
    if (!(error instanceof QuodError)) throw error;
    const said = withRemedy(error);
    if (!signal.aborted) writeFileSync(join(folder, FAILURE), said);
    return `could not be run: ${said}`;
  }
}

/**
 * What is told by a log that this call did not write: results travel with a specification, and a log is text that anybody
 * can write. The gate judges the recorded proof again, as it does when a run is gone on with, in the task as the
 * specification says it.
 */
async function judgedAgain(
  cell: Cell,
  { work, out, signal }: { readonly work: Work; readonly out: string; readonly signal: AbortSignal },
): Promise<Cell> {
  const { task, folder } = work;
  const past = readRun(join(folder, 'runs'), orNothing(logOf(work)));
  const file = await writeBenchTask(join(out, 'scratch'), task);
  const why = await withHost(dirname(file), async (host) => {
    try {
      const opened = await openTargets(benchHost(host), { file, theorems: [task.theorem] }, signal);
      const { proofs, events } = await confirm(past, [opened], signal);
      if (proofs.get(task.theorem)?.restsOnOpen.length === 0) return undefined;
      return events.flatMap(({ findings }) => findings).join('; ') || 'there is no such proof in it';
    } catch (error) {
      if (!(error instanceof QuodError) || signal.aborted) throw error;
      return error.message;
    }
  });
  if (why === undefined) return cell;
  return {
    ...cell,
    outcome: 'failed',
    why: `Its log says proved, and the gate does not: ${clause(why)}. Remove ${relative(out, folder)} to run it again.`,
  };
}

/** In the folder of a cell that could not be begun: why. */
const FAILURE = 'could-not-be-run.txt';

function cellOf(spec: BenchSpec, work: Work): Cell | undefined {
  const { task, method, repeat, folder } = work;
  const name = logOf(work);
  const group = groupOf(task.length, spec);
  const state = name === undefined ? undefined : foldRun(readRun(join(folder, 'runs'), name));
  // A run that came to its end all the same counts.
  if (existsSync(join(folder, FAILURE)) && !isFinished(work)) {
    return {
      ...{ method: method.name, task: task.name, repeat, group, outcome: 'failed' },
      ...{ seconds: 0, cost: 0, uncosted: 0, modelCalls: 0, toolCalls: 0 },
      ...{ inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
      why: readRegularFileSync(join(folder, FAILURE)).toString('utf8'),
    };
  }
  if (state === undefined || state.outcome === 'open' || state.outcome === 'interrupted') return undefined;
  return {
    method: method.name,
    task: task.name,
    repeat,
    group,
    outcome: state.outcome === 'proved' ? 'proved' : state.outcome === 'failed' ? 'failed' : 'not-proved',
    ...(task.isValue && { isValue: true }),
    seconds: state.elapsedMs / 1000,
    cost: state.spent.cost,
    uncosted: state.spent.uncosted,
    modelCalls: state.spent.calls,
    toolCalls: state.toolCalls,
    inputTokens: state.spent.inputTokens,
    cachedTokens: state.spent.cachedTokens,
    outputTokens: state.spent.outputTokens,
    ...(state.outcome === 'failed' && { why: state.message }),
  };
}
