/**
 * What the agent itself costs, apart from model and prover, and whether a run survives `kill -9`.
 *   npx node bench/agent.ts overhead [calls]   time of a tool call and memory over one run, against a toy prover
 *   npx node bench/agent.ts jobs [calls]       the same, ten theorems at once
 *   npx node bench/agent.ts kill [trials]      real Rocq, killed at random moments, resumed, compared with an undisturbed run
 */
import { OWN_SETTINGS } from '../src/agent/configuration/reach.ts';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orNothing, orZero } from '../src/core/entry.ts';
import { runAgent } from '../src/agent/run.ts';
import { foldRun } from '../src/agent/runs/fold.ts';
import { RunLog, listRuns, readRun, runsFolder } from '../src/agent/runs/run-log.ts';
import { mergeSettings } from '../src/agent/settings.ts';
import { startModelServer } from '../src/agent/testing/scripted-model-server.ts';
import type { Reply } from '../src/agent/testing/scripted-model-server.ts';
import { toyFile, toyTarget } from '../src/agent/testing/toy-target.ts';

const call = (name: string, input: object): Reply => ({
  calls: [{ name, arguments: JSON.stringify(input) }],
});

/** @param jobs Toy theorems that are worked on at once; the calls are shared out among them. */
async function overhead(calls: number, jobs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quod-bench-agent-'));
  let number = 0;
  let answered = Number.NaN;
  // From an answer of the model to its next question: one tool call and three events on the disk, with HTTP there
  // and back.
  const gaps: number[] = [];
  const server = await startModelServer((request) => {
    const now = performance.now();
    if (!Number.isNaN(answered)) gaps.push(now - answered);
    answered = performance.now();
    return request.tools === undefined
      ? { text: '{"score": 5}' }
      : call('rocq_check_proof', { proof: `step ${number++}.` });
  });
  const log = RunLog.create(folder);
  const memory = process.memoryUsage().heapUsed;
  const processor = process.cpuUsage();
  const begunAt = performance.now();
  await runAgent({
    log,
    files: [toyFile(...Array.from({ length: jobs }, (_, index) => toyTarget(`toy-${index}`)))],
    settings: mergeSettings({
      model: 'scripted/toy',
      providers: { scripted: { url: server.url, free: true } },
      ...{ planning: 'direct', plans: 1, plansExecuted: 1, searchFirst: false, jobs },
      toolCallsPerPlan: Math.ceil(calls / jobs),
    }),
    quod: 'bench',
    environment: {},
    permissions: OWN_SETTINGS,
    signal: new AbortController().signal,
  });
  log.close();
  const elapsed = performance.now() - begunAt;
  const { user, system } = process.cpuUsage(processor);
  const records = readRun(folder, log.name);
  const made = orZero(foldRun(records)?.toolCalls);
  globalThis.gc?.();
  const grown = (process.memoryUsage().heapUsed - memory) / 1024 ** 2;
  const sorted = gaps.toSorted((one, other) => one - other);
  const p50 = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const perCall = (value: number): string => (value / made).toFixed(2);
  console.log(
    `${made} tool calls, ${jobs} at once: ${jobs === 1 ? `p50 ${p50.toFixed(2)} ms between a model's answer and its next question; ` : ''}` +
      `${perCall(elapsed)} ms and ${perCall((user + system) / 1000)} ms of processor time for each, with the scripted server in the same process; heap +${grown.toFixed(0)} MiB`,
  );
  await server.close();
  rmSync(folder, { recursive: true });
}

const FILE = 'Lemma second : forall n m, n + S m = S (n + m).\nProof.\nAdmitted.\n';
const STEPS: readonly Reply[] = [
  call('rocq_step', { script: 'intros n m.' }),
  call('rocq_check_proof', { proof: 'intros n m. induction n. reflexivity. nonsense.' }),
  call('rocq_try', { alternatives: ['auto.', 'intros.', 'reflexivity.'] }),
  call('rocq_check_proof', { proof: 'intros n m. induction n. nonsense.' }),
  call('rocq_check_proof', {
    proof: 'intros n m. induction n as [|n IH]. - reflexivity. - simpl. rewrite IH. reflexivity.',
  }),
];

async function kill(trials: number): Promise<void> {
  // Slow enough that some calls are under way when the process dies.
  const server = await startModelServer(async ({ tools, messages }) => {
    await setTimeout(300);
    if (tools === undefined) return { text: '{"score": 5}' };
    return STEPS[messages.filter(({ role }) => role === 'tool').length] ?? { text: '' };
  });
  const settings = [
    `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`,
    'planning=direct',
    'plans=1',
  ];
  const begin = [
    'agent',
    'a.v',
    '--no-search-first',
    '--write',
    '--model',
    'scripted/toy',
    '--set',
    ...settings,
  ];
  const trial = async (killAfter: number | undefined) => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-bench-agent-'));
    writeFileSync(join(folder, 'a.v'), FILE);
    const asked = server.requests.length;
    const begunAt = performance.now();
    let code = await quod(begin, folder, killAfter);
    const elapsed = performance.now() - begunAt;
    const runs = runsFolder(folder, {});
    if (code === null) {
      const begun = listRuns(runs).some((name) => readRun(runs, name).length > 0);
      code = await quod(begun ? ['resume', 'last'] : begin, folder, undefined);
    }
    const records = readRun(runs, orNothing(listRuns(runs).at(-1)));
    const state = foldRun(records);
    const answered = records.filter(({ event }) => event.kind === 'model-answered').length;
    const events = records
      .map(({ event }) => event)
      .filter(({ kind }) => !['run-started', 'run-resumed', 'model-called'].includes(kind))
      .map((event) => JSON.stringify({ ...event, ms: 0 }).replaceAll(folder, ''));
    const text = readFileSync(join(folder, 'a.v'), 'utf8');
    rmSync(folder, { recursive: true });
    const repeated = server.requests.length - asked - answered;
    return { code, elapsed, text, events: events.join('\n'), repeated, lost: orZero(state?.lostCalls) };
  };
  const whole = await trial(undefined);
  let same = 0;
  let lost = 0;
  for (let number = 0; number < trials; number++) {
    const one = await trial(Math.random() * whole.elapsed);
    const equal = one.code === 0 && one.events === whole.events && one.text === whole.text;
    // Only what was under way when the process died may be asked again.
    if (equal && one.repeated <= one.lost) same++;
    else console.log('different', one.code, one.repeated, one.lost);
    lost += one.lost;
  }
  console.log(
    `${same} of ${trials} killed and resumed runs ended with the events and the file of an undisturbed one; ${lost} calls were under way and made again`,
  );
  await server.close();
}

function quod(
  commandLine: readonly string[],
  cwd: string,
  killAfter: number | undefined,
): Promise<number | null> {
  const start = fileURLToPath(new URL('../src/faces/cli/start.ts', import.meta.url));
  const child = spawn(process.execPath, [start, ...commandLine], { cwd, stdio: 'ignore' });
  const clock = new AbortController();
  if (killAfter !== undefined) {
    setTimeout(killAfter, undefined, { signal: clock.signal }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    );
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clock.abort();
      resolve(code);
    });
  });
}

const [what, count] = process.argv.slice(2);
if (what === 'overhead') await overhead(Number(count ?? 1000), 1);
else if (what === 'jobs') await overhead(Number(count ?? 1000), 10);
else if (what === 'kill') await kill(Number(count ?? 20));
else console.log('npx node bench/agent.ts overhead [calls] | jobs [calls] | kill [trials]');
