/** What a file conjectures is told as assumed by every command that says what its text leaves open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-conjectured-'));
afterAll(() => rmSync(folder, { recursive: true }));

writeFileSync(
  join(folder, 'a.v'),
  'Conjecture c : 1 = 2.\nAxiom d : True.\nTheorem t : 3 = 4.\nProof.\n  discriminate c.\nQed.\n',
);

test.each([[['check']], [['prove']], [['rocq', 'compile']]])('%s', async (command) => {
  const { stdout, stderr, exitCode } = await runQuod([...command, 'a.v'], folder);
  expect(stdout + stderr).toContain('It assumes d, c.');
  expect(exitCode).toBe(0);
});
