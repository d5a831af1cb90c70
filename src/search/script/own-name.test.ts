/** What a found proof calls a lemma that has the name of its own theorem. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findRocq } from '../../sessions/find-rocq.ts';
import { proveFile } from '../prove-file.ts';
import { credulous } from '../testing/credulous-judge.ts';

it('tells it from the theorem, whose name it has behind it', async () => {
  const [result] = await proveFile(
    {
      ...{ file: join(tmpdir(), 'quod_own_name.v'), theorems: 'all-holes', nodes: 100, jobs: 1, seed: 0 },
      text: `Require Import List.
Theorem rev_involutive : forall (A : Type) (l : list A), rev (rev l) = l.
Proof. Admitted.
`,
      ...{ prover: await findRocq('auto'), judge: credulous, signal: new AbortController().signal },
    },
    () => {},
  );
  const script = result !== undefined && 'script' in result.outcome ? result.outcome.script : undefined;
  expect(script).toContain('List.rev_involutive');
  expect(script).not.toMatch(/(?<![.\w])rev_involutive/u);
});
