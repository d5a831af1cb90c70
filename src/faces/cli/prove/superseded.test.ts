/** Every command says the same of a statement that is given up where another has its name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-superseded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TOLD = 't at line 2 is given up, and line 4 declares another t: it counts as no hole.';

writeFileSync(
  join(folder, 'a.v'),
  'Module M.\nLemma t : 1 = 2.\nAbort.\nLemma t : 1 = 1.\nProof. Admitted.\nLemma gone : 2 = 2.\nAbort.\nEnd M.\n',
);

test.each([
  ['check', /2 holes/u],
  ['status', /2: t, gone/u],
  ['prove', /2 of 2 proved/u],
  ['refute', /0 of 2 refuted/u],
])('%s counts it as no hole', async (command, counted) => {
  const { stdout, stderr } = await runQuod([command, 'a.v'], folder);
  expect(stdout + stderr).toMatch(counted);
  if (command !== 'refute') expect(stdout + stderr).toContain(TOLD);
});
