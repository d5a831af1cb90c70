/**
 * What the parts of the agent add at a given quality of the model: a simulated model that knows the author's proofs and
 * spoils them (`simulated-model.ts`), served over OpenAI's protocol, on theorems of Debian's libraries with proofs of
 * at least 5 sentences, with everything and with each part left out. Prover, search and gate are asked once for each
 * distinct question of a theorem, so that a cell costs what is new in it. Stop it and call it again: it goes on.
 *   npx node bench/agent-simulated/run.ts [theorems] [seconds]; with --report it only writes the report
 * Cells go to bench/records/agent-simulated.jsonl, the report to docs/agents/bench-simulated.md.
 *   npx node bench/agent-simulated/run.ts --depth [theorems] [seconds]
 * measures `lemma-depth` 1 and 2 instead, on theorems whose file lacks a lemma and, of some, that lemma's lemma. Cells go
 * to bench/records/agent-lemma-depth.jsonl, the table is printed.
 */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readCells, type Cell } from '../../src/agent/evaluation/cell.ts';
import { methodsOf, parseSpec, type Method } from '../../src/agent/evaluation/spec.ts';
import { OWN_SETTINGS } from '../../src/agent/configuration/reach.ts';
import { runAgent } from '../../src/agent/run.ts';
import { foldRun } from '../../src/agent/runs/fold.ts';
import { mergeSettings } from '../../src/agent/settings.ts';
import type { Target, TargetFile } from '../../src/agent/target.ts';
import { MemoryLog } from '../../src/agent/testing/memory-log.ts';
import { startModelServer } from '../../src/agent/testing/scripted-model-server.ts';
import { simulatedAnswer, wholeScript, type KnownProof } from '../../src/agent/testing/simulated-model.ts';
import { writeBenchTask } from '../../src/agent-targets/bench-tasks.ts';
import { openTargets } from '../../src/agent-targets/open-targets.ts';
import { entryAt, present } from '../../src/core/entry.ts';
import { QuodError } from '../../src/core/errors.ts';
import { openHost, type Host } from '../../src/faces/host.ts';
import { DEPTHS, QUALITIES, depthTable, methodOfDepth, simulatedReport } from './report.ts';
import { SharedTarget } from './shared-target.ts';
import { chainedTasks, knownProofs, simulatedTasks, type SimulatedTask } from './tasks.ts';

const ofDepth = process.argv.includes('--depth');
const RECORDS = join(
  import.meta.dirname,
  ...['..', 'records', ofDepth ? 'agent-lemma-depth.jsonl' : 'agent-simulated.jsonl'],
);
const REPORT = join(import.meta.dirname, '..', '..', 'docs', 'agents', 'bench-simulated.md');
const words = process.argv.slice(2);
const [theorems = '60', seconds = '3000'] = words.filter((word) => !word.startsWith('--'));
const { signal } = new AbortController();

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const recorded = (): readonly Cell[] => (existsSync(RECORDS) ? readCells(RECORDS) : []);
const keyOf = ({ method, task }: Pick<Cell, 'method' | 'task'>): string => JSON.stringify([method, task]);

const ofCommit = z.object({ commit: z.string() });

