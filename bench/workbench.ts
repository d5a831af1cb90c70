/**
 * What the Rocq workbench costs over the prover that it talks to: `npx node bench/workbench.ts`. Each figure is a
 * ratio or a difference against the raw backend, measured in turns in the same run, so that a loaded machine slows
 * both.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationNamed } from '../src/operations/catalogue.ts';
import { Services } from '../src/operations/definition/services.ts';
import { Workspace } from '../src/operations/definition/workspace.ts';
import type { ProverSession, StateId } from '../src/core/prover.ts';
import { findRocq } from '../src/sessions/find-rocq.ts';
import { PROOF_STEPS, STATEMENT } from './mcp/proof-steps.ts';

const ROUNDS = 30;
const SENTENCES = 2000;

const folder = await mkdtemp(join(tmpdir(), 'quod-bench-workbench-'));
const services = new Services({ sessionIdleMs: 600_000, maximumSessions: 100, proverMemory: 8 * 1024 ** 3 });
const workspace = await Workspace.confinedTo(folder);

async function call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const operation = operationNamed(name);
  if (operation === undefined) throw new Error(`There is no operation ${name}.`);
  const { value } = await operation.answer(input, {
    workspace,
    client: 'bench',
    signal: new AbortController().signal,
    services,
    progress: () => undefined,
  });
  return value;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const started = performance.now();
  const result = await work();
  return [performance.now() - started, result];
}

async function runAll(session: ProverSession, sentences: readonly string[]): Promise<StateId> {
  let state = session.root;
  for (const sentence of sentences) {
    const result = await session.run(state, { text: sentence });
    if (result.status !== 'done') throw new Error(`${sentence}: ${JSON.stringify(result)}`);
    ({ state } = result);
  }
  return state;
}

const prover = await findRocq('auto');
const raw = await prover.openSession({ file: join(folder, 'raw.v') });
try {
  await overhead();
  await edits();
  await alternatives();
} finally {
  await raw.close();
  await services.close();
  await rm(folder, { recursive: true });
}

/** The same twenty calls raw and through the operations, in turns: what a call costs more, failures included. */
async function overhead(): Promise<void> {
  const header = ['Require Import Lia Arith.'];
  await writeFile(join(folder, 'a.v'), `${header.join('\n')}\n${STATEMENT}\nAdmitted.\n`);
  const rawStart = await runAll(raw, [...header, STATEMENT]);
  const { session_id } = await call('rocq_open', { file: 'a.v', theorem: 'l' });
  const extra: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let rawState = rawStart;
    let from: string | undefined;
    for (const sentence of PROOF_STEPS) {
      // A comment makes each round's sentence a new one: nothing is answered from memory.
      const fresh = `(* ${round} *) ${sentence}`;
      const start: string | undefined = from;
      const askRaw = () =>
        timed(() => raw.run(rawState, { text: fresh }, { withGoals: true, timeoutMs: 30_000 }));
      const askQuod = () => timed(() => call('rocq_step', { session_id, from: start, script: fresh }));
      // In turns: who is asked second finds a warmer machine.
      const second = round % 2 === 0 ? undefined : await askQuod();
      const [rawMs, result] = await askRaw();
      const [ms, answer] = second ?? (await askQuod());
      if ((result.status === 'done') !== (answer['error'] === null))
        throw new Error(`Different answers to ${sentence}`);
      if (result.status === 'done') rawState = result.state;
      from = String(answer['state']);
      if (round > 0) extra.push(ms - rawMs);
    }
  }
  console.log(
    `overhead of a call over ${prover.identity.backend} ${prover.identity.version}, ${extra.length} calls: ` +
      `p50 ${quantile(extra, 0.5).toFixed(2)} ms, p95 ${quantile(extra, 0.95).toFixed(2)} ms (bars 2 and 10)`,
  );
}

/** Goals at the end of a long file, cold and after edits of its end. */
async function edits(): Promise<void> {
  const lemmas = Array.from(
    { length: SENTENCES / 4 },
    (_, index) =>
      `Lemma l${index} (n : nat) : n + ${index} = ${index} + n.\nProof.\n  apply Nat.add_comm.\nQed.\n`,
  );
  const text = `Require Import Arith.\n${lemmas.join('')}`;
  await writeFile(join(folder, 'long.v'), text);
  const [cold] = await timed(() => call('rocq_goals', { file: 'long.v' }));
  const after: number[] = [];
  for (let edit = 0; edit < 10; edit += 1) {
    await writeFile(join(folder, 'long.v'), `${text}Goal ${edit} = ${edit}.\n`);
    const [ms, answer] = await timed(() => call('rocq_goals', { file: 'long.v' }));
    if (answer['goals_total'] !== 1) throw new Error('The edit was not seen.');
    after.push(ms);
  }
  const edit = quantile(after, 0.5);
  console.log(
    `goals behind ${SENTENCES + 1} sentences: cold ${cold.toFixed(0)} ms, after an edit at the end ${edit.toFixed(1)} ms, ` +
      `1:${(cold / edit).toFixed(0)} (bar 1:50)`,
  );
}

/** Twenty alternatives in one call against twenty raw steps from the same state, one after the other. */
async function alternatives(): Promise<void> {
  const start = await runAll(raw, [
    'Require Import Lia Arith.',
    'Goal forall n m k : nat, n <= m -> n + k <= m + k.',
  ]);
  const { session_id } = await call('rocq_open', { file: 'a.v', theorem: 'l' });
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const tried = PROOF_STEPS.map((sentence) => `(* ${round} *) ${sentence}`);
    const [rawMs] = await timed(async () => {
      for (const sentence of tried)
        await raw.run(start, { text: sentence }, { withGoals: true, timeoutMs: 5000 });
    });
    const [ms] = await timed(() => call('rocq_try', { session_id, alternatives: tried }));
    if (round > 0) ratios.push(ms / rawMs);
  }
  console.log(
    `20 alternatives by rocq_try against 20 raw steps: ${quantile(ratios, 0.5).toFixed(2)} of the time (quartiles ` +
      `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)})`,
  );
}
