/** Who asks for a proof again, also in the other style, gets the proof that was found; nothing is searched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import type { ProveRequest } from './prove-request.ts';
import { credulous } from './testing/credulous-judge.ts';

const FILE = `Require Import List.
Import ListNotations.
Lemma nil_r (A : Type) (l : list A) : l ++ [] = l.
Admitted.
Lemma partial (n m : nat) : n + 0 = n /\\ m + 0 = m.
Proof. split. - admit. - induction m; simpl; congruence. Admitted.
`;

const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-style-'));
afterAll(() => rmSync(cacheDirectory, { recursive: true }));

async function proved(more: Partial<ProveRequest>) {
  const results = await proveFile(
    {
      ...{ file: '/nowhere/styles.v', text: FILE, theorems: 'all-holes', jobs: 1, seed: 0, cacheDirectory },
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
      ...more,
    },
    () => {},
  );
  return results.map(({ theorem, nodes, times, outcome }) => ({
    theorem,
    nodes,
    // What a search would need is not gathered either.
    isSearched: times.search !== undefined,
    script: outcome.kind === 'proved' ? outcome.script : undefined,
  }));
}

const WRONG_TURN = `Lemma wrong_turn (n : nat) : n = S n \\/ n < S n.
Proof.
  (* it is the left one *)
  left.
Admitted.
`;

const AT_ONCE = [
  { theorem: 'nil_r', nodes: 0, isSearched: false, script: expect.any(String) as unknown },
  { theorem: 'partial', nodes: 0, isSearched: false, script: expect.any(String) as unknown },
];

it('is given again and rewritten, also where it fills a place of an author’s proof, unless the run is to be another one', async () => {
  const terse = await proved({});
  for (const { theorem, nodes, script } of terse) {
    expect(nodes, theorem).toBeGreaterThan(0);
    expect(script, theorem).toBeDefined();
  }
  expect(await proved({ style: 'readable' })).toEqual(AT_ONCE);
  expect(await proved({})).toEqual(terse.map((result) => ({ ...result, nodes: 0, isSearched: false })));
  for (const more of [{ nodes: 100 }, { without: ['portfolio'] }, { seed: 1 }])
    for (const { nodes } of await proved(more)) expect(nodes).toBeGreaterThan(0);
}, 300_000);

it('is given again where it stands in the place of steps that came to nothing, which are not gone on from again', async () => {
  const asked = { file: '/nowhere/wrong.v', text: WRONG_TURN, budgetMs: () => 20_000 };
  const [first] = await proved(asked);
  expect(first?.script).toContain('(* it is the left one *)');
  expect(await proved(asked)).toEqual([{ ...first, nodes: 0, isSearched: false }]);
}, 300_000);

it('is searched anew when the gate rejected it', async () => {
  const file = '/nowhere/rejected.v';
  const rejecting: Partial<ProveRequest> = {
    file,
    judge: () => Promise.resolve({ kind: 'rejected', message: 'No.' }),
  };
  for (const { nodes } of [...(await proved(rejecting)), ...(await proved({ file }))])
    expect(nodes).toBeGreaterThan(0);
  expect(await proved({ file })).toEqual(AT_ONCE);
}, 300_000);
