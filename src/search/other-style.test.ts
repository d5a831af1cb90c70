/** Who asks for a proof again, in the other style, gets the proof that was found, rewritten; nothing is searched. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import type { ProveRequest } from './prove-request.ts';

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
      judge: ({ theorems }) =>
        Promise.resolve({
          ...{ kind: 'accepted', warnings: [] },
          restOn: theorems.map(() => ({ openStatements: [], axioms: [] })),
        }),
      signal: new AbortController().signal,
      ...more,
    },
    () => {},
  );
  return results.map(({ theorem, nodes, outcome }) => ({
    theorem,
    nodes,
    script: outcome.kind === 'proved' ? outcome.script : undefined,
  }));
}

it('is rewritten, also where it fills a place of an author’s proof, unless the run is to be repeatable', async () => {
  const terse = await proved({});
  for (const { theorem, nodes, script } of terse) {
    expect(nodes, theorem).toBeGreaterThan(0);
    expect(script, theorem).toBeDefined();
  }
  const readable = await proved({ style: 'readable' });
  expect(readable).toEqual([
    { theorem: 'nil_r', nodes: 0, script: expect.any(String) as unknown },
    { theorem: 'partial', nodes: 0, script: expect.any(String) as unknown },
  ]);
  for (const more of [{ nodes: 100 }, { without: ['portfolio'] }])
    for (const { nodes } of await proved({ style: 'readable', ...more })) expect(nodes).toBeGreaterThan(0);
}, 300_000);
