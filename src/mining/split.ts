/**
 * Which set a source is in: 70 % train, 20 % validation, 10 % test, by a hash of its text and a seed. A source never
 * moves as the data set grows, and copies of one text are in one set.
 */
import { createHash } from 'node:crypto';
import type { SplitName } from './item.ts';

const TRAIN = 0.7;
const VALIDATION = 0.2;

export function splitOf(text: string, seed: number): SplitName {
  const hash = createHash('sha256').update(`${seed}\0`).update(text).digest();
  const place = hash.readUInt32LE(0) / 2 ** 32;
  if (place < TRAIN) return 'train';
  return place < TRAIN + VALIDATION ? 'validation' : 'test';
}
