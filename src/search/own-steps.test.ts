/** Steps that leave no goal are the proof, whatever is missing behind them: nothing else takes their place. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { replaced } from '../core/replacement.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const LIA = 'From Coq Require Import Lia.\n';
const STATEMENT = 'Theorem one : forall n : nat, n + 0 = n.\n';

const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-own-steps-'));
afterAll(() => rmSync(cacheDirectory, { recursive: true }));

async function proved(text: string) {
  const results = await proveFile(
    {
      ...{ file: '/nowhere/own.v', text, theorems: 'all-holes', jobs: 1, seed: 0, cacheDirectory },
      prover: await findRocq('auto'),
      judge: credulous,
      signal: new AbortController().signal,
    },
    () => {},
  );
  return results.map(({ nodes, outcome }) => ({
    nodes,
    text: 'replacement' in outcome ? replaced(text, [outcome.replacement]) : undefined,
    isOwn: 'isOwn' in outcome,
    setAside: 'setAside' in outcome ? outcome.setAside : undefined,
  }));
}

it('are closed and kept, and no proof that was found before is taken instead', async () => {
  const [found] = await proved(`${LIA}${STATEMENT}Proof. Admitted.\n`);
  expect(found).toMatchObject({ isOwn: false });
  const steps = 'Proof.\n  intros n.\n  lia.';
  for (const [before, after] of [
    [`${STATEMENT}${steps}\n\n`, `${STATEMENT}${steps}\nQed.\n\n`],
    [
      `${STATEMENT}${steps}\n\nLemma two : True.\nProof. exact I. Qed.\n`,
      `${STATEMENT}${steps}\nQed.\n\nLemma two : True.\nProof. exact I. Qed.\n`,
    ],
    [`${STATEMENT}${steps}\nAdmitted.\n`, `${STATEMENT}${steps}\nQed.\n`],
    [`${STATEMENT}${steps}\nQed`, `${STATEMENT}${steps}\nQed.`],
    [
      `Module M.\n  ${STATEMENT}  Proof.\n    intros n.\n    lia.\n\nEnd M.\n`,
      `Module M.\n  ${STATEMENT}  Proof.\n    intros n.\n    lia.\n  Qed.\n\nEnd M.\n`,
    ],
  ] as const)
    expect(await proved(LIA + before), before).toEqual([
      { nodes: 0, text: LIA + after, isOwn: true, setAside: undefined },
    ]);
}, 300_000);

it('are no proof where Rocq refuses to close it', async () => {
  const circular = 'Fixpoint add_zero (n : nat) : n + 0 = n.\nProof.\n  apply add_zero.\n';
  const [result] = await proved(circular);
  expect(result).toMatchObject({ isOwn: false, setAside: [{ kind: 'steps', text: 'apply add_zero.' }] });
}, 300_000);
