import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Prover } from '../../core/prover.ts';
import { findExecutable } from '../../process/executable.ts';
import { outlineOf } from '../../provers/rocq/syntax/outline.ts';
import { findRocq } from '../../sessions/find-rocq.ts';
import { listLemmasInTurn } from './list-lemmas.ts';

const hasCoqidetop = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

it.skipIf(!hasCoqidetop)(
  'lists what the required modules state before all that they bring (skipped without Rocq)',
  { timeout: 120_000 },
  async () => {
    const cacheDirectory = mkdtempSync(join(tmpdir(), 'quod-lemmas-test-'));
    try {
      const outline = outlineOf('From Coq Require Import Bool.\nLemma open : True.\nAdmitted.\n');
      const prover = await findRocq('coqidetop');
      const file = join(tmpdir(), 'quod_list_test.v');
      const listed = async (request: {
        readonly nodes?: number;
        readonly prover?: Prover;
      }): Promise<string[][]> => {
        const { first, all } = listLemmasInTurn(
          { file, prover, cacheDirectory, ...request },
          outline,
          1,
          new AbortController().signal,
        );
        return [await first, await all].map((list) => list.map(({ name }) => name));
      };
      const [first = [], all = []] = await listed({});
      expect(first).toContain('andb_comm');
      expect(first.length).toBeLessThan(all.length / 2);
      expect(all).toEqual(expect.arrayContaining(first));
      // What is stored is there at once.
      expect(await listed({})).toEqual([[], all]);
      expect(await listed({ nodes: 1 })).toEqual([[], all]);
      // The first ones are stored by themselves: who has no time for all of them has these the next time.
      const [whole = ''] = readdirSync(join(cacheDirectory, 'lemmas-3'))
        .map((name) => join(cacheDirectory, 'lemmas-3', name))
        .toSorted((one, other) => statSync(other).size - statSync(one).size);
      rmSync(whole);
      const closed = {
        ...prover,
        openSession: () => Promise.reject(new Error('No session is to be opened.')),
      };
      expect(await listed({ prover: closed })).toEqual([first, []]);
    } finally {
      rmSync(cacheDirectory, { recursive: true });
    }
  },
);
