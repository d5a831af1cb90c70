/** Draws the tasks anew: `npx node bench/search/sample.ts --set report --count 200 --seed quod-1`. */
import { Command, Option } from 'commander';
import type { TaskSet } from './libraries.ts';
import { drawTasks } from './sampling.ts';

const { set, count, seed } = new Command('sample')
  .addOption(new Option('--set <set>').choices(['tune', 'report']).makeOptionMandatory())
  .option('--count <n>', 'tasks in all', '200')
  .option('--seed <text>', 'seed of the drawing', 'quod-1')
  .parse()
  .opts<{ set: TaskSet; count: string; seed: string }>();

await drawTasks(set, Number(count), seed);
