import { describe, expect, it, test } from 'vitest';
import { chainOf, tacticFor } from './tactic-chain.ts';

/** What each step does to each of so many goals. */
function plan(tactic: string, counts: readonly number[]): (string | undefined | null)[][] | undefined {
  const chain = chainOf(tactic);
  return chain?.steps.map((step, at) => {
    const count = counts[at] ?? 1;
    return Array.from({ length: count }, (_, index) => tacticFor(chain, step, index, count));
  });
}

describe('a chain', () => {
  it('uses each step on every goal of the one before', () => {
    expect(plan('induction n; simpl; auto', [1, 2, 2])).toEqual([
      ['induction n'],
      ['simpl', 'simpl'],
      ['auto', 'auto'],
    ]);
  });

  it('gives each goal its own branch, and none where the branch is empty', () => {
    expect(plan('destruct n; [ | lia; auto ]', [1, 2])).toEqual([['destruct n'], [undefined, 'lia; auto']]);
  });

  it('does not fit when there are not as many goals as branches', () => {
    expect(plan('split; [ a | b ]', [1, 3])?.[1]).toEqual([null, null, null]);
  });

  it('knows the first and the last goal of SSReflect', () => {
    expect(plan('rewrite a; first by b', [1, 3])?.[1]).toEqual(['by b', undefined, undefined]);
    expect(plan('rewrite a; last exact: c', [1, 3])?.[1]).toEqual([undefined, undefined, 'exact: c']);
  });

  it('closes with by and now what its last step leaves', () => {
    expect(plan('by rewrite a; [ b | ]', [1, 2])).toEqual([['rewrite a'], ['by b', 'by []']]);
    expect(plan('now (split; auto)', [1, 2])).toEqual([['split'], ['now auto', 'now auto']]);
  });
});

describe('a list of rewrites', () => {
  it('goes on with the first goal behind a comma', () => {
    expect(plan('rewrite <- a, (b c) in H |- *', [1, 2])).toEqual([
      ['rewrite <- a in H |- *'],
      ['rewrite (b c) in H |- *', undefined],
    ]);
  });

  it('goes on with every goal in SSReflect', () => {
    expect(plan('by rewrite -/m !(a, b) {2}[X in _ = X]c ?d//= => x', [1, 1, 2, 1, 2])).toEqual([
      ['rewrite -/m'],
      ['rewrite !(a, b)'],
      ['rewrite {2}[X in _ = X]c', 'rewrite {2}[X in _ = X]c'],
      ['rewrite ?d'],
      ['by rewrite //= => x', 'by rewrite //= => x'],
    ]);
  });

  it('keeps a pattern or a direction with its term', () => {
    expect(plan('rewrite [RHS] a - b -> c', [1, 1, 1])).toEqual([
      ['rewrite [RHS] a'],
      ['rewrite - b'],
      ['rewrite -> c'],
    ]);
  });
});

test.each([
  'auto',
  'auto || lia',
  'try (a; b)',
  'a; [ b .. | c ]',
  'a; first last',
  'all: a',
  'rewrite a',
  'rewrite a, b by c',
])('%s is not taken apart', (tactic) => {
  expect(chainOf(tactic)).toBeUndefined();
});
