import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lostOrders, type LevelOrder } from './universe-constraints.ts';

const itself = (level: string): string => level;
const below = (low: string, high: string): LevelOrder => ({ low, high, isStrict: true });
const atMost = (low: string, high: string): LevelOrder => ({ low, high, isStrict: false });

const orders = fc.array(
  fc.record({
    low: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    high: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    isStrict: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** All orders that follow, by repeated composition. */
function closure(given: readonly LevelOrder[]): Map<string, boolean> {
  const all = new Map<string, boolean>();
  const add = (low: string, high: string, isStrict: boolean): boolean => {
    const known = all.get(`${low} ${high}`);
    if (known === true || known === isStrict) return false;
    all.set(`${low} ${high}`, isStrict);
    return true;
  };
  for (const { low, high, isStrict } of given) add(low, high, isStrict);
  for (let changed = true; changed;) {
    changed = false;
    for (const [one, strict] of [...all])
      for (const { low, high, isStrict } of given)
        if (one.endsWith(` ${low}`) && add(one.split(' ')[0] ?? '', high, strict || isStrict)) changed = true;
  }
  return all;
}

describe('what a target demands of levels', () => {
  it('is lost when the submission demands less, also by way of levels that have no counterpart', () => {
    expect(lostOrders([below('a', 'b')], [atMost('a', 'b')], itself)).toEqual([below('a', 'b')]);
    expect(
      lostOrders([below('a', 'x'), atMost('x', 'b')], [], (level) => (level === 'x' ? undefined : level)),
    ).toEqual([below('a', 'b')]);
    expect(lostOrders([below('a', 'b')], [atMost('a', 'c'), below('c', 'b')], itself)).toEqual([]);
    expect(lostOrders([atMost('constant 0', 'b')], [], itself)).toEqual([]);
    expect(lostOrders([below('constant 0', 'b')], [], itself)).toHaveLength(1);
  });

  it('is not lost in the same demands, and otherwise just where it does not follow', () => {
    fc.assert(
      fc.property(orders, orders, (target, submission) => {
        expect(lostOrders(target, [...submission, ...target], itself)).toEqual([]);
        const theirs = closure(submission);
        const missing = target.some(({ low, high, isStrict }) => {
          const known = theirs.get(`${low} ${high}`);
          return isStrict ? known !== true : low !== high && known === undefined;
        });
        expect(lostOrders(target, submission, itself).length > 0).toBe(missing);
      }),
    );
  });
});
