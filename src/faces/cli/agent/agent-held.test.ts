/** A run that is held asks and writes nothing before it is told to begin. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startModelServer } from '../../../agent/testing/scripted-model-server.ts';
import type { ScriptedModelServer } from '../../../agent/testing/scripted-model-server.ts';
import { runQuod } from '../testing/run-quod.ts';

const LONG = 600_000;
const HOLE = 'Lemma one : 1 = 1.\nProof.\nAdmitted.\n';

let folder: string;
let server: ScriptedModelServer;
const path = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quod-held-'));
  writeFileSync(path('a.v'), HOLE);
  server = await startModelServer(({ tools }) =>
    tools === undefined
      ? { text: '{"plan": "reflexivity"}' }
      : { calls: [{ name: 'rocq_check_proof', arguments: '{"proof": "reflexivity."}' }] },
  );
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const held = (input: string) => {
  const providers = `providers=${JSON.stringify({ scripted: { url: server.url, free: true } })}`;
  const settings = ['--set', providers, 'search-first=false', 'plans=1', 'write=true'];
  return runQuod(['agent', 'a.v', '--held', '--model', 'scripted/m', ...settings], folder, {}, input);
};

test(
  'where the input ends without the word to begin, the run is recorded as stopped, and no model is asked',
  async () => {
    const run = await held('{"say":"induction"}\n');
    expect(run, run.stderr).toMatchObject({ exitCode: 130 });
    const lines = run.stdout.trim().split('\n');
    expect(lines[0]).toMatch(/^\{"run":"/u);
    expect(lines.at(-1)).toMatch(/"kind":"run-ended","outcome":"interrupted",.*before it began anything/u);
    expect(server.requests).toEqual([]);
    expect(readFileSync(path('a.v'), 'utf8')).toBe(HOLE);
  },
  LONG,
);

test(
  'told to begin, it works',
  async () => {
    const run = await held('{"begin":true}\n');
    expect(run, run.stderr).toMatchObject({ exitCode: 0 });
    expect(server.requests.length).toBeGreaterThan(0);
    expect(readFileSync(path('a.v'), 'utf8')).toContain('reflexivity.');
  },
  LONG,
);
