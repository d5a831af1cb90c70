/**
 * Many sessions at once: `npx node bench/workbench-load.ts [--minutes 10] [--clients 10] [--sessions 100]`. Each
 * session proves a lemma that only it has, by calls in a random order with wrong steps between them; an answer that
 * belongs to another session is counted as mixed up. At the end everything is closed, and what is left of memory,
 * file descriptors and processes is compared with the beginning.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { orZero } from '../src/core/entry.ts';
import { operationNamed } from '../src/operations/catalogue.ts';
import { Services } from '../src/operations/definition/services.ts';
import { Workspace } from '../src/operations/definition/workspace.ts';

const options = new Command()
  .option('--minutes <n>', 'how long', Number, 10)
  .option('--clients <n>', 'clients', Number, 10)
  .option('--sessions <n>', 'sessions of all clients together', Number, 100)
  .parse()
  .opts<{ minutes: number; clients: number; sessions: number }>();

const folder = await mkdtemp(join(tmpdir(), 'quod-bench-load-'));
const FILES = 5;
for (let file = 0; file < FILES; file += 1) {
  const lemmas = Array.from(
    { length: Math.ceil(options.sessions / FILES) },
    (_, index) => `Lemma own_${file}_${index} : ${own(file, index)}.\nAdmitted.\n`,
  );
  await writeFile(join(folder, `f${file}.v`), `Require Import Arith.\n${lemmas.join('')}`);
}
const workspace = await Workspace.confinedTo(folder);

/** A number that no other session has; small, since Rocq counts in unary. */
function ownNumber(file: number, index: number): number {
  return file * Math.ceil(options.sessions / FILES) + index;
}

function own(file: number, index: number): string {
  return `forall n : nat, n + ${ownNumber(file, index)} = ${ownNumber(file, index)} + n`;
}

async function childCount(): Promise<number> {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return text.split(' ').filter((pid) => pid.trim() !== '').length;
}
const descriptorCount = async () => (await readdir('/proc/self/fd')).length;
async function residentMegabytes(): Promise<number> {
  globalThis.gc?.();
  await pause(200);
  return process.memoryUsage.rss() / 1e6;
}

async function round(
  minutes: number,
): Promise<{ calls: number; wrong: number; latencies: number[]; proved: number }> {
  const services = new Services({
    sessionIdleMs: 3_600_000,
    maximumSessions: 1000,
    proverMemory: 6 * 1024 ** 3,
  });
  const totals = { calls: 0, wrong: 0, proved: 0, latencies: [] as number[] };
  const until = performance.now() + minutes * 60_000;
  const one = async (number: number): Promise<void> => {
    const client = `client ${number % options.clients}`;
    const [file, index] = [number % FILES, Math.floor(number / FILES)];
    const mine = String(ownNumber(file, index));
    const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const started = performance.now();
      const answer = await operationNamed(name)?.answer(input, {
        workspace,
        client,
        signal: new AbortController().signal,
        services,
        progress: () => undefined,
      });
      totals.latencies.push(performance.now() - started);
      totals.calls += 1;
      return answer?.value ?? {};
    };
    const isMine = (answer: Record<string, unknown>): boolean =>
      JSON.stringify(answer['goals']).includes(` ${mine} `);
    while (performance.now() < until) {
      const { session_id } = await call('rocq_open', { file: `f${file}.v`, theorem: `own_${file}_${index}` });
      const wrongStep = await call('rocq_step', { session_id, script: 'intros n. exact I.' });
      if (wrongStep['error'] === null || !isMine(wrongStep)) totals.wrong += 1;
      if (!isMine(await call('rocq_goals', { session_id }))) totals.wrong += 1;
      await pause(Math.random() * 200);
      const tried = await call('rocq_try', {
        session_id,
        alternatives: [
          'reflexivity.',
          'intros n. apply Nat.add_comm.',
          `intros n. change (n + ${mine} = ${mine} + n).`,
        ],
      });
      if (
        JSON.stringify((tried['results'] as { accepted: boolean }[]).map(({ accepted }) => accepted)) !==
        '[false,true,true]'
      )
        totals.wrong += 1;
      const checked = await call('rocq_check_proof', {
        session_id,
        proof: `intros n. change (n + ${mine} = ${mine} + n). apply Nat.add_comm.`,
      });
      if (checked['outcome'] === 'proved') totals.proved += 1;
      else totals.wrong += 1;
      await call('rocq_close', { session_id });
    }
  };
  await Promise.all(Array.from({ length: options.sessions }, (_, number) => one(number)));
  await services.close();
  return totals;
}

try {
  // The first round loads code and fills caches of the engine, so that the second is compared with a warm process.
  await round(Math.min(0.5, options.minutes / 10));
  const before = {
    memory: await residentMegabytes(),
    descriptors: await descriptorCount(),
    children: await childCount(),
  };
  const { calls, wrong, proved, latencies } = await round(options.minutes);
  const after = {
    memory: await residentMegabytes(),
    descriptors: await descriptorCount(),
    children: await childCount(),
  };
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number): string => orZero(sorted[Math.floor(share * (sorted.length - 1))]).toFixed(0);
  console.log(
    [
      `${options.sessions} sessions of ${options.clients} clients for ${options.minutes} min: ${calls} calls, ${proved} proofs, ` +
        `${wrong} answers mixed up; latency p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`,
      `memory ${before.memory.toFixed(0)} → ${after.memory.toFixed(0)} MB (${((after.memory / before.memory - 1) * 100).toFixed(0)} %), ` +
        `file descriptors ${before.descriptors} → ${after.descriptors}, processes ${before.children} → ${after.children}`,
    ].join('\n'),
  );
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
