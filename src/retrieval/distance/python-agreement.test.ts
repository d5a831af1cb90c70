/** Training measures proofs in Python; what it learns towards must be what is measured here. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { proofDistance } from './proof-distance.ts';
import { tacticsOfProof } from './tactic-list.ts';

interface Agreed {
  readonly proofs: readonly string[];
  readonly steps: readonly string[][];
  readonly distances: readonly number[][];
}

test('tactics and distances are those that training computes', async () => {
  const path = new URL('../../../training/tests/agreed-distances.json', import.meta.url);
  const { proofs, steps, distances } = JSON.parse(await readFile(path, 'utf8')) as Agreed;
  expect(proofs.map(tacticsOfProof)).toEqual(steps);
  for (const [row, one] of steps.entries())
    for (const [column, other] of steps.entries())
      expect(proofDistance(one, other)).toBeCloseTo(distances[row]?.[column] ?? NaN, 10);
});
