/** A run whose file stops compiling behind what was proved does not end as one where everything holds. */
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../agent/runs/events.ts';
import { mergeSettings } from '../../../agent/settings.ts';
import { asLines, type WarningKind } from '../../../gate/verdict.ts';
import { exitCodeOfRun } from './run-exit-code.ts';

const STARTED: RunEvent = {
  ...{ kind: 'run-started', format: 1, quod: '0', file: 'a.v', fileHash: '', theorems: ['a'] },
  ...{ files: [{ file: 'a.v', fileHash: '', theorems: ['a'], text: '' }], task: null },
  settings: mergeSettings(),
};

function codeWith(kind: WarningKind | undefined, outcome: 'proved' | 'proved-but' = 'proved'): number {
  const warnings = kind === undefined ? [] : asLines([{ kind, message: 'It is so.' }]);
  const ended: RunEvent = {
    ...{ kind: 'theorem-ended', key: 'a', theorem: 'a', outcome, proof: 'exact I.', restsOnOpen: [] },
    ...{ found: 'search', reason: '', grounds: { axioms: [], warnings } },
  };
  const records = [STARTED, ended].map((event, seq) => ({ seq, at: '2026-11-25T10:00:00.000Z', event }));
  return exitCodeOfRun(outcome, records, true);
}

test.each(['proved', 'proved-but'] as const)('%s, and the file stops compiling behind it: 1', (outcome) => {
  expect(codeWith(undefined, outcome)).toBe(0);
  expect(codeWith('only-the-beginning', outcome)).toBe(0);
  expect(codeWith('rest-does-not-compile', outcome)).toBe(1);
});
