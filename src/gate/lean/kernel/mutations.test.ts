/**
 * Changed exports: no crash, and what is accepted although it was changed says of each constant what the unchanged one says,
 * or leaves constants out, or declares more.
 */
import { describe, expect, it } from 'vitest';
import { smallExports } from '../testing/recorded-exports.ts';
import { judgeMutation } from '../testing/judged-mutation.ts';
import { mutate, randomNumbers } from '../testing/mutation.ts';

describe('mutated exports', () => {
  const good = smallExports().filter((recorded) => recorded.good && recorded.text.length < 40_000);

  it('are never accepted with a statement that does not hold', () => {
    const random = randomNumbers(20_260_101);
    const counts = { accepted: 0, rejected: 0, declined: 0, unreadable: 0 };
    for (let count = 0; count < 400; count++) {
      const recorded = good[random(good.length)];
      if (recorded === undefined) throw new Error('no exports');
      const mutation = mutate(recorded.text, random);
      const judged = judgeMutation(recorded.text, mutation.text);
      counts[judged.kind]++;
      expect(judged.changes, `${recorded.name} ${mutation.what}`).toEqual([]);
    }
    expect(counts.rejected).toBeGreaterThan(20);
    expect(counts.unreadable).toBeGreaterThan(20);
    expect(counts.accepted).toBeGreaterThan(20);
  });
});
