import { expect, test } from 'vitest';
import { inColumns } from './columns.ts';

test('each column begins at the same place in every line, and no line ends in spaces', () => {
  expect(
    inColumns([
      ['one', '1/1', '$0'],
      ['another', '0/1 (+1 but open)', ''],
    ]),
  ).toEqual(['one      1/1                $0', 'another  0/1 (+1 but open)']);
});
