/** A statement that is false for small values is not searched for long: the brief look finds them, in the middle of the search. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findExecutable } from '../../process/executable.ts';
import { proveFile } from '../../search/prove-file.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { refuterOf } from './refuter.ts';

const FILE = `Require Import List.
Lemma not_all_are_palindromes : forall l : list nat, rev l = l.
Admitted.
`;

it.skipIf(findExecutable(['coqc']) === undefined)(
  'finds a counterexample of two elements before it looks for long',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-early-'));
    try {
      const file = join(folder, 'a.v');
      const { signal } = new AbortController();
      const prover = await findRocq('auto');
      const refuter = refuterOf(file, prover, signal);
      const looks: boolean[] = [];
      const [result] = await proveFile(
        {
          ...{ file, text: FILE, theorems: 'all-holes', jobs: 1, seed: 0, prover, signal },
          refuter: (asked) => {
            looks.push(asked.brief);
            return refuter(asked);
          },
          judge: () =>
            Promise.resolve({ kind: 'unknown', reason: 'internal', message: 'There is no proof.' }),
        },
        () => {},
      );
      expect(result?.outcome).toMatchObject({ kind: 'refuted', counterexample: 'l = 0 :: 1 :: nil' });
      expect(looks).toEqual([true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
