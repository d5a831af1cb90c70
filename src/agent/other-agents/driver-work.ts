/**
 * A task that another command-line agent works on. It gets Quod's tools by MCP; Quod keeps the budgets and the log, and
 * after each turn the gate compares the files with what they were at the start. What the other agent says of its
 * success is not heard; it is told what the gate says, and goes on, until every target is accepted or a budget is
 * used up.
 */
import { writeFile } from 'node:fs/promises';
import { RUN_REMEDIES } from '../../core/remedies/run-remedies.ts';
import { dirname, join } from 'node:path';
import { orNothing } from '../../core/entry.ts';
import { QuodError } from '../../core/errors.ts';
import { sha256 } from '../../core/sha256.ts';
import { findExecutable } from '../../process/executable.ts';
import { GuardedChild, exitText } from '../../process/guarded-child.ts';
import { ProcessMark } from '../../process/marked-processes.ts';
import { clause } from '../../core/sentence.ts';
import { appendAll } from '../../core/lists/many.ts';
import { FramingError } from '../../process/message-framing.ts';
import { textWithoutCredentials } from '../address-credentials.ts';
import { theoremAccepted, theoremNotJudged } from '../workflow/conclusion.ts';
import type { RunContext } from '../workflow/run-context.ts';
import { timed } from '../workflow/run-context.ts';
import type { Usage } from '../models/prices.ts';
import type { EventOf } from '../runs/events.ts';
import type { Task } from '../runs/task-schema.ts';
import type { ProofsApart, TargetFile } from '../target.ts';
import { notTogether } from '../workflow/ask-together.ts';
import { concludeTask } from '../task/concluded-task.ts';
import { commitTask, resumesOf } from '../task/task-commit.ts';
import { namedTarget, withoutHandoff } from '../task/task-file.ts';
import type { TaskFiles } from '../task/task-files.ts';
import { BesideReader, besideProblem, changedBeside, touchedBetween } from './project-beside.ts';
import type { ProjectBeside } from './project-beside.ts';
import { driverEnvironment } from './driver-environment.ts';
import { DriverCost } from './driver-cost.ts';
import { DRIVER_PROGRAMS, driverArguments, mcpFileText } from './driver-command.ts';
import type { McpLaunch } from './driver-command.ts';
import { driverEvents } from './driver-output.ts';
import type { DriverName } from './driver-stream.ts';
import { TurnStop } from './turn-stop.ts';
import { TurnUsage } from './turn-usage.ts';
import { makeScratchFolder, removeScratchFolder } from '../../process/scratch-folder.ts';

export interface DriverRequest {
  readonly driver: DriverName;
  readonly files: readonly TargetFile[];
  /** Each file when the run began. */
  readonly originals: ReadonlyMap<string, Pick<TargetFile, 'text' | 'fileHash'>>;
  /** The rest of the project when the run began. */
  readonly beside: ProjectBeside;
  readonly task: Task;
  readonly taskFiles: TaskFiles;
  readonly mcp: McpLaunch;
  readonly environment: NodeJS.ProcessEnv;
}

/** Turns in a row without a tool call or a proof after which it is given up. */
const IDLE_TURNS = 2;

/** What is kept of one turn, in events for each message that a context may have, and in characters. */
const KEPT_EVENTS_A_MESSAGE = 4;
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** How long the output of a program that has ended is read: what it started may hold it open for hours. */
const OUTPUT_AFTER_END_MS = 2000;

type AcceptedProof = EventOf<'compared'>['accepted'][number];

const HANDED_OFF = 'its context was long enough';

export class DriverWork {
  readonly #run: RunContext;
  readonly #request: DriverRequest;
  readonly #program: string;
  readonly #cost: DriverCost;
  /** Proofs that stand in the files as they were last judged. */
  #proved: ReadonlyMap<string, AcceptedProof> = new Map();
  /** Proofs that stand in the files and that the gate could not look at. */
  #unjudged: EventOf<'compared'>['unjudged'] = [];
  #findings: readonly string[] = [];
  /** Files whose proofs the gate accepted one by one, and not together. */
  #apart: ReadonlyMap<TargetFile, ProofsApart> = new Map();
  readonly #besideReader: BesideReader;

