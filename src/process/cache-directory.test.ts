import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDirectory } from './cache-directory.ts';
import { configurationDirectory } from './configuration-directory.ts';

test('the cache is where the user says, else where the system keeps such files', () => {
  expect(cacheDirectory({ QUOD_CACHE: '/own', XDG_CACHE_HOME: '/shared' })).toBe('/own');
  expect(cacheDirectory({ QUOD_CACHE: '', XDG_CACHE_HOME: '/shared' })).toBe(join('/shared', 'quod'));
  expect(cacheDirectory({})).toBe(join(homedir(), '.cache', 'quod'));
});

test.each(['relative', './here', ''])(
  'a folder of all programs that is %j is as if nothing were said',
  (said) => {
    expect(cacheDirectory({ XDG_CACHE_HOME: said })).toBe(join(homedir(), '.cache', 'quod'));
    expect(configurationDirectory({ XDG_CONFIG_HOME: said })).toBe(join(homedir(), '.config', 'quod'));
  },
);
