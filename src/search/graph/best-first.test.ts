import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { findRocq } from '../../sessions/find-rocq.ts';
import { scriptOf, type TacticTree } from '../candidates/tactic-tree.ts';
import { BestFirstSearch } from './best-first.ts';
import type { SearchResult } from './search-options.ts';
import { COSTS } from '../candidates/costs.ts';
import { Definitions } from '../libraries/definitions.ts';
import { LemmaMemory } from '../../retrieval/lexical/lemma-similarity.ts';
import { StepMemory } from '../../retrieval/lexical/step-memory.ts';

/** Searches for a proof of `P`, for which there is nothing to try but the lemmas. */
async function search(lemmas: LemmaMemory): Promise<SearchResult<TacticTree>> {
  const { signal } = new AbortController();
  const prover = await findRocq('auto');
  const session = await prover.openSession({ file: join(tmpdir(), 'quod_search_test.v'), signal });
  try {
    let root = session.root;
    for (const sentence of ['Parameter P : Prop.', 'Axiom known : P.', 'Lemma wanted : P.']) {
      const result = await session.run(root, { text: sentence });
      if (result.status !== 'done') throw new Error(JSON.stringify(result));
      root = result.state;
    }
    const proof = await session.goals(root);
    if (proof === null) throw new Error('There is no proof.');
    return await new BestFirstSearch(
      [{ session, root }],
      proof,
      {
        steps: new StepMemory('here'),
        lemmas,
        automation: [],
        definitions: new Definitions(),
        costs: COSTS,
        ssreflect: false,
        pace: 1,
      },
      {
        deadline: undefined,
        nodes: undefined,
        seed: 1,
        without: new Set(),
        recursive: new Set(),
        signal,
        onProgress: () => {},
      },
    ).run();
  } finally {
    await session.close();
  }
}

it('says so when everything was tried', async () => {
  expect(await search(new LemmaMemory())).toMatchObject({ kind: 'not-found', reason: 'search-exhausted' });
});

it('waits for the lemmas of the libraries, and looks again at the goals that it saw without them', async () => {
  const lemmas = new LemmaMemory();
  lemmas.growing = true;
  const found = search(lemmas);
  setTimeout(() => {
    lemmas.add({ name: 'known', statement: 'P' });
    lemmas.growing = false;
  }, 3000);
  // Which configuration comes to it first depends on the clock.
  const result = await found;
  if (result.kind !== 'found') throw new Error(result.message);
  expect(scriptOf(result.script).sentences).toEqual([expect.stringContaining('apply known')]);
});
