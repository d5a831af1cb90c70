/** Limits that do not go by the clock, on both kinds of Rocq, and the proofs that come of them. */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ProverSession, StateId } from '../core/prover.ts';
import { findExecutable } from '../process/executable.ts';
import { processorMs, readProcess } from '../process/process-table.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';

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

it.skipIf(!hasCoqidetop)(
  'proves all of the first example, within few nodes (skipped without Rocq)',
  async () => {
    const text = readFileSync(new URL('../../examples/rocq/lists.v', import.meta.url), 'utf8');
    const results = await proveFile(
      {
        file: '/nowhere/lists.v',
        text,
        theorems: 'all-holes',
        nodes: 300,
        jobs: 2,
        seed: 0,
        prover: await findRocq('coqidetop'),
        // What is measured is the search: here every proof that it finds counts.
        judge: ({ theorems }) =>
          Promise.resolve({ kind: 'accepted', openStatements: theorems.map(() => []) }),
        signal: new AbortController().signal,
      },
      () => {},
    );
    expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual(
      [
        'length_snoc',
        'map_snoc',
        'rev_snoc',
        'rev_onto_app',
        'rev_onto_nil',
        'count_le_length',
        'count_rev',
      ].map((theorem) => [theorem, 'proved']),
    );
  },
);
