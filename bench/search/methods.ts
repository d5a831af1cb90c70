/** The methods that are compared: each takes a task and answers a record; a proof counts when the judge accepted it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { orNothing } from '../../src/core/entry.ts';
import { cacheDirectory } from '../../src/process/cache-directory.ts';
import { linkAllowedCache } from './allowed-cache.ts';
import type { Attempt, Method } from './attempt.ts';
import { runHammer, runOneShot, runSauto, type BaselineRun } from './baselines.ts';
import { runCommand } from './command.ts';
import { judge } from './judge.ts';
import { cutOf, writeTaskFolder, type Task, type TaskCut } from './task.ts';

export interface MethodOptions {
  readonly coqFolder: string;
  readonly budgetSeconds: number;
  /** Of one search. */
  readonly jobs: number;
  readonly seed: number;
  readonly without: readonly string[];
}

/** What is recorded of a method on a task, also when it broke. */
export async function recordedAttempt(task: Task, method: Method, options: MethodOptions): Promise<Attempt> {
  const about = {
    task: task.id,
    method,
    without: method === 'quod' ? [...options.without] : [],
    budgetSeconds: options.budgetSeconds,
    revision: revision(),
    at: new Date().toISOString(),
  };
  try {
    return { ...about, ...(await attemptTask(task, method, options)) };
  } catch (error) {
    return { ...about, outcome: 'trouble', seconds: 0, message: String(error) };
  }
}

function revision(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src') === '' ? '' : '+';
  return `${git('rev-parse', '--short', 'HEAD')}${changed}`;
}

type Result = Pick<
  Attempt,
  'outcome' | 'script' | 'winners' | 'seconds' | 'nodes' | 'searchSeconds' | 'message'
>;

async function attemptTask(task: Task, method: Method, options: MethodOptions): Promise<Result> {
  const cuts = cutOf(task, options.coqFolder);
  const both = [cuts.light, cuts.cut];
  switch (method) {
    case 'quod':
      return await search(task, cuts, options);
    case 'oneshot':
      return await judged(task, cuts, await runOneShot(task, both, options.coqFolder), options);
    case 'sauto':
      return await judged(task, cuts, await runSauto(task, both, options.coqFolder), options);
    case 'hammer': {
      // Extraction of features and reconstruction take their part of the budget.
      const proverSeconds = Math.max(5, Math.round(options.budgetSeconds / 2));
      return await judged(
        task,
        cuts,
        await runHammer(task, cuts.cut, options.coqFolder, proverSeconds),
        options,
      );
    }
  }
}

async function judged(task: Task, cuts: TaskCut, run: BaselineRun, options: MethodOptions): Promise<Result> {
  const winners: string[] = [];
  let script: string | undefined;
  let finding: string | undefined;
  for (const candidate of run.closing) {
    const claimed = `${cuts.cut.opening}\n${candidate.body}\nQed.`;
    const judgement = await judge(task, cuts, claimed, options.coqFolder);
    if (judgement.accepted) {
      winners.push(candidate.name);
      script ??= claimed;
    } else finding ??= `${candidate.name}: ${judgement.finding}`;
  }
  const message = finding ?? run.trouble;
  const outcome =
    script !== undefined ? 'proved' : run.closing.length > 0 ? 'refused' : ('not-proved' as const);
  return {
    outcome,
    winners,
    seconds: run.seconds,
    ...(script !== undefined && { script }),
    ...(message !== undefined && { message }),
  };
}

/** What the bench reads of a line of `quod prove --json`. */
const lineSchema = z.object({
  theorem: z.string(),
  seconds: z.number(),
  nodes: z.number(),
  outcome: z.enum(['proved', 'not-proved']),
  proof: z.string().nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
});

const COMMAND_LINE = join(import.meta.dirname, '..', '..', 'src', 'faces', 'cli', 'start.ts');

async function search(task: Task, cuts: TaskCut, options: MethodOptions): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-'));
  try {
    const file = writeTaskFolder(join(folder, 'task'), task, options.coqFolder);
    const cache = join(folder, 'cache');
    linkAllowedCache(cache, cacheDirectory(), task);
    const words = [
      COMMAND_LINE,
      'prove',
      file,
      ...['--theorem', task.theorem, '--budget', `${options.budgetSeconds}s`, '--json'],
      ...['--jobs', String(options.jobs), '--seed', String(options.seed)],
      ...options.without.flatMap((ingredient) => ['--without', ingredient]),
    ];
    const run = await runCommand(process.execPath, words, {
      folder: join(folder, 'task'),
      // Loading the file and judging the proof do not count against the budget.
      timeoutSeconds: options.budgetSeconds + 240,
      environment: { QUOD_CACHE: cache },
    });
    const line = run.output
      .split('\n')
      .map((text) => readLine(text))
      .find((candidate) => candidate?.theorem === task.theorem);
    if (line === undefined) {
      const said = run.timedOut ? 'killed: it did not keep its budget' : run.errorOutput.trim().slice(-400);
      return { outcome: 'trouble', seconds: run.seconds, message: said };
    }
    const measured = { seconds: run.seconds, nodes: line.nodes, searchSeconds: line.seconds };
    const { proof: script } = line;
    if (script === null)
      return {
        outcome: 'not-proved',
        ...measured,
        message: `${line.reason ?? 'no reason'}: ${orNothing(line.message)}`,
      };
    const judgement = await judge(task, cuts, script, options.coqFolder);
    return judgement.accepted
      ? { outcome: 'proved', ...measured, script }
      : { outcome: 'refused', ...measured, script, message: judgement.finding };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readLine(text: string): z.infer<typeof lineSchema> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return lineSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
