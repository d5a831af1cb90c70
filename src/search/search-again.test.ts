import { expect, it } from 'vitest';
import { budgetAgain } from './search-again.ts';
import type { SearchedAgain } from './prove-request.ts';

const again = (elapsedMs: number, isBrief?: true): SearchedAgain => ({
  without: new Set(['a']),
  before: {
    ...{ theorem: 'b', line: 1, statement: '', times: [] as never, elapsedMs, nodes: elapsedMs / 10 },
    outcome: { kind: 'not-proved', reason: 'search-exhausted', message: '' },
  },
  ...(isBrief && { isBrief }),
});

it('what may find no better proof takes no longer than what found the first, and a little', () => {
  expect(budgetAgain(undefined)(20_000, 'elapsedMs')).toBe(20_000);
  expect(budgetAgain(again(5000))(20_000, 'elapsedMs')).toBe(20_000);
  expect(budgetAgain(again(5000, true))(20_000, 'elapsedMs')).toBe(10_000);
  expect(budgetAgain(again(5000, true))(8000, 'elapsedMs')).toBe(8000);
  expect(budgetAgain(again(100, true))(20_000, 'elapsedMs')).toBe(2100);
  expect(budgetAgain(again(100, true))(500, 'nodes')).toBe(210);
});
