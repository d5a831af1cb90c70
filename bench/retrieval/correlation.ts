/** Pearson's and Spearman's correlation of two long lists of numbers. */
import { entryAt } from '../../src/core/entry.ts';

/** NaN when one of the lists is constant. */
export function pearson(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const count = left.length;
  let [leftSum, rightSum] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    leftSum += entryAt(left, at, 'value');
    rightSum += entryAt(right, at, 'value');
  }
  const [leftMean, rightMean] = [leftSum / count, rightSum / count];
  let [both, leftSquares, rightSquares] = [0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const one = entryAt(left, at, 'value') - leftMean;
    const other = entryAt(right, at, 'value') - rightMean;
    both += one * other;
    leftSquares += one * one;
    rightSquares += other * other;
  }
  return both / Math.sqrt(leftSquares * rightSquares);
}

/** Pearson's correlation of the ranks; equal numbers share the mean of their ranks. */
export function spearman(left: Float32Array, right: Float32Array): number {
  return pearson(ranks(left), ranks(right));
}

export function ranks(values: Float32Array): Float32Array {
  const sorted = values.slice().sort();
  // Where the value would go before, and behind, its equals.
  const bound = (value: number, behind: boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = sorted[middle] ?? 0;
      if (at < value || (behind && at === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return values.map((value) => (bound(value, false) + bound(value, true) + 1) / 2);
}
