import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weightedEstimate, wilsonInterval } from './wilson.ts';

describe('Wilson intervals', () => {
  it('agree with published values', () => {
    // Newcombe 1998, table I: 81 of 263 and 0 of 20.
    expect(wilsonInterval(81, 263).low).toBeCloseTo(0.2553, 4);
    expect(wilsonInterval(81, 263).high).toBeCloseTo(0.3662, 4);
    expect(wilsonInterval(0, 20).low).toBe(0);
    expect(wilsonInterval(0, 20).high).toBeCloseTo(0.1611, 4);
  });

  it('hold the share that was seen and mirror success and failure', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(500), (tried, some) => {
        const solved = some % (tried + 1);
        const { low, high } = wilsonInterval(solved, tried);
        const mirrored = wilsonInterval(tried - solved, tried);
        expect(low).toBeLessThanOrEqual(solved / tried + 1e-12);
        expect(high).toBeGreaterThanOrEqual(solved / tried - 1e-12);
        expect(mirrored.high).toBeCloseTo(1 - low, 10);
      }),
    );
  });

  it('say nothing about what was not tried', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(weightedEstimate([{ solved: 0, tried: 0, weight: 1 }])).toBeUndefined();
  });
});

describe('weighted estimates', () => {
  it('weigh each stratum by its share of the population', () => {
    const estimate = weightedEstimate([
      { solved: 5, tried: 10, weight: 3 },
      { solved: 0, tried: 10, weight: 1 },
    ]);
    expect(estimate?.share).toBeCloseTo(0.375, 10);
  });

  it('are the plain share and interval when the sample is proportional', () => {
    const estimate = weightedEstimate([
      { solved: 8, tried: 20, weight: 2 },
      { solved: 1, tried: 10, weight: 1 },
    ]);
    expect(estimate?.share).toBeCloseTo(0.3, 10);
    expect(estimate?.low).toBeCloseTo(wilsonInterval(9, 30).low, 10);
  });

  it('leave out strata without a sample', () => {
    expect(
      weightedEstimate([
        { solved: 1, tried: 4, weight: 1 },
        { solved: 0, tried: 0, weight: 9 },
      ])?.share,
    ).toBeCloseTo(0.25, 10);
  });
});
