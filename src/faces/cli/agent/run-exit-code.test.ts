/** A run whose file stops compiling behind what was proved does not end as one where everything holds. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../agent/runs/events.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { STOPS } from '../../../gate/rocq/changed-proofs.ts';
import { asLines } from '../../../gate/verdict.ts';
import { exitCodeOfRun } from './run-exit-code.ts';

const STARTED: RunEvent = {
  ...{ kind: 'run-started', format: 1, quod: '0', file: 'a.v', fileHash: '', theorems: ['a'] },
  ...{ files: [{ file: 'a.v', fileHash: '', theorems: ['a'], text: '' }], task: null },
  settings: mergeSettings(),
};

function codeWith(message: string | undefined, outcome: 'proved' | 'proved-but' = 'proved'): number {
  const warnings = message === undefined ? [] : asLines([{ kind: 'only-the-beginning', message }]);
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome, proof: 'exact I.', restsOnOpen: [] },
    ...{ found: 'search', reason: '', grounds: { axioms: [], warnings } },
  };
  const records = [STARTED, ended].map((event, seq) => ({ seq, at: '2026-11-25T10:00:00.000Z', event }));
  return exitCodeOfRun(outcome, records, true);
}

test.each(['proved', 'proved-but'] as const)('%s, and the file stops compiling behind it: 1', (outcome) => {
  expect(codeWith(undefined, outcome)).toBe(0);
  expect(codeWith('What stands behind line 3 was not judged.', outcome)).toBe(0);
  expect(codeWith(`${STOPS}, at 5:1, so that nothing behind line 3 was judged.`, outcome)).toBe(1);
});
