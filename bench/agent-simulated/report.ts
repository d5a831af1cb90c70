/** The report of bench/agent-simulated: what each part of the agent adds at each quality of the model. Pure. */
import { probability } from '../../src/core/counted.ts';
import { countOf } from '../../src/core/entry.ts';
import { compare, measured, shareText } from '../../src/agent/evaluation/comparison.ts';
import type { Cell } from '../../src/agent/evaluation/cell.ts';

/** The chance that the model's sentence is the author's. */
export const QUALITIES = [0.3, 0.6, 0.9] as const;

/** Of `lemma-depth`. */
export const DEPTHS = [2, 1] as const;

const WITHOUT = ' without ';

function tokensOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}

function thousands(tokens: number): string {
  return (tokens / 1000).toFixed(1);
}

export function simulatedReport(cells: readonly Cell[], commits: string): string {
  const of = (method: string, group?: string): readonly Cell[] =>
    measured(cells).filter((cell) => cell.method === method && (group ?? cell.group) === cell.group);
  const groups = new Map<string, number>();
  for (const { task, group = '' } of new Map(cells.map((cell) => [cell.task, cell])).values())
    if (task !== '') groups.set(group, countOf(groups, group) + 1);
  const sections = QUALITIES.flatMap((quality) => {
    const everything = `quality ${quality}`;
    const methods = [...new Set(cells.map(({ method }) => method))].filter(
      (method) => method === everything || method.startsWith(`${everything}${WITHOUT}`),
    );
    const rows = methods.map((method) => {
      const own = of(method);
      const { onlyFirst, onlySecond, p } = compare(of(everything), own);
      const name = method === everything ? 'everything' : method.slice(everything.length + 1);
      const against =
        method === everything ? '– | – | –' : `${onlyFirst} | ${onlySecond} | ${probability(p)}`;
      const proofs = own.filter(({ outcome }) => outcome === 'proved').length;
      const each = (among: number): string => (among === 0 ? '–' : thousands(tokensOf(own) / among));
      return `| ${[name, shareText(own), shareText(of(method, 'lacks a lemma')), against, each(own.length), each(proofs)].join(' | ')} |`;
    });
    return [
      `## Quality ${quality}`,
      [
        '| | solved | of those that lack a lemma | only with everything | only without | p | 1000 tokens a theorem | 1000 tokens a proof |',
        `|${'---|'.repeat(8)}`,
        ...rows,
      ].join('\n'),
    ];
  });
  return `${[
    '# What the parts of the agent add, with a simulated model',
    `\`npx node bench/agent-simulated/run.ts\`, cells of commit ${commits}: ${[...groups.values()].reduce((sum, count) => sum + count, 0)} theorems of the standard library and ext-lib with proofs of 5 to 12 sentences, ${countOf(groups, 'lacks a lemma')} of them in a file that lacks a lemma which the author's proof uses. Shares with Wilson's 95 % intervals; p is McNemar's exact test on the same theorems. The cells are in \`bench/records/agent-simulated.jsonl\`; [bench.md](bench.md) says what the model is and what it cannot show.`,
    ...sections,
  ].join('\n\n')}\n`;
}

export function methodOfDepth(quality: number, depth: number): string {
  return `quality ${quality}, lemma-depth ${depth}`;
}

/** What `lemma-depth` 2 brings over 1, by what the files of the theorems lack. */
export function depthTable(cells: readonly Cell[]): string {
  const groups = [...new Set(cells.flatMap(({ group }) => group ?? []))];
  const rows = groups.flatMap((group) =>
    QUALITIES.map((quality) => {
      const [deep = [], flat = []] = DEPTHS.map((depth) =>
        measured(cells).filter(
          (cell) => cell.group === group && cell.method === methodOfDepth(quality, depth),
        ),
      );
      const { onlyFirst, onlySecond, p } = compare(deep, flat);
      const tokens = [deep, flat].map((own) =>
        own.length === 0 ? '–' : thousands(tokensOf(own) / own.length),
      );
      const solved = [shareText(deep), shareText(flat)];
      return `| ${[group, quality, ...solved, onlyFirst, onlySecond, probability(p), ...tokens].join(' | ')} |`;
    }),
  );
  return [
    '| the file | quality | solved with 2 | with 1 | only with 2 | only with 1 | p | 1000 tokens a theorem with 2 | with 1 |',
    `|${'---|'.repeat(9)}`,
    ...rows,
  ].join('\n');
}
