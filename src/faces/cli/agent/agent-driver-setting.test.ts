/** A driver that was chosen for tasks, where a file is named: what chooses it is told, and nothing is said of money. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runQuod } from '../testing/run-quod.ts';

let folder: string;
let configuration: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quod-driver-'));
  configuration = mkdtempSync(join(tmpdir(), 'quod-configuration-'));
  writeFileSync(join(folder, 'a.v'), 'Lemma one : True.\nAdmitted.\n');
});
afterEach(() => {
  for (const one of [folder, configuration]) rmSync(one, { recursive: true });
});

const SETTING = JSON.stringify({ driver: 'claude-code' });

test.each([
  ['.quod/agent.json', [], {}],
  ['other.json', ['--config', 'other.json'], {}],
  ['QUOD_AGENT_DRIVER', [], { QUOD_AGENT_DRIVER: 'claude-code' }],
] as const)('%s is told, and --driver quod', async (place, words, environment) => {
  mkdirSync(join(folder, '.quod'));
  if (place.endsWith('.json')) writeFileSync(join(folder, place), SETTING);
  const run = await runQuod(['agent', 'a.v', ...words], folder, {
    QUOD_CONFIG: configuration,
    ...environment,
  });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /^quod: claude-code works on tasks, and [^\n]+ names it as the driver\. Add --driver quod /u,
  );
  expect(run.stderr).toContain(`tasks, and ${place} names`);
});

test('so is the user’s own file', async () => {
  writeFileSync(join(configuration, 'agent.json'), SETTING);
  const { stderr } = await runQuod(['agent', 'a.v'], folder, { QUOD_CONFIG: configuration });
  expect(stderr).toContain(`, and ${join(configuration, 'agent.json')} names it as the driver.`);
});

test('of what was typed only how it is done otherwise', async () => {
  const { stderr } = await runQuod(['agent', 'a.v', '--driver', 'codex'], folder, {
    QUOD_CONFIG: configuration,
  });
  expect(stderr).toMatch(/^quod: codex works on tasks\. Leave out --driver to have/u);
});
