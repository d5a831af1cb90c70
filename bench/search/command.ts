/**
 * Runs one program to its end, in a process group of its own. Promise: when the answer is there, nothing of the group
 * runs any more, whether the program ended, was too slow, or left children behind.
 */
import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  readonly errorOutput: string;
  readonly seconds: number;
  /** From the start to the first output; undefined when there was none. */
  readonly firstOutputSeconds?: number;
}

/** The groups that run now; killed when the benchmark itself is stopped. */
const running = new Set<number>();

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const leader of running) killGroup(leader);
    process.exit(130);
  });

export function runCommand(
  command: string,
  words: readonly string[],
  options: {
    readonly folder: string;
    readonly timeoutSeconds: number;
    readonly environment?: NodeJS.ProcessEnv;
  },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, words, {
      cwd: options.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.environment },
    });
    const leader = child.pid;
    if (leader !== undefined) running.add(leader);
    let output = '';
    let errorOutput = '';
    let timedOut = false;
    let firstOutputSeconds: number | undefined;
    const sinceStart = (): number => (performance.now() - started) / 1000;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      firstOutputSeconds ??= sinceStart();
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
    const timer = setTimeout(() => {
      timedOut = true;
      if (leader !== undefined) killGroup(leader);
    }, options.timeoutSeconds * 1000);
    child.on('exit', () => {
      if (leader !== undefined) killGroup(leader);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      if (leader !== undefined) running.delete(leader);
      resolve({
        ...{ exitCode, timedOut, output, errorOutput, seconds: sinceStart() },
        ...(firstOutputSeconds !== undefined && { firstOutputSeconds }),
      });
    });
  });
}
