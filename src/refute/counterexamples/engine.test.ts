import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEmbeddedRocq, findEmbeddedRocq } from '../../provers/rocq/embedded/adapter.ts';
import { asSentence } from '../../provers/rocq/syntax/sentences.ts';
import { replayedProver } from '../../sessions/replayed-prover.ts';
import { ENGINE, roundSentence } from './engine.ts';

// No signal reaches that Rocq: what does not look whether it is interrupted costs the session and all that it holds.
it.runIf(findEmbeddedRocq())('hears in the middle of a pass that its time is over', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'quod-engine-'));
  const prover = replayedProver(await createEmbeddedRocq({ cache }));
  const session = await prover.openSession({ file: '/nowhere/engine.v' });
  try {
    let state = session.root;
    for (const text of [...ENGINE, 'Goal forall a b c : list nat, app a (app b c) = app (app a b) c.']) {
      const result = await session.run(state, asSentence(text));
      if (result.status !== 'done') throw new Error(`${text} ${JSON.stringify(result)}`);
      ({ state } = result);
    }
    const endless = { strict: true, most: 400, size: 40, depth: 6, tried: 400_000, wanted: 6 } as const;
    expect(
      await session.run(state, asSentence(roundSentence({ look: 'enumerate', ...endless })), {
        timeoutMs: 500,
      }),
    ).toMatchObject({ status: 'unknown', reason: 'timeout' });
    expect(session.generation).toBe(1);
  } finally {
    await session.close();
    rmSync(cache, { recursive: true, force: true });
  }
});
