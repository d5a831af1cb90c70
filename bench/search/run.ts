/**
 * Runs methods on tasks: `npx node bench/search/run.ts --set report --methods quod,oneshot --slice 1/4`. Every
 * attempt is one record in bench/records; what is recorded is not done again, so a run can be stopped at any time
 * and goes on where it was. Tasks come in an order that mixes libraries and lengths: also a part of a run is a sample.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { positive } from '../positive.ts';
import { METHODS, readAttempts, type Method } from './attempt.ts';
import { runAttempts } from './attempt-queue.ts';
import { coqFolder } from './coqc.ts';
import { shuffled } from './draw.ts';
import type { TaskSet } from './libraries.ts';
import { markdownReport } from './report.ts';
import { drawTasks } from './sampling.ts';
import { haveTasks, readTasks } from './task.ts';

interface RunOptions {
  readonly set: TaskSet;
  readonly methods: readonly Method[];
  readonly slice: { readonly part: number; readonly of: number };
  readonly budget: number;
  readonly jobs: number;
  readonly searchJobs: number;
  readonly seed: number;
  readonly without: readonly string[];
  readonly task?: string;
  readonly again?: boolean;
}

function seconds(text: string): number {
  return positive(text.replace(/s$/, ''));
}

function slice(text: string): RunOptions['slice'] {
  const [, part = '', of = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const result = { part: Number(part), of: Number(of) };
  if (result.part < 1 || result.part > result.of) throw new InvalidArgumentError('It must be like 1/4.');
  return result;
}

function methods(text: string): Method[] {
  return text.split(',').map((name) => {
    const method = METHODS.find((candidate) => candidate === name);
    if (method === undefined) throw new InvalidArgumentError(`Methods are ${METHODS.join(', ')}.`);
    return method;
  });
}

async function main(): Promise<void> {
  const options = new Command('run')
    .addOption(new Option('--set <set>').choices(['tune', 'report']).default('report'))
    .option('--methods <names>', METHODS.join(','), methods, ['quod'] as Method[])
    .option('--slice <i/n>', 'every n-th task, from the i-th', slice, { part: 1, of: 1 })
    .option('--budget <time>', 'of each attempt, such as 60s', seconds, 60)
    .option('--jobs <n>', 'attempts side by side', positive, 1)
    .option('--search-jobs <n>', 'provers that one search may use', positive, 1)
    .option('--seed <n>', 'of the search', positive, 1)
    .option<readonly string[]>(
      '--without <ingredients>',
      'comma-separated ingredients of the search',
      (text): readonly string[] => text.split(',').sort(),
      [],
    )
    .option('--task <text>', 'only tasks whose id contains this')
    .option('--again', 'also what is recorded already')
    .parse()
    .opts<RunOptions>();
  if (!haveTasks(options.set)) await drawTasks(options.set, 200, 'quod-1');
  const { tasks, seed, populations } = readTasks(options.set);
  const planned = shuffled(tasks, `${seed}/order`)
    .filter((_, index) => index % options.slice.of === options.slice.part - 1)
    .filter(({ id }) => options.task === undefined || id.includes(options.task))
    .flatMap((task) =>
      options.methods.map((method) => ({ task, method, without: method === 'quod' ? options.without : [] })),
    );
  await runAttempts(`attempts-${options.set}`, planned, {
    coqFolder: coqFolder(),
    budgetSeconds: options.budget,
    jobs: options.searchJobs,
    seed: options.seed,
    attempts: options.jobs,
    again: options.again === true,
  });
  process.stdout.write(markdownReport({ tasks, seed, populations }, readAttempts(`attempts-${options.set}`)));
}

await main();
