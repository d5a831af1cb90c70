/** The thread behind batch.ts: judges each pair that it is sent. */
import { parentPort } from 'node:worker_threads';
import { type PairToJudge, judgePair } from './judge.ts';
import type { LeanPolicy } from './lean-policy.ts';

parentPort?.on('message', ({ pair, policy }: { readonly pair: PairToJudge; readonly policy: LeanPolicy }) => {
  parentPort?.postMessage(judgePair(pair, policy).verdict);
});
