/** A run from its beginning, or from where its log ends. */
import { dirname } from 'node:path';
import { orZero, underName } from '../core/entry.ts';
import { QuodError, errorText } from '../core/errors.ts';
import { whyNoFile } from '../process/foreign-folder/what-lies-there.ts';
import { Budget } from './budget.ts';
import { reachOfDriver, requirePermission } from './configuration/reach.ts';
import type { Permissions } from './configuration/reach.ts';
import { requireMeans } from './means.ts';
import { RoleModels } from './role-models.ts';
import { outcomeOfAccepted, runSummary, type TheoremNow } from './workflow/conclusion.ts';
import { askTogether, notTogether, notTogetherText } from './workflow/ask-together.ts';
import { confirm, NOTHING_CONFIRMED, type Confirmation } from './workflow/confirmation.ts';
import { JudgedFiles } from './workflow/judged-files.ts';
import { takenOutOf } from './workflow/taken-out.ts';
import { valuesElsewhere } from './workflow/values-elsewhere.ts';
import { judgeUsersOwn, usersOwnOf, usersTheorems } from './workflow/users-own.ts';
import { proveTheorem } from './workflow/theorem.ts';
import type { McpLaunch } from './other-agents/driver-command.ts';
import { DriverWork, type DriverRequest } from './other-agents/driver-work.ts';
import { readBeside, type ProjectBeside } from './other-agents/project-beside.ts';
import { standsAsProved } from './other-agents/standing-work.ts';
import { stoppable } from './workflow/run-context.ts';
import type { RunContext } from './workflow/run-context.ts';
import { Prompts } from './prompt-files.ts';
import type { EventOf } from './runs/events.ts';
import type { Task } from './runs/task-schema.ts';
import { foldRun, type RunState } from './runs/fold.ts';
import { EventLog } from './runs/event-log.ts';
import type { Appendable } from './runs/event-log.ts';
import { secretsIn } from './runs/secrets-left-out.ts';
import type { Settings } from './settings.ts';
import type { LeftOutFile, Target, TargetFile } from './target.ts';
import { concludeTask } from './task/concluded-task.ts';
import { commitAgain, resumesOf } from './task/task-commit.ts';
import { TaskWork } from './task/task-work.ts';
import type { TaskFiles } from './task/task-files.ts';

export interface RunRequest {
  /** Just created, or opened again. */
  readonly log: Appendable;
  /** The files with their targets; theorems are told apart by their names. */
  readonly files: readonly TargetFile[];
  /** Recorded, so that whoever goes on with the run is told of them, too. */
  readonly leftOut?: readonly LeftOutFile[];
  readonly task?: {
    readonly task: Task;
    readonly files: TaskFiles;
    /** How Quod's tools are offered to another agent that works on the task. */
    readonly mcp: McpLaunch;
  };
  readonly settings: Settings;
  readonly quod: string;
  readonly environment: NodeJS.ProcessEnv;
  /** What the settings may reach for, which are a stranger's where they came from a folder or a log. */
  readonly permissions: Permissions;
  readonly signal: AbortSignal;
  /** Takes what is called with each message of the user, while the run works. */
  readonly onMessage?: (said: (text: string) => void) => void;
  /** Settles when the run may ask and write, which it does not before; that it is there is recorded by then. */
  readonly mayBegin?: (signal: AbortSignal) => Promise<void>;
}

