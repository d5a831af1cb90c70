import { APICallError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { waitBefore } from './retry.ts';

const waitOf = (responseHeaders: Record<string, string>): number => {
  const error = new APICallError({
    ...{ message: 'slow down', url: 'http://localhost', requestBodyValues: {}, statusCode: 429 },
    responseHeaders,
  });
  return waitBefore(1, error, 100, () => 0.5).ms;
};

test('a server is waited for as long as it asks, in seconds or milliseconds', () => {
  expect(waitOf({ 'retry-after': '5000' })).toBe(5_000_000);
  expect(waitOf({ 'retry-after-ms': '20', 'retry-after': '5' })).toBe(20);
  expect(waitOf({ 'retry-after': '0' })).toBe(0);
  expect(waitOf({ 'retry-after': new Date(Date.now() - 60_000).toUTCString() })).toBe(0);
});

test.each(['NaN', 'Infinity', '-Infinity', '1e999', '1e307', '', ' ', 'soon'])(
  'what is no time that can be waited counts as none: %j',
  (value) => {
    expect(waitOf({ 'retry-after': value })).toBe(50);
    expect(waitOf({ 'retry-after-ms': value === '1e307' ? 'Infinity' : value, 'retry-after': '5' })).toBe(5000);
    expect(waitOf({ 'retry-after-ms': 'Infinity', 'retry-after': value })).toBe(50);
  },
);
