/** `quod prove` says once what the project file of its sources says in vain, and proves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

test('a misspelt option and a source that is not there are told once, for all files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-prove-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '_CoqProject'), '-Q . Shop\n-Qq bags Bag\nGone.v\n');
  for (const name of ['A.v', 'B.v'])
    writeFileSync(join(folder, name), 'Lemma one : 1 = 1.\nProof.\nAdmitted.\n');
  const run = await runQuod(['prove', '.', '--json'], folder);
  expect(run.exitCode).toBe(0);
  expect(run.stdout.match(/"outcome":"proved"/gu)).toHaveLength(2);
  expect(run.stderr.match(/^_CoqProject:\d: warning:/gmu)).toEqual([
    '_CoqProject:3: warning:',
    '_CoqProject:2: warning:',
  ]);
});
