/**
 * A run in the terminal: its events as lines or as JSON, and Ctrl+C. The first one stops the step that is under
 * way, with everything recorded; where somebody sits at the terminal, they are asked for a message to the model and
 * the run goes on.
 */
import { existsSync } from 'node:fs';
import { sayRemedies } from '../../../core/remedies/run-remedies.ts';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { restsOnOpenText } from '../../../core/rests-on.ts';
import { requireMeans, worksAlone } from '../../../agent/means.ts';
import { runAgent } from '../../../agent/run.ts';
import type { RunRecord } from '../../../agent/runs/events.ts';
import type { Task } from '../../../agent/runs/task-schema.ts';
import { foldRun } from '../../../agent/runs/fold.ts';
import { RunLog, listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import type { Permissions } from '../../../agent/configuration/reach.ts';
import type { Settings } from '../../../agent/settings.ts';
import type { LeftOutFile, TargetFile } from '../../../agent/target.ts';
import { choicesOfRun, openTargets } from '../../../agent-targets/open-targets.ts';
import type { TargetChoice } from '../../../agent-targets/target-choice.ts';
import { requireReplaceable } from '../../../operations/files/replace-file.ts';
import { readEditedFile } from '../../../operations/files/source-file.ts';
import { leadsOut } from '../../../process/foreign-folder/leads-out.ts';
import { requireHol4 } from '../../../provers/hol4/discovery.ts';
import { findRocqProject, type RocqProject } from '../../../provers/rocq/project/project.ts';
import { openHost } from '../../host.ts';
import { foreignName, inert, inertJson } from '../../../core/foreign-text.ts';
import { installedPage, readPackageVersion } from '../../../core/installed-package.ts';
import { QuodError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/shell-text.ts';
import { fromHere } from '../terminal/from-here.ts';
import { LiveView } from './agent-live.ts';
import { eventLine } from '../../../agent/runs/event-line.ts';
import { mcpLaunch, taskFiles } from './agent-task.ts';
import { canRedraw } from '../terminal/can-redraw.ts';
import { drawingStream } from '../terminal/guarded-stream.ts';
import { openLiveLines } from '../terminal/live-lines.ts';
import type { ExitCode } from '../exit/exit-codes.ts';
import { exitCodeOfRun } from './run-exit-code.ts';
import { readMessages } from './read-messages.ts';
import { areOutside, resumeAdvice } from './resume-advice.ts';
import { inCommandWords } from '../terminal/command-words.ts';
import { removingNewCaches } from '../terminal/new-caches.ts';
import { lastWords, usersOwnText } from './last-words.ts';
import { exitSoon } from '../exit/exit-soon.ts';
import { printError } from '../terminal/print-error.ts';
import { endOfStopped } from '../../../agent/workflow/conclusion.ts';
import { listenForInterrupt, type Interrupt } from '../terminal/interrupt.ts';

export interface Work {
  readonly choices: readonly TargetChoice[];
  readonly task: Task | null;
  /** Files in which an earlier part of the run could work on nothing. */
  readonly leftOut?: readonly LeftOutFile[];
  readonly settings: Settings;
  readonly permissions: Permissions;
  readonly json: boolean;
  /**
   * Messages to the model are read from the input while the run works, and its name is the first line of the
   * output.
   */
  readonly steered: boolean;
  /** Nothing is asked or written before whoever reads the name says so. */
  readonly held: boolean;
}

type Watcher = (record: RunRecord) => void;

export async function work(
  { choices, task, leftOut: earlier = [], settings: asked, permissions, json, steered, held }: Work,
  open: (watcher: Watcher) => RunLog,
): Promise<ExitCode> {
  // The work on a task is in its files, also where it is gone on with.
  const settings = task === null ? asked : { ...asked, write: true };
  requireMeans(settings);
  const projects = await Promise.all(choices.map(async ({ file }) => projectOf(file)));
  const removeNewCaches = removingNewCaches(projects.map(({ root }) => root));
  const host = await openHost({ folder: process.cwd(), confined: false, operations: [] });
  let endAtOnce: (() => void) | undefined;
  const listen = (): Interrupt => listenForInterrupt({ withReader: true, atOnce: () => endAtOnce?.() });
  let interrupt = listen();
  try {
    const files: TargetFile[] = [];
    const leftOut = [...earlier];
    for (const { file, holes } of earlier) tellLeftOut(file, holes);
    let leavesHoles = earlier.length > 0;
    for (const choice of await choicesOfRun(host, choices)) {
      const policy = settings.settleFor === null ? {} : { settleFor: [settings.settleFor] };
      const opened = await openTargets(host, { ...choice, policy }, interrupt.signal);
      const finished = leftFinished(choice, opened);
      if (finished.length > 0)
        console.error(inert(`${foreignName(choice.file)}: ${finished.join(', ')} ${FINISHED}`));
      const { file, leftOut: holes = [], usersOwn = [] } = opened;
      tellLeftOut(choice.file, usersOwn.map(usersOwnText));
      tellLeftOut(choice.file, holes);
      leavesHoles ||= holes.length > 0;
      if (opened.targets.length + usersOwn.length > 0) files.push(opened);
      else if (holes.length > 0) leftOut.push({ file, holes });
    }
    if (files.length === 0) {
      const names = choices.map(({ file }) => foreignName(file)).join(', ');
      console.error(inert(leavesHoles ? `${names}: no hole that can be worked on.` : `${names}: no hole.`));
      return leavesHoles ? 2 : 0;
    }
    // Like other provers, before there is a run that could only be gone on with in vain.
    const isBegun = choices.some(({ known }) => known !== undefined);
    if (!isBegun && files.some(({ file }) => file.endsWith('Script.sml'))) requireHol4();
    // Another program writes its proofs itself.
    if (settings.driver === 'quod' && settings.write)
      await requireAllReplaceable([...files.map(({ file }) => file), ...(task === null ? [] : [task.file])]);
    const screen = json || !canRedraw(process.stderr) ? undefined : await openScreen(settings);
    if (!json && worksAlone(settings)) {
      console.error(
        `No model is in use: the offline search works alone, ${settings.searchSeconds} s for each theorem (--set search-seconds=60 gives it more). Name one with --model PROVIDER/MODEL; ${installedPage('agents/agent.md')} lists the providers and where their keys stand.`,
      );
    }
    const outside = worksAlone(settings) ? [] : new Set(projects.flatMap(foldersOutside));
    for (const folder of outside)
      console.error(
        inert(
          `The project has sources outside of it, in ${foreignName(folder)}: models are told of them, too.`,
        ),
      );
    let isNameTold = false;
    // As this process recorded them: the log may be changed behind its back.
    const records: RunRecord[] = [];
    const watcher: Watcher = (record) => {
      records.push(record);
      // Only now: a run that could not begin has no name that anybody needs.
      if (!isNameTold && steered) console.log(inertJson({ run: log.name }));
      else if (!isNameTold) console.error(`Run ${log.name}`);
      isNameTold = true;
      if (json) console.log(inertJson(record));
      const told = eventLine(record);
      const line = told === undefined ? undefined : sayRemedies(told, inCommandWords);
      if (screen !== undefined) screen.add(record, line);
      else if (!json && line !== undefined) console.error(line);
    };
    const hasBegun = (): boolean => isNameTold;
    let log = open(watcher);
    const { name, past } = log;
    const named = [...files.map(({ file }) => file), ...(task === null ? [] : [task.file])];
    const isOutside = await areOutside(named);
    const goOn = (): string =>
      `Go on with: ${resumeAdvice(name, { settings, isOutside, isTask: task !== null })}`;
    // A second signal leaves no time for what may be wrong with settings by then.
    const plainAdvice = goOn();
    const runs = runsFolder(process.cwd());
    const given =
      task === null ? undefined : { task, files: await taskFiles(task, log.past), mcp: mcpLaunch(task) };
    const messages = steered ? readMessages(process.stdin) : undefined;
    const endingAtOnce = (): void => {
      if (!hasBegun()) return;
      screen?.rest();
      const state = foldRun(past.concat(records));
      if (state?.outcome === 'open') log.append(endOfStopped(state.theorems));
      if (!told.isTotal) tell();
      console.error(plainAdvice);
      log.close();
    };
    const told = { isTotal: false };
    const tell = (): readonly RunRecord[] => {
      told.isTotal = true;
      const all = past.concat(records);
      if (!json) printProofs(all);
      if (!steered) for (const line of lastWords(all, name)) console.error(inert(line));
      return all;
    };
    endAtOnce = endingAtOnce;
    try {
      for (;;) {
        const { outcome } = await runAgent({
          ...{
            log,
            files,
            leftOut,
            settings,
            quod: readPackageVersion(),
            environment: process.env,
            permissions,
          },
          ...(given !== undefined && { task: given }),
          ...(messages !== undefined && { onMessage: messages.tell }),
          ...(held && messages !== undefined && { mayBegin: messages.begun }),
          signal: interrupt.signal,
        });
        screen?.rest();
        log.requireThere();
        readRun(runs, name);
        if (outcome !== 'interrupted') {
          const all = tell();
          if (!steered && outcome === 'budget-exhausted')
            console.error(
              `${goOn()} and a larger budget (--max-cost, --max-time, --max-messages, --max-tool-calls)`,
            );
          if (!steered && outcome === 'failed') console.error(goOn());
          endAtOnce = undefined;
          const code = exitCodeOfRun(outcome, all, settings.allowOpen);
          // What was left out is open.
          return code === 0 && leavesHoles ? 1 : code;
        }
        const said = json ? undefined : await askUser(interrupt.stop);
        if (said === undefined) {
          tell();
          console.error(goOn());
          endAtOnce = undefined;
          return 130;
        }
        if (said !== '') log.append({ kind: 'user-said', text: said });
        interrupt = listen();
        log.close();
        log = RunLog.reopen(runs, name, watcher);
      }
    } catch (error) {
      // Nothing has begun that could be gone on with, or it was taken away.
      if (!hasBegun() || !listRuns(runs).includes(name)) throw error;
      screen?.rest();
      const code = printError(error, { json });
      // What is recorded is there, also where there was no room to record more.
      if (!told.isTotal) tell();
      console.error(isReadable(runs, name) ? goOn() : newRunAdvice(choices, task));
      endAtOnce = undefined;
      return code;
    } finally {
      messages?.close();
      screen?.rest();
      log.close();
    }
  } finally {
    await host.services.close();
    await removeNewCaches();
    interrupt.stop();
    exitSoon();
  }
}

function isReadable(runs: string, name: string): boolean {
  try {
    readRun(runs, name);
    return true;
  } catch (error) {
    if (error instanceof QuodError) return false;
    throw error;
  }
}

/** How the work goes on where the log cannot be read: proofs that are written are in the files. */
function newRunAdvice(choices: readonly TargetChoice[], task: Task | null): string {
  if (task !== null)
    return `Begin a new run with the files as they are: quod agent --task ${shellWord(foreignName(fromHere(task.file)))} --fresh`;
  const files = choices.map(({ file }) => `quod agent ${shellWord(foreignName(fromHere(file)))}`);
  return `Begin a new run with the file as it is: ${files.join(', ')}`;
}

/** Before anything is paid. @throws QuodError for the first that could not be written; one that is gone is told where it is needed. */
async function requireAllReplaceable(files: readonly string[]): Promise<void> {
  for (const file of files) if (existsSync(file)) await requireReplaceable(await readEditedFile(file));
}

const FINISHED =
  'had a finished proof before, which is left as it is (quod agent FILE --theorem NAME proves one anew).';

/** What was named and is no target, since its proof is finished. */
function leftFinished(
  { theorems = [] }: TargetChoice,
  { targets, usersOwn = [] }: TargetFile,
): readonly string[] {
  return theorems.filter((name) => [...targets, ...usersOwn].every(({ theorem }) => theorem !== name));
}

function tellLeftOut(file: string, holes: readonly string[]): void {
  for (const hole of holes) console.error(inert(`${foreignName(file)}: ${hole}`));
}

async function projectOf(file: string): Promise<Pick<RocqProject, 'root' | 'loadPath'>> {
  try {
    return await findRocqProject(file);
  } catch {
    // A project that cannot be read is told of when the file is opened.
    return { root: dirname(resolve(file)), loadPath: [] };
  }
}

/** Of the folders that the project names: those that exist and are not below it. */
function foldersOutside({ root, loadPath }: Pick<RocqProject, 'root' | 'loadPath'>): readonly string[] {
  return loadPath.flatMap(({ physical }) =>
    existsSync(physical) && leadsOut(physical, root) ? [physical] : [],
  );
}

interface Screen {
  /** Shows the line of an event above what is redrawn. */
  add(record: RunRecord, line: string | undefined): void;
  /** Removes what is redrawn, until the next event. */
  rest(): void;
}

const REDRAW_EVERY_MS = 500;

async function openScreen(settings: Settings): Promise<Screen> {
  const live = await openLiveLines(process.stderr);
  const view = new LiveView(settings);
  const redraw = (): void => live.draw(view.lines(Date.now()));
  let timer: NodeJS.Timeout | undefined;
  return {
    add: (record, line) => {
      view.add(record);
      if (line !== undefined) live.keep(line);
      timer ??= setInterval(redraw, REDRAW_EVERY_MS);
      redraw();
    },
    rest: () => {
      clearInterval(timer);
      timer = undefined;
      live.clear();
    },
  };
}

/** What the user wants to say; empty: just go on; undefined: quit, or nobody is there. */
async function askUser(stopListening: () => void): Promise<string | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const lines = createInterface({ input: stdin, output: drawingStream(stderr) });
  try {
    const stopped = new AbortController();
    lines.on('SIGINT', () => stopped.abort());
    lines.on('close', () => stopped.abort());
    stopListening();
    const answer = await lines.question('Stopped. A message to the model, nothing to go on, q to quit: ', {
      signal: stopped.signal,
    });
    return answer.trim() === 'q' ? undefined : answer.trim();
  } catch {
    // A second Ctrl+C, or the end of the input.
    return undefined;
  } finally {
    lines.close();
  }
}

function printProofs(records: readonly RunRecord[]): void {
  for (const { outcome, statement, proof, before, restsOnOpen } of foldRun(records)?.theorems ?? []) {
    if (proof === null) continue;
    const text = inert(`${before === undefined ? '' : `${before}\n\n`}${statement}\n${proof}\n`);
    if (outcome === 'not-judged') console.log(`(* Found, but not judged.\n${text}*)\n`);
    else if (restsOnOpen.length === 0) console.log(text);
    else console.log(`(* Proved, but ${restsOnOpenText(restsOnOpen)}. *)\n${text}`);
  }
}
