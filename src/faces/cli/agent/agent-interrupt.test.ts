/** Two signals at once, as an impatient person or a service manager sends them: what is recorded is told, and can be gone on with. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldRun } from '../../../agent/runs/fold.ts';
import { listRuns, readRun, runsFolder } from '../../../agent/runs/run-log.ts';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { startQuod } from '../testing/run-quod.ts';

const HOLE = 'Lemma one : 1 = 1.\nProof.\nAdmitted.\n';

let folder: string;
let server: ScriptedModelServer;
let asked: PromiseWithResolvers<undefined>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-interrupt-'));
  writeFileSync(join(folder, 'a.v'), HOLE);
  writeFileSync(join(folder, 'TASK.md'), '## Targets\n- a.v\n');
  asked = Promise.withResolvers();
  server = await startModelServer(() => {
    asked.resolve(undefined);
    return { silent: true };
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['a file', ['a.v', '--write'], ' --write'],
  ['a task', ['--task', 'TASK.md'], ''],
])(
  'of a run on %s the end is recorded and told at the second signal, and it ends with 130',
  async (...of) => {
    const [, words, again] = of;
    const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
    const settings = ['--model', 'scripted/m', '--set', providers, 'search-first=false', 'plans=1'];
    const started = startQuod(['agent', ...words, ...settings], folder);
    await asked.promise;
    started.child.kill('SIGINT');
    started.child.kill('SIGTERM');
    const run = await started.finished;
    expect(run, run.stderr).toMatchObject({ exitCode: 130 });
    const runs = runsFolder(folder, {});
    const [name = ''] = listRuns(runs);
    expect(run.stderr).toMatch(/^0 of 1 theorem proved; /mu);
    expect(run.stderr.trim().split('\n').at(-1)).toMatch(
      new RegExp(`^Go on with: quod resume ${name}${again}(?: --set .*)?$`, 'u'),
    );
    expect(foldRun(readRun(runs, name))).toMatchObject({ outcome: 'interrupted' });
    expect(readdirSync(join(runs, name))).toEqual(['events.jsonl']);
  },
);
