/** Which variables of the user's programs get: what they need, never a key, whatever it is called. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { GuardedChild } from '../guarded-child.ts';
import { proverEnvironment } from './child-environment.ts';

const configuration = (files: Readonly<Record<string, unknown>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-environment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value));
  return folder;
};
const told = (environment: Readonly<Record<string, string>>): string[] =>
  Object.keys(proverEnvironment({ QUOD_CONFIG: '/nowhere', ...environment }));

test('what provers and build tools need is told, and nothing else', () => {
  const needed = [
    'PATH',
    'HOME',
    'LC_ALL',
    'XDG_CACHE_HOME',
    'COQPATH',
    'ROCQLIB',
    'OPAMSWITCH',
    'OCAMLPATH',
  ];
  const more = [
    'CAML_LD_LIBRARY_PATH',
    'DUNE_CACHE',
    'HOLDIR',
    'FSTAR_HOME',
    'LEAN_PATH',
    'ELAN_HOME',
    'NIX_PATH',
  ];
  const all = [...needed, ...more, 'LD_LIBRARY_PATH'];
  expect(told(Object.fromEntries(all.map((name) => [name, 'x'])))).toEqual(all);
  const kept = [
    'DATABASE_URL',
    'LLMSTUFF',
    'OPENAI_API_KEY',
    'OPAM_TOKEN',
    'NIX_CONFIG',
    'XPATH',
    'PATHS',
    'HTTP_PROXY',
  ];
  expect(told(Object.fromEntries(kept.map((name) => [name, 'x'])))).toEqual([]);
});

test('a variable that the user’s settings call a key is not told, like a needed one though it is called', () => {
  const providers = { mine: { url: 'http://127.0.0.1:1/v1', keyVariable: 'LEAN_LLM' } };
  const reach = { kind: 'address', address: 'http://127.0.0.1:1/v1', keyVariable: 'HOL_LLM' };
  const QUOD_CONFIG = configuration({
    'agent.json': { providers },
    'allowed.json': [{ folder: '/x', reach }],
  });
  const QUOD_AGENT_PROVIDERS = JSON.stringify({
    other: { url: 'http://127.0.0.1:1', keyVariable: 'COQ_LLM' },
  });
  const variables = { LEAN_LLM: 'k', HOL_LLM: 'k', COQ_LLM: 'k', LEAN_PATH: '/l' };
  expect(told({ QUOD_CONFIG, QUOD_AGENT_PROVIDERS, ...variables })).toEqual(['LEAN_PATH']);
  const broken = configuration({});
  for (const name of ['agent.json', 'allowed.json']) writeFileSync(join(broken, name), '{');
  expect(told({ QUOD_CONFIG: broken, QUOD_AGENT_PROVIDERS: '[', LEAN_PATH: '/l' })).toEqual(['LEAN_PATH']);
});

test('what the user passes on by name is told', () => {
  const passed = { QUOD_PASS_ENVIRONMENT: 'CFLAGS, MY_TOKEN', CFLAGS: '-O2', MY_TOKEN: 'x', OTHER: 'y' };
  expect(told(passed)).toEqual(['CFLAGS', 'MY_TOKEN']);
});

test('a program that is started without a word about its environment gets no more', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://user:hunter2@host');
  vi.stubEnv('COQPATH', '/libraries');
  onTestFinished(() => void vi.unstubAllEnvs());
  const child = await GuardedChild.start('/usr/bin/env', []);
  let printed = '';
  child.output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await child.exited;
  expect(printed).toContain('COQPATH=/libraries\n');
  expect(printed).not.toContain('DATABASE_URL');
  // Without it a prover spends a fifth of its time on taking small pages of memory.
  expect(printed).toContain('GLIBC_TUNABLES=glibc.malloc.hugetlb=1:');
});

test('nobody else starts programs with the whole environment, but where it says why', () => {
  const sources = execFileSync('git', ['ls-files', 'src'], { encoding: 'utf8' }).split('\n');
  const starting = sources.filter(
    (file) =>
      /(?<!\.test)\.ts$/u.test(file) &&
      !/\/(?:testing|conformance)\//u.test(file) &&
      /from 'node:child_process'/u.test(readFileSync(file, 'utf8')),
  );
  expect(starting.toSorted()).toEqual(STARTERS);
});

/** Quod's own ways to start a program, each with an environment of its own. */
const STARTERS = [
  // The user's key store, asked for the key.
  'src/agent/models/key-store.ts',
  // The user's browser.
  'src/faces/cli/serving/ui-command.ts',
  'src/operations/data/train-operation.ts',
  'src/operations/project/examine-machine.ts',
  'src/process/foreign-folder/file-attributes.ts',
  'src/process/foreign-folder/git.ts',
  'src/process/guarded-child.ts',
];
