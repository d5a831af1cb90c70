import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRocq } from '../../../sessions/find-rocq.ts';
import { ProverPool } from '../../../sessions/prover-pool.ts';
import { rootState, stateAfter } from '../../../sessions/script-state.ts';
import { runScript } from './run-script.ts';

const options = { signal: new AbortController().signal, sentenceTimeoutMs: 30_000 };
const root = rootState({ file: join(tmpdir(), 'run_script.v'), libraries: '' });
const opened = stateAfter(root, 'Lemma a : True.');

let pool: ProverPool;
beforeAll(async () => {
  pool = new ProverPool(await findRocq('auto'), { maximum: 1, memory: 1024 ** 3 });
});
afterAll(() => pool.close());

describe('a script that is one proof', () => {
  const run = (script: string, isOneProof = true) =>
    runScript(pool, opened, script, { ...options, isOneProof });

  it('runs to its closing command', async () => {
    const { failure, proof } = await run('Proof. exact I. Qed.');
    expect(failure).toBeUndefined();
    expect(proof).toBeNull();
  });

  it('ends where the prover says that no proof is open, and nothing behind that is run', async () => {
    const script = 'exact I. Qed. Lemma b : True. exact I. Qed.';
    for (const time of ['first', 'second, when the states are known']) {
      const { failure, accepted, proof } = await run(script);
      expect(
        accepted.map(({ text }) => text),
        time,
      ).toEqual(['exact I.', 'Qed.']);
      expect(failure, time).toMatchObject({
        span: { start: 14, end: 29 },
        error: { message: expect.stringContaining('The proof ends before this, with `Qed.`') as string },
      });
      expect(proof).toBeNull();
    }
  });

  it('may be any script where that is not asked for', async () => {
    const { failure, accepted } = await run('exact I. Qed. Lemma b : True. exact I. Qed.', false);
    expect(failure).toBeUndefined();
    expect(accepted).toHaveLength(5);
  });
});

it('says all that a script says, also when that are hundreds of thousands of messages', async () => {
  const { messages, failure } = await runScript(pool, opened, 'do 300000 idtac "x".', options);
  expect(failure).toBeUndefined();
  expect(messages).toHaveLength(300_000);
}, 60_000);
