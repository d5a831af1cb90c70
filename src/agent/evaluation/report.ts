/** The report of a benchmark, from the cells' logs alone: tables by length, comparisons, costs, and two plots. Pure. */
import { counted, probability } from '../../core/counted.ts';
import { foreignName } from '../../core/foreign-text.ts';
import { greatestOf } from '../../core/lists/many.ts';
import { costSumText, type CostSum } from '../models/cost-sum.ts';
import { markdownCell, markdownSentence, markdownText } from '../markdown.ts';
import type { BenchSpec } from './spec.ts';
import type { Cell } from './cell.ts';
import { compare, repeatsOf, shareText } from './comparison.ts';
import { groupName, methodsOf } from './spec.ts';
import { median, passAt } from './statistics.ts';

export interface BenchReport {
  readonly markdown: string;
  /** File names with their SVG. */
  readonly plots: Readonly<Record<string, string>>;
}

/** @param isReadFromLogs Nobody asked the gate again: what is counted is what the logs of the runs say. */
export function benchReport(
  spec: BenchSpec,
  cells: readonly Cell[],
  skipped: readonly { readonly task: string; readonly why: string }[],
  isReadFromLogs = false,
): BenchReport {
  const methods = methodsOf(spec).map(({ name }) => name);
  const groups = spec.groups.map(groupName);
  const of = (method: string, group?: string): readonly Cell[] =>
    cells.filter((cell) => cell.method === method && (group === undefined || cell.group === group));
  const rows = methods.map((method) => {
    const shares = groups.map((group) => shareText(of(method, group)));
    return `| ${markdownCell(method)} | ${shares.join(' | ')} | ${shareText(of(method))} |`;
  });
  const compared = methods.flatMap((one, index) =>
    methods.slice(index + 1).map((other) => {
      const { onlyFirst, onlySecond, p } = compare(of(one), of(other));
      return `| ${markdownCell(one)} | ${markdownCell(other)} | ${onlyFirst} | ${onlySecond} | ${probability(p)} |`;
    }),
  );
  const failed = cells.filter(({ outcome }) => outcome === 'failed');
  const values = cells.filter(({ outcome, isValue }) => outcome === 'proved' && isValue === true);
  const markdown = [
    `# ${markdownText(spec.name)}`,
    `${counted(new Set(cells.map(({ task }) => task)).size, 'theorem')}, ${counted(spec.repeats, 'repeat')}. Shares of theorems that ${isReadFromLogs ? 'are proved by what the logs of the runs say (the gate was not asked again)' : 'the gate accepted a proof of'}, with 95 % intervals (Wilson; with repeats the bootstrap over theorems); lengths are sentences of the author’s proof. What could not be run is in no share.`,
    [
      '| method | ' + groups.join(' | ') + ' | all |',
      `|---|${'---|'.repeat(groups.length + 1)}`,
      ...rows,
    ].join('\n'),
    '![Shares by length](solved.svg)',
    ...passAtTable(spec, methods, (method) => of(method)),
    '## What it took',
    [
      '| method | median s, proved | s, all | calls of models | tool calls | tokens in | of them cached | tokens out | cost | could not be run |',
      `|${'---|'.repeat(10)}`,
      ...methods.map((method) => spentRow(method, of(method))),
    ].join('\n'),
    [
      '| method | proofs | tokens a theorem | tokens a proof | cost a proof | s a proof |',
      `|${'---|'.repeat(6)}`,
      ...methods.map((method) => perProofRow(method, of(method))),
    ].join('\n'),
    '![Proved over time](time.svg)',
    ...(compared.length === 0
      ? []
      : [
          '## Compared on the same theorems',
          'How many runs only one of the two proved, and McNemar’s exact p; with repeats the theorem is what is drawn.',
          ['| one | other | only one | only other | p |', '|---|---|---|---|---|', ...compared].join('\n'),
        ]),
    ...(values.length === 0
      ? []
      : [
          '## May be values',
          'Stated by a word such as `Definition`, or closed with `Defined` by the author. Where that is no proposition the gate accepts any value of its type, not the author’s alone: the shares above have it in them, and it says nothing of a method. List none to measure proofs.',
          [...new Set(values.map(({ task }) => task))].map((task) => `- ${markdownText(task)}`).join('\n'),
        ]),
    ...(failed.length === 0
      ? []
      : [
          '## Could not be run',
          failed
            .map(
              ({ method, task, repeat, why }) =>
                `- ${markdownText(method)}: ${markdownText(task)}, repeat ${repeat}: ${markdownSentence(why ?? 'the run failed')}`,
            )
            .join('\n'),
        ]),
    ...(skipped.length === 0
      ? []
      : [
          '## Left out',
          skipped.map(({ task, why }) => `- ${markdownText(task)}: ${markdownSentence(why)}`).join('\n'),
        ]),
  ].join('\n\n');
  return {
    markdown: `${markdown}\n`,
    plots: {
      'solved.svg': barPlot(methods, [...groups, 'all'], (method, group) => {
        return passAt(repeatsOf(of(method, group === 'all' ? undefined : group)), 1);
      }),
      'time.svg': timePlot(methods, (method) => of(method)),
    },
  };
}

