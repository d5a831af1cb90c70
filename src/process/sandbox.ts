/**
 * Runs a program that nobody trusts, on files that are handed in and out as bytes.
 *
 * Promise, with bubblewrap or user namespaces: the program has no network and sees no process but its own; it reads
 * what `readable` names and the system's programs and libraries, nothing of anybody's home, no environment, no
 * `/proc`; it writes into folders in memory that end with it, of limited size; nothing that it starts outlives it,
 * and what waits or is stopped is ended. Without either only the limits on time, memory, processes and the size of
 * files hold, and `isolation` says so: whoever judges by the result must say it too.
 *
 * Nothing that comes out is to be believed: not the exit code, not the output, not a file. `incidents` names what was
 * seen of an attempt to get out; that there are none proves nothing, because what stops the attempts is not the seeing.
 */
import { type Stats, lstatSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { staysInside } from '../core/inside.ts';
import { entryAt, orZero } from '../core/entry.ts';
import { QuodError } from '../core/errors.ts';
import { LARGEST_WRITTEN_BYTES, readRegularFile, readRegularText } from './foreign-folder/regular-file.ts';
import { findSandbox, type Isolation, lookForSandboxAgain, type SandboxBackend } from './sandbox-backends.ts';
import {
  codeAndTime,
  incident,
  type Incident,
  incidentsIn,
  parsePrinted,
  scratchFiles,
  textOf,
} from './sandbox-facts.ts';
import { inheritedLimit, type SandboxLimits, type SandboxStop } from './sandbox-limits.ts';
import { BEGUN, isolatedScript, limitedScript, type LimitSettings } from './sandbox-script.ts';
import { tracesIn } from './sandbox-traces.ts';
import { OUTPUT, SCRATCH, viewOf, type Place } from './sandbox-view.ts';
import { DEFAULT_PROCESSES, Watched, type WatchedEnd } from './sandbox-watch.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';
import { startingNothing } from './rights/single-process.ts';
import { KILLED_BY_FILTER } from './rights/system-call-filter.ts';
import { writeTar } from './tar-writer.ts';

export type { SandboxLimits } from './sandbox-limits.ts';

export interface SandboxRequest {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Put into the working folder before the program starts: relative path and content. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /**
   * One of the files of which `files` holds the beginning, and of which the rest comes while the program reads it. Who
   * opens it first finds the beginning alone: a compiler takes its digest before it reads.
   * Only where there is isolation. A program that ends before it has read all of it has done nothing that counts.
   */
  readonly growing?: { readonly path: string; readonly rest: Promise<string> };
  /**
   * Files that are not there yet. Whoever opens one of them waits until all of them come, and then reads what came; the
   * names may be asked for before. Only where there is isolation, and as with a growing file: a program that ends before has
   * done nothing that counts.
   */
  readonly awaited?: {
    readonly paths: readonly string[];
    readonly files: Promise<ReadonlyMap<string, string | Uint8Array>>;
  };
  /**
   * Absolute files and folders of this machine that the program may read. What is not of the system, nor of the
   * program's own installation, has another place inside; the program, its arguments and the environment are
   * rewritten to it.
   */
  readonly readable?: readonly string[];
  /** Of what it may read, absolute files without links that it may not. Only where there is isolation. */
  readonly hidden?: readonly string[];
  /** Beside `PATH`, `HOME`, `TMPDIR` and `LANG`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Which files of the working folder to hand out. Default: all. */
  readonly collect?: (path: string) => boolean;
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal;
}

export { INCIDENTS, type Incident } from './sandbox-facts.ts';

export { asOutside } from './sandbox-view.ts';
export { findSandbox, type Isolation, type SandboxBackend } from './sandbox-backends.ts';

export interface SandboxRun {
  readonly isolation: Isolation;
  /** Undefined when it did not end by itself. */
  readonly code: number | undefined;
  /** Why it was ended: by its limits, or by the caller's signal. */
  readonly stopped: SandboxStop | undefined;
  /** Told when the timeout was one without work: what the processes were doing, waiting or stopped. */
  readonly stalled?: string;
  readonly output: string;
  readonly errorOutput: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Where files and folders of this machine stood inside, if elsewhere: for `asOutside`. */
  readonly places?: readonly Place[];
  readonly incidents: readonly Incident[];
  readonly elapsedMs: number;
  /** User and system time of all processes that were waited for; undefined when it did not end by itself. */
  readonly processorMs: number | undefined;
}

const DEFAULT_DISK = 1024 ** 3;
const DEFAULT_OUTPUT = 16 * 1024 ** 2;
/** What a sandbox adds to the program: its own program and guardian, process 1, and the script's subshell. */
const OWN_PROCESSES = 6;
/** What hands a growing file to the program. */
const FEEDING_PROCESSES = 3;
const HANDED_OUT_BESIDES = 64 * 1024 ** 2;

/**
 * @param sandbox the backend; `none` for limits only. Default: what is found.
 * @throws QuodError `prover-missing` when the program cannot be started; `no-sandbox` with `requireSandbox` when
 * there is none. How the program fared is no error: see `stopped`, `code` and `incidents`.
 */
export async function runInSandbox(
  request: SandboxRequest,
  requireSandbox = false,
  sandbox?: SandboxBackend | 'none',
): Promise<SandboxRun> {
  const backend = sandbox ?? (await findSandbox()) ?? 'none';
  if (backend === 'none' && requireSandbox) throw withoutSandbox();
  for (const path of [...request.files.keys(), ...(request.awaited?.paths ?? [])])
    if (!staysInside(path)) throw new QuodError('internal', `${path} leads out of the sandbox.`);
  const folder = makeScratchFolder('sandbox');
  try {
    const run = await (backend === 'none'
      ? runLimited(folder, request)
      : runIsolated(backend, folder, request));
    throwForInherited(run, request);
    return run;
  } catch (error) {
    const isGone = error instanceof QuodError && error.reason === 'no-sandbox';
    if (sandbox !== undefined || !isGone || !lookForSandboxAgain()) throw error;
    return await runInSandbox(request, requireSandbox);
  } finally {
    removeScratchFolder(folder);
  }
}

/** Whether the program was started: what failed before is none of its doing. */
function hasBegun({ printed }: WatchedEnd): boolean {
  return printed.toString('latin1', 0, BEGUN.length + 1) === `${BEGUN}\n`;
}

function notSetUp(said: string): QuodError {
  return new QuodError('no-sandbox', `The sandbox could not be set up: ${said || 'it says nothing'}`, {
    remedy:
      'Look whether the files and folders that the program is to read can be read by whoever runs Quod, and whether the programs of the system are there (head, tar, find, stat).',
  });
}

/** What a limit ended that nobody asked for says nothing of the program. */
function throwForInherited({ code, incidents }: SandboxRun, { program, limits }: SandboxRequest): void {
  const isDiskFull = incidents.some(({ kind }) => kind === 'disk');
  const limit = inheritedLimit({ code, isDiskFull }, inherited(limits, OWN_PROCESSES));
  if (limit === undefined) return;
  throw new QuodError(
    'prover-crashed',
    `A limit with which Quod was started ended ${basename(program)}: ${limit}.`,
    {
      remedy:
        'Start Quod from a shell without that limit, or with one that is as high as what is allowed here.',
    },
  );
}

function withoutSandbox(): QuodError {
  return new QuodError('no-sandbox', 'There is no sandbox here, and the policy requires one.', {
    remedy: 'Install bubblewrap (bwrap) and allow unprivileged user namespaces, or do not require it.',
  });
}

async function runIsolated(
  backend: SandboxBackend,
  folder: string,
  request: SandboxRequest,
): Promise<SandboxRun> {
  const { limits, program, signal, growing, awaited } = request;
  if (growing !== undefined && awaited !== undefined)
    throw new QuodError('internal', 'A program waits either for the rest of a file or for files.');
  const diskBytes = limits.diskBytes ?? DEFAULT_DISK;
  const outputBytes = limits.outputBytes ?? DEFAULT_OUTPUT;
  const view = viewOf({
    ...{ program, arguments: request.arguments },
    ...{ readable: request.readable ?? [], hidden: request.hidden ?? [] },
    ...{ environment: request.environment ?? {}, diskBytes, outputBytes },
  });
  const input = writeTar(request.files);
  const comes =
    growing?.rest.then(withLength) ??
    awaited?.files.then((files) => withLength(archiveOf(files, awaited.paths)));
  const ownProcesses = OWN_PROCESSES + (comes === undefined ? 0 : FEEDING_PROCESSES);
  const script = isolatedScript({
    ...{
      scratch: SCRATCH,
      output: OUTPUT,
      inputBytes: input.length,
      growing: growing?.path,
      awaited: awaited?.paths,
    },
    ...inherited(limits, ownProcesses),
  });
  const command = backend.command(view, ['/bin/sh', '-c', script, 'sh', ...view.command], folder);
  const watched = await Watched.start(command, {
    ...{ limits, input, ownProcesses },
    ...(comes && { moreInput: comes }),
    ...(signal && { signal }),
    mostPrinted: diskBytes + outputBytes + HANDED_OUT_BESIDES,
    // What the sandbox program itself has for an environment is nobody's.
    environment: {},
    onEnded: ({ pid }) => tracesIn(pid),
  });
  const end = await watched.end();
  if (end.stopped !== undefined) return stoppedRun(backend.isolation, end.stopped, end);
  if (!hasBegun(end)) throw notSetUp(end.said);
  const printed = parsePrinted(end.printed);
  return {
    isolation: backend.isolation,
    stopped: undefined,
    elapsedMs: end.elapsedMs,
    ...codeAndTime(printed.facts),
    output: textOf(printed.archive?.get('out')),
    errorOutput: textOf(printed.archive?.get('err')),
    files: scratchFiles(printed.archive, request.collect),
    places: view.given,
    incidents: [
      ...end.incidents,
      ...startIncidents(limits, codeAndTime(printed.facts).code),
      ...incidentsIn(printed, { given: view.given.map(({ to }) => to), diskBytes, outputBytes }),
    ],
  };
}

/** All of the awaited files, and no others: the script moves each to its place. */
function archiveOf(files: ReadonlyMap<string, string | Uint8Array>, paths: readonly string[]): Buffer {
  if (files.size !== paths.length || paths.some((path) => !files.has(path)))
    throw new QuodError('internal', 'Other files came than were awaited.');
  return writeTar(files);
}

function withLength(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]);
}

