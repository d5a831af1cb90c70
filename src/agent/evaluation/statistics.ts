/** Shares with Wilson's intervals, McNemar's exact test for two methods on the same theorems, medians. */

export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals. */
const QUANTILE = 1.959963984540054;

/** The share of successes with its 95 % score interval; everything is possible when nothing was tried. */
export function wilson(successes: number, tried: number): Share {
  if (tried === 0) return { share: 0, low: 0, high: 1 };
  const share = successes / tried;
  const square = QUANTILE ** 2;
  const centre = share + square / (2 * tried);
  const reach = QUANTILE * Math.sqrt((share * (1 - share)) / tried + square / (4 * tried ** 2));
  const scale = 1 + square / tried;
  return { share, low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale) };
}

/**
 * The two-sided exact probability of a split as uneven as this, or more, if both methods were equally good.
 * @param onlyFirst How many the first solved and the second did not. @param onlySecond The other way round.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const total = onlyFirst + onlySecond;
  if (total === 0) return 1;
  const fewer = Math.min(onlyFirst, onlySecond);
  let logTerm = -total * Math.LN2;
  let sum = 0;
  for (let k = 0; k <= fewer; k++) {
    sum += Math.exp(logTerm);
    logTerm += Math.log((total - k) / (k + 1));
  }
  return Math.min(1, 2 * sum);
}

export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)];
  if (above === undefined) return undefined;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? above) + above) / 2 : above;
}
