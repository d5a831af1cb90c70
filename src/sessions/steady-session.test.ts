/** Limits that do not go by the clock, on both kinds of Rocq. */
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { ProverSession, StateId } from '../core/prover.ts';
import { findExecutable } from '../process/executable.ts';
import { processorMs, readProcess } from '../process/process-table.ts';
import { findRocq } from './find-rocq.ts';

const hasCoqidetop = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;
/** Looks for interrupts, and takes as long as it is given. */
const ENDLESS = 'do 1000000000 idtac.';

async function goalOf(session: ProverSession): Promise<StateId> {
  const opened = await session.run(session.root, { text: 'Goal True.' });
  if (opened.status !== 'done') throw new Error(JSON.stringify(opened));
  return opened.state;
}

/** The prover that this process started. */
function proverOf(parent: number): number {
  const found = readdirSync('/proc')
    .map(Number)
    .find((pid) => readProcess(pid)?.parent === parent && readProcess(pid)?.session === pid);
  if (found === undefined) throw new Error('there must be a prover');
  return found;
}

describe.skipIf(!hasCoqidetop)('coqidetop (skipped without one)', () => {
  it('is not stopped by a clock that goes on while it cannot work', async () => {
    const session = await (await findRocq('coqidetop')).openSession({ file: '/nowhere/steady.v' });
    try {
      const state = await goalOf(session);
      const pid = proverOf(process.pid);
      process.kill(pid, 'SIGSTOP');
      const running = session.run(state, { text: 'exact I.' }, { workMs: 200, timeoutMs: 60_000 });
      await delay(1000);
      process.kill(pid, 'SIGCONT');
      expect(await running).toMatchObject({ status: 'done' });
    } finally {
      await session.close();
    }
  });

  it('is stopped when its processor time is spent', async () => {
    const session = await (await findRocq('coqidetop')).openSession({ file: '/nowhere/steady.v' });
    try {
      const state = await goalOf(session);
      const pid = proverOf(process.pid);
      const before = processorMs(pid) ?? NaN;
      expect(await session.run(state, { text: ENDLESS }, { workMs: 300, timeoutMs: 60_000 })).toMatchObject({
        status: 'unknown',
        reason: 'timeout',
      });
      expect((processorMs(pid) ?? NaN) - before).toBeGreaterThan(300);
      // It lives, and so does the state.
      expect(await session.run(state, { text: 'exact I.' })).toMatchObject({ status: 'done' });
    } finally {
      await session.close();
    }
  });
});

it('the embedded Rocq is stopped by its own steps, with no clock at all', async () => {
  const session = await (await findRocq('embedded')).openSession({ file: '/nowhere/steady.v' });
  try {
    const state = await goalOf(session);
    const endless = 'do 1000000000 (try congruence 0).';
    for (let round = 0; round < 3; round += 1) {
      const result = await session.run(state, { text: endless }, { workMs: 100 });
      expect(result).toMatchObject({ status: 'unknown', reason: 'timeout' });
    }
    expect(await session.run(state, { text: 'exact I.' })).toMatchObject({ status: 'done' });
  } finally {
    await session.close();
  }
});

/** Node tells the processor time of a thread since 22.20 and 24.6. */
const threadsTell = 'cpuUsage' in Worker.prototype;

it.skipIf(!threadsTell)(
  'the embedded Rocq is stopped in what never looks for interrupts, with no clock',
  async () => {
    const session = await (await findRocq('embedded')).openSession({ file: '/nowhere/steady.v' });
    try {
      const required = await session.run(session.root, { text: 'Require Import BinPos.' });
      if (required.status !== 'done') throw new Error(JSON.stringify(required));
      const endless = 'Goal Pos.iter negb true 1000000000000%positive = true.';
      const opened = await session.run(required.state, { text: endless });
      if (opened.status !== 'done') throw new Error(JSON.stringify(opened));
      const result = await session.run(opened.state, { text: 'vm_compute.' }, { workMs: 100 });
      expect(result).toMatchObject({ status: 'unknown', reason: 'timeout' });
    } finally {
      await session.close();
    }
  },
);
