import { expect, test } from 'vitest';
import { timedName } from './timed-name.ts';

const at = new Date('2026-11-27T22:27:22.599Z');

test('a name begins with its time, to the millisecond', () => {
  expect(timedName(at)).toMatch(/^20261127-222722599-[0-9a-f]{4}$/u);
});

test('of two in one millisecond the later comes later', () => {
  const first = timedName(at);
  const second = timedName(at, first);
  expect(second > first && second.startsWith('20261127-222722600-')).toBe(true);
  expect(timedName(at, '20261127-222722-ffff') > '20261127-222722-ffff', 'of an earlier Quod').toBe(true);
  expect(timedName(at, '20990101-000000000-aaaa')).toMatch(/^20261127-222722599-/u);
});
