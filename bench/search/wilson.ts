/** Confidence intervals for shares of successes: Wilson's score interval, sound also near 0 % and 100 %. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals. */
const QUANTILE = 1.959963984540054;

/**
 * The 95 % interval for a share of which `solved` out of `tried` were seen; everything is possible when none was
 * tried.
 */
export function wilsonInterval(solved: number, tried: number): Interval {
  if (tried === 0) return { low: 0, high: 1 };
  const share = solved / tried;
  const square = QUANTILE * QUANTILE;
  const centre = share + square / (2 * tried);
  const reach = QUANTILE * Math.sqrt((share * (1 - share)) / tried + square / (4 * tried * tried));
  const scale = 1 + square / tried;
  return { low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale) };
}

export interface Stratum {
  readonly solved: number;
  readonly tried: number;
  /** The share of the whole population that the stratum stands for. */
  readonly weight: number;
}

export interface Estimate extends Interval {
  readonly share: number;
}

/**
 * The share in a population from a stratified sample. Strata that were not tried are left out and the other weights
 * scaled up. The interval is Wilson's at the effective sample size 1 / Σ (wᵢ² / nᵢ), that is, Kish's.
 */
export function weightedEstimate(strata: readonly Stratum[]): Estimate | undefined {
  const tried = strata.filter((stratum) => stratum.tried > 0 && stratum.weight > 0);
  const total = tried.reduce((sum, stratum) => sum + stratum.weight, 0);
  if (total === 0) return undefined;
  let share = 0;
  let inverseSize = 0;
  for (const { solved, tried: count, weight } of tried) {
    share += ((weight / total) * solved) / count;
    inverseSize += (weight / total) ** 2 / count;
  }
  return { share, ...wilsonInterval(share / inverseSize, 1 / inverseSize) };
}
