import { describe, expect, it } from 'vitest';
import { wilson } from '../../src/agent/evaluation/statistics.ts';
import { weightedEstimate } from './weighted-estimate.ts';

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
    expect(estimate?.low).toBeCloseTo(wilson(9, 30).low, 10);
  });

  it('say nothing about what was not tried', () => {
    expect(weightedEstimate([{ solved: 0, tried: 0, weight: 1 }])).toBeUndefined();
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
