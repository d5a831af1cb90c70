import { expect, test } from 'vitest';
import { inColumns, listLines, rowsOfLines } from './columns.ts';

test('each column begins at the same place in every line, and no line ends in spaces', () => {
  expect(
    inColumns([
      ['one', '1/1', '$0'],
      ['another', '0/1 (+1 but open)', ''],
    ]),
  ).toEqual(['one      1/1                $0', 'another  0/1 (+1 but open)']);
});

test('a long list goes on below, in the same column', () => {
  const names = Array.from({ length: 9 }, (_, at) => `theorem_${at}`);
  const lines = listLines(names);
  expect(lines).toEqual([
    'theorem_0, theorem_1, theorem_2,',
    'theorem_3, theorem_4, theorem_5,',
    'theorem_6, theorem_7, theorem_8',
  ]);
  expect(rowsOfLines([['a'], lines.slice(0, 2), []])).toEqual([
    ['a', 'theorem_0, theorem_1, theorem_2,', ''],
    ['', 'theorem_3, theorem_4, theorem_5,', ''],
  ]);
  const long = 'x'.repeat(60);
  expect(listLines([long, long])).toEqual([`${long},`, long]);
  expect(listLines([])).toEqual(['']);
});