/** What a run needs before it may begin. @throws QuodError `invalid-input` and others for settings that cannot work. */
export async function runAgent(request: RunRequest): Promise<EventOf<'run-ended'>> {
  const { log, files, leftOut: aside = [], settings, signal, environment, permissions } = request;
  const [first] = files;
  if (first === undefined) throw new QuodError('invalid-input', 'There is nothing to prove.');
  requireMeans(settings);
  const targets = files.flatMap((one) => one.targets);
  requireDistinct(targets);
  const before = foldRun(log.past);
  const budget = new Budget(settings, {
    cost: orZero(before?.spent.cost) + orZero(before?.lostCost),
    messages: orZero(before?.spent.requests) + orZero(before?.lostCalls) + orZero(before?.openCalls),
    toolCalls: orZero(before?.toolCalls),
    elapsedMs: orZero(before?.elapsedMs),
  });
  const judgedFiles = new JudgedFiles(files);
  const { proofs: confirmed, events: confirmations, apart } = await confirmedOf(request, before, judgedFiles);
  const isDone = targets.every(({ theorem }) => confirmed.has(theorem));
  const eventLog = new EventLog(log, confirmed);
  for (const secret of secretsIn(environment, settings)) eventLog.keepOut(secret);
  const border = settings.prompts === null ? undefined : permissions.borderOfPrompts(settings.prompts);
  const prompts = Prompts.read(settings.prompts, border);
  // They were judged as they were opened.
  for (const { file, fileHash, targets: own } of files)
    if (own.some(({ theorem }) => confirmed.get(theorem)?.isWritten === true))
      await judgedFiles.written(file, fileHash);
  const run: RunContext = { settings, eventLog, budget, prompts, judgedFiles, signal };
  const originals = new Map((before?.files ?? files).map((one) => [one.file, one]));
  const driven = isDone ? undefined : await driverOf(run, request, originals, before?.beside);
  const roleModels =
    driven === undefined && !isDone
      ? await RoleModels.open({ settings, environment, permissions, eventLog, budget, signal })
      : undefined;
  eventLog.append(
    before === undefined
      ? {
          kind: 'run-started',
          format: 1,
          quod: request.quod,
          file: first.file,
          fileHash: first.fileHash,
          theorems: targets.map(({ theorem }) => theorem),
          files: files.map(({ file, fileHash, text, leftOut = [], targets: own }) => ({
            file,
            fileHash,
            theorems: own.map(({ theorem }) => theorem),
            ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
            text,
          })),
          ...(aside.length > 0 && { leftOut: aside.map(({ file, holes }) => ({ file, holes: [...holes] })) }),
          ...(driven !== undefined && { beside: driven.beside }),
          task: request.task?.task ?? null,
          settings,
        }
      : { kind: 'run-resumed', settings },
  );
  for (const event of confirmations) eventLog.append(event);
  request.onMessage?.((text) => eventLog.say(text));
  const ended = await outcomeOf(run, { files, apart }, async () => {
    await request.mayBegin?.(signal);
    if (driven !== undefined) await driven.run();
    // Another program has written its proofs itself.
    else if (settings.driver === 'quod' || !isDone) await workOn(run, roleModels, files, request.task);
    else if (request.task !== undefined) await settleTask(run, request.task, files);
  });
  return eventLog.append(ended);
}

/** What is taken over of an earlier part of the run. */
async function confirmedOf(
  { log, files, settings, task, signal }: RunRequest,
  before: RunState | undefined,
  judgedFiles: JudgedFiles,
): Promise<Confirmation> {
  if (before === undefined) return NOTHING_CONFIRMED;
  // Another program may have left anything in the files: they are compared with what they were before it goes on.
  const isCompared = task !== undefined && settings.driver !== 'quod';
  try {
    const found = await confirm(log.past, files, signal);
    if (!isCompared) return found;
    const proofs = new Map([...found.proofs].map(([theorem, { proof }]) => [theorem, proof]));
    const isDone = before.theorems.every(({ theorem }) => proofs.has(theorem));
    const stands = isDone && (await standsAsProved({ before, proofs }, files, judgedFiles, signal));
    return stands ? found : NOTHING_CONFIRMED;
  } catch (error) {
    if (isCompared && error instanceof QuodError && !signal.aborted) return NOTHING_CONFIRMED;
    throw error;
  }
}

/** @param beside what stood beside the files when the run began; undefined: it begins now. */
async function driverOf(
  run: RunContext,
  { files, task, settings, environment, permissions }: RunRequest,
  originals: DriverRequest['originals'],
  beside: ProjectBeside | undefined,
): Promise<DriverWork | undefined> {
  const { driver } = settings;
  if (driver === 'quod' || task === undefined) return undefined;
  // A folder's settings may not choose who gets the proofs, and is paid by the user.
  const program = reachOfDriver(settings);
  if (program !== undefined) requirePermission(program, permissions);
  return new DriverWork(run, {
    ...{ driver, files, originals, task: task.task, taskFiles: task.files, mcp: task.mcp, environment },
    beside:
      beside ??
      (await readBeside({
        folder: dirname(task.task.file),
        files: files.map(({ file }) => file),
      })),
  });
}

