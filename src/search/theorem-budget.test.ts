import { expect, it } from 'vitest';
import { TheoremBudget } from './theorem-budget.ts';

const NOTHING = { again: undefined, interludeMs: () => 0 };

it('counts the time since the file had run, but for looks whether the statement is false', () => {
  const since = performance.now() - 40_000;
  const of = { ...NOTHING, since, interludeMs: () => 15_000 };
  const budget = new TheoremBudget({ budgetMs: () => 60_000 }, of);
  expect(budget.leftMs()).toBeGreaterThan(30_000);
  expect(budget.leftMs()).toBeLessThanOrEqual(35_000);
  const { budgetMs, nodes } = budget.limits(0.5, 0);
  expect([nodes, (budgetMs?.() ?? 0) <= 17_500]).toEqual([undefined, true]);
});

it('knows no clock where nodes are counted', () => {
  const budget = new TheoremBudget({ nodes: 100 }, { ...NOTHING, since: -Infinity });
  expect([budget.leftMs(), budget.limits(0.5, 20)]).toEqual([Infinity, { budgetMs: undefined, nodes: 40 }]);
});
