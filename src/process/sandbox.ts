/**
 * Runs a program that nobody trusts, on files that are handed in and out as bytes.
 *
 * Promise, with bubblewrap: the program has no network and sees no process but its own; it reads what `readable` names and
 * the system's programs and libraries, nothing of anybody's home; it writes into folders in memory that end with it, of
 * limited size; nothing that it starts outlives it. Without bubblewrap only the limits on time, memory, processes and the
 * size of files hold, and `isolation` says so: whoever judges by the result must say it too.
 *
 * Nothing that comes out is to be believed: not the exit code, not the output, not a file. `incidents` names what was
 * seen of an attempt to get out; that there are none proves nothing, because what stops the attempts is not the seeing.
 */
import { type Stats, lstatSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { QuodError } from '../core/errors.ts';
import { findExecutable } from './executable.ts';
import { GuardedChild } from './guarded-child.ts';
import { countDescendants } from './process-table.ts';
import { DECOYS, sandboxScript } from './sandbox-script.ts';
import {
  codeAndTime,
  incident,
  type Incident,
  incidentsIn,
  parsePrinted,
  scratchFiles,
  textOf,
} from './sandbox-facts.ts';
import { makeScratchFolder } from './scratch-folder.ts';

export interface SandboxLimits {
  /** Milliseconds on the clock. */
  readonly timeoutMs: number;
  /** Resident bytes of all processes together. */
  readonly memoryBytes: number;
  /** Seconds of processor time of each process. Default: the time on the clock. */
  readonly processorSeconds?: number;
  /** Processes at one time. Default 64. */
  readonly processes?: number;
  /** Bytes of all files that are written. Default 1 GiB. */
  readonly diskBytes?: number;
  /** Bytes printed, on both streams together. Default 16 MiB. */
  readonly outputBytes?: number;
}

export interface SandboxRequest {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Put into the working folder before the program starts: relative path and content. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** Absolute files and folders of this machine that the program may read, where they are. */
  readonly readable?: readonly string[];
  /** Beside `PATH`, `HOME`, `TMPDIR` and `LANG`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Which files of the working folder to hand out. Default: all. */
  readonly collect?: (path: string) => boolean;
  readonly limits: SandboxLimits;
  readonly signal?: AbortSignal;
}

export { INCIDENTS, type Incident } from './sandbox-facts.ts';

export type Isolation = 'bubblewrap' | 'none';

export interface SandboxRun {
  readonly isolation: Isolation;
  /** Undefined when it did not end by itself. */
  readonly code: number | undefined;
  /** Why it was ended: by its limits, or by the caller's signal. */
  readonly stopped: 'timeout' | 'memory' | 'processes' | 'output' | 'interrupted' | undefined;
  readonly output: string;
  readonly errorOutput: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly incidents: readonly Incident[];
  readonly elapsedMs: number;
  /** User and system time of all processes that were waited for; undefined when it did not end by itself. */
  readonly processorMs: number | undefined;
}

const DEFAULT_PROCESSES = 64;
const DEFAULT_DISK = 1024 ** 3;
const DEFAULT_OUTPUT = 16 * 1024 ** 2;
const LOOK_EVERY_MS = 50;
/** What the script adds to the program: bubblewrap twice, the guardian, the script and its subshell. */
const OWN_PROCESSES = 6;
const SYSTEM_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
];
/** What programs of distributions need of /etc, and nothing that is anybody's secret. */
const SYSTEM_FILES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ocamlfind.conf', '/etc/localtime'];
const SCRATCH = '/scratch';

let probed: Promise<string | undefined> | undefined;

