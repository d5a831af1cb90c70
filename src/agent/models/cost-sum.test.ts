import { expect, test } from 'vitest';
import { costSumText, costText } from './cost-sum.ts';
import { BEYOND_COUNTING } from './prices.ts';

test('what nobody told is said beside what is known', () => {
  expect(costSumText({ cost: 0.25, uncosted: 0 })).toBe('$0.2500');
  expect(costSumText({ cost: 0.25, uncosted: 1 })).toBe('$0.2500, the cost of 1 call not known');
  expect(costSumText({ cost: 0, uncosted: 3 })).toBe('the cost of 3 calls not known');
});

test('what stands for a cost that could not be counted is no sum of dollars', () => {
  expect(costText(BEYOND_COUNTING)).toBe('cost unknown');
  expect(costText(null)).toBe('price not known');
});
