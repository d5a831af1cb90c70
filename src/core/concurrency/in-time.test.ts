import { expect, it } from 'vitest';
import { inTime } from './in-time.ts';

it('answers what is there in time, and something else where it never comes', async () => {
  expect(await inTime(Promise.resolve('there'), 60_000, 'late')).toBe('there');
  expect(await inTime(new Promise(() => undefined), 1, 'late')).toBe('late');
  await expect(inTime(Promise.reject(new Error('Failed.')), 60_000, 'late')).rejects.toThrow('Failed.');
});