/** Proves what it can, and puts it into the files where that is asked for. @throws what ends the run. */
async function workOn(
  run: RunContext,
  roleModels: RoleModels | undefined,
  files: readonly TargetFile[],
  task: RunRequest['task'],
): Promise<void> {
  if (task !== undefined && roleModels !== undefined) {
    await new TaskWork({ ...run, roleModels }, files, task.task, task.files).run();
    return;
  }
  const { jobs, write } = run.settings;
  const waiting = files.flatMap(({ targets }) => targets);
  const failures: unknown[] = [];
  const accepted: { readonly target: Target; readonly proof: string; readonly before: string | undefined }[] =
    [];
  const work = async (): Promise<void> => {
    for (;;) {
      const target = waiting.shift();
      if (target === undefined || failures.length > 0) return;
      try {
        const { proof, outcome, before } = await proveTheorem(run, roleModels, target);
        if (proof === null || outcome === 'not-judged' || !write) continue;
        // Others read the file while they work: they are not disturbed by what is written meanwhile.
        if (jobs === 1) await writeOnce(run, target, proof, before);
        else accepted.push({ target, proof, before });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  const [failure] = failures;
  const stopped = failure !== undefined && run.signal.aborted;
  if (!stopped) for (const { target, proof, before } of accepted) await writeOnce(run, target, proof, before);
  if (failure !== undefined) throw failure instanceof Error ? failure : new Error(errorText(failure));
  if (task !== undefined) await settleTask(run, task, files);
}

/** What is left to be done of a task where nothing is left to be proved. */
async function settleTask(
  run: RunContext,
  { task, files: taskFiles }: NonNullable<RunRequest['task']>,
  files: readonly TargetFile[],
): Promise<void> {
  const { eventLog, settings } = run;
  await concludeTask(run, `task/again-${resumesOf(run)}`, {
    ...{ task, files: taskFiles, targets: files.flatMap(({ targets }) => targets) },
    isProved: ({ theorem }) => {
      const ended = eventLog.recorded('theorem-ended', theorem);
      const isFound = ended?.proof != null && ended.outcome !== 'not-judged';
      // Another program writes its proofs itself.
      return isFound && (settings.driver !== 'quod' || eventLog.recorded('written', theorem) !== undefined);
    },
  });
  await commitAgain(run, { task, taskFiles, targetFiles: files });
}

interface RecheckedFiles extends Pick<Confirmation, 'apart'> {
  readonly files: readonly TargetFile[];
}

async function outcomeOf(
  run: RunContext,
  { files, apart }: RecheckedFiles,
  work: () => Promise<void>,
): Promise<EventOf<'run-ended'>> {
  let failure: unknown;
  try {
    await work();
    await recheck(run, { files, apart });
    await judgeUsersOwn(run, files);
  } catch (error) {
    failure = error;
  }
  const targets = files.flatMap((one) => one.targets);
  const replaced = await run.judgedFiles.replaced();
  const gone = Object.fromEntries(
    replaced.flatMap((file) => {
      const why = whyNoFile(file);
      return why === undefined ? [] : [[file, why] as const];
    }),
  );
  const { takenOut, undone } = await takenOutOf(run, files);
  const usersOwn = usersOwnOf(files);
  const elsewhere = await valuesElsewhere(run, files);
  const theorems = [...theoremsNow(run, targets), ...usersTheorems(run, files)];
  const { outcome, message: total } = runSummary(theorems, { replaced, gone, undone, usersOwn });
  const told = {
    ...(replaced.length > 0 && { replaced: [...replaced] }),
    ...(Object.keys(gone).length > 0 && { gone }),
    ...(takenOut.length > 0 && { takenOut: [...takenOut] }),
    ...(usersOwn.length > 0 && { usersOwn: [...usersOwn] }),
    ...(elsewhere.length > 0 && { valuesElsewhere: [...elsewhere] }),
  };
  if (failure === undefined) return { kind: 'run-ended', outcome, message: total, ...told };
  const isUnwritten = ({ theorem }: Target): boolean => {
    const ended = run.eventLog.recorded('theorem-ended', theorem);
    if (ended?.proof == null) return false;
    return run.eventLog.recorded('written', theorem) === undefined || takenOut.includes(theorem);
  };
  // Another program writes its proofs itself.
  const isWriter = run.settings.write && run.settings.driver === 'quod';
  const unwritten = isWriter ? targets.filter(isUnwritten).length : 0;
  const written = unwritten === 0 ? '' : `, ${unwritten} of them not written`;
  if (!(failure instanceof QuodError))
    throw failure instanceof Error ? failure : new Error(errorText(failure));
  const stopped =
    failure.reason === 'budget-exhausted' || failure.reason === 'interrupted' ? failure.reason : 'failed';
  return {
    kind: 'run-ended',
    outcome: stopped,
    message: `${total}${written}. ${failure.toString()}`,
    ...told,
  };
}

/** What each theorem has come to: how its work ended, and what a later judgement of all together found out. */
function theoremsNow({ eventLog }: RunContext, targets: readonly Target[]): TheoremNow[] {
  const rechecked = eventLog.recordedUnder('rechecked', '');
  return targets.map(({ theorem }) => {
    const ended = eventLog.recorded('theorem-ended', theorem);
    if (ended === undefined) return { theorem, outcome: 'open', restsOnOpen: [] };
    const later = rechecked.map(({ restsOnOpen }) => underName(restsOnOpen, theorem)).findLast(isTold);
    return later === undefined
      ? { theorem, outcome: ended.outcome, restsOnOpen: ended.restsOnOpen }
      : { theorem, outcome: outcomeOfAccepted(later), restsOnOpen: later };
  });
}

function isTold(rests: readonly string[] | undefined): boolean {
  return rests !== undefined;
}

/** Proofs were accepted one by one; where several are in a file now, or were found for it, the gate judges them together. */
async function recheck(run: RunContext, { files, apart }: RecheckedFiles): Promise<void> {
  const { eventLog } = run;
  const { takenOut } = await takenOutOf(run, files);
  for (const one of files) {
    const written = one.targets
      .map(({ theorem }) => theorem)
      .filter(
        (theorem) => eventLog.recorded('written', theorem) !== undefined && !takenOut.includes(theorem),
      );
    const ends = one.targets.flatMap(({ theorem }) => eventLog.recorded('theorem-ended', theorem) ?? []);
    // Each was judged on what the file rested on then.
    if (ends.some(({ outcome }) => outcome !== 'not-proved')) await one.requireDependencies?.();
    // Asked about when the run was resumed, and nothing came after that.
    const isConfirmed = ends.every(
      ({ theorem, proof }) => proof === null || eventLog.confirmed(theorem) !== undefined,
    );
    const isAsked = isConfirmed && !apart.has(one.file);
    if (isAsked && written.every((theorem) => eventLog.confirmed(theorem)?.isWritten === true)) continue;
    if (written.length > 1) await judgeWritten(run, one, written);
    await judgeFound(run, one, written.length);
  }
}

/** @throws QuodError `not-verified`. */
async function judgeWritten(run: RunContext, one: TargetFile, written: readonly string[]): Promise<void> {
  const key = `together-${written.length}/${one.file}`;
  const { verdict, findings } = await askTogether(run, key, () => one.recheck(written, run.signal));
  if (verdict === 'accepted') return;
  throw notTogether(
    one,
    `The proofs in the file are not accepted together (${verdict}): ${findings.join('; ')}.`,
  );
}

/**
 * Each was accepted by itself: whoever puts all of them into the file has to know when that does not hold for all.
 * @param written how many of them the file has. @throws QuodError `not-verified`.
 */
async function judgeFound(run: RunContext, one: TargetFile, written: number): Promise<void> {
  const proofs = new Map(
    one.targets.flatMap(({ theorem }) => {
      const ended = run.eventLog.recorded('theorem-ended', theorem);
      return ended?.proof != null && ended.outcome !== 'not-judged'
        ? [[theorem, { proof: ended.proof, before: ended.before }]]
        : [];
    }),
  );
  const ask = one.judgeTogether?.bind(one);
  const isAsked = written > 1 && proofs.size <= written;
  if (isAsked || proofs.size < 2 || ask === undefined) return;
  const key = `unwritten-${proofs.size}/${one.file}`;
  const { verdict, findings } = await askTogether(run, key, () => ask(proofs, run.signal));
  if (verdict === 'accepted') return;
  throw notTogether(one, notTogetherText({ verdict, findings }));
}

/** A theorem's name is the key of all that a run records of it. */
function requireDistinct(targets: readonly Target[]): void {
  const seen = new Map<string, string>();
  for (const { theorem, file } of targets) {
    if (seen.has(theorem)) {
      throw new QuodError('invalid-input', `Two of the targets are called ${theorem}.`, {
        place: { file },
        remedy: 'Name one of them in a task or run of its own.',
      });
    }
    seen.set(theorem, file);
  }
}

/** Not stopped by a budget: the proof was paid for. */
function writeOnce(
  { eventLog, judgedFiles, signal }: RunContext,
  target: Target,
  proof: string,
  before: string | undefined,
): Promise<EventOf<'written'>> {
  return eventLog.once('written', target.theorem, async () => {
    const written = await stoppable(
      signal,
      (stop) => target.write(proof, stop, before),
      () => true,
    );
    await judgedFiles.writtenFor(target, written.fileHash);
    return written;
  });
}
