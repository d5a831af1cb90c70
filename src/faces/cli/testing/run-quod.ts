/** Runs the command line in a process of its own, as a user would. */
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Inherited by everything that a run starts, so that what it leaves behind can be found. */
const MARK = 'QUOD_TEST_RUN';

/** In `npm test` what `bundled-program.ts` made of the sources. */
const START = process.env['QUOD_TEST_PROGRAM'] ?? fileURLToPath(new URL('../start.ts', import.meta.url));

export interface QuodRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedQuod {
  readonly child: ChildProcess;
  /** The processes that this run started and that are still there, itself included. */
  readonly survivors: () => number[];
  readonly finished: Promise<QuodRun>;
}

/**
 * @param settings Variables of the environment besides those that this process has.
 * @param input What comes on standard input.
 */
export function startQuod(
  commandLine: readonly string[],
  cwd = process.cwd(),
  settings: Readonly<Record<string, string>> = {},
  input = '',
): StartedQuod {
  const mark = randomUUID();
  const child = spawn(process.execPath, [START, ...commandLine], {
    cwd,
    env: {
      // What the person who runs the tests configured holds for none of them; a test may have settings of its own.
      QUOD_CONFIG: join(tmpdir(), 'quod-test-configuration'),
      ...process.env,
      // The sources are compiled once for all runs; without this each would take a second more.
      NODE_COMPILE_CACHE: join(tmpdir(), 'quod-test-compile-cache'),
      QUOD_CACHE: join(tmpdir(), 'quod-test-cache'),
      [MARK]: mark,
      // Else no prover would have it.
      QUOD_PASS_ENVIRONMENT: [process.env['QUOD_PASS_ENVIRONMENT'], MARK].join(),
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A run that ends without reading it is no failure of the test.
  child.stdin.on('error', () => {}).end(input);
  const finished = new Promise<QuodRun>((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return { child, finished, survivors: () => processesWith(`${MARK}=${mark}`) };
}

export function runQuod(
  commandLine: readonly string[],
  cwd?: string,
  settings?: Readonly<Record<string, string>>,
  input?: string,
): Promise<QuodRun> {
  return startQuod(commandLine, cwd, settings, input).finished;
}

export interface Access {
  readonly url: string;
  readonly token: string;
}

/** How to reach a `quod serve` that was started, when it listens. */
export function accessTo({ child }: StartedQuod): Promise<Access> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (text: string) => {
      said += text;
      const [, url, token] = /at (http:\S+) [^]*Token: (\S+)/u.exec(said) ?? [];
      if (url !== undefined && token !== undefined) resolve({ url, token });
    });
    child.once('exit', () => {
      reject(new Error(`quod serve ended: ${said}`));
    });
  });
}

function processesWith(setting: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(setting)
        ? [Number(name)]
        : [];
    } catch {
      // It ended while we looked, or it is not ours.
      return [];
    }
  });
}
