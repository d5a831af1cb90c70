/**
 * Runs methods on tasks: `npx node bench/search/run.ts --set report --methods quod,oneshot --slice 1/4`. Every attempt is
 * one record in bench/records; what is recorded is not done again, so a run can be stopped at any time and goes on where
 * it was. Tasks come in an order that mixes libraries and lengths: also a part of a run is a sample.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { appendAttempt, attemptKey, METHODS, readAttempts, type Method } from './attempt.ts';
import { coqFolder } from './coqc.ts';
import { shuffled } from './draw.ts';
import type { TaskSet } from './libraries.ts';
import { recordedAttempt, type MethodOptions } from './methods.ts';
import { markdownReport } from './markdown.ts';
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

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a positive integer.');
  return value;
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
  const coq = coqFolder();
  const done = new Set(options.again === true ? [] : readAttempts(`attempts-${options.set}`).map(attemptKey));
  if (!haveTasks(options.set)) await drawTasks(options.set, 200, 'quod-1');
  const { tasks, seed, populations } = readTasks(options.set);
  const queue = shuffled(tasks, `${seed}/order`)
    .filter((_, index) => index % options.slice.of === options.slice.part - 1)
    .filter(({ id }) => options.task === undefined || id.includes(options.task))
    .flatMap((task) =>
      options.methods.map((method) => ({ task, method, without: method === 'quod' ? options.without : [] })),
    )
    .filter(({ task, method, without }) => !done.has(attemptKey({ task: task.id, method, without })));
  const total = queue.length;
  const methodOptions: MethodOptions = {
    coqFolder: coq,
    budgetSeconds: options.budget,
    jobs: options.searchJobs,
    seed: options.seed,
    without: options.without,
  };
  let finished = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { task, method } = next;
      const attempt = await recordedAttempt(task, method, methodOptions);
      appendAttempt(`attempts-${options.set}`, attempt);
      finished += 1;
      console.error(
        `${finished}/${total} ${method} ${task.id} (${task.length}): ${attempt.outcome}, ${attempt.seconds.toFixed(1)} s` +
          (attempt.outcome === 'proved' || attempt.message === undefined
            ? ''
            : `, ${attempt.message.replace(/\s+/g, ' ').slice(0, 160)}`),
      );
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  process.stdout.write(markdownReport({ tasks, seed, populations }, readAttempts(`attempts-${options.set}`)));
}

await main();