  /**
   * @throws QuodError `not-found` when the program is not installed, `invalid-input` when its cost cannot be
   * limited.
   */
  constructor(run: RunContext, request: DriverRequest) {
    const { settings } = run;
    const { driver, environment } = request;
    const { title, program } = DRIVER_PROGRAMS[driver];
    const wanted = settings.driverCommand ?? program;
    const found = findExecutable([wanted], environment);
    if (found === undefined) {
      throw new QuodError('not-found', `${title} is not installed: there is no program ${wanted}.`, {
        remedy: 'Install it, name it with --set driver-command=PATH, or leave --driver out.',
      });
    }
    this.#cost = new DriverCost(driver, settings);
    this.#run = run;
    this.#request = request;
    this.#besideReader = new BesideReader({
      folder: dirname(request.task.file),
      files: request.files.map(({ file }) => file),
    });
    this.#program = found;
  }

  /**
   * However it ends, what the gate accepted until then counts, and files that it did not look at since are told as such.
   * @throws what ends a run: budgets, interruption, a program that cannot work.
   */
  async run(): Promise<void> {
    for (const [file, { fileHash }] of this.#request.originals) this.#run.judgedFiles.seen(file, fileHash);
    try {
      await this.#turns();
    } finally {
      this.#conclude();
      if (!this.#run.signal.aborted) await this.#concludeTask();
    }
  }

  async #turns(): Promise<void> {
    const { eventLog, settings, budget, signal } = this.#run;
    for (const { theorem, statement } of this.#targets)
      eventLog.note({ kind: 'theorem-started', key: theorem, theorem, statement });
    let session: string | null = null;
    let idle = 0;
    // It may have been stopped anywhere, also in the middle of a turn: what it had written until then counts.
    if (this.#resumes > 0) await this.#judge(`driver/resumed-${this.#resumes}`);
    for (let turn = 1; turn <= settings.contexts && this.#open.length > 0; turn++) {
      const key = `driver/turn-${turn}`;
      const known = eventLog.recorded('driver-ended', key);
      if (known !== undefined) {
        session = sessionAfter(known);
        continue;
      }
      const before = this.#proved.size;
      const { ended, stopped } = await this.#turn(key, session);
      // What it wrote until then counts, where there is time left to judge it.
      if (stopped === undefined || (!signal.aborted && budget.timeLeft !== 0)) await this.#judge(key);
      if (stopped !== undefined) throw stopped;
      session = sessionAfter(ended);
      const idled = ended.toolCalls === 0 && this.#proved.size === before;
      if (ended.outcome === 'failed' && idled) {
        throw this.#failed(clause(ended.message));
      }
      idle = idled ? idle + 1 : 0;
      if (idle >= IDLE_TURNS) break;
    }
    for (const [file, { finding }] of this.#apart) throw notTogether(file, finding);
  }

  /** Records what stands proved in the files now. */
  #conclude(): void {
    const { eventLog } = this.#run;
    for (const [theorem, accepted] of this.#proved)
      eventLog.note(theoremAccepted(theorem, accepted, 'driver', 'accepted by the gate'));
    for (const { theorem, proof, message } of this.#unjudged)
      eventLog.note(theoremNotJudged(theorem, proof, 'driver', message));
  }

  /** The rest of the project when the run began. */
  get beside(): ProjectBeside {
    return this.#request.beside;
  }

  /** How often the run was resumed, this time included. */
  get #resumes(): number {
    return resumesOf(this.#run);
  }

  get #title(): string {
    return DRIVER_PROGRAMS[this.#request.driver].title;
  }

  #failed(why: string): QuodError {
    return new QuodError('protocol-error', `${this.#title} failed: ${why}.`, {
      remedy: RUN_REMEDIES.byItself,
    });
  }

  get #targets(): readonly { readonly theorem: string; readonly statement: string; readonly file: string }[] {
    return this.#request.files.flatMap(({ targets }) => targets);
  }

  get #open(): readonly { readonly theorem: string; readonly file: string }[] {
    const apart = [...this.#apart.values()].flatMap(({ theorems }) => theorems);
    return this.#targets.filter(({ theorem }) => !this.#proved.has(theorem) || apart.includes(theorem));
  }

  /** @returns also why the run ends with the turn, where it was stopped for that. */
  async #turn(
    key: string,
    session: string | null,
  ): Promise<{ readonly ended: EventOf<'driver-ended'>; readonly stopped: Error | undefined }> {
    const { eventLog, budget, settings } = this.#run;
    const { driver, mcp, task, environment } = this.#request;
    budget.requireTime();
    budget.requireCost();
    budget.requireMessage();
    // A turn that a crash cut off is made again, in the session that it had begun.
    const begun = eventLog.recorded('driver-started', key);
    const folder = makeScratchFolder('driver');
    const mark = new ProcessMark();
    const began = performance.now();
    let keptEvents = 0;
    let kept = 0;
    let toolCalls = 0;
    const told = new TurnUsage();
    let ofTurn: Usage | undefined;
    let current = begun?.session ?? session;
    let isTold = false;
    let reason: TurnStop['reason'];
    let end: { failed: boolean; message: string; cost: number | null } | undefined;
    try {
      const mcpFile = join(folder, 'mcp.json');
      await writeFile(mcpFile, mcpFileText(mcp));
      const prompt = this.#prompt(key, current !== null);
      const model = settings.model;
      const commandLine = driverArguments(driver, { mcp, mcpFile, model, session: current });
      const child = await GuardedChild.start(this.#program, commandLine, {
        folder: dirname(task.file),
        environment: mark.in(driverEnvironment(driver, environment)),
        outputAfterEndMs: OUTPUT_AFTER_END_MS,
      });
      child.input.end(prompt);
      const halt = new TurnStop(child, this.#run);
      try {
        for await (const event of driverEvents(driver, child.output)) {
          if (halt.reason !== undefined) break;
          if (event.kind === 'session') {
            // Also of a turn that is made again: it may be lost again.
            if (current !== event.id || !isTold)
              eventLog.append({ kind: 'driver-started', key, driver, session: event.id });
            current = event.id;
            isTold = true;
          } else if (event.kind === 'ended') {
            end = event;
            ofTurn = event.usage ?? ofTurn;
          } else {
            const { id, text, message } = event;
            const results = event.results.map((result) => result.slice(0, settings.answerCharacters));
            const said = { id, message, text, calls: [...event.calls], results };
            kept += JSON.stringify(said).length;
            if (keptEvents >= settings.handoffMessages * KEPT_EVENTS_A_MESSAGE || kept > KEPT_CHARACTERS) {
              halt.stop('handoff');
              break;
            }
            eventLog.append({ kind: 'driver-said', key: `${key}/said-${++keptEvents}`, ...said });
            const known = told.messages.count;
            told.add(event);
            toolCalls += event.calls.length;
            halt.within(() => event.calls.forEach(() => budget.takeToolCall()));
            if (told.messages.count > known) budget.countMessage();
            halt.within(() => budget.requireMessage());
            if (told.messages.count >= settings.handoffMessages) halt.stop('handoff');
          }
        }
      } catch (error) {
        if (error instanceof FramingError) halt.stop(this.#failed(`it wrote ${clause(error.message)}`));
        // Of one that was stopped the output is cut off, and of one that ended what others still hold open.
        else if (halt.reason === undefined && !child.ended) throw error;
      } finally {
        halt.close();
      }
      const exit = await child.exited;
      ({ reason } = halt);
      if (end === undefined && reason === undefined) {
        const why = orNothing(exit.errorOutput.trim().split('\n').at(-1));
        end = { failed: true, message: why || `it ${exitText(exit)}`, cost: null };
      }
    } finally {
      // What it left could go on writing while the gate judges.
      await mark.end();
      removeScratchFolder(folder);
    }
    const { written, messages } = told;
    const { calls } = messages;
    if (messages.count < calls) budget.countMessage();
    const said = { calls, written, characters: kept };
    const paid = this.#cost.ofTurn(end?.cost ?? null, ofTurn ?? told.total, said);
    budget.spend(paid.cost);
    const ended = eventLog.note({
      kind: 'driver-ended',
      key,
      driver,
      session: current,
      outcome: reason === undefined ? (end?.failed === true ? 'failed' : 'ended') : 'stopped',
      message: textWithoutCredentials(end?.message ?? (reason === 'handoff' ? HANDED_OFF : 'stopped')).slice(
        0,
        2000,
      ),
      ...paid,
      calls,
      toolCalls,
      ms: Math.round(performance.now() - began),
    });
    return { ended, stopped: reason instanceof Error ? reason : undefined };
  }

  #prompt(key: string, goesOn: boolean): string {
    const { prompts, eventLog } = this.#run;
    const { task } = this.#request;
    const open = this.#open.map((target) => `- ${namedTarget(target, task)}`).join('\n');
    const heard = orNothing(eventLog.userMessage(key));
    const findings = this.#findings.map((finding) => `- ${finding}`).join('\n');
    return goesOn
      ? prompts.fill('driver-again', { open, findings, said: heard })
      : prompts.fill('driver', {
          task: withoutHandoff(task.text),
          instructions: task.instructions,
          open,
          findings,
          said: [task.prompt, heard].filter((text) => text !== '').join('\n\n'),
        });
  }

  /** The gate's word on the files as they are now, against what they were. */
  async #judge(key: string): Promise<void> {
    const { eventLog, judgedFiles } = this.#run;
    const findings: string[] = [];
    const proved = new Map<string, AcceptedProof>();
    const unjudged: EventOf<'compared'>['unjudged'] = [];
    const apart = new Map<TargetFile, ProofsApart>();
    for (const file of this.#request.files) {
      const original = orNothing(this.#request.originals.get(file.file)?.text);
      const compared = await eventLog.once('compared', `${key}/${file.file}`, async () => {
        const problemBefore = await this.#problemBeside();
        const stamps = this.#besideReader.stamps();
        const { result, ms } = await timed(
          this.#run,
          (signal) => file.compare(original, signal),
          ({ unjudged, findings }) => unjudged.length === 0 && findings.length === 0,
        );
        // What is read while the gate judges must not be others' for a moment, either.
        const problem = problemBefore ?? (await this.#problemBeside(stamps));
        const { bytes, apart: together, ...said } = result;
        const rest = {
          ...said,
          ...(together !== undefined && { apart: { ...together, theorems: [...together.theorems] } }),
          findings: [...(problem === undefined ? [] : [problem]), ...result.findings],
          ms,
        };
        const proves = problem === undefined && result.clean && result.accepted.length > 0;
        if (bytes !== undefined && proves) judgedFiles.judged(file.file, bytes);
        else if (bytes !== undefined) judgedFiles.seen(file.file, sha256(bytes));
        const accepted = result.accepted.map((proof) => ({ ...proof, restsOnOpen: [...proof.restsOnOpen] }));
        if (problem === undefined) return { ...rest, accepted, unjudged: [...result.unjudged] };
        const judgedBeside = accepted.map(({ theorem, proof }) => ({ theorem, proof, message: problem }));
        return { ...rest, accepted: [], unjudged: [...result.unjudged, ...judgedBeside] };
      });
      appendAll(findings, compared.findings);
      // In a file that was changed elsewhere no proof is one of the task's.
      if (compared.clean) for (const proof of compared.accepted) proved.set(proof.theorem, proof);
      appendAll(unjudged, compared.unjudged);
      const isCounted = compared.clean && compared.accepted.length > 0;
      if (isCounted && compared.apart !== undefined) apart.set(file, compared.apart);
    }
    this.#apart = apart;
    this.#proved = proved;
    this.#unjudged = unjudged.filter(({ theorem }) => !proved.has(theorem));
    this.#findings = [...new Set(findings)];
  }

  /** @param stamps at which the files beside were seen before. */
  async #problemBeside(stamps?: ReadonlyMap<string, string>): Promise<string | undefined> {
    const { task, files, beside } = this.#request;
    const own = files.map(({ file }) => file);
    const changed = changedBeside(beside, await this.#besideReader.read(beside), own);
    const touched = stamps === undefined ? [] : touchedBetween(stamps, this.#besideReader.stamps(), own);
    return besideProblem([...new Set([...changed, ...touched])], dirname(task.file));
  }

  async #concludeTask(): Promise<void> {
    const { task, taskFiles, files: targetFiles } = this.#request;
    if (this.#proved.size === 0) return;
    const open = new Set(this.#open.map(({ theorem }) => theorem));
    const written = targetFiles
      .filter(({ targets }) => targets.some(({ theorem }) => this.#proved.has(theorem)))
      .map(({ file }) => file);
    // What lies in the files may be another text than an earlier part of the run committed, or failed to commit.
    const key = `driver/ended-${this.#resumes}`;
    await concludeTask(this.#run, key, {
      ...{ task, files: taskFiles, targets: targetFiles.flatMap(({ targets }) => targets) },
      isProved: ({ theorem }) => !open.has(theorem),
    });
    await commitTask(this.#run, key, {
      ...{ task, taskFiles, targetFiles, written },
      ...{ proofs: this.#proved, apart: this.#apart },
    });
  }
}

/** One whose context was long enough begins anew, with the files as they are. */
function sessionAfter({ message, session }: EventOf<'driver-ended'>): string | null {
  return message === HANDED_OFF ? null : session;
}