/** Limits only: the folders are real ones. */
async function runLimited(folder: string, request: SandboxRequest): Promise<SandboxRun> {
  const [scratch, output, temporary] = ['scratch', 'output', 'temporary'].map((name) => join(folder, name));
  if (scratch === undefined || output === undefined || temporary === undefined)
    throw new QuodError('internal', 'A folder has no name.');
  for (const path of [scratch, output, temporary]) await mkdir(path);
  for (const [path, content] of request.files) {
    await mkdir(dirname(join(scratch, path)), { recursive: true });
    await writeFile(join(scratch, path), content);
  }
  const { limits, signal, growing, awaited } = request;
  if (growing !== undefined || awaited !== undefined) throw withoutSandbox();
  const script = limitedScript({ scratch, output, ...inherited(limits, OWN_PROCESSES) });
  const watched = await Watched.start(
    ['/bin/sh', '-c', script, 'sh', request.program, ...request.arguments],
    {
      ...{ limits, input: Buffer.alloc(0), ownProcesses: OWN_PROCESSES, mostPrinted: PRINTED_WITHOUT_FILES },
      ...(signal && { signal }),
      environment: { ...ordinary(scratch, temporary), ...request.environment },
    },
  );
  const end = await watched.end();
  if (end.stopped !== undefined) return stoppedRun('none', end.stopped, end);
  if (!hasBegun(end)) throw notSetUp(end.said);
  const { facts, complete } = parsePrinted(end.printed);
  const printedBytes = [join(output, 'out'), join(output, 'err')].map(sizeOf);
  const tooMuch =
    entryAt(printedBytes, 0, 'size') + entryAt(printedBytes, 1, 'size') >
    (limits.outputBytes ?? DEFAULT_OUTPUT);
  const files = new Map<string, Uint8Array>();
  if (!tooMuch)
    for (const path of regularFilesBelow(scratch))
      if (request.collect?.(path) ?? true)
        files.set(path, await readRegularFile(join(scratch, path), LARGEST_WRITTEN_BYTES));
  return {
    isolation: 'none',
    stopped: undefined,
    elapsedMs: end.elapsedMs,
    ...codeAndTime(facts),
    output: tooMuch ? '' : await readRegularText(join(output, 'out'), LARGEST_WRITTEN_BYTES).catch(() => ''),
    errorOutput: tooMuch
      ? ''
      : await readRegularText(join(output, 'err'), LARGEST_WRITTEN_BYTES).catch(() => ''),
    files,
    incidents: [
      ...end.incidents,
      ...startIncidents(limits, codeAndTime(facts).code),
      ...(complete ? [] : [incident('interfered', 'the script around the program did not finish')]),
      ...(tooMuch ? [incident('output', `more than ${limits.outputBytes ?? DEFAULT_OUTPUT} bytes`)] : []),
    ],
  };
}

