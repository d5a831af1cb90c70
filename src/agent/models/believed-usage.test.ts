/** A server's count of tokens decides what may still be spent: what cannot be is not believed. */
import { expect, test } from 'vitest';
import { believedUsage } from './believed-usage.ts';

const ESTIMATED = { inputTokens: 1000, cachedTokens: 0, outputTokens: 500 };
const usage = (inputTokens: number, outputTokens: number, cachedTokens = 0) => ({
  ...{ inputTokens, outputTokens, cachedTokens },
});

test.each([
  ['less than nothing', usage(1000, -10_000_000)],
  ['less than nothing that was sent', usage(-1, 500)],
  ['more than can be', usage(1000, 1e308)],
  ['no number', usage(1000, Number.NaN)],
  ['infinitely many', usage(Number.POSITIVE_INFINITY, 500)],
  ['a part of a token', usage(1000, 0.5)],
  ['more cached than sent', usage(1000, 500, 1001)],
  ['less than none cached', usage(1000, 500, -5)],
  ['nothing for a long answer', usage(0, 0)],
  ['nothing', undefined],
])('%s: the estimate counts', (_, reported) => {
  expect(believedUsage(reported, ESTIMATED)).toEqual({ usage: ESTIMATED, isEstimated: true });
});

test.each([
  ['what is about right', usage(1200, 450)],
  ['thoughts that are not shown', usage(1000, 60_000)],
  ['a large cache', usage(1000, 500, 1000)],
  ['another tokenizer', usage(4000, 2000)],
])('%s is believed', (_, reported) => {
  expect(believedUsage(reported, ESTIMATED)).toEqual({ usage: reported, isEstimated: false });
});

test('nothing for an empty answer is believed', () => {
  const estimated = { ...ESTIMATED, outputTokens: 0 };
  expect(believedUsage(usage(1000, 0), estimated).isEstimated).toBe(false);
});
