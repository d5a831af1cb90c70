/** What a run with a budget of nodes proves, whatever else the machine does meanwhile. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findExecutable } from '../process/executable.ts';
import { findRocq } from '../sessions/find-rocq.ts';
import { proveFile } from './prove-file.ts';
import { credulous } from './testing/credulous-judge.ts';

const hasCoqidetop = findExecutable(['coqidetop.opt', 'coqidetop']) !== undefined;

it.skipIf(!hasCoqidetop)(
  'proves all of the first example, within few nodes (skipped without Rocq)',
  async () => {
    const text = readFileSync(new URL('../../examples/rocq/lists.v', import.meta.url), 'utf8');
    const results = await proveFile(
      {
        file: '/nowhere/lists.v',
        text,
        theorems: 'all-holes',
        nodes: 300,
        jobs: 2,
        seed: 0,
        prover: await findRocq('coqidetop'),
        judge: credulous,
        signal: new AbortController().signal,
      },
      () => {},
    );
    expect(results.map(({ theorem, outcome }) => [theorem, outcome.kind])).toEqual(
      [
        'length_snoc',
        'map_snoc',
        'rev_snoc',
        'rev_onto_app',
        'rev_onto_nil',
        'count_le_length',
        'count_rev',
      ].map((theorem) => [theorem, 'proved']),
    );
  },
);