const PRINTED_WITHOUT_FILES = 1024 ** 2;

function stoppedRun(
  isolation: Isolation,
  stopped: SandboxStop,
  { incidents, elapsedMs, stalled }: WatchedEnd,
): SandboxRun {
  return {
    ...{ isolation, stopped, incidents, elapsedMs },
    ...(stalled !== undefined && { stalled }),
    ...{ code: undefined, processorMs: undefined, output: '', errorOutput: '' },
    files: new Map<string, Uint8Array>(),
  };
}

function inherited(limits: SandboxLimits, ownProcesses: number): LimitSettings {
  return {
    processorSeconds: limits.processorSeconds ?? Math.ceil(limits.timeoutMs / 1000) + 1,
    largestFileBytes: limits.diskBytes ?? DEFAULT_DISK,
    processes: countsProcesses() ? (limits.processes ?? DEFAULT_PROCESSES) + ownProcesses : undefined,
    prefix: limits.startsPrograms === false ? startingNothing('kill') : [],
  };
}

/** Whether a program can be kept from starting others here. */
export function canForbidPrograms(): boolean {
  return startingNothing('kill').length > 0;
}

function startIncidents({ startsPrograms }: SandboxLimits, code: number | undefined): readonly Incident[] {
  return startsPrograms === false && code === KILLED_BY_FILTER
    ? [incident('started-program', 'the kernel ended it there')]
    : [];
}

/** Since Linux 5.14 the limit counts the processes of the sandbox alone, not all of the user; root has none. */
function countsProcesses(): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

function ordinary(home: string, temporary: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
  };
}

function sizeOf(path: string): number {
  return orZero(statusOf(path)?.size);
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function regularFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => statusOf(join(folder, path))?.isFile() === true,
  );
}
