/**
 * What each ingredient of the search gives: `npx node bench/search/leave-one-out.ts --every 3`. Of the tasks that
 * quod is recorded to have proved every n-th is tried again, with all ingredients and without each of them, in
 * turn. Only what a missing ingredient loses is seen so: what it would win stands among the tasks that are left
 * out. Every attempt is one line of bench/records/search-leave-one-out.jsonl, and a run that was stopped goes on
 * where it was.
 */
import { Command } from 'commander';
import { INGREDIENTS } from '../../src/search/candidates/candidate.ts';
import { readAttempts } from './attempt.ts';
import { runAblations } from './ablations.ts';
import { shuffled } from './draw.ts';
import { readTasks } from './task.ts';

const options = new Command('leave-one-out')
  .option('--every <n>', 'every n-th of the proved tasks', Number, 1)
  .option('--budget <seconds>', 'of each attempt', Number, 20)
  .option('--jobs <n>', 'attempts side by side', Number, 1)
  .option('--ingredients <names>', INGREDIENTS.join(','), (text): string[] => text.split(','), [
    ...INGREDIENTS,
  ])
  .parse()
  .opts<{ every: number; budget: number; jobs: number; ingredients: readonly string[] }>();

const { tasks, seed } = readTasks('report');
const proved = new Set(
  readAttempts('attempts-report')
    .filter(({ method, outcome }) => method === 'quod' && outcome === 'proved')
    .map(({ task }) => task),
);
const chosen = shuffled(tasks, `${seed}/order`)
  .filter(({ id }) => proved.has(id))
  .filter((_, index) => index % options.every === 0);
await runAblations('leave-one-out', chosen, options);
