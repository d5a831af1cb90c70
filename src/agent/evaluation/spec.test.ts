/** A specification is somebody else's word: what it asks for without measure is refused with a sentence. */
import { expect, test } from 'vitest';
import { parseSpec } from './spec.ts';

const spec = (repeats: number) => ({
  name: 'N',
  theorems: { 'a.v': ['t'] },
  methods: [{ name: 'm' }],
  repeats,
});

test('more repeats than anybody waits for are refused', () => {
  expect(parseSpec(spec(1000), 'spec.json').repeats).toBe(1000);
  for (const repeats of [1001, 1e12, 0, 1.5])
    expect(() => parseSpec(spec(repeats), 'spec.json')).toThrow(/The specification is wrong: repeats: /u);
});

test.for([{}, [], { 'a.v': [] }])('a specification without a theorem is refused: %j', (theorems) => {
  expect(() => parseSpec({ name: 'x', theorems, methods: [{ name: 'm' }] }, 's.json')).toThrow(
    /names no theorem/u,
  );
});
