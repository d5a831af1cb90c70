/**
 * Writes docs/contribute/figures.md and the few figures of the README from what the benches recorded: the search's
 * tables from bench/records, the splitter's lines from a run over the answers of coqc that are stored. `npx node
 * bench/figures.ts`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt, orNothing } from '../src/core/entry.ts';
import { readAttempts } from './search/attempt.ts';
import { markdownReport } from './search/report.ts';
import { readTasks } from './search/task.ts';

const README = join(import.meta.dirname, '..', 'README.md');
const FIGURES = join(import.meta.dirname, '..', 'docs', 'contribute', 'figures.md');
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
tables in [bench-search.md](bench-search.md)): share of theorems proved, with 95 % intervals.
The bench runs in parts: each cell says how many of its theorems were tried so far.

${section(report, 'By length')}

${section(report, 'By library, weighted')}

**Splitter** (\`npx node bench/splitter.ts\`), against the sentences that \`coqc -time\` prints:

${splitter}

`;

/** Of a table by length, the method and the cell of all lengths: `92/200 46 % (39–53)`. */
function proofsOfAll(table: string): string {
  const rows = table.split('\n').filter((line) => /^\|.*\d+\/\d+/u.test(line));
  return rows
    .map((row) => {
      const cells = row.split('|').map((cell) => cell.trim());
      const [, proved = '', share = ''] = /^(\S+) (.*)$/u.exec(entryAt(cells, 5, 'column')) ?? [];
      return `| ${entryAt(cells, 1, 'column')} | ${proved} | ${share} |`;
    })
    .join('\n');
}

function writeBlock(file: string, block: string): void {
  const page = readFileSync(file, 'utf8');
  if (!BLOCK.test(page)) throw new Error(`${file} has no place for figures.`);
  writeFileSync(
    file,
    page.replace(BLOCK, (_, begin: string, end: string) => begin + block + end),
  );
}

writeBlock(FIGURES, text);
writeBlock(
  README,
  `
Theorems of libraries that nothing was tuned on, ${[...budgets].join(' and ')} s each (\`npm run bench:search\`), with 95 % intervals:

| method | proved | |
| --- | --- | --- |
${proofsOfAll(section(report, 'By length'))}

The splitter cuts files as \`coqc\` does (\`npx node bench/splitter.ts\`): ${orNothing(/sentences compared.*/u.exec(splitter)?.[0])}.

`,
);
