/** A script of a prover that is not there: no run is begun that could only be gone on with in vain. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

test('without HOL4 a script is refused before there is a run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-without-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'aScript.sml'), 'Theory a\n\nTheorem t:\n  p ==> p\nProof\n  cheat\nQED\n');
  const run = await runQuod(['agent', 'aScript.sml'], folder, { QUOD_HOL4: join(folder, 'nowhere') });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/There is no HOL4 at \S+nowhere\..*\[prover-missing\]/u);
  expect(run.stderr).not.toMatch(/^Run |quod resume/mu);
  expect(existsSync(join(folder, '.quod'))).toBe(false);
});
