/** What a workspace holds of measurements and data: results of `quod bench run`, data sets, and their items. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { counted, probability } from '../../core/counted.ts';
import { costSumFields, costSumText } from '../../agent/models/cost-sum.ts';
import { cellSchema, type Cell } from '../../agent/evaluation/cell.ts';
import { compare, measured, repeatsOf } from '../../agent/evaluation/comparison.ts';
import { median, passAt } from '../../agent/evaluation/statistics.ts';
import { formatDuration } from '../../core/duration.ts';
import { Turn } from '../../core/concurrency/turn.ts';
import { QuodError } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { Dataset } from '../../mining/dataset.ts';
import { SPLITS, type Item } from '../../mining/item.ts';
import { LARGEST_WRITTEN_BYTES, readRegularText } from '../../process/foreign-folder/regular-file.ts';
import { RESULTS_FILE } from '../../process/foreign-folder/source-folders.ts';
import { filesBelow } from '../../process/foreign-folder/files-below.ts';
import { READS, defineOperation } from '../definition/operation.ts';
import type { Workspace } from '../definition/workspace.ts';

const HEADER = 'dataset.json';
const MOST_FOLDERS = 500;

async function foldersWith(file: string, workspace: Workspace, signal: AbortSignal): Promise<string[]> {
  const folders: string[] = [];
  for await (const path of filesBelow(workspace.root)) {
    if (signal.aborted || folders.length >= MOST_FOLDERS) break;
    if (basename(path) !== file) continue;
    const folder = relative(workspace.root, dirname(path));
    folders.push(folder === '' ? '.' : folder);
  }
  return folders.sort();
}

const dataFound = defineOperation({
  name: 'data_found',
  area: 'data',
  title: 'Results and data sets of the workspace',
  summary:
    'Lists the folders of the workspace that hold results of `quod bench run` or a data set of `data_mine`.',
  input: z.object({}),
  output: z.object({
    results: z.array(z.object({ folder: z.string(), cells: z.int(), written_at: z.string() })),
    datasets: z.array(z.object({ folder: z.string(), sources: z.int() })),
  }),
  annotations: READS,
  defaultTimeout: 120,
  render: ({ results, datasets }) =>
    [
      ...results.map(({ folder, cells }) => `results   ${folder}  ${counted(cells, 'cell')}`),
      ...datasets.map(({ folder, sources }) => `data set  ${folder}  ${counted(sources, 'source')}`),
    ].join('\n'),
  run: async (_input, { workspace, signal }) => {
    const results = [];
    for (const folder of await foldersWith(RESULTS_FILE, workspace, signal)) {
      const path = join(workspace.root, folder, RESULTS_FILE);
      const text = await readRegularText(path, LARGEST_WRITTEN_BYTES);
      // A run that has just begun has none.
      if (text === '') continue;
      const { mtime } = await stat(path);
      results.push({ folder, cells: text.split('\n').length - 1, written_at: mtime.toISOString() });
    }
    const datasets = [];
    for (const folder of await foldersWith(HEADER, workspace, signal)) {
      const dataset = await Dataset.open(join(workspace.root, folder)).catch(() => undefined);
      if (dataset !== undefined) datasets.push({ folder, sources: (await dataset.libraries()).length });
    }
    return { results, datasets };
  },
});

const shareFields = {
  proved: z.int(),
  total: z.int().describe('Runs, without those that could not be made.'),
  share: z.number(),
  low: z.number().describe('Of the 95 % interval: Wilson’s, with repeats of the bootstrap over theorems.'),
  high: z.number(),
};

const resultsSchema = z.object({
  folder: z.string(),
  groups: z.array(z.string()).describe('By the length of the author’s proof.'),
  methods: z.array(
    z.object({
      method: z.string(),
      ...shareFields,
      by_group: z.array(z.object({ group: z.string(), ...shareFields })),
      median_seconds: z.number().nullable().describe('Of those that were proved.'),
      proved_seconds: z.array(z.number()).describe('When each was proved, in order.'),
      seconds: z.number(),
      model_calls: z.int(),
      tool_calls: z.int(),
      ...costSumFields,
      failed: z.int().describe('Cells that could not be run.'),
    }),
  ),
  compared: z.array(
    z.object({
      one: z.string(),
      other: z.string(),
      only_one: z.int(),
      only_other: z.int(),
      p: z
        .number()
        .nullable()
        .describe(
          'McNemar, exact; with repeats the theorem is what is drawn. Null: no theorem was run with both.',
        ),
    }),
  ),
  tasks: z.array(
    z.object({ task: z.string(), group: z.string().nullable(), proved_by: z.array(z.string()) }),
  ),
});

type Share = z.output<z.ZodObject<typeof shareFields>>;

function shareLine({ proved, total, share, low, high }: Share): string {
  if (total === 0) return 'none could be run';
  const percent = (part: number): string => (100 * part).toFixed(0);
  return `${proved}/${total}, ${percent(share)} % (${percent(low)}–${percent(high)})`;
}

function resultsText({ methods, compared, tasks }: z.output<typeof resultsSchema>): string {
  return [
    ...methods.flatMap((method) => [
      `${method.method}: ${shareLine(method)}${method.median_seconds === null ? '' : `, median ${formatDuration(method.median_seconds * 1000)}`}`,
      ...method.by_group.map((group) => `  ${group.group}: ${shareLine(group)}`),
      `  ${formatDuration(method.seconds * 1000)}, ${counted(method.model_calls, 'call')} of models, ${counted(method.tool_calls, 'tool call')}, ${costSumText(method)}${method.failed === 0 ? '' : `; ${method.failed} could not be run`}`,
    ]),
    ...compared.map(({ one, other, only_one, only_other, p }) =>
      p === null
        ? `${one} and ${other}: no theorem was run with both`
        : `only ${one} proved ${only_one}, only ${other} ${only_other}: p ${p < 0.0005 ? '' : '= '}${probability(p)}`,
    ),
    ...tasks.map(
      ({ task, proved_by }) =>
        `${task}: ${proved_by.length === 0 ? 'proved by none' : `proved by ${proved_by.join(', ')}`}`,
    ),
  ].join('\n');
}

const dataResults = defineOperation({
  name: 'data_results',
  area: 'data',
  title: 'Results of a benchmark',
  summary:
    'Answers what `quod bench run` measured: shares with intervals, times, costs, and which theorem each method proved.',
  input: z.object({
    folder: z.string().describe('Where `quod bench run` wrote its report; `data_found` lists them.'),
  }),
  output: resultsSchema,
  annotations: READS,
  defaultTimeout: 120,
  positional: ['folder'],
  render: resultsText,
  run: async ({ folder }, { workspace, signal }) => {
    const path = join(await workspace.resolve(folder), RESULTS_FILE);
    const cells = await readCells(path, folder);
    const byMethod = [...Map.groupBy(cells, ({ method }) => method)];
    const groups = [...new Set(cells.flatMap(({ group }) => group ?? []))].sort((one, other) =>
      one.localeCompare(other, 'en', { numeric: true }),
    );
    // A folder of somebody else may have any number of them: the server goes on meanwhile.
    const turn = new Turn();
    const rest = async (): Promise<void> => {
      if (turn.isOver) await turn.pass();
      if (signal.aborted) throw new QuodError('interrupted', 'The call was cancelled.');
    };
    const methods = [];
    const compared = [];
    for (const [index, [one, own]] of byMethod.entries()) {
      methods.push(methodFigures(one, own, groups));
      for (const [other, theirs] of byMethod.slice(index + 1)) {
        await rest();
        const { onlyFirst, onlySecond, p } = compare(own, theirs);
        compared.push({ one, other, only_one: onlyFirst, only_other: onlySecond, p: p ?? null });
      }
    }
    const tasks = [...Map.groupBy(cells, ({ task }) => task)].map(([task, own]) => {
      const proved = own.filter(({ outcome }) => outcome === 'proved');
      return {
        ...{ task, group: own[0]?.group ?? null },
        proved_by: [...new Set(proved.map(({ method }) => method))],
      };
    });
    return { folder, groups, methods, compared, tasks };
  },
});

function methodFigures(method: string, own: readonly Cell[], groups: readonly string[]) {
  const sum = (value: (cell: Cell) => number): number => own.reduce((total, cell) => total + value(cell), 0);
  const times = own.filter(({ outcome }) => outcome === 'proved').map(({ seconds }) => seconds);
  return {
    ...{ method, ...provedShare(own) },
    by_group: groups.map((group) => ({ group, ...provedShare(own.filter((cell) => cell.group === group)) })),
    median_seconds: median(times) ?? null,
    proved_seconds: times.toSorted((one, other) => one - other),
    seconds: sum(({ seconds }) => seconds),
    model_calls: sum(({ modelCalls }) => modelCalls),
    tool_calls: sum(({ toolCalls }) => toolCalls),
    cost: sum(({ cost }) => cost),
    uncosted: sum(({ uncosted }) => uncosted),
    failed: own.filter(({ outcome }) => outcome === 'failed').length,
  };
}

function provedShare(cells: readonly Cell[]) {
  const run = measured(cells);
  const proved = run.filter(({ outcome }) => outcome === 'proved').length;
  const { share, low, high } = passAt(repeatsOf(cells), 1);
  return { proved, total: run.length, share, low, high };
}

async function readCells(path: string, folder: string): Promise<Cell[]> {
  const text = await readRegularText(path, LARGEST_WRITTEN_BYTES).catch((cause: unknown) => {
    throw new QuodError('not-found', 'There are no results of a benchmark in this folder.', {
      place: { file: folder },
      remedy: '`data_found` lists the folders that have some; `quod bench run` makes them.',
      cause,
    });
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const cell = cellSchema.safeParse(parsedJson(line));
      if (cell.success) return cell.data;
      throw new QuodError('invalid-input', 'This line is no result.', {
        place: { file: path, position: { line: index + 1, column: 0 } },
        remedy: '`quod bench run SPEC --report-only` writes the results again.',
      });
    });
}

const dataItems = defineOperation({
  name: 'data_items',
  area: 'data',
  title: 'Items of a data set',
  summary: 'Answers items of a data set, page by page: statement, proof, where each comes from.',
  input: z.object({
    folder: z.string().describe('A data set: a folder that `data_mine` wrote.'),
    library: z.string().optional().describe('Only of this source.'),
    split: z.enum(SPLITS).optional(),
    text: z.string().optional().describe('Only items whose name, statement or proof has this in it.'),
    offset: z.int().nonnegative().default(0),
    limit: z.int().positive().max(500).default(50),
  }),
  output: z.object({
    libraries: z.array(z.string()),
    items: z.array(
      z.object({
        name: z.string(),
        theorem: z.string(),
        library: z.string(),
        file: z.string(),
        line: z.int(),
        statement: z.string(),
        proof: z.string(),
        origin: z.string(),
        split: z.string(),
        steps: z.int(),
      }),
    ),
    total: z.int().describe('How many there are with what was asked for.'),
  }),
  annotations: READS,
  defaultTimeout: 600,
  positional: ['folder'],
  render: ({ items, total }) =>
    [
      ...items.map(({ name, statement, proof }) => `${name} ${statement}\n${proof}\n`),
      counted(total, 'item'),
    ].join('\n'),
  run: async ({ folder, library, split, text, offset, limit }, { workspace, signal }) => {
    const dataset = await Dataset.open(await workspace.resolve(folder));
    const libraries = await dataset.libraries();
    const items: Item[] = [];
    let total = 0;
    for (const name of library === undefined ? libraries : libraries.filter((one) => one === library)) {
      signal.throwIfAborted();
      const record = await dataset.record(name);
      if (record === undefined || (split !== undefined && record.split !== split)) continue;
      for (const item of await dataset.items(record)) {
        if (text !== undefined && !`${item.name} ${item.statement}\n${item.proof}`.includes(text)) continue;
        total += 1;
        if (total > offset && items.length < limit) items.push(item);
      }
    }
    return {
      ...{ libraries, total },
      items: items.map(({ tactics, ...item }) => ({
        ...{
          name: item.name,
          theorem: item.theorem,
          library: item.library,
          file: item.file,
          line: item.line,
        },
        ...{ statement: item.statement, proof: item.proof, origin: item.origin, split: item.split },
        steps: tactics.length,
      })),
    };
  },
});

export const RESULTS_OPERATIONS = [dataFound, dataResults, dataItems] as const;
