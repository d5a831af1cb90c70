/** Two methods, or one method in two benchmarks, on the same theorems. Pure. */
import { percent, probability } from '../../core/counted.ts';
import { markdownCell, markdownText } from '../markdown.ts';
import type { Cell } from './cell.ts';
import { passAt, signFlip } from './statistics.ts';
import type { Repeats } from './statistics.ts';

export interface RunComparison {
  /** Theorems that both were run on. */
  readonly theorems: number;
  /** Pairs of runs that only one of the two solved. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Undefined where there is nothing to compare. */
  readonly p: number | undefined;
}

/** Runs with the same theorem and the same repeat are a pair; what could not be run is in none. */
export function compare(first: readonly Cell[], second: readonly Cell[]): RunComparison {
  const keyOf = ({ task, repeat }: Cell): string => `${task} ${repeat}`;
  const theirs = new Map(measured(second).map((cell) => [keyOf(cell), cell.outcome === 'proved']));
  const differences = new Map<string, number>();
  let onlyFirst = 0;
  let onlySecond = 0;
  for (const cell of measured(first)) {
    const other = theirs.get(keyOf(cell));
    if (other === undefined) continue;
    const own = cell.outcome === 'proved';
    const known = differences.get(cell.task);
    differences.set(cell.task, (known === undefined ? 0 : known) + Number(own) - Number(other));
    if (own && !other) onlyFirst++;
    if (!own && other) onlySecond++;
  }
  const theorems = differences.size;
  const p = theorems === 0 ? undefined : signFlip([...differences.values()]);
  return { theorems, onlyFirst, onlySecond, p };
}

export function measured(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(({ outcome }) => outcome !== 'failed');
}

/** By theorem. */
export function repeatsOf(cells: readonly Cell[]): readonly Repeats[] {
  const byTask = new Map<string, Repeats>();
  for (const { task, outcome } of measured(cells)) {
    const { tried, solved } = byTask.get(task) ?? { tried: 0, solved: 0 };
    byTask.set(task, { tried: tried + 1, solved: solved + Number(outcome === 'proved') });
  }
  return [...byTask.values()];
}

/** Two benchmarks side by side, method by method of the same name. */
export function comparisonReport(
  [one, first]: readonly [name: string, cells: readonly Cell[]],
  [other, second]: readonly [name: string, cells: readonly Cell[]],
): string {
  const methods = [...new Set(first.map(({ method }) => method))].filter((name) =>
    second.some(({ method }) => method === name),
  );
  const compared = methods.map((name) => {
    const of = (cells: readonly Cell[]): readonly Cell[] => cells.filter(({ method }) => method === name);
    return { name, of, ...compare(of(first), of(second)) };
  });
  const apart = compared.filter(({ p }) => p === undefined);
  const rows = compared.map(({ name, of, theorems, onlyFirst, onlySecond, p }) => {
    return `| ${markdownCell(name)} | ${shareText(of(first))} | ${shareText(of(second))} | ${theorems} | ${onlyFirst} | ${onlySecond} | ${probability(p)} |`;
  });
  const alone = (mine: readonly Cell[], theirs: readonly Cell[]): readonly string[] => [
    ...new Set(mine.flatMap(({ method }) => (theirs.some((cell) => cell.method === method) ? [] : [method]))),
  ];
  const unpaired = [...alone(first, second), ...alone(second, first)];
  return [
    `# ${markdownText(one)} and ${markdownText(other)}`,
    'Shares with 95 % intervals, and how many pairs of runs only one of the two proved; p is McNemar’s exact test, with theorems as what is drawn.',
    [
      `| method | ${markdownCell(one)} | ${markdownCell(other)} | theorems | only ${markdownCell(one)} | only ${markdownCell(other)} | p |`,
      '|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    ...(apart.length === 0
      ? []
      : [
          `No theorem was run in both (with the same repeat): ${apart.map(({ name }) => markdownText(name)).join(', ')}. There is nothing to compare.`,
        ]),
    ...(unpaired.length === 0 ? [] : [`Only in one of them: ${unpaired.map(markdownText).join(', ')}.`]),
  ].join('\n\n');
}

export function shareText(cells: readonly Cell[], k = 1): string {
  const { share, low, high, theorems } = passAt(repeatsOf(cells), k);
  if (theorems === 0) return '–';
  const some = measured(cells);
  const proved = some.filter(({ outcome }) => outcome === 'proved').length;
  const range = `${percent(share)} [${percent(low)}–${percent(high)}]`;
  return k === 1 ? `${range} (${proved}/${some.length})` : range;
}
