import { expect, it } from 'vitest';
import { recursUnseen } from './recursion.ts';

it.each([
  [true, 'fix IHn 1'],
  [true, 'intros n; fix IH 2'],
  [true, 'cofix H'],
  [true, 'refine (fix go n := _)'],
  [true, 'cofix CIH_more'],
  [false, 'cofix CIH'],
  [false, 'revert n; cofix CIH; intros n'],
  [false, 'rewrite fix_eq'],
  [false, "apply fix'"],
  [false, 'unfold prefix'],
])('%s: %s', (recurs, step) => {
  expect(recursUnseen(step)).toBe(recurs);
});