/** The commits that the cells were measured at. */
function measuredAt(): string {
  const lines = readFileSync(RECORDS, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return [...new Set(lines.map((line) => ofCommit.parse(JSON.parse(line)).commit))].join(', ');
}

/** What the model of the theorem in hand knows. */
let known: readonly KnownProof[] = [];
const server = await startModelServer((request) =>
  simulatedAnswer(request, known, Number(request.model.slice(1)) / 100, 0),
);

const methods = methodsOf(
  parseSpec(
    {
      name: 'simulated',
      theorems: [{ file: 'none.v', theorem: 'none' }],
      settings: {
        providers: { simulated: { url: server.url, free: true } },
        planning: ofDepth ? 'direct' : 'debate',
        failuresBeforeCritic: 5,
        // Less than usual for times, since one answer serves all methods; every statement is true.
        ...{ searchSeconds: 4, repairSeconds: 1, refuteSeconds: 0, ranker: 'jaccard' },
      },
      methods: QUALITIES.flatMap((quality) => {
        const one = {
          name: `quality ${quality}`,
          settings: { model: `simulated/q${Math.round(quality * 100)}` },
        };
        if (!ofDepth) return [one];
        return DEPTHS.map((lemmaDepth) => ({
          name: methodOfDepth(quality, lemmaDepth),
          settings: { ...one.settings, lemmaDepth },
        }));
      }),
      without: ofDepth ? [] : ['debate', 'critic', 'lemmas', 'repair', 'search', 'context', 'retrieval'],
    },
    'bench/agent-simulated/run.ts',
  ),
);

interface Opened {
  readonly file: TargetFile;
  readonly shared: SharedTarget;
  readonly proof: KnownProof;
}

/** The first variant in which Rocq accepts what the model knows. */
async function opened(host: Host, folder: string, { variants }: SimulatedTask): Promise<Opened | undefined> {
  for (const { task, proof } of variants) {
    const file = await writeBenchTask(folder, task);
    const targets = await openTargets(host, { file, theorems: [task.theorem] }, signal);
    const shared = new SharedTarget(entryAt(targets.targets, 0, 'target'));
    if (await accepts(shared.target, proof)) return { file: targets, shared, proof };
    await shared.close();
  }
  return undefined;
}

/** Whether Rocq gets to the theorem (a lemma that is cut out may be needed before) and takes the proof. */
async function accepts(target: Target, proof: KnownProof): Promise<boolean> {
  try {
    const session = await target.openToolSession(signal);
    const { check } = await session.call(
      'rocq_check_proof',
      { proof: wholeScript(proof).join('\n') },
      signal,
    );
    return check?.proof != null;
  } catch (error) {
    if (error instanceof QuodError && error.reason === 'does-not-compile') return false;
    throw error;
  }
}

async function runCell(
  { name, settings }: Method,
  task: SimulatedTask,
  { file, shared }: Opened,
): Promise<Cell> {
  const log = new MemoryLog();
  const begun = performance.now();
  await runAgent({
    ...{ log, files: [{ ...file, targets: [shared.target] }], settings: mergeSettings(settings) },
    ...{ quod: commit, environment: {}, permissions: OWN_SETTINGS, signal },
  });
  const state = present(foldRun(log.records), 'state of the run');
  const { outcome, message, spent, toolCalls } = state;
  return {
    ...{ method: name, task: task.name, repeat: 0, cost: 0, uncosted: 0, toolCalls },
    outcome: outcome === 'proved' ? 'proved' : outcome === 'failed' ? 'failed' : 'not-proved',
    // Of this machine, and of what no earlier cell had asked.
    seconds: Math.round((performance.now() - begun) / 10) / 100,
    modelCalls: spent.calls,
    ...{ inputTokens: spent.inputTokens, cachedTokens: spent.cachedTokens, outputTokens: spent.outputTokens },
    ...(outcome === 'failed' && { why: message }),
  };
}

async function tasksToMeasure(): Promise<readonly SimulatedTask[]> {
  const all = await simulatedTasks(Number(theorems));
  if (!ofDepth) return all;
  const chained = await chainedTasks();
  const isChained = ({ name }: SimulatedTask): boolean => chained.some((one) => one.name === name);
  return [...chained, ...all.filter((task) => task.variants.length > 1 && !isChained(task))];
}

async function measure(): Promise<void> {
  const deadline = performance.now() + Number(seconds) * 1000;
  const done = new Set(recorded().map(keyOf));
  const folder = mkdtempSync(join(tmpdir(), 'quod-simulated-'));
  try {
    for (const [index, task] of (await tasksToMeasure()).entries()) {
      const left = methods.filter(({ name }) => !done.has(keyOf({ method: name, task: task.name })));
      if (left.length === 0) continue;
      if (performance.now() > deadline) return;
      const begun = performance.now();
      // One host for each theorem: what it keeps of a file goes with it.
      const host = await openHost({ folder, confined: false, operations: [] });
      try {
        const ready = await opened(host, join(folder, `task-${index}`), task);
        if (ready === undefined) {
          console.log(`${task.name}: Rocq does not accept the author's proof alone`);
          continue;
        }
        known = knownProofs(ready.proof);
        const { lemma } = ready.proof;
        const lacks =
          lemma === undefined
            ? ''
            : `, lacks ${[lemma, lemma.lemma].flatMap((one) => one?.name ?? []).join(', ')}`;
        const group = ['whole', 'lacks a lemma', 'lacks two lemmas'][knownProofs(ready.proof).length - 1];
        const cells: Cell[] = [];
        for (const method of left) {
          cells.push(await runCell(method, task, ready));
          if (words.includes('--verbose')) console.log(JSON.stringify(cells.at(-1)));
        }
        await ready.shared.close();
        // All methods or none: a theorem is a pair for each of them.
        const lines = cells.map((cell) => JSON.stringify({ ...cell, group, commit }));
        mkdirSync(join(RECORDS, '..'), { recursive: true });
        appendFileSync(RECORDS, lines.map((line) => `${line}\n`).join(''));
        const proved = cells.filter(({ outcome }) => outcome === 'proved').length;
        const took = ((performance.now() - begun) / 1000).toFixed(1);
        console.log(`${index + 1} ${task.name}${lacks}: ${proved} of ${cells.length} proved, ${took} s`);
      } finally {
        await host.services.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (!words.includes('--report')) await measure();
await server.close();
if (ofDepth) console.log(`${depthTable(recorded())}\nCells of commit ${measuredAt()}.`);
else {
  writeFileSync(REPORT, simulatedReport(recorded(), measuredAt()));
  console.log(`The report is in ${REPORT}.`);
}
