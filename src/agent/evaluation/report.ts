/** The report of a benchmark, from the cells' logs alone: tables by length, comparisons, costs, and two plots. Pure. */
import { counted } from '../../core/counted.ts';
import type { BenchSpec } from './spec.ts';
import { groupName } from './spec.ts';
import { mcnemar, median, wilson } from './statistics.ts';

/** One method on one theorem, once. */
export interface Cell {
  readonly method: string;
  readonly task: string;
  readonly repeat: number;
  /** Undefined beyond all groups. */
  readonly group: string | undefined;
  readonly outcome: 'proved' | 'not-proved' | 'failed';
  readonly seconds: number;
  readonly cost: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

export interface BenchReport {
  readonly markdown: string;
  /** File names with their SVG. */
  readonly plots: Readonly<Record<string, string>>;
}

export function benchReport(
  spec: BenchSpec,
  cells: readonly Cell[],
  skipped: readonly { readonly task: string; readonly why: string }[],
): BenchReport {
  const methods = spec.methods.map(({ name }) => name);
  const groups = spec.groups.map(groupName);
  const of = (method: string, group?: string): readonly Cell[] =>
    cells.filter((cell) => cell.method === method && (group === undefined || cell.group === group));
  const share = (some: readonly Cell[]): string => {
    const proved = some.filter(({ outcome }) => outcome === 'proved').length;
    if (some.length === 0) return '–';
    const { share: value, low, high } = wilson(proved, some.length);
    return `${percent(value)} [${percent(low)}–${percent(high)}] (${proved}/${some.length})`;
  };
  const rows = methods.map((method) => {
    const own = of(method);
    return `| ${method} | ${groups.map((group) => share(of(method, group))).join(' | ')} | ${share(own)} |`;
  });
  const spent = methods.map((method) => {
    const own = of(method);
    const sum = (value: (cell: Cell) => number): number =>
      own.reduce((total, cell) => total + value(cell), 0);
    const proved = own.filter(({ outcome }) => outcome === 'proved');
    const middle = median(proved.map(({ seconds }) => seconds));
    const failed = own.filter(({ outcome }) => outcome === 'failed').length;
    return `| ${method} | ${middle?.toFixed(1) ?? '–'} | ${sum(({ seconds }) => seconds).toFixed(0)} | ${sum((cell) => cell.modelCalls)} | ${sum((cell) => cell.toolCalls)} | $${sum(({ cost }) => cost).toFixed(4)} | ${failed} |`;
  });
  const compared = methods.flatMap((one, index) =>
    methods.slice(index + 1).map((other) => {
      const { onlyFirst, onlySecond } = disagreements(of(one), of(other));
      return `| ${one} | ${other} | ${onlyFirst} | ${onlySecond} | ${probability(mcnemar(onlyFirst, onlySecond))} |`;
    }),
  );
  const markdown = [
    `# ${spec.name}`,
    `${counted(new Set(cells.map(({ task }) => task)).size, 'theorem')}, ${counted(spec.repeats, 'repeat')}. Shares of theorems that the gate accepted a proof of, with 95 % intervals (Wilson); lengths are sentences of the author’s proof.`,
    [
      '| method | ' + groups.join(' | ') + ' | all |',
      `|---|${'---|'.repeat(groups.length + 1)}`,
      ...rows,
    ].join('\n'),
    '![Shares by length](solved.svg)',
    '## What it took',
    [
      '| method | median s, proved | s, all | calls of models | tool calls | cost | could not be run |',
      '|---|---|---|---|---|---|---|',
      ...spent,
    ].join('\n'),
    '![Proved over time](time.svg)',
    ...(compared.length === 0
      ? []
      : [
          '## Compared on the same theorems',
          'How many only one of the two proved, and McNemar’s exact p.',
          ['| one | other | only one | only other | p |', '|---|---|---|---|---|', ...compared].join('\n'),
        ]),
    ...(skipped.length === 0
      ? []
      : ['## Left out', skipped.map(({ task, why }) => `- ${task}: ${why}`).join('\n')]),
  ].join('\n\n');
  return {
    markdown: `${markdown}\n`,
    plots: {
      'solved.svg': barPlot(methods, [...groups, 'all'], (method, group) => {
        const some = of(method, group === 'all' ? undefined : group);
        return wilson(some.filter(({ outcome }) => outcome === 'proved').length, some.length);
      }),
      'time.svg': timePlot(methods, (method) => of(method)),
    },
  };
}

/** How many only one of two methods proved. Each repeat of a theorem is a pair of its own. */
export function disagreements(
  one: readonly Cell[],
  other: readonly Cell[],
): { readonly onlyFirst: number; readonly onlySecond: number } {
  const keyOf = ({ task, repeat }: Cell): string => `${task} ${repeat}`;
  const theirs = new Map(other.map((cell) => [keyOf(cell), cell.outcome === 'proved']));
  let onlyFirst = 0;
  let onlySecond = 0;
  for (const cell of one) {
    const second = theirs.get(keyOf(cell));
    if (second === undefined) continue;
    const first = cell.outcome === 'proved';
    if (first && !second) onlyFirst++;
    if (!first && second) onlySecond++;
  }
  return { onlyFirst, onlySecond };
}

function probability(p: number): string {
  return p < 0.0005 ? '< 0.001' : p.toFixed(3);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const COLOURS = ['#3b6ea5', '#c8553d', '#588157', '#8a5fa8', '#b08900', '#5f6b6d', '#c06c9c', '#2a9d8f'];
const WIDTH = 760;
const HEIGHT = 360;
const LEFT = 50;
const TOP = 20;
const PLOT_HEIGHT = 240;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function frame(body: readonly string[], methods: readonly string[]): string {
  const legend = methods.map((method, index) => {
    const x = LEFT + (index % 3) * 230;
    const y = HEIGHT - 60 + Math.floor(index / 3) * 18;
    return `<rect x="${x}" y="${y - 9}" width="10" height="10" fill="${colour(index)}"/><text x="${x + 16}" y="${y}">${escaped(method)}</text>`;
  });
  const grid = [0, 25, 50, 75, 100].map((value) => {
    const y = TOP + PLOT_HEIGHT * (1 - value / 100);
    return `<line x1="${LEFT}" y1="${y}" x2="${WIDTH - 10}" y2="${y}" stroke="#ddd"/><text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${value} %</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...grid,
    ...body,
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? 'black';
}

function barPlot(
  methods: readonly string[],
  groups: readonly string[],
  shareOf: (method: string, group: string) => { share: number; low: number; high: number },
): string {
  const groupWidth = (WIDTH - LEFT - 10) / groups.length;
  const barWidth = (groupWidth * 0.8) / methods.length;
  const y = (value: number): number => TOP + PLOT_HEIGHT * (1 - value);
  const body = groups.flatMap((group, at) => [
    `<text x="${LEFT + groupWidth * (at + 0.5)}" y="${TOP + PLOT_HEIGHT + 18}" text-anchor="middle">${escaped(group)}</text>`,
    ...methods.map((method, index) => {
      const { share, low, high } = shareOf(method, group);
      const x = LEFT + groupWidth * at + groupWidth * 0.1 + index * barWidth;
      const middle = x + barWidth / 2;
      return (
        `<rect x="${x.toFixed(1)}" y="${y(share).toFixed(1)}" width="${(barWidth * 0.9).toFixed(1)}" height="${(share * PLOT_HEIGHT).toFixed(1)}" fill="${colour(index)}"/>` +
        `<line x1="${middle.toFixed(1)}" y1="${y(high).toFixed(1)}" x2="${middle.toFixed(1)}" y2="${y(low).toFixed(1)}" stroke="#222"/>`
      );
    }),
  ]);
  return frame(body, methods);
}

function timePlot(methods: readonly string[], cellsOf: (method: string) => readonly Cell[]): string {
  const longest = Math.max(1, ...methods.flatMap((method) => cellsOf(method).map(({ seconds }) => seconds)));
  const body = methods.map((method, index) => {
    const cells = cellsOf(method);
    const times = cells
      .flatMap(({ outcome, seconds }) => (outcome === 'proved' ? [seconds] : []))
      .toSorted((one, other) => one - other);
    let points = `${LEFT},${TOP + PLOT_HEIGHT}`;
    let height = TOP + PLOT_HEIGHT;
    for (const [count, time] of times.entries()) {
      const x = LEFT + ((WIDTH - LEFT - 10) * time) / longest;
      const next = TOP + PLOT_HEIGHT * (1 - (count + 1) / cells.length);
      points += ` ${x.toFixed(1)},${height.toFixed(1)} ${x.toFixed(1)},${next.toFixed(1)}`;
      height = next;
    }
    return `<polyline points="${points} ${WIDTH - 10},${height.toFixed(1)}" fill="none" stroke="${colour(index)}" stroke-width="2"/>`;
  });
  const axis = `<text x="${WIDTH - 10}" y="${TOP + PLOT_HEIGHT + 18}" text-anchor="end">${longest.toFixed(0)} s</text>`;
  return frame([...body, axis], methods);
}
