import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slowProofDistance } from '../testing/slow-distance.ts';
import { proofDistance, ProofSpace } from './proof-distance.ts';
import { tacticsOfProof } from './tactic-list.ts';

const word = fc.constantFrom(
  'intros',
  'rewrite IHn',
  'rewrite IHm',
  'auto',
  'lia',
  'destruct x',
  'destruct x, y',
  'apply H in H0',
);
const tactic = fc.oneof(
  word,
  word,
  fc.string({ unit: fc.constantFrom('a', 'b', 'H', ' ', '∀'), minLength: 1, maxLength: 24 }),
);
const proof = fc.array(tactic, { maxLength: 8 });

/** Pairs of which one was made from the other by a few changes are those that the band and the equal ends are for. */
const pair = fc.oneof(
  fc.tuple(proof, proof),
  fc.tuple(proof, fc.nat(), fc.nat(3), proof).map(([one, from, cut, piece]): [string[], string[]] => {
    const place = from % (one.length + 1);
    return [one, [...one.slice(0, place), ...piece.slice(0, 3), ...one.slice(place + cut)]];
  }),
);

describe('proofDistance', () => {
  it('is what the definition says on 10,000 random pairs', { timeout: 600_000 }, () => {
    const space = new ProofSpace();
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(space.distance(space.add(one), space.add(other))).toBeCloseTo(
          slowProofDistance(one, other),
          12,
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it('takes any share of the two parts', () => {
    fc.assert(
      fc.property(pair, fc.constantFrom(0, 0.25, 1), ([one, other], alpha) => {
        expect(proofDistance(one, other, { alpha })).toBeCloseTo(slowProofDistance(one, other, alpha), 12);
      }),
      { numRuns: 300 },
    );
  });

  it('is symmetric, between 0 and 1, and 0 for equal proofs alone', () => {
    const space = new ProofSpace();
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const [left, right] = [space.add(one), space.add(other)];
        const distance = space.distance(left, right);
        expect(distance).toBe(space.distance(right, left));
        expect(distance).toBeGreaterThanOrEqual(0);
        expect(distance).toBeLessThanOrEqual(1 + 1e-12);
        expect(distance === 0).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the triangle inequality of sets, and not that of lists, which their division by length breaks', () => {
    fc.assert(
      fc.property(proof, proof, proof, (one, other, third) => {
        const sets = (left: string[], right: string[]): number => proofDistance(left, right, { alpha: 0 });
        expect(sets(one, third)).toBeLessThanOrEqual(sets(one, other) + sets(other, third) + 1e-12);
      }),
      { numRuns: 500 },
    );
    const lists = (left: string[], right: string[]): number => proofDistance(left, right, { alpha: 1 });
    const [short, between, other] = [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['b', 'c'],
    ];
    expect(lists(short, other)).toBe(1);
    expect(lists(short, between) + lists(between, other)).toBeCloseTo(2 / 3, 12);
  });

  it('gives RocqStar’s own example (appendix C.1)', () => {
    const transitive = tacticsOfProof(
      'Proof using. unfold ext_sb; red; ins. destruct x,y,z; ins; desf; splits; eauto. by rewrite H2. Qed.',
    );
    const irreflexive = tacticsOfProof(
      'Proof using. unfold ext_sb; red; ins. destruct x; ins; desf; splits; firstorder. lia. Qed.',
    );
    expect(proofDistance(transitive, irreflexive).toFixed(2)).toBe('0.32');
  });

  it('adds noise of the amplitude that was asked for', () => {
    const draws = [0, 0.5, 1];
    const noise = { amplitude: 0.05, random: () => draws.shift() ?? 0.5 };
    const noisy = [0, 1, 2].map(
      () => proofDistance(['auto'], ['lia'], { noise }) - proofDistance(['auto'], ['lia']),
    );
    expect(noisy.map((value) => value.toFixed(3))).toEqual(['-0.050', '0.000', '0.050']);
  });

  it('computes all pairs, row by row, as it computes one', () => {
    fc.assert(
      fc.property(fc.array(proof, { maxLength: 12 }), (proofs) => {
        const space = new ProofSpace();
        for (const tactics of proofs) space.add(tactics);
        const rows = [...space.rows()];
        expect(rows.map(({ length }) => length)).toEqual(proofs.map((_, at) => proofs.length - 1 - at));
        rows.forEach((row, one) => {
          row.forEach((distance, at) => {
            expect(distance).toBe(Math.fround(space.distance(one, one + 1 + at)));
          });
        });
        proofs.forEach((_, one) => {
          const all = proofs.map((__, other) => Math.fround(space.distance(one, other)));
          expect([...space.from(one)]).toEqual(all);
        });
        // A proof that comes later, with a tactic that none had.
        const last = space.add(['a tactic of its own']);
        expect(space.from(last)).toHaveLength(proofs.length + 1);
        expect([...space.from(0)].at(-1)).toBe(Math.fround(space.distance(0, last)));
      }),
      { numRuns: 200 },
    );
  });

  it('refuses the number of a proof that it was not given', () => {
    const space = new ProofSpace();
    space.add(['auto']);
    expect(() => space.distance(0, 4)).toThrow('There is no proof 4');
  });
});
