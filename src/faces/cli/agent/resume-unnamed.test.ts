/** `quod resume` without a name: which runs of the folder can be gone on with. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listRuns, runsFolder } from '../../../agent/runs/run-log.ts';
import { runQuod } from '../testing/run-quod.ts';

test('names the runs that are not finished, the newest first, at most ten', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-resume-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const none = await runQuod(['resume'], folder);
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain('No run was named. There is none here to go on with; `quod runs` lists all.');
  writeFileSync(join(folder, 'open.v'), 'Parameter P : Prop.\nLemma open : P.\nAdmitted.\n');
  writeFileSync(join(folder, 'easy.v'), 'Lemma easy : True.\nAdmitted.\n');
  for (const file of ['open.v', 'easy.v'])
    await runQuod(['agent', file, '--set', 'search-seconds=1', 'refute-seconds=0'], folder);
  const runs = runsFolder(folder, {});
  const [unfinished = '', finished = ''] = listRuns(runs);
  const later = Array.from(
    { length: 11 },
    (_, at) => `3000010${Math.floor(at / 10)}-00000000${at % 10}-0000`,
  );
  for (const name of later) cpSync(join(runs, unfinished), join(runs, name), { recursive: true });
  const named = await runQuod(['resume'], folder);
  expect(named.exitCode).toBe(2);
  const newest = later.toReversed().slice(0, 10).join(', ');
  expect(named.stderr).toContain(`Name one that is not finished, newest first: ${newest}.`);
  for (const name of later.slice(1)) rmSync(join(runs, name), { recursive: true });
  const few = await runQuod(['resume'], folder);
  expect(few.stderr).toContain(`newest first: ${later[0] ?? ''}, ${unfinished}.`);
  expect(finished).not.toBe('');
});
