/** A session of a command ends with the command: `quod hol start` says so instead of "Started". */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { obedientHol } from '../../provers/hol4/testing/obedient-installation.ts';
import { runQuod } from './testing/run-quod.ts';

it('without a server a session is not started, and the remedy is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-no-server-'));
  const hol = obedientHol();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    hol.remove();
    rmSync(folder, { recursive: true });
  });
  vi.stubEnv('QUOD_HOL4', hol.folder);
  const refused = await runQuod(['hol', 'start'], folder);
  expect(refused.exitCode).toBe(2);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain('quod serve');
  const wanted = await runQuod(['hol', 'start', '--local'], folder);
  expect(wanted, wanted.stderr).toMatchObject({ exitCode: 0 });
});
