/** Draws a stratified sample: the same seed and the same population give the same order, whatever else is asked for. */
import { randomNumbers } from '../../src/core/random.ts';

export const STRATA = [
  { name: '≤ 4', from: 1, to: 4 },
  { name: '5–8', from: 5, to: 8 },
  { name: '9–20', from: 9, to: 20 },
] as const;

export type StratumName = (typeof STRATA)[number]['name'];

/** Undefined for proofs that are too long to be drawn. */
export function stratumOf(length: number): StratumName | undefined {
  return STRATA.find((stratum) => length >= stratum.from && length <= stratum.to)?.name;
}

/** Numbers in [0, 1), by an FNV-1a hash of the seed text. */
export function seededRandom(seed: string): () => number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < seed.length; at += 1) hash = Math.imul(hash ^ seed.charCodeAt(at), 0x01000193);
  return randomNumbers(hash);
}

/** A new array in an order that the seed decides (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], seed: string): Item[] {
  const result = [...items];
  const random = seededRandom(seed);
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [result[last], result[other]];
    if (a !== undefined && b !== undefined) [result[last], result[other]] = [b, a];
  }
  return result;
}

/** How many of `count` tasks each stratum gets: half of them short, the rest shared, each at least one. */
export function quotas(count: number): Record<StratumName, number> {
  const long = Math.max(1, Math.round(count * 0.225));
  const middle = Math.max(1, Math.round(count * 0.3));
  return { '≤ 4': Math.max(1, count - middle - long), '5–8': middle, '9–20': long };
}

/**
 * The order in which the theorems of one stratum are tried until the quota is full. `keyOf` must tell the items apart;
 * they are sorted by it first, so the order in which they were found does not matter.
 */
export function drawingOrder<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  seed: string,
): Item[] {
  const sorted = [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  return shuffled(sorted, seed);
}
