import { expect, it } from 'vitest';
import type { ProverSession, StepOptions } from '../core/prover.ts';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { sessionUntil } from './timed-session.ts';

it('gives a sentence no more than what is left, and begins none behind the end', async () => {
  const ran: (number | undefined)[] = [];
  const session = {
    root: 's0',
    run: (_from: string, _sentence: unknown, { timeoutMs }: StepOptions) => {
      ran.push(timeoutMs);
      return Promise.resolve({ status: 'done', state: 's1', messages: [], elapsedMs: 0 });
    },
  } as unknown as ProverSession;
  let end = Infinity;
  const timed = sessionUntil(session, () => end);
  await timed.run(session.root, asSentence('idtac.'), { timeoutMs: 700 });
  end = performance.now() + 60_000;
  await timed.run(session.root, asSentence('idtac.'), { timeoutMs: 100_000 });
  end = performance.now() - 1;
  expect(await timed.run(session.root, asSentence('idtac.'))).toMatchObject({
    status: 'unknown',
    reason: 'timeout',
  });
  expect(ran).toHaveLength(2);
  expect(ran[0]).toBe(700);
  expect(ran[1]).toBeLessThanOrEqual(60_000);
});
