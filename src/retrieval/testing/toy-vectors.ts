/** Vectors of length one that stand in groups, as learned vectors do, from a seed. */
import { DIMENSION } from '../model/model-format.ts';
import type { IndexEntry } from '../index/vector-index.ts';

const GROUP = 20;
/** How far the members of a group stray from its middle, against 1 for the middle itself. */
const SPREAD = 0.6;

/** Numbers in (-1, 1), near 0 more often: the sum of two uniform ones. */
function generator(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  const uniform = (): number => {
    // A linear congruential generator modulo 2^32 (Numerical Recipes); its high bits are good enough here.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => uniform() + uniform() - 1;
}

export function drawVector(seed: number): Float32Array {
  const middle = generator(Math.floor(seed / GROUP) + 1);
  const own = generator(seed + 1_000_003);
  const vector = new Float32Array(DIMENSION);
  let square = 0;
  for (let at = 0; at < DIMENSION; at += 1) {
    const value = middle() + SPREAD * own();
    vector[at] = value;
    square += value * value;
  }
  return vector.map((value) => value / Math.sqrt(square));
}

const drawn = new Map<number, Float32Array>();

/** {@link drawVector}, kept. */
export function toyVector(seed: number): Float32Array {
  const vector = drawn.get(seed) ?? drawVector(seed);
  drawn.set(seed, vector);
  return vector;
}

export function toyEntries(first: number, count: number): IndexEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    vector: toyVector(first + at),
    item: { number: first + at },
  }));
}
