/**
 * What a benchmark can claim: shares with intervals, pass@k, and exact tests for two methods on the same theorems.
 * Repeats of a theorem are no theorems of their own: wherever there are several, the theorem is what is drawn.
 */
import { orZero } from '../../core/entry.ts';
import { randomNumbers } from '../../core/random.ts';

export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution, for two-sided 95 % intervals. */
const QUANTILE = 1.959963984540054;

/**
 * The share of successes, which may be a mean, with its 95 % score interval; everything is possible when nothing
 * was tried.
 */
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

/** The runs of one method on one theorem. */
export interface Repeats {
  readonly tried: number;
  readonly solved: number;
}

/**
 * The chance that at least one of `k` runs drawn from these, without putting back, solves the theorem: the unbiased
 * estimator 1 - C(n-c, k) / C(n, k) of Chen et al., "Evaluating Large Language Models Trained on Code" (2021).
 * Undefined with fewer runs.
 */
export function passAtK({ tried, solved }: Repeats, k: number): number | undefined {
  if (tried < k) return undefined;
  if (tried - solved < k) return 1;
  let missed = 1;
  for (let run = tried - solved + 1; run <= tried; run++) missed *= 1 - k / run;
  return 1 - missed;
}

const RESAMPLES = 2000;

/**
 * pass@k over theorems that have `k` runs, with a 95 % interval. With one run each it is the share with Wilson's
 * interval; with several, theorems are drawn with replacement, each with all its runs (the cluster bootstrap).
 * Where that shows no spread, because every theorem is the same, Wilson's interval for so many theorems says what
 * can be said.
 */
export function passAt(theorems: readonly Repeats[], k: number): Share & { readonly theorems: number } {
  const values = theorems.flatMap((theorem) => passAtK(theorem, k) ?? []);
  const count = values.length;
  const mean = meanOf(values);
  const isSingle = theorems.every(({ tried }) => tried <= 1);
  if (isSingle || values.every((value) => Math.abs(value - mean) < 1e-9)) {
    const { low, high } = wilson(mean * count, count);
    return { share: mean, low: Math.min(low, mean), high: Math.max(high, mean), theorems: count };
  }
  const random = randomNumbers(k);
  const means = Array.from({ length: RESAMPLES }, () =>
    meanOf(values.map((value) => values[Math.floor(random() * count)] ?? value)),
  ).toSorted((one, other) => one - other);
  const quantile = (share: number): number => means[Math.floor(share * (RESAMPLES - 1))] ?? mean;
  return {
    share: mean,
    low: Math.min(mean, quantile(0.025)),
    high: Math.max(mean, quantile(0.975)),
    theorems: count,
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The two-sided exact probability of a sum as far from zero as this one, or further, if each theorem's difference
 * could as well have gone the other way. With one run a theorem this is McNemar's exact test.
 * @param differences By theorem: how many more of its paired runs the first method solved than the second.
 */
export function signFlip(differences: readonly number[]): number {
  const told = differences.filter((difference) => difference !== 0);
  if (told.every((difference) => Math.abs(difference) === 1)) {
    const gained = told.filter((difference) => difference > 0).length;
    return mcnemar(gained, told.length - gained);
  }
  const seen = Math.abs(told.reduce((sum, difference) => sum + difference, 0));
  const most = told.reduce((sum, difference) => sum + Math.abs(difference), 0);
  // By the sum, from `-most` on.
  let chances = new Float64Array(2 * most + 1);
  chances[most] = 1;
  for (const difference of told) {
    const next = new Float64Array(chances.length);
    for (const [sum, chance] of chances.entries()) {
      if (chance === 0) continue;
      for (const flipped of [sum + difference, sum - difference])
        next[flipped] = orZero(next[flipped]) + chance / 2;
    }
    chances = next;
  }
  const tail = chances.reduce((sum, chance, at) => sum + (Math.abs(at - most) >= seen ? chance : 0), 0);
  return Math.min(1, tail);
}
