/**
 * Writes the figures of the README from what the benches recorded: the search's table from bench/records, the splitter's
 * lines from a run over the answers of coqc that are stored. `npx node bench/figures.ts`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAttempts } from './search/attempt.ts';
import { markdownReport } from './search/markdown.ts';
import { readTasks } from './search/task.ts';

const README = join(import.meta.dirname, '..', 'README.md');
const BLOCK = /(<!-- figures:begin[^>]*-->\n)[^]*?(<!-- figures:end -->)/u;

function section(report: string, title: string): string {
  const found = report.split(/^## /mu).find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`The report has no section ${title}.`);
  return found.slice(title.length).trim();
}

const report = markdownReport(readTasks('report'), readAttempts('attempts-report'));
const budgets = new Set(
  readAttempts('attempts-report')
    .filter(({ method }) => method === 'quod')
    .map(({ budgetSeconds }) => budgetSeconds),
);
const splitter = execFileSync(process.execPath, [join(import.meta.dirname, 'splitter.ts')], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .slice(-3)
  .map((line) => `- ${line}`)
  .join('\n');

const text = `
**Search** (\`npm run bench:search\`, ${[...budgets].join(' and ')} s a theorem; libraries that nothing was tuned on; all
tables in [docs/contribute/bench-search.md](docs/contribute/bench-search.md)): share of theorems proved, with 95 % intervals.
The bench runs in parts: each cell says how many of its theorems were tried so far.

${section(report, 'By length')}

${section(report, 'By library, weighted')}

**Splitter** (\`npx node bench/splitter.ts\`), against the sentences that \`coqc -time\` prints:

${splitter}

`;
writeFileSync(
  README,
  readFileSync(README, 'utf8').replace(BLOCK, (_, begin: string, end: string) => begin + text + end),
);
