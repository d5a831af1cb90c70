/**
 * Theorems that the search proves when a ranker chooses what it may learn from, as RocqStar measures rankers: of the
 * theorems before the target in its file, the k best keep their proofs and all others are admitted. Steps of
 * libraries are out of reach, everything else is the same for all rankers: tasks, seed, nodes. A proof counts when
 * the judge of bench/search accepts it in the real text.
 */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { entryAt, orNothing } from '../../src/core/entry.ts';
import { cacheDirectory } from '../../src/process/cache-directory.ts';
import { outlineOf, type FileOutline, type TheoremItem } from '../../src/provers/rocq/syntax/outline.ts';
import { writtenStatement } from '../../src/retrieval/outline-statements.ts';
import type { VectorSource } from '../../src/retrieval/model/vector-source.ts';
import { rankerNamed } from '../../src/retrieval/rankers/catalogue.ts';
import { best, type Ranker, type RankerName } from '../../src/retrieval/rankers/ranker.ts';
import { linkAllowedCache } from '../search/allowed-cache.ts';
import { runCommand } from '../search/command.ts';
import { coqFolder } from '../search/coqc.ts';
import { cutAt, taskText } from '../search/cut.ts';
import { shuffled, STRATA, type StratumName } from '../search/draw.ts';
import { judge } from '../search/judge.ts';
import { lightenedBefore } from '../search/lighten.ts';
import { cutOf, libraryNamed, loadPathOptions, readTasks, type Task } from '../search/task.ts';
import { eligibleTheorems } from '../search/theorems.ts';
import { mcnemar } from '../../src/agent/evaluation/statistics.ts';

export interface SolvedOptions {
  /** The first is the baseline. */
  readonly rankers: readonly RankerName[];
  readonly libraries?: readonly string[];
  readonly tasks: number;
  readonly nodes: number;
  readonly premises: number;
  readonly jobs: number;
  readonly json?: string;
}

const trialSchema = z.object({
  task: z.string(),
  stratum: z.enum(['≤ 4', '5–8', '9–20']),
  ranker: z.string(),
  nodes: z.number(),
  premises: z.array(z.string()),
  solved: z.boolean(),
  seconds: z.number(),
  message: z.string().optional(),
});

type Trial = z.infer<typeof trialSchema>;

