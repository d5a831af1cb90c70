/** Makes the report of the search benchmark from tasks and attempts. Pure. */
import { percent } from '../../src/core/counted.ts';
import { countOf, orZero } from '../../src/core/entry.ts';
import type { Attempt, Method } from './attempt.ts';
import { METHODS } from './attempt.ts';
import { mcnemar, wilson, type Share } from '../../src/agent/evaluation/statistics.ts';
import { STRATA } from './draw.ts';
import type { Population, Task, TaskFile } from './task.ts';
import { weightedEstimate, type Stratum } from './weighted-estimate.ts';

/** One column of the tables: a method as it was run. */
interface Contender {
  readonly title: string;
  readonly attempts: ReadonlyMap<string, Attempt>;
}

const TITLES: Record<Method, string> = {
  quod: 'quod',
  oneshot: 'one-shot automation, union',
  sauto: 'sauto, hauto, best …, union',
  hammer: 'hammer',
};

/**
 * `leftOut` are attempts of searches, whole and with one ingredient switched off, on the same tasks with the same
 * budget.
 */
export function markdownReport(
  file: TaskFile,
  attempts: readonly Attempt[],
  leftOut: readonly Attempt[] = [],
): string {
  const { tasks, populations, seed } = file;
  const contenders = contendersOf(attempts);
  const libraries = populations.map(({ library }) => library);
  const sections = [
    `# Search benchmark: ${tasks.length} theorems of ${libraries.join(', ')}\n`,
    `Seed \`${seed}\`. Shares of the theorems that were proved, each proof re-checked by a fresh coqc; 95 % intervals (Wilson). ` +
      'Lengths are sentences of the author’s proof without bullets. “Weighted” weighs each length group by its share in the library; ' +
      'a library’s theorems of more than 20 sentences are left out.\n',
    ...(contenders.length === 0 ? ['There are no attempts yet.\n'] : []),
    ...(contenders.length > 0
      ? [
          '## By length\n',
          table(
            ['method', ...STRATA.map(({ name }) => name), 'all', 'median s'],
            contenders.map((contender) => [
              contender.title,
              ...cellsByLength(contender, tasks),
              cell(contender, tasks),
              medianSeconds(contender),
            ]),
          ),
          '## By library, weighted\n',
          table(
            ['method', ...libraries, 'mean of the libraries'],
            contenders.map((contender) => [
              contender.title,
              ...populations.map((population) => weightedCell(contender, tasks, [population])),
              weightedCell(contender, tasks, populations),
            ]),
          ),
          '## By library and length\n',
          ...libraries.map(
            (library) =>
              `**${library}**\n\n${table(
                ['method', ...STRATA.map(({ name }) => name)],
                contenders.map((contender) => [
                  contender.title,
                  ...cellsByLength(
                    contender,
                    tasks.filter((task) => task.library === library),
                  ),
                ]),
              )}`,
          ),
          ...sideBySide(tasks, contenders),
          ...leaveOneOut(tasks, leftOut),
          ...singleTactics(contenders, tasks),
          ...trouble(contenders),
          '## Solved\n',
          ...contenders.map((contender) => solvedList(contender, tasks)),
        ]
      : []),
  ];
  return `${sections.join('\n').trimEnd()}\n`;
}

function contendersOf(attempts: readonly Attempt[]): Contender[] {
  const byTitle = new Map<string, Map<string, Attempt>>();
  const ordered = [...attempts].sort(
    (a, b) =>
      METHODS.indexOf(a.method) - METHODS.indexOf(b.method) ||
      a.without.length - b.without.length ||
      (a.without.join() < b.without.join() ? -1 : 1),
  );
  for (const attempt of ordered) {
    const title =
      TITLES[attempt.method] + (attempt.without.length === 0 ? '' : ` without ${attempt.without.join(', ')}`);
    const known = byTitle.get(title) ?? new Map<string, Attempt>();
    known.set(attempt.task, attempt);
    byTitle.set(title, known);
  }
  return [...byTitle].map(([title, known]) => ({ title, attempts: known }));
}

function count(contender: Contender, tasks: readonly Task[]): { solved: number; tried: number } {
  const tried = tasks.filter(({ id }) => contender.attempts.has(id));
  const solved = tried.filter(({ id }) => contender.attempts.get(id)?.outcome === 'proved');
  return { solved: solved.length, tried: tried.length };
}

function cell(contender: Contender, tasks: readonly Task[]): string {
  const { solved, tried } = count(contender, tasks);
  if (tried === 0) return '–';
  return `${solved}/${tried} ${percent(solved / tried)} ${interval(wilson(solved, tried))}`;
}

function cellsByLength(contender: Contender, tasks: readonly Task[]): string[] {
  return STRATA.map(({ name }) =>
    cell(
      contender,
      tasks.filter(({ stratum }) => stratum === name),
    ),
  );
}

