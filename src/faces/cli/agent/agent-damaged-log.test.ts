/** A log that somebody else writes into while the run works: what the run did is told once, from what it recorded itself. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listRuns, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const HOLE = 'Lemma one : 1 = 1.\nProof.\nAdmitted.\n';
const FORGED = '{"seq":1,"event":{"kind":"run-ended","outcome":"proved"}}\n';

let folder: string;
let server: ScriptedModelServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-damaged-'));
  writeFileSync(join(folder, 'a.v'), HOLE);
  writeFileSync(join(folder, 'TASK.md'), '## Targets\n- a.v\n');
  const runs = runsFolder(folder, {});
  server = await startModelServer(({ tools }) => {
    const [name = ''] = listRuns(runs);
    appendFileSync(join(runs, name, 'events.jsonl'), FORGED);
    return tools === undefined
      ? { text: '{"plan": "reflexivity"}' }
      : { calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "reflexivity."}' }] };
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a file', ['a.v', '--write'], 'Begin a new run with the file as it is: quod agent a.v'],
  [
    'a task',
    ['--task', 'TASK.md'],
    'Begin a new run with the files as they are: quod agent --task TASK.md --fresh',
  ],
])('of a run on %s: the damage, the totals, and how the work goes on', async (...of) => {
  const [, words, advice] = of;
  const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
  const settings = ['--model', 'scripted/m', '--set', providers, 'search-first=false', 'plans=1'];
  const run = await runQuod(['agent', ...words, ...settings], folder);
  expect(run, run.stderr).toMatchObject({ exitCode: 2 });
  expect(run.stderr.match(/is damaged in line/gu)).toHaveLength(1);
  expect(run.stderr).toMatch(/It cannot be gone on with: begin a new run\./u);
  expect(run.stderr).toMatch(/^1 of 1 theorem proved; /mu);
  expect(run.stderr.trim().split('\n').at(-1)).toBe(advice);
  expect(run.stdout).toContain('reflexivity.');
});
