/** A share in a population, estimated from a stratified sample. */
import { wilson, type Share } from '../../src/agent/evaluation/statistics.ts';

export interface Stratum {
  readonly solved: number;
  readonly tried: number;
  /** The share of the whole population that the stratum stands for. */
  readonly weight: number;
}

/**
 * The share in a population from a stratified sample. Strata that were not tried are left out and the other weights
 * scaled up. The interval is Wilson's at the effective sample size 1 / Σ (wᵢ² / nᵢ), that is, Kish's.
 */
export function weightedEstimate(strata: readonly Stratum[]): Share | undefined {
  const tried = strata.filter((stratum) => stratum.tried > 0 && stratum.weight > 0);
  const total = tried.reduce((sum, stratum) => sum + stratum.weight, 0);
  if (total === 0) return undefined;
  let share = 0;
  let inverseSize = 0;
  for (const { solved, tried: count, weight } of tried) {
    share += ((weight / total) * solved) / count;
    inverseSize += (weight / total) ** 2 / count;
  }
  return { ...wilson(share / inverseSize, 1 / inverseSize), share };
}