export async function measureSolved(
  options: SolvedOptions,
  openVectors: () => Promise<VectorSource>,
): Promise<void> {
  const coq = coqFolder();
  const { tasks, seed } = readTasks('report');
  // The standard library is no library of this bench; what is left are libraries that no model was trained on.
  const drawn = STRATA.flatMap(({ name }) =>
    shuffled(
      tasks.filter(
        ({ library, stratum }) =>
          stratum === name && library !== 'stdlib' && (options.libraries?.includes(library) ?? true),
      ),
      `${seed}/retrieval`,
    ).slice(0, options.tasks),
  );
  const trials = readTrials(options);
  const queue = [...drawn.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [number, task] = next;
      const place = placeOf(task, coq);
      for (const name of options.rankers) {
        if (trials.some((trial) => trial.task === task.id && trial.ranker === name)) continue;
        const premises = await chosenPremises(task, place, rankerNamed(name, openVectors), options.premises);
        // With a budget of nodes the same premises give the same search.
        const same = trials.find((trial) => trial.task === task.id && sameSet(trial.premises, premises));
        const trial: Trial = {
          ...(same ?? (await tryTask(task, place, { premises, nodes: options.nodes, coq }))),
          task: task.id,
          stratum: task.stratum,
          ranker: name,
          nodes: options.nodes,
          premises,
        };
        trials.push(trial);
        if (options.json !== undefined) appendFileSync(options.json, `${JSON.stringify(trial)}\n`);
        console.error(
          `${number + 1}/${drawn.length} ${name} ${task.id}: ${trial.solved ? 'solved' : 'not solved'}, ` +
            (same === undefined ? `${trial.seconds.toFixed(1)} s` : `the same premises as ${same.ranker}`),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  console.log(report(options.rankers, trials));
}

function readTrials({ json, nodes }: SolvedOptions): Trial[] {
  if (json === undefined || !existsSync(json)) return [];
  return readFileSync(json, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => trialSchema.parse(JSON.parse(line)))
    .filter((trial) => trial.nodes === nodes);
}

/** A line of `quod prove --json`, as far as it matters here. */
const answerSchema = z.object({
  theorem: z.string(),
  proof: z.string().nullable(),
  message: z.string().nullable(),
});

interface Place {
  readonly outline: FileOutline;
  readonly target: TheoremItem;
}

function placeOf(task: Task, coq: string): Place {
  const outline = outlineOf(readFileSync(join(coq, task.source), 'utf8'));
  const target = eligibleTheorems(outline).find(({ name }) => name === task.theorem);
  if (target === undefined) throw new Error(`${task.source} has no theorem ${task.theorem} any more.`);
  return { outline, target };
}

/** Names of the theorems before the target that keep their proofs. */
async function chosenPremises(
  task: Task,
  { outline, target }: Place,
  ranker: Ranker,
  count: number,
): Promise<string[]> {
  const before = eligibleTheorems(outline).filter(({ sentence }) => sentence < target.sentence);
  const statements = before.flatMap((item) => writtenStatement(outline, item, task.source) ?? []);
  const wanted = writtenStatement(outline, target, task.source);
  if (wanted === undefined) throw new Error(`${task.theorem} has no proof.`);
  const collection = await ranker.collection(statements);
  const scores = await collection.scores({ goal: wanted.goal });
  return best(scores, count).map(({ index }) => entryAt(statements, index, 'statement').name);
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

async function tryTask(
  task: Task,
  { outline, target }: Place,
  {
    premises,
    nodes,
    coq,
  }: { readonly premises: readonly string[]; readonly nodes: number; readonly coq: string },
): Promise<Pick<Trial, 'solved' | 'seconds' | 'message'>> {
  const cut = { ...cutAt(outline, target), before: lightenedBefore(outline, target, new Set(premises)) };
  const folder = mkdtempSync(join(tmpdir(), 'quod-retrieval-'));
  try {
    const file = join(folder, basename(task.source));
    writeFileSync(file, taskText(cut));
    const load = loadPathOptions(libraryNamed(task.library), coq);
    if (load.length > 0) writeFileSync(join(folder, '_CoqProject'), `${load.join(' ')}\n`);
    const cache = join(folder, 'cache');
    linkAllowedCache(cache, cacheDirectory(), { source: task.source, loaded: [] });
    const words = [
      join(import.meta.dirname, '..', '..', 'src', 'faces', 'cli', 'start.ts'),
      ...['prove', file, '--theorem', task.theorem, '--nodes', String(nodes), '--jobs', '1', '--json'],
    ];
    const run = await runCommand(process.execPath, words, {
      folder,
      timeoutSeconds: 1800,
      environment: { QUOD_CACHE: cache },
    });
    const answer = run.output.split('\n').flatMap((line) => {
      if (!line.startsWith('{')) return [];
      const parsed = answerSchema.safeParse(JSON.parse(line));
      return parsed.success && parsed.data.theorem === task.theorem ? [parsed.data] : [];
    })[0];
    if (answer === undefined || answer.proof === null) {
      const message = answer?.message ?? run.errorOutput.trim().slice(-300);
      return { solved: false, seconds: run.seconds, message };
    }
    const judgement = await judge(task, cutOf(task, coq), answer.proof, coq);
    return {
      solved: judgement.accepted,
      seconds: run.seconds,
      ...(!judgement.accepted && { message: judgement.finding }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(rankers: readonly RankerName[], trials: readonly Trial[]): string {
  const [baseline] = rankers;
  const groups: (StratumName | 'all')[] = [...STRATA.map(({ name }) => name), 'all'];
  const solvedBy = (ranker: string, group: string): ReadonlyMap<string, boolean> =>
    new Map(
      trials
        .filter((trial) => trial.ranker === ranker && (group === 'all' || trial.stratum === group))
        .map(({ task, solved }) => [task, solved]),
    );
  const rows = groups.flatMap((group) =>
    rankers.map((ranker) => {
      const own = solvedBy(ranker, group);
      const base = solvedBy(baseline ?? ranker, group);
      const common = [...own.keys()].filter((task) => base.has(task));
      const onlyOwn = common.filter((task) => own.get(task) === true && base.get(task) === false).length;
      const onlyBase = common.filter((task) => own.get(task) === false && base.get(task) === true).length;
      const solved = common.filter((task) => own.get(task) === true).length;
      const p = ranker === baseline ? '' : mcnemar(onlyOwn, onlyBase).toFixed(3);
      return `| ${group} | ${ranker} | ${common.length} | ${solved} | ${onlyOwn} | ${onlyBase} | ${p} |`;
    }),
  );
  return [
    `| proof | ranker | tasks | solved | only it | only ${orNothing(baseline)} | McNemar’s p |`,
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