/** The sandbox program, when it is there and may do its work; containers often forbid it. Asked once. */
export function findSandbox(): Promise<string | undefined> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<string | undefined> {
  const program = findExecutable(['bwrap']);
  const shell = findExecutable(['true']);
  if (program === undefined || shell === undefined) return undefined;
  const child = await GuardedChild.start(program, [
    ...['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
    ...['--size', '4096', '--tmpfs', '/tmp', shell],
  ]);
  child.input.end();
  child.output.resume();
  return (await child.exited).code === 0 ? program : undefined;
}

/**
 * @throws QuodError `prover-missing` when the program cannot be started, or with `requireSandbox` when there is no
 * sandbox. How the program fared is no error: see `stopped`, `code` and `incidents`.
 */
export async function runInSandbox(request: SandboxRequest, requireSandbox = false): Promise<SandboxRun> {
  const sandbox = await findSandbox();
  if (sandbox === undefined && requireSandbox) throw withoutSandbox();
  const folder = makeScratchFolder('sandbox');
  try {
    const input = join(folder, 'input');
    await mkdir(input);
    for (const [path, content] of request.files) {
      const file = join(input, path);
      if (relative(input, file).startsWith('..'))
        throw new QuodError('internal', `${path} leads out of the sandbox.`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return await (sandbox === undefined ? runLimited(folder, request) : runIsolated(sandbox, input, request));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function withoutSandbox(): QuodError {
  return new QuodError('prover-missing', 'There is no sandbox here, and the policy requires one.', {
    remedy: 'Install bubblewrap (bwrap) and allow unprivileged user namespaces, or do not require it.',
  });
}

async function runIsolated(sandbox: string, input: string, request: SandboxRequest): Promise<SandboxRun> {
  const { limits } = request;
  const disk = limits.diskBytes ?? DEFAULT_DISK;
  const output = limits.outputBytes ?? DEFAULT_OUTPUT;
  const script = sandboxScript({
    isolated: true,
    scratch: SCRATCH,
    input: '/input',
    output: '/output',
    ...inherited(limits),
  });
  const environment = Object.entries({ ...ordinary(SCRATCH, '/temporary'), ...request.environment });
  const readable = request.readable ?? [];
  const child = await Watched.start(
    sandbox,
    [
      ...['--unshare-all', '--die-with-parent', '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
      ...DECOYS.flatMap((path) => ['--size', String(1024 ** 2), '--tmpfs', path]),
      ...[...SYSTEM_FOLDERS, ...SYSTEM_FILES].flatMap((path) => ['--ro-bind-try', path, path]),
      ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
      ...['--proc', '/proc', '--dev', '/dev', '--ro-bind', input, '/input'],
      ...['--size', String(disk), '--tmpfs', SCRATCH],
      ...['--size', String(output), '--tmpfs', '/output'],
      ...['--size', String(disk), '--tmpfs', '/temporary'],
      ...['--remount-ro', '/', '--chdir', SCRATCH, '--clearenv'],
      ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
      ...['/bin/sh', '-c', script, 'sh', request.program, ...request.arguments],
    ],
    request,
    disk + output + 64 * 1024 ** 2,
    // Bubblewrap's own environment can be read inside.
    {},
  );
  const end = await child.end();
  if (end.stopped !== undefined) return stoppedRun('bubblewrap', end.stopped, end);
  const printed = parsePrinted(end.printed);
  return {
    isolation: 'bubblewrap',
    stopped: undefined,
    elapsedMs: end.elapsedMs,
    ...codeAndTime(printed.facts),
    output: textOf(printed.archive?.get('out')),
    errorOutput: textOf(printed.archive?.get('err')),
    files: scratchFiles(printed.archive, request.collect),
    incidents: [
      ...end.incidents,
      ...incidentsIn(printed, { readable, diskBytes: disk, outputBytes: output }),
    ],
  };
}

/** Limits only: the folders are real ones. */
async function runLimited(folder: string, request: SandboxRequest): Promise<SandboxRun> {
  const [scratch, output, temporary] = ['scratch', 'output', 'temporary'].map((name) => join(folder, name));
  if (scratch === undefined || output === undefined || temporary === undefined)
    throw new QuodError('internal', 'A folder has no name.');
  for (const path of [scratch, output, temporary]) await mkdir(path);
  const { limits } = request;
  const script = sandboxScript({
    isolated: false,
    scratch,
    input: join(folder, 'input'),
    output,
    ...inherited(limits),
  });
  const child = await Watched.start(
    '/bin/sh',
    ['-c', script, 'sh', request.program, ...request.arguments],
    request,
    PRINTED_WITHOUT_FILES,
    { ...ordinary(scratch, temporary), ...request.environment },
  );
  const end = await child.end();
  if (end.stopped !== undefined) return stoppedRun('none', end.stopped, end);
  const { facts, complete } = parsePrinted(end.printed);
  const printedBytes = [join(output, 'out'), join(output, 'err')].map(sizeOf);
  const tooMuch = (printedBytes[0] ?? 0) + (printedBytes[1] ?? 0) > (limits.outputBytes ?? DEFAULT_OUTPUT);
  const files = new Map<string, Uint8Array>();
  if (!tooMuch)
    for (const path of filesBelow(scratch))
      if (request.collect?.(path) ?? true) files.set(path, await readFile(join(scratch, path)));
  return {
    isolation: 'none',
    stopped: undefined,
    elapsedMs: end.elapsedMs,
    ...codeAndTime(facts),
    output: tooMuch ? '' : await readFile(join(output, 'out'), 'utf8').catch(() => ''),
    errorOutput: tooMuch ? '' : await readFile(join(output, 'err'), 'utf8').catch(() => ''),
    files,
    incidents: [
      ...end.incidents,
      ...(complete ? [] : [incident('interfered', 'the script around the program did not finish')]),
      ...(tooMuch ? [incident('output', `more than ${limits.outputBytes ?? DEFAULT_OUTPUT} bytes`)] : []),
    ],
  };
}

const PRINTED_WITHOUT_FILES = 1024 ** 2;

function stoppedRun(
  isolation: Isolation,
  stopped: Stopped,
  { incidents, elapsedMs }: Pick<SandboxRun, 'incidents' | 'elapsedMs'>,
): SandboxRun {
  const nothing = { code: undefined, processorMs: undefined, output: '', errorOutput: '' };
  return { isolation, stopped, incidents, elapsedMs, ...nothing, files: new Map<string, Uint8Array>() };
}

function inherited(limits: SandboxLimits) {
  return {
    processorSeconds: limits.processorSeconds ?? Math.ceil(limits.timeoutMs / 1000) + 1,
    largestFileBytes: limits.diskBytes ?? DEFAULT_DISK,
    processes: countsProcesses() ? (limits.processes ?? DEFAULT_PROCESSES) + OWN_PROCESSES : undefined,
  };
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

type Stopped = NonNullable<SandboxRun['stopped']>;

/** A child under all limits that must be watched from outside. */
class Watched {
  readonly #child: GuardedChild;
  readonly #request: SandboxRequest;
  readonly #started = performance.now();
  readonly #parts: Buffer[] = [];
  readonly #incidents: Incident[] = [];
  #stopped: Stopped | undefined;

  static async start(
    program: string,
    programArguments: readonly string[],
    request: SandboxRequest,
    printedBytes: number,
    environment: NodeJS.ProcessEnv,
  ): Promise<Watched> {
    const child = await GuardedChild.start(program, programArguments, {
      memoryLimit: request.limits.memoryBytes,
      environment,
    });
    return new Watched(child, request, printedBytes);
  }

  private constructor(child: GuardedChild, request: SandboxRequest, printedBytes: number) {
    this.#child = child;
    this.#request = request;
    child.input.end();
    let size = 0;
    child.output.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= printedBytes) this.#parts.push(part);
      else this.#stop('output', incident('disk', 'more than can be handed out'));
    });
  }

  async end(): Promise<{
    readonly stopped: Stopped | undefined;
    readonly printed: Buffer;
    readonly incidents: readonly Incident[];
    readonly elapsedMs: number;
  }> {
    const { limits, signal } = this.#request;
    const most = limits.processes ?? DEFAULT_PROCESSES;
    const timer = setTimeout(() => this.#stop('timeout'), limits.timeoutMs);
    const look = setInterval(() => {
      const count = countDescendants(this.#child.pid) - OWN_PROCESSES;
      if (count > most) this.#stop('processes', incident('processes', `${count}, and it may have ${most}`));
    }, LOOK_EVERY_MS);
    const cancel = (): void => this.#stop('interrupted');
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted === true) cancel();
    const exit = await this.#child.exited;
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener('abort', cancel);
    return {
      stopped: this.#stopped ?? (exit.memoryExceeded ? 'memory' : undefined),
      printed: Buffer.concat(this.#parts),
      incidents: this.#incidents,
      elapsedMs: Math.round(performance.now() - this.#started),
    };
  }

  #stop(reason: Stopped, seen?: Incident): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    if (seen !== undefined) this.#incidents.push(seen);
    void this.#child.kill();
  }
}

function sizeOf(path: string): number {
  return statusOf(path)?.size ?? 0;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => statusOf(join(folder, path))?.isFile() === true,
  );
}