/** Each library counts the same; within a library each length group counts as often as it occurs there. */
function weightedCell(
  contender: Contender,
  tasks: readonly Task[],
  populations: readonly Population[],
): string {
  const strata: Stratum[] = populations.flatMap((population) => {
    const own = STRATA.map(({ name, from, to }) => ({
      ...count(
        contender,
        tasks.filter((task) => task.library === population.library && task.stratum === name),
      ),
      weight: Object.entries(population.lengths).reduce(
        (sum, [length, theorems]) => (Number(length) >= from && Number(length) <= to ? sum + theorems : sum),
        0,
      ),
    })).filter(({ tried }) => tried > 0);
    const total = own.reduce((sum, { weight }) => sum + weight, 0);
    return own.map((stratum) => ({ ...stratum, weight: stratum.weight / total }));
  });
  const estimate = weightedEstimate(strata);
  return estimate === undefined ? '–' : `${percent(estimate.share)} ${interval(estimate)}`;
}

/** Where some methods ran on a part of the tasks: all of them on the tasks that each has tried. */
function sideBySide(tasks: readonly Task[], contenders: readonly Contender[]): string[] {
  const common = tasks.filter(({ id }) => contenders.every(({ attempts }) => attempts.has(id)));
  const all = contenders.every(({ attempts }) => attempts.size === common.length);
  if (all || common.length === 0) return [];
  return [
    `## On the tasks that all methods ran on (${common.length})\n`,
    table(
      ['method', ...STRATA.map(({ name }) => name), 'all'],
      contenders.map((contender) => [
        contender.title,
        ...cellsByLength(contender, common),
        cell(contender, common),
      ]),
    ),
  ];
}

function leaveOneOut(tasks: readonly Task[], attempts: readonly Attempt[]): string[] {
  const contenders = contendersOf(attempts);
  const whole = contenders.find(({ title }) => title === TITLES.quod);
  if (whole === undefined) return [];
  const budget = Math.max(...attempts.map(({ budgetSeconds }) => budgetSeconds));
  const revisions = [...new Set(attempts.map(({ revision }) => revision))].join(', ');
  const rows = contenders
    .filter((contender) => contender !== whole)
    .map((contender) => {
      const both = tasks.filter(({ id }) => contender.attempts.has(id) && whole.attempts.has(id));
      const [complete, partial] = [count(whole, both).solved, count(contender, both).solved];
      const lost = both.filter(({ id }) => solves(whole, id) && !solves(contender, id)).length;
      const won = both.filter(({ id }) => !solves(whole, id) && solves(contender, id)).length;
      return [
        contender.title,
        String(both.length),
        String(complete),
        String(partial),
        `−${lost} +${won}`,
        mcnemar(won, lost).toFixed(3),
        `${searchSeconds(whole, both).toFixed(0)} / ${searchSeconds(contender, both).toFixed(0)}`,
      ];
    });
  return [
    '## Leave one out\n',
    `Tasks drawn from those that quod proved above, ${budget} s each, commit ${revisions}.\n`,
    table(
      [
        'configuration',
        'tasks',
        'all ingredients',
        'without',
        'lost and won',
        'McNemar’s p',
        'seconds searched, all / without',
      ],
      rows,
    ),
  ];
}

function searchSeconds(contender: Contender, tasks: readonly Task[]): number {
  return tasks.reduce((sum, { id }) => sum + orZero(contender.attempts.get(id)?.searchSeconds), 0);
}

function solves(contender: Contender, task: string): boolean {
  return contender.attempts.get(task)?.outcome === 'proved';
}

function singleTactics(contenders: readonly Contender[], tasks: readonly Task[]): string[] {
  const rows = contenders.flatMap((contender) => {
    const { tried } = count(contender, tasks);
    const wins = new Map<string, number>();
    for (const { id } of tasks)
      for (const winner of contender.attempts.get(id)?.winners ?? [])
        wins.set(winner, countOf(wins, winner) + 1);
    return [...wins]
      .sort(([, a], [, b]) => b - a)
      .map(([tactic, solved]) => [
        `\`${tactic}\``,
        contender.title,
        `${solved}/${tried} ${percent(solved / tried)}`,
      ]);
  });
  return rows.length === 0
    ? []
    : ['## Single tactics of the baselines\n', table(['tactic', 'part of', 'proved'], rows)];
}

function trouble(contenders: readonly Contender[]): string[] {
  const rows = contenders.map((contender) => {
    const of = (outcome: Attempt['outcome']): string =>
      String([...contender.attempts.values()].filter((attempt) => attempt.outcome === outcome).length);
    return [contender.title, of('refused'), of('trouble')];
  });
  return [
    '## What did not count\n',
    table(['method', 'claimed, refused by the judge', 'the method broke'], rows),
  ];
}

function solvedList(contender: Contender, tasks: readonly Task[]): string {
  const lines = tasks.flatMap((task) => {
    const attempt = contender.attempts.get(task.id);
    return attempt?.outcome === 'proved'
      ? [
          `- ${task.source} \`${task.theorem}\` (${task.length}), ${(attempt.searchSeconds ?? attempt.seconds).toFixed(1)} s`,
        ]
      : [];
  });
  return `**${contender.title}** (${lines.length})\n\n${lines.join('\n')}\n`;
}

function medianSeconds(contender: Contender): string {
  const seconds = [...contender.attempts.values()]
    .map((attempt) => attempt.searchSeconds ?? attempt.seconds)
    .sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)]?.toFixed(1) ?? '–';
}

function interval({ low, high }: Share): string {
  return `(${Math.round(low * 100)}–${Math.round(high * 100)})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}
