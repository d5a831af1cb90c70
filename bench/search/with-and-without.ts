/**
 * What one ingredient of the search wins and loses: `node bench/search/with-and-without.ts --ingredient
 * prediction`. Tasks of the reporting libraries, each tried with all ingredients and without that one, in the same
 * time and in turn. Printed as a table with McNemar's test; every attempt is a line of
 * bench/records/search-with-and-without-INGREDIENT.jsonl, and a run that was stopped goes on where it was.
 */
import { Command, Option } from 'commander';
import { orZero } from '../../src/core/entry.ts';
import { INGREDIENTS, type Ingredient } from '../../src/search/candidates/candidate.ts';
import { positive } from '../positive.ts';
import { readAttempts, type Attempt } from './attempt.ts';
import { runAblations } from './ablations.ts';
import { shuffled, STRATA } from './draw.ts';
import { mcnemar } from '../../src/agent/evaluation/statistics.ts';
import { readTasks, type Task } from './task.ts';

const options = new Command('with-and-without')
  .addOption(
    new Option('--ingredient <name>', 'of the search').choices([...INGREDIENTS]).makeOptionMandatory(),
  )
  .option('--tasks <n>', 'how many', positive, 200)
  .option('--budget <seconds>', 'of each attempt', positive, 20)
  .option('--jobs <n>', 'attempts side by side', positive, 1)
  .parse()
  .opts<{ ingredient: Ingredient; tasks: number; budget: number; jobs: number }>();

const RECORD = `with-and-without-${options.ingredient}` as const;

/** How much more or less was needed for what both proved: the geometric mean of the ratios. */
function meanRatio(pairs: readonly (readonly [number, number])[]): number {
  return Math.exp(
    pairs.reduce((sum, [own, base]) => sum + Math.log((own + 1) / (base + 1)), 0) / pairs.length,
  );
}

function report(tasks: readonly Task[], attempts: readonly Attempt[]): string {
  const found = (task: Task, without: readonly string[]): Attempt | undefined =>
    attempts.find((attempt) => attempt.task === task.id && attempt.without.join() === without.join());
  const rows = [...STRATA.map(({ name }) => name), 'all'].map((group) => {
    const pairs = tasks
      .filter(({ stratum }) => group === 'all' || stratum === group)
      .flatMap((task) => {
        const own = found(task, []);
        const base = found(task, [options.ingredient]);
        return own && base ? [{ own, base }] : [];
      });
    const count = (ownProves: boolean, baseProves: boolean): number =>
      pairs.filter(
        ({ own, base }) =>
          (own.outcome === 'proved') === ownProves && (base.outcome === 'proved') === baseProves,
      ).length;
    const both = pairs.filter(({ own, base }) => own.outcome === 'proved' && base.outcome === 'proved');
    const [common, won, lost] = [count(true, true), count(true, false), count(false, true)];
    const nodes = meanRatio(both.map(({ own, base }) => [orZero(own.nodes), orZero(base.nodes)]));
    const cells = [
      group,
      pairs.length,
      common + won,
      common + lost,
      won,
      lost,
      mcnemar(won, lost).toFixed(3),
    ];
    return `| ${cells.join(' | ')} | ${nodes.toFixed(2)} |`;
  });
  return [
    `| proof | tasks | whole | without ${options.ingredient} | only whole | only without | McNemar’s p | nodes, where both prove |`,
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const { tasks, seed } = readTasks('report');
const chosen = shuffled(tasks, `${seed}/order`).slice(0, options.tasks);
await runAblations(RECORD, chosen, { ...options, ingredients: [options.ingredient] });
console.log(report(chosen, readAttempts(RECORD)));
