/** What a session may use of the prover's work, with the real Rocq. */
import { expect, it } from 'vitest';
import { asSentence } from '../provers/rocq/syntax/sentences.ts';
import { findRocq } from './find-rocq.ts';
import { sessionByWork } from './session-by-work.ts';

it('answers timeout when the work is used up, however little a sentence needs', async () => {
  const { signal } = new AbortController();
  const prover = await findRocq('auto');
  const whole = await prover.openSession({ file: '/worked.v', signal });
  try {
    const { session, isSpent } = sessionByWork(whole, 300);
    const first = await session.run(session.root, asSentence('Check 0.'), { signal });
    expect([first.status, isSpent()]).toEqual(['done', false]);
    const opened = await session.run(session.root, asSentence('Goal True.'), { signal });
    if (opened.status !== 'done') throw new Error('A goal cannot be stated.');
    const long = await session.run(opened.state, asSentence('do 1000000000 idtac.'), { signal });
    expect(long).toMatchObject({ status: 'unknown', reason: 'timeout' });
    expect(isSpent()).toBe(true);
    expect(await session.run(session.root, asSentence('Check 0.'), { signal })).toMatchObject({
      ...{ status: 'unknown', reason: 'timeout', elapsedMs: 0 },
    });
  } finally {
    await whole.close();
  }
});
