/** A key whose text stands in the user's own file, in its path or as the name of a theorem. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const FILE = (name: string): string =>
  `(* holds for any_thing *)\nLemma ${name} : forall n, n + 0 = n.\nProof.\nAdmitted.\n`;

test.each(['any_thing', 'lemma_of_it'])(
  'such a run is gone on with, gives the file back as it was, and tells no model: %s',
  async (theorem) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'quod-key-')));
    const folder = join(base, 'any_thing');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.v'), FILE(theorem));
    const asked: string[] = [];
    let proof = 'idtac.';
    const server = await startModelServer((request) => {
      asked.push(JSON.stringify(request.messages));
      return request.tools === undefined
        ? { text: '{"score": 5, "winner": "pro", "plan": "induction on n"}' }
        : { calls: [{ name: 'rocq_check_proof', arguments: JSON.stringify({ proof }) }] };
    });
    onTestFinished(async () => {
      await server.close();
      rmSync(base, { recursive: true });
    });
    const providers = JSON.stringify({ mine: { url: server.url, keyVariable: 'MINE_KEY' } });
    const given = ['--set', `providers=${providers}`, 'planning=direct', 'plans=1', 'repair-seconds=0'];
    const environment = { MINE_KEY: 'any_thing' };
    const options = ['--model', 'mine/m', '--no-search-first', '--max-messages', '3', ...given];
    const run = await runQuod(['agent', 'a.v', ...options], folder, environment);
    expect(run.stderr).toContain('Go on with');
    expect((await runQuod(['run', 'original', 'last'], folder, environment)).stdout).toBe(FILE(theorem));
    proof = 'induction n as [|n IH]; simpl; [reflexivity | rewrite IH; reflexivity].';
    const more = await runQuod(['resume', 'last', '--write', '--max-messages', '9'], folder, environment);
    expect(more.stderr).toContain('1 of 1 theorem proved');
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.join('\n')).not.toContain('any_thing');
  },
  300_000,
);
