import { expect, test } from 'vitest';
import { costText, dollarsText } from './costs.ts';

test('dollars have as many digits as tell something', () => {
  expect([0, 0.004, 0.5, 12].map(dollarsText)).toEqual(['$0.00', '$0.0040', '$0.50', '$12.00']);
});

test('calls of unknown cost are no calls that cost nothing', () => {
  expect(costText({ cost: 0, uncosted: 0 })).toBe('$0.00');
  expect(costText({ cost: 0, uncosted: 1 })).toBe('1 call of unknown cost');
  expect(costText({ cost: 1.5, uncosted: 2 })).toBe('$1.50 and 2 calls of unknown cost');
});
