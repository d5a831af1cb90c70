/** What a found proof does without, on the real Rocq. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProverSession } from '../../core/prover.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { scriptOf, writtenTree } from '../candidates/tactic-tree.ts';
import { minimise } from './minimise.ts';
import { ScriptChecker } from './script-checker.ts';

const NEVER = new AbortController().signal;
let session: ProverSession;
beforeAll(async () => {
  session = await (await findRocq('auto')).openSession({ file: '/nowhere/minimise.v', signal: NEVER });
});
afterAll(() => session.close());

async function minimised(text: string, sentences: readonly string[], ends: readonly string[]) {
  let root = session.root;
  for (const sentence of outlineOf(text).sentences) {
    const result = await session.run(root, sentence);
    if (result.status !== 'done') throw new Error(`Rocq refuses ${sentence.text}`);
    root = result.state;
  }
  const around = { unfocused: 0, shelved: 0, givenUp: 0 };
  const checker = new ScriptChecker(session, root, around, { recursive: false, signal: NEVER });
  const tree = writtenTree({ sentences, children: ends.map((end) => leaf(end)) });
  const options = { closers: [], attempts: 150, workMs: undefined, signal: NEVER };
  return scriptOf(await minimise(tree, checker, options));
}

function leaf(sentence: string) {
  return { sentences: [sentence], children: [] };
}

it('goes by no cases where one of two goals needs none', async () => {
  const text = 'Lemma two (a b : bool) : a = b -> b = a.\nProof. intros H. destruct a.';
  expect(await minimised(text, ['destruct b'], ['auto', 'auto', 'auto'])).toEqual({
    sentences: [],
    children: [leaf('auto'), leaf('auto')],
  });
});

it('ends at once as all branches end', async () => {
  const text = 'Lemma one (a b : bool) : a = b -> b = a.\nProof. intros H.';
  expect(await minimised(text, ['destruct a'], ['congruence', 'congruence'])).toEqual(leaf('congruence'));
});
