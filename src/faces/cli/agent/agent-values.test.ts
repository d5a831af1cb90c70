/** A value that a run gives to something in one file, of which another file of the project supposes what is not so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

test(
  'what other files suppose of a value that the run chose is told when it ends',
  { timeout: 600_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quod-values-'));
    const server = await startModelServer(() => ({
      calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "exact (fun _ => 0)."}' }],
    }));
    onTestFinished(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });
    for (const [name, text] of [
      ['_CoqProject', '-Q . Lib\nA.v\nB.v\n'],
      ['A.v', 'Definition f : nat -> nat.\nProof.\nAdmitted.\n'],
      ['B.v', 'From Lib Require Import A.\nAxiom ax : f 0 = 1.\n'],
      ['TASK.md', '## Targets\n- A.v\n'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
    const command = ['agent', '--task', 'TASK.md', '--model', 'scripted/m', '--set', 'search-first=false'];
    const run = await runQuod([...command, 'commit=false', providers], folder);
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toMatch(
      /^warning: values-chosen: this run gave a value to f \(A\.v\)\. .*: B\.v \(ax\)\.$/mu,
    );
    expect((await runQuod(['run', 'export', 'last'], folder)).stdout).toContain('B.v (ax)');
  },
);
