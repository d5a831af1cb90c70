/** `quod agent` and `quod resume`: proves theorems with language models, as a run that can be resumed. */
import { foreignName, inertJson } from '../../../core/foreign-text.ts';
import { resolve } from 'node:path';
import { QuodError } from '../../../core/errors.ts';
import { originOf, settingsHere } from '../../../agent/configuration/layers.ts';
import { allow, permissionsHere } from '../../../agent/configuration/permissions.ts';
import type { Permissions } from '../../../agent/configuration/reach.ts';
import { reachesOf } from '../../../agent/configuration/reach.ts';
import type { RunState } from '../../../agent/runs/fold.ts';
import { foldRun } from '../../../agent/runs/fold.ts';
import { RunLog, findRun, listRuns, ownerOfRun, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { mergeSettings, settingOfText } from '../../../agent/settings.ts';
import type { Layer, Settings } from '../../../agent/settings.ts';
import type { KnownFile, TargetChoice } from '../../../agent-targets/target-choice.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { fromHere } from '../terminal/from-here.ts';
import { work } from './agent-work.ts';
import type { Work } from './agent-work.ts';
import { readTask } from './agent-task.ts';
import { requireOfThisFolder } from './files-of-folder.ts';
import { capped, here, resumedSettings } from './resumed-settings.ts';

/** Options that are settings under the same name; `undefined` where nothing was said. */
export interface AgentOptions {
  readonly theorem?: readonly string[];
  readonly task?: string;
  readonly prompt?: string;
  readonly instructions?: string;
  /** Another name of `instructions`. */
  readonly claudeMd?: string;
  readonly fresh?: boolean;
  readonly driver?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  readonly printConfig?: boolean;
  readonly json?: boolean;
  readonly steered?: boolean;
  readonly held?: boolean;
  readonly model?: string;
  readonly mode?: string;
  readonly planning?: string;
  readonly rounds?: number;
  readonly searchFirst?: boolean;
  readonly maxCost?: number;
  readonly maxTime?: number;
  readonly maxToolCalls?: number;
  readonly maxMessages?: number;
  readonly jobs?: number;
  readonly write?: boolean;
  readonly allowOpen?: boolean;
  /** A task, or the log of a resumed run, may name files outside of this folder. */
  readonly outside?: boolean;
}

export async function agentCommand(fileName: string | undefined, options: AgentOptions): Promise<ExitCode> {
  const onTask = options.task !== undefined;
  const typed = commandSettings(options, onTask);
  const chosen = settingsHere(here(), typed, options.config);
  // The work on a task is in its files.
  const { settings, message } = capped(chosen, onTask ? { write: true } : {});
  if (options.printConfig === true) {
    console.log(inertJson(settings, 2));
    return 0;
  }
  const named = namedWork(fileName, options);
  if (named.task === undefined && settings.driver !== 'quod')
    throw noFileFor(settings.driver, typed, options);
  const permissions = await permissionsWith(typed);
  if (message !== undefined && !told(options).json) console.error(message);
  const runs = runsFolder(process.cwd());
  if (named.task !== undefined) {
    const earlier = options.fresh === true ? undefined : unfinishedRun(runs, resolve(named.task));
    if (earlier !== undefined) {
      console.error(`Going on with run ${earlier} (--fresh starts a new one)`);
      return await resumeCommand(earlier, options);
    }
    const { task, choices } = await readTask(named.task, options);
    return await work({ choices, task, settings, permissions, ...told(options) }, (watcher) =>
      RunLog.create(runs, watcher),
    );
  }
  const { theorem } = options;
  const choice = { file: named.file, ...(theorem !== undefined && { theorems: [...new Set(theorem)] }) };
  return await work({ choices: [choice], task: null, settings, permissions, ...told(options) }, (watcher) =>
    RunLog.create(runs, watcher),
  );
}

type NamedWork =
  { readonly file: string; readonly task?: never } | { readonly task: string; readonly file?: never };

function namedWork(file: string | undefined, { task }: AgentOptions): NamedWork {
  if (task !== undefined && file !== undefined)
    throw new QuodError('invalid-input', 'A file and a task were named.', {
      remedy: 'The task names its files: leave the other one out.',
    });
  if (task !== undefined) return { task };
  if (file !== undefined) return { file };
  throw new QuodError('invalid-input', 'No file was named.', {
    remedy: 'quod agent FILE [--theorem NAME], or quod agent --task FILE.',
  });
}

function noFileFor(driver: string, typed: Layer, { config }: AgentOptions): QuodError {
  const onTask = 'write what is to be proved into a task: quod agent --task FILE.';
  const origin = typed['driver'] === undefined ? originOf('driver', here(), config) : undefined;
  const says = origin === undefined ? '' : `, and ${foreignName(fromHere(origin))} names it as the driver`;
  return new QuodError('invalid-input', `${driver} works on tasks${says}.`, {
    remedy: `${origin === undefined ? 'Leave out --driver' : 'Add --driver quod'} to have Quod’s own agent work on the file, or ${onTask}`,
  });
}

/** The newest run on a task, unless it is finished. */
function unfinishedRun(runs: string, task: string): string | undefined {
  for (const name of listRuns(runs).toReversed()) {
    const state = stateOf(runs, name);
    if (state?.task?.file !== task) continue;
    return isFinished(state) ? undefined : name;
  }
  return undefined;
}

/** Every theorem has a proof that the gate accepted. */
function isFinished({ outcome }: RunState): boolean {
  return outcome === 'proved' || outcome === 'proved-but';
}

/** Undefined also for logs that cannot be read: they are no reason not to begin. */
function stateOf(runs: string, name: string): RunState | undefined {
  try {
    return foldRun(readRun(runs, name));
  } catch (error) {
    if (error instanceof QuodError) return undefined;
    throw error;
  }
}

const MOST_NAMED = 10;

/** The names of runs that are not finished and that nobody works on, newest first. */
function resumableRuns(runs: string): readonly string[] {
  const names: string[] = [];
  for (const name of listRuns(runs).toReversed()) {
    if (names.length === MOST_NAMED) break;
    const state = stateOf(runs, name);
    if (state !== undefined && !isFinished(state) && ownerOfRun(runs, name) === undefined) names.push(name);
  }
  return names;
}

/** What to say where no run is named. */
function noRunNamed(runs: string): QuodError {
  const names = resumableRuns(runs);
  return new QuodError('invalid-input', 'No run was named.', {
    remedy:
      names.length === 0
        ? 'There is none here to go on with; `agent_runs` lists all.'
        : `Name one that is not finished, newest first: ${names.join(', ')}.`,
  });
}

/** @param wanted The name of a run, the beginning of it, or `last`. */
export async function resumeCommand(wanted: string | undefined, options: AgentOptions): Promise<ExitCode> {
  const runs = runsFolder(process.cwd());
  if (wanted === undefined) throw noRunNamed(runs);
  const name = findRun(runs, wanted);
  const records = readRun(runs, name);
  const state = foldRun(records);
  if (state === undefined) {
    throw new QuodError('invalid-input', `Run ${name} ended before it began.`, {
      remedy: 'Start a new one.',
    });
  }
  const typed = commandSettings(options, state.task !== null);
  const { settings, message } = resumedSettings(state.settings, typed);
  if (message !== undefined && !told(options).json) console.error(message);
  const own = await permissionsWith(typed);
  const permissions = options.outside === true ? { ...own, borderOfPrompts: () => undefined } : own;
  const named = [...state.files.map(({ file }) => file), ...(state.task === null ? [] : [state.task.file])];
  if (options.outside !== true)
    await requireOfThisFolder(named, {
      message: `The log of run ${name} names a file that is not of this folder.`,
      remedy: `If you began that run and mean that file: quod resume ${name} --outside. Else start a new run.`,
    });
  const written = records.flatMap(({ event }) => (event.kind === 'written' ? [event.fileHash] : []));
  const proofs = new Map(
    records.flatMap(({ event }) =>
      event.kind === 'theorem-ended' && event.proof !== null
        ? [[event.theorem, { proof: event.proof, before: event.before }] as const]
        : [],
    ),
  );
  const isComparedLater = state.task !== null && state.settings.driver !== 'quod';
  // A program that writes proofs itself is told of no theorem, and what stands there in the end is what counts.
  const leavesOthers = settings.driver === 'quod';
  const found = records.flatMap(({ event }) =>
    event.kind === 'theorem-ended' && event.proof !== null
      ? [{ theorem: event.theorem, proof: event.proof }]
      : [],
  );
  const known = { proofs, found, isComparedLater, leavesOthers };
  const choices = state.files.map((file) => choiceOf(file, { ...known, written }));
  const { task, leftOut } = state;
  return await work({ choices, task, leftOut, settings, permissions, ...told(options) }, (watcher) =>
    RunLog.reopen(runs, name, watcher),
  );
}

/** Who is told of the run, and how. */
function told({ json, steered, held }: AgentOptions): Pick<Work, 'json' | 'steered' | 'held'> {
  const isHeld = held === true;
  const isSteered = isHeld || steered === true;
  return { json: isSteered || json === true, steered: isSteered, held: isHeld };
}

function choiceOf(
  { file, fileHash, theorems, text, leftOut }: RunState['files'][number],
  { written, ...left }: Omit<KnownFile, 'original' | 'hashes'> & { readonly written: readonly string[] },
): TargetChoice {
  return {
    file,
    theorems,
    leftOut,
    known: { original: text, hashes: [fileHash, ...written], ...left },
  };
}

/** What somebody typed is allowed from then on in this folder: the run can be gone on with. */
async function permissionsWith(typed: Layer): Promise<Permissions> {
  const { providers, driver, driverCommand } = typed;
  await allow(here(), reachesOf(mergeSettings({ providers, driver, driverCommand })));
  return permissionsHere(here(), typed);
}

/** @param onTask `--max-messages` is there the length of a context, and ends nothing. */
function commandSettings(options: AgentOptions, onTask: boolean): Partial<Record<keyof Settings, unknown>> {
  const { model, mode, planning, rounds, searchFirst, driver } = options;
  const { maxCost, maxTime, maxToolCalls, maxMessages, jobs, write, allowOpen } = options;
  const named = {
    ...{ model, mode, planning, rounds, searchFirst, driver, maxCost, maxToolCalls, jobs, write, allowOpen },
    ...(onTask ? { handoffMessages: maxMessages } : { maxMessages }),
  };
  return {
    ...Object.fromEntries((options.set ?? []).flatMap((text) => Object.entries(settingOfText(text)))),
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
    ...(maxTime !== undefined && { maxTime: maxTime / 1000 }),
  };
}
