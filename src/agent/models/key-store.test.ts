import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { providerKey } from './key-store.ts';
import { parseModelName } from './providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'quod-key-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

const name = (model: string) => parseModelName(model, { providers: {} });
const PATH = `${folder}:/usr/bin:/bin`;

/** Answers for one account, as `secret-tool` and `security` do. */
function standIn(program: string): void {
  const file = join(folder, program);
  writeFileSync(file, '#!/bin/sh\ncase "$*" in *mistral*) echo stored-key ;; *) exit 1 ;; esac\n');
  chmodSync(file, 0o755);
}

test('the environment goes before the store', async () => {
  standIn('secret-tool');
  expect(await providerKey(name('mistral/m'), { MISTRAL_API_KEY: 'mine', PATH }, 'linux')).toBe('mine');
  expect(await providerKey(name('mistral/m'), { MISTRAL_API_KEY: '', PATH }, 'linux')).toBe('stored-key');
});

test('each platform has its store', async () => {
  standIn('security');
  expect(await providerKey(name('mistral/m'), { PATH }, 'darwin')).toBe('stored-key');
  await expect(providerKey(name('mistral/m'), { PATH }, 'win32')).rejects.toThrow(/no key for mistral/u);
});

test('no key is an error that says where one can be kept; local models need none', async () => {
  await expect(providerKey(name('groq/m'), { PATH }, 'linux')).rejects.toThrow(/no key for groq/u);
  expect(await providerKey(name('ollama/m'), {}, 'linux')).toBeUndefined();
});

test('a key is read as it can be sent, and one of nothing but spaces is none', async () => {
  standIn('secret-tool');
  expect(await providerKey(name('mistral/m'), { MISTRAL_API_KEY: '\tmine\r\n', PATH }, 'linux')).toBe('mine');
  expect(await providerKey(name('mistral/m'), { MISTRAL_API_KEY: ' \n', PATH }, 'linux')).toBe('stored-key');
});