/** pass@k for the powers of two up to the repeats; nothing where there is one. */
function passAtTable(
  { repeats }: BenchSpec,
  methods: readonly string[],
  of: (method: string) => readonly Cell[],
): readonly string[] {
  const ks = [1, 2, 4, 8, 16, 32, 64].filter((k) => k < repeats);
  if (ks.length === 0) return [];
  const all = [...ks, repeats];
  return [
    '## pass@k',
    'The chance that one of k runs proves a theorem: the unbiased estimator, its mean over theorems with at least k runs.',
    [
      `| method | ${all.map((k) => `pass@${k}`).join(' | ')} |`,
      `|---|${'---|'.repeat(all.length)}`,
      ...methods.map(
        (method) => `| ${markdownCell(method)} | ${all.map((k) => shareText(of(method), k)).join(' | ')} |`,
      ),
    ].join('\n'),
  ];
}

function totalOf(cells: readonly Cell[], value: (cell: Cell) => number): number {
  return cells.reduce((total, cell) => total + value(cell), 0);
}

function spentRow(method: string, own: readonly Cell[]): string {
  const sum = (value: (cell: Cell) => number): number => totalOf(own, value);
  const middle = median(own.flatMap(({ outcome, seconds }) => (outcome === 'proved' ? [seconds] : [])));
  const failed = own.filter(({ outcome }) => outcome === 'failed').length;
  return `| ${markdownCell(method)} | ${middle?.toFixed(1) ?? '–'} | ${sum(({ seconds }) => seconds).toFixed(0)} | ${sum((cell) => cell.modelCalls)} | ${sum((cell) => cell.toolCalls)} | ${sum((cell) => cell.inputTokens)} | ${sum((cell) => cell.cachedTokens)} | ${sum((cell) => cell.outputTokens)} | ${costSumText(costOf(own))} | ${failed} |`;
}

function costOf(own: readonly Cell[]): CostSum {
  return { cost: totalOf(own, ({ cost }) => cost), uncosted: totalOf(own, ({ uncosted }) => uncosted) };
}

/** All that was spent, on theorems that were proved and on those that were not, shared out among the proofs. */
function perProofRow(method: string, own: readonly Cell[]): string {
  const proofs = own.filter(({ outcome }) => outcome === 'proved').length;
  const tokens = totalOf(own, ({ inputTokens, outputTokens }) => inputTokens + outputTokens);
  const each = (sum: number, digits: number): string => (proofs === 0 ? '–' : (sum / proofs).toFixed(digits));
  const total = costOf(own);
  const cost = proofs === 0 ? '–' : costSumText({ ...total, cost: total.cost / proofs });
  const theorems = new Set(own.map(({ task }) => task)).size;
  const seconds = totalOf(own, (cell) => cell.seconds);
  return `| ${markdownCell(method)} | ${proofs} | ${theorems === 0 ? '–' : (tokens / theorems).toFixed(0)} | ${each(tokens, 0)} | ${cost} | ${each(seconds, 1)} |`;
}

const COLOURS = ['#3b6ea5', '#c8553d', '#588157', '#8a5fa8', '#b08900', '#5f6b6d', '#c06c9c', '#2a9d8f'];
const WIDTH = 760;
const HEIGHT = 360;
const LEFT = 50;
const TOP = 20;
const PLOT_HEIGHT = 240;

function escaped(text: string): string {
  return foreignName(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
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
  const longest = greatestOf([
    1,
    ...methods.flatMap((method) => cellsOf(method).map(({ seconds }) => seconds)),
  ]);
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
