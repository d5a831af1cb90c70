/** Mines a text with the best Rocq of this machine, and runs what comes out of it in a fresh session. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProverSession } from '../../core/prover.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { splitSentences } from '../../provers/rocq/syntax/sentences.ts';
import { itemScript, type Item } from '../item.ts';
import { mineFile, type MinedFile, type MiningOptions } from '../mine-file.ts';

const NO_SIGNAL = new AbortController().signal;

async function inSession<Result>(work: (session: ProverSession) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'quod-mine-'));
  const prover = await findRocq('auto');
  const session = await prover.openSession({ file: join(folder, 'mined.v') });
  try {
    return await work(session);
  } finally {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function mineText(text: string, options: Partial<MiningOptions> = {}): Promise<MinedFile> {
  const source = { library: 'mined', file: 'mined.v', outline: outlineOf(text), split: 'train' } as const;
  return inSession((session) => mineFile(session, source, { share: 1000, signal: NO_SIGNAL, ...options }));
}

/** Runs each item alone behind `prelude`; the names of those that fail, with the reason. */
export async function refusedItems(prelude: string, items: readonly Item[]): Promise<string[]> {
  return inSession(async (session) => {
    let start = session.root;
    for (const { text } of splitSentences(prelude).sentences) {
      const result = await session.run(start, { text });
      if (result.status !== 'done') throw new Error(`The prelude fails at ${text}`);
      start = result.state;
    }
    const refused: string[] = [];
    for (const item of items) {
      let at = start;
      for (const { text } of splitSentences(itemScript(item)).sentences) {
        const result = await session.run(at, { text });
        if (result.status !== 'done') {
          refused.push(`${item.name}: ${text}: ${JSON.stringify(result)}`);
          break;
        }
        at = result.state;
      }
    }
    return refused;
  });
}
