import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheDirectory } from './cache-directory.ts';

test('the cache is where the user says, else where the system keeps such files', () => {
  expect(cacheDirectory({ QUOD_CACHE: '/own', XDG_CACHE_HOME: '/shared' })).toBe('/own');
  expect(cacheDirectory({ QUOD_CACHE: '', XDG_CACHE_HOME: '/shared' })).toBe(join('/shared', 'quod'));
  expect(cacheDirectory({})).toBe(join(homedir(), '.cache', 'quod'));
});
