import { expect, test } from 'vitest';
import { readSelector } from './goal-selector.ts';

const each = (...indices: number[]) => ({ kind: 'each', indices });
const one = (index: number) => ({ kind: 'one', index });

test.each([
  ['auto', 3, 'auto', one(0)],
  ['2: auto', 3, 'auto', one(1)],
  ['!: auto', 1, 'auto', one(0)],
  ['all: auto; lia', 3, 'auto; lia', each(0, 1, 2)],
  ['all: auto', 1, 'auto', one(0)],
  ['par: lia', 2, 'lia', each(0, 1)],
  ['1,3: auto', 3, 'auto', each(0, 2)],
  ['1, 3-5 : auto', 6, 'auto', each(0, 2, 3, 4)],
  ['[x]: auto', 2, 'auto', { kind: 'named', name: 'x' }],
  ['case: x', 2, 'case: x', one(0)],
  ['[a | b]', 2, '[a | b]', one(0)],
])('%s with %i goals', (sentence, count, tactic, selection) => {
  expect(readSelector(sentence, count)).toEqual({ tactic, selection });
});
