/** What a command says at its end names commands; its JSON is the same for whoever asks, and names operations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

test('people read of commands, programs of operations', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.v'), 'Axiom choice : True.\nDefinition two := one.\n');
  writeFileSync(join(folder, 'b.v'), 'Axiom choice : True.\n');
  const { stderr } = await runQuod(['check', 'b.v'], folder);
  expect(stderr).toContain('It assumes choice.');
  expect(stderr).toContain('(`quod verify`)');
  const failed = await runQuod(['rocq', 'goals', '--file', 'a.v', '--json'], folder);
  expect(failed.stderr).toContain('`quod check` lists all errors');
  expect(JSON.parse(failed.stdout)).toMatchObject({
    error: { remedy: expect.stringContaining('`proof_check` lists all errors') as string },
  });
});
