/**
 * The table of `npm run bench:search` from bench/records: `npx node bench/search/print-report.ts --set report`.
 * With `--write` it goes to docs/contribute/bench-search.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { readAttempts } from './attempt.ts';
import { markdownReport } from './report.ts';
import type { TaskSet } from './libraries.ts';
import { readTasks } from './task.ts';

const { set, write } = new Command('report')
  .addOption(new Option('--set <set>').choices(['tune', 'report']).default('report'))
  .option('--write', 'to docs/contribute/bench-search.md instead of the terminal')
  .parse()
  .opts<{ set: TaskSet; write?: boolean }>();

const markdown = markdownReport(
  readTasks(set),
  readAttempts(`attempts-${set}`),
  set === 'report' ? readAttempts('leave-one-out') : [],
);
if (write === true) {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'contribute', 'bench-search.md');
  writeFileSync(path, markdown);
  console.error(path);
} else process.stdout.write(markdown);
