import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitOf } from './split.ts';

test('a text is in one set, whatever stands beside it', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), (text, seed) => splitOf(text, seed) === splitOf(text, seed)),
  );
});

test('the sets hold 70, 20 and 10 of a hundred texts', () => {
  const counts = { train: 0, validation: 0, test: 0 };
  for (let text = 0; text < 5000; text += 1) counts[splitOf(String(text), 1)] += 1;
  expect(counts.train / 5000).toBeCloseTo(0.7, 1);
  expect(counts.validation / 5000).toBeCloseTo(0.2, 1);
  expect(counts.test / 5000).toBeCloseTo(0.1, 1);
});

test('another seed makes other sets', () => {
  const texts = Array.from({ length: 50 }, (_, text) => String(text));
  expect(texts.map((text) => splitOf(text, 1))).not.toEqual(texts.map((text) => splitOf(text, 2)));
});
